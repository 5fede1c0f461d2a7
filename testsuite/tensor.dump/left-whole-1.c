/* What the last vector of a loop costs, a gather under a mask, says nothing of
   the others, which pick every second element: lanes are ours, not GCC's.  */
/* { dg-tensor-opts "dump=vectors" } */
/* { dg-additional-options "-O3 -mavx512f -mavx512dq -mavx512vl -mavx512bw -fno-openmp" } */
/* { dg-final { scan-tns-dump vectors {y\[i_1\]:f32x16 = } } } */

void
greater (int n, const float *restrict x, float *restrict y)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      float m = -1e30f;
      for (int a = 0; a < 3; a++)
        m = __builtin_fmaxf (m, x[2 * i + a]);
      y[i] = m;
    }
}
