/* Long loops of few operations begin the vectors that they store where cache
   lines begin, where a vector is as long as a line: one that sums, one that
   divides, and one that stores every other element do not, and of two arrays
   that one stores to the temporary, which becomes a register, does not
   decide.  */
/* { dg-tensor-opts "dump=plan,vectors" } */
/* { dg-additional-options "-O3 -mavx512f -mavx512dq -mavx512vl -mavx512bw" } */
/* { dg-final { scan-tns-dump plan "align i.1 in S1: y" } } */
/* { dg-final { scan-tns-dump vectors "past_line.y.4096 . i_0.." } } */
/* { dg-final { scan-tns-dump plan "align i.1 in S1: w" } } */
/* { dg-final { scan-tns-dump-not plan "align .*: \[txz\]" } } */

void
add (int n, float *restrict y, const float *restrict x)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    y[i] += 2 * x[i];
}

void
twice (int n, float *restrict t, float *restrict w, const float *restrict x)
{
#pragma tensor temp(t) require(simd)
  {
    for (int i = 0; i < n; i++)
      t[i] = 2 * x[i];
    for (int i = 0; i < n; i++)
      w[i] = t[i] + 1;
  }
}

float
sum (int n, float *restrict z, const float *restrict x)
{
  float s = 0;
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      z[i] = x[i];
      s += x[i];
    }
  return s;
}

void
divide (int n, float *restrict z, const float *restrict x)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    z[i] = 1 / x[i];
}

void
spread (int n, float *restrict z, const float *restrict x)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    z[2 * i] = x[i];
}

void
few (float *restrict z, const float *restrict x)
{
#pragma tensor
  for (int i = 0; i < 100; i++)
    z[i] = 3 * x[i];
}
