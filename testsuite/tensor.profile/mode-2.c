/* TRM_MODE=fused, and no mode at all, run the new loops: the planted fault is
   seen in the result, and nothing is written.  */
/* { dg-no-verdicts "the pragma stands in mode.h" } */
/* { dg-tensor-opts "break=simplify check" } */
/* { dg-set-target-env-var TRM_MODE "fused" } */
/* { dg-output "^$" } */

#include "mode.h"

int
main (void)
{
  return one_less (22) == 22 ? 0 : 1;
}
