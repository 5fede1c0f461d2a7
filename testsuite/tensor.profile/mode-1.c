/* TRM_MODE=original runs the loops as written, of code compiled with check,
   in the user's order: the planted fault is not seen.  */
/* { dg-no-verdicts "the pragma stands in mode.h" } */
/* { dg-tensor-opts "break=simplify check" } */
/* { dg-set-target-env-var TRM_MODE "original" } */
/* { dg-output "^$" } */

#include "mode.h"

int
main (void)
{
  return one_less (22) == 21 ? 0 : 1;
}
