/* Statements that order a loop only together get loops of their own, in the
   order in which they depend on each other; not where lanes suit the loop as it
   is, nor where a temporary would need memory.  */
/* { dg-tensor-opts "dump=plan" } */
/* { dg-final { scan-tns-dump plan "^split i in S1$" } } */
/* { dg-final { scan-tns-dump-times plan "^split " 1 } } */
/* { dg-final { scan-tns-dump plan "^distribute i in S1: S2 / S1$" } } */
/* { dg-final { scan-tns-dump-times plan "^distribute " 1 } } */

void
together (int n, float *restrict a, float *restrict b, const float *restrict c,
          const float *restrict d)
{
#pragma tensor name("together")
  for (int i = 1; i < n; i++)
    {
      a[i] = b[i] * c[i] + d[i];
      b[i] = a[i - 1] * 0.5f + d[i];
    }
}

void
ahead (int n, float *restrict a, float *restrict b, const float *restrict c)
{
#pragma tensor name("ahead")
  for (int i = 0; i < n - 1; i++)
    {
      b[i] = c[i] + a[i + 1];
      a[i] = b[i] * c[i];
    }
}

void
handed (int n, float *restrict a, float *restrict b, const float *restrict c)
{
#pragma tensor name("handed")
  for (int i = 1; i < n; i++)
    {
      float t = b[i] * c[i];
      a[i] = t;
      b[i] = a[i - 1] + t;
    }
}

void
reordered (int n, float *restrict a, float *restrict b, const float *restrict c)
{
#pragma tensor name("reordered")
  for (int i = 1; i < n; i++)
    {
      a[i] = b[i - 1] + c[i];
      b[i] = b[i + 1] - c[i];
    }
}
