/* What branches store to one place in several ways is one store; small
   remainders of numbers of 32 bits stay there; what is counted in some lanes
   keeps the others.  */
/* { dg-tensor-opts "dump=vectors" } */
/* { dg-additional-options "-O3 -mavx512f -mavx512dq -mavx512vl -mavx512bw -fno-openmp" } */
/* { dg-final { scan-tns-dump vectors {a\[i_1\]:f32x16 = \(\(c\[i_1\]:i32x16 & splat:i32x16\(1i32\)\) !=} } } */
/* { dg-final { scan-tns-dump-times vectors {  a\[i_1\]:f32x16 = } 1 } } */
/* { dg-final { scan-tns-dump vectors {acc = .* \? acc \+ splat:i32x16\(1i32\) : acc} } } */

void
mix (int n, float *restrict a, const float *restrict b, const int *restrict c)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    if (c[i] & 1)
      a[i] += b[i];
    else if (c[i] & 2)
      a[i] -= b[i];
    else
      a[i] *= b[i];
}

int
crossings (int n, const float *restrict x)
{
  int s = 0;
#pragma tensor
  for (int i = 1; i < n; i++)
    s += (x[i] > 1) != (x[i - 1] > 1);
  return s;
}
