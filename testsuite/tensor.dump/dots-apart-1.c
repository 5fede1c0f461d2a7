/* Four rows of a matrix are summed side by side, rows of two matrices one by
   one.  */
/* { dg-tensor-opts "dump=plan" } */
/* { dg-final { scan-tns-dump plan {^kernel S2: i:1 i:4 dot$} } } */
/* { dg-final { scan-tns-dump-times plan {^kernel } 1 } } */

void
one (int n, float *restrict y, float (*restrict a)[n], const float *restrict x)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      float s = 0;
      for (int j = 0; j < n; j++)
        s += a[i][j] * x[j];
      y[i] = s;
    }
}

void
two (int n, float *restrict y, float (*restrict a)[n], float (*restrict b)[n],
     const float *restrict x)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      float s = 0, t = 0;
      for (int j = 0; j < n; j++)
        {
          s += a[i][j] * x[j];
          t += b[i][j] * x[j];
        }
      y[i] = 1.5f * s + 1.25f * t;
    }
}
