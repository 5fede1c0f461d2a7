/* The iterator becomes a floating number, and subscripts that are computed of
   it, in 32 bits where they fit: vectors hold twice as many.  */
/* { dg-tensor-opts "dump=vectors" } */
/* { dg-final { scan-tns-dump vectors "f32x8.iota:i32x8.i32.i_1" } } */
/* { dg-final { scan-tns-dump vectors "iota:i32x8.i32.i_1.. % splat:i32x8" } } */
/* { dg-final { scan-tns-dump vectors "f32x8.iota:i64x8.j_1" } } */

float x[1000], y[1000], z[1000];

void
ramp (void)
{
#pragma tensor
  for (int i = 0; i < 1000; i++)
    x[i] = i * 0.25f;
}

void
ring (void)
{
#pragma tensor
  for (int i = 0; i < 1000; i++)
    y[i] += z[i % 8];
}

void
long_ramp (long n, float *restrict a)
{
#pragma tensor
  for (long j = 0; j < n; j++)
    a[j] = j * 0.25f;
}
