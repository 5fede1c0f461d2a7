/* What is begun and stored beside a strip in registers has as many vectors side
   by side; a strip along a loop whose rows dots take gets a nest of its own.  */
/* { dg-tensor-opts "dump=plan" } */
/* { dg-additional-options "-mavx512f -mavx512dq -mavx512vl -mavx512bw" } */
/* { dg-final { scan-tns-dump plan "^unroll i.1 in S1: 4$" } } */
/* { dg-final { scan-tns-dump plan "^unroll i.1 in S3: 4$" } } */
/* { dg-final { scan-tns-dump-times plan "^kernel S2: i:1 i:\[0-9\]+ strip$" 2 } } */
/* { dg-final { scan-tns-dump plan "^split i in S2: S2$" } } */

void
filter (int n, int m, float *restrict y, const float *restrict x,
        const float *restrict h)
{
#pragma tensor name("filter")
  for (int i = 0; i < n - m; i++)
    {
      float s = 0;
      for (int k = 0; k < m; k++)
        s += h[k] * x[i + k];
      y[i] = s;
    }
}

void
symmetric (int n, float *restrict y, float (*restrict a)[n],
           const float *restrict x)
{
#pragma tensor name("symmetric")
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j <= i; j++)
        y[i] += a[i][j] * x[j];
      for (int j = i + 1; j < n; j++)
        y[i] += a[j][i] * x[j];
    }
}
