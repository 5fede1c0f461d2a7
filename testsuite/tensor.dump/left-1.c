/* Loops that stay as written have vectors at -O2 as at -O3, kept or refused.  */
/* { dg-do compile } */
/* { dg-final { scan-assembler "vsubps\[^\\n\]*ymm" } } */
/* { dg-final { scan-assembler "vmulps\[^\\n\]*ymm" } } */

void
differences (int n, float *x)
{
#pragma tensor /* { dg-message "kept as written" } */
  for (int i = 0; i < n - 1; i++)
    x[i] = x[i + 1] - x[i];
}

void scale (int n, const float *restrict x, float *restrict y);

extern int told (int);

void
scale (int n, const float *restrict x, float *restrict y)
{
#pragma tensor /* { dg-missed "not transformed" } */
  for (int again = 0; told (again); again++)
    for (int i = 0; i < n; i++)
      y[i] = x[i] * y[i];
}
