/* A mode that does not exist is told of, and has no effect.  */
/* { dg-no-verdicts "the pragma stands in mode.h" } */
/* { dg-tensor-opts "break=simplify check" } */
/* { dg-set-target-env-var TRM_MODE "orginal" } */
/* { dg-output "^tensor: TRM_MODE=orginal is not known; it may be original, fused or check\n$" } */

#include "mode.h"

int
main (void)
{
  return one_less (22) == 22 ? 0 : 1;
}
