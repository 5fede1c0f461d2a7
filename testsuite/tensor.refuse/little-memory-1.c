/* little-memory: no number of sweeps can do within the bound.  */
/* { dg-do compile } */

void
f (double x[100])
{
  for (int t = 0; t < 1000; t++)
    for (int i = 0; i < 100; i++)
      x[i] = x[i] * x[i];
}

#pragma tensor gradient(f) of(x: dx) wrt(x: dx) memory("1K") /* { dg-error "the time loop needs 1792 bytes at least" } */
void f_gradient (const double x[100], double dx[100]);

#pragma tensor gradient(f) of(x: dx) wrt(x: dx) memory("2K")
void f_enough (const double x[100], double dx[100]);
