/* Recurrences look ahead, four iterations of which wait once: a running sum, a
   filter, and one by elements; not where something else waits, nor under
   fp(strict).  */
/* { dg-tensor-opts "dump=promote" } */
/* { dg-final { scan-tns-dump-times promote " step 4 " 3 } } */
/* { dg-final { scan-tns-dump promote "power.* = power.* \\* factor" } } */
/* { dg-final { scan-tns-dump promote "term.* = term.* \\+ b.i_1 \\+ 1" } } */

float
sums (int n, float *restrict a, const float *restrict b)
{
  float s = 0;
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      s += b[i];
      a[i] = s;
    }
  return s;
}

void
filter (int n, float *restrict a, const float *restrict b)
{
#pragma tensor
  for (int i = 1; i < n; i++)
    a[i] = a[i - 1] * 0.5f + b[i];
}

void
elements (int n, float *restrict a, const float *restrict b)
{
#pragma tensor
  for (int i = 1; i < n; i++)
    a[i] = 1 - b[i] * a[i - 1];
}

void
second (int n, float *restrict a, const float *restrict b)
{
#pragma tensor
  for (int i = 2; i < n; i++)
    a[i] = a[i - 1] * 0.25f + a[i - 2] * 0.5f + b[i];
}

void
strict (int n, float *restrict a, const float *restrict b)
{
#pragma tensor fp(strict)
  for (int i = 1; i < n; i++)
    a[i] = a[i - 1] * 0.5f + b[i];
}
