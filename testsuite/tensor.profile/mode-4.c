/* The program may choose the mode while it runs.  */
/* { dg-no-verdicts "the pragma stands in mode.h" } */
/* { dg-tensor-opts "break=simplify check" } */
/* { dg-output "^$" } */

#include "tensorrt-mini.h"

#include "mode.h"

int
main (void)
{
  if (one_less (22) != 22)
    return 1;
  trm_mode_set (TRM_MODE_ORIGINAL);
  if (one_less (22) != 21)
    return 2;
  trm_mode_set (TRM_MODE_FUSED);
  return one_less (22) == 22 ? 0 : 3;
}
