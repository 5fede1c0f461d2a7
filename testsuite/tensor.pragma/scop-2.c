/* scop and endscop around statements: a verdict each.  */
/* { dg-options "-Wall -Wextra" } */
/* { dg-tensor-opts "scop report=none" } */

void
f (int n, float *restrict x, float *restrict y)
{
#pragma scop
  for (int i = 0; i < n; i++)
    x[i] = 1;
  for (int i = 0; i < n; i++)
    y[i] = x[i] + 1;
#pragma endscop
  if (n > 3)
    {
#pragma scop
      for (int i = 0; i < n; i++)
        y[i] += x[i];
#pragma endscop
    }
}
