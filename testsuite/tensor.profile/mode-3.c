/* Code that was not compiled with check knows no modes: the new loops
   run.  */
/* { dg-no-verdicts "the pragma stands in mode.h" } */
/* { dg-tensor-opts "break=simplify" } */
/* { dg-set-target-env-var TRM_MODE "original" } */
/* { dg-output "^$" } */

#include "mode.h"

int
main (void)
{
  return one_less (22) == 22 ? 0 : 1;
}
