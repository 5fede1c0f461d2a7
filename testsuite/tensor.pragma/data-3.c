/* #pragma tensor data: what the user is told.  */

#include <stdio.h>

extern void other (float *);
extern void (*third) (float *);
static float a[100];

/* Its own arrays are asked for where it has a block itself.  */
static void
mine (void)
{
#pragma tensor target(cuda)
  for (int i = 0; i < 100; i++)
    a[i] *= 2;
}

float
f (int n, float *x)
{
#pragma tensor data a copyin(x[0:n]) /* { dg-message "keeps .a. on the device, 400 bytes" } */
  /* { dg-message "keeps .x. on the device" "" { target *-*-* } 21 } */
  {
    mine ();
    other (x); /* { dg-message "nothing is kept on the device during this call of .other., which may use it" } */
    third (x); /* { dg-message "nothing is kept on the device during this call" } */
    printf ("%g\n", a[0]);
  }
#pragma tensor data a
  {
    other (a); /* { dg-message "at most 400 bytes are copied each way" } */
  }
  return a[3];
}
