/* C = A B in f32: tiles of 32 x 32 by 64 threads, 4 x 4 elements each, of
   steps of 8; two buffers in shared memory, so that one barrier a step is
   enough.  What lies behind the matrices is zero.  */

struct product_args
{
  float *c;
  const float *a, *b;
  long long m, n, k;
};

extern "C" __global__ void __launch_bounds__ (64)
product (const __grid_constant__ struct product_args arg)
{
  __shared__ __align__ (16) float a[2][8][32 + 4];
  __shared__ __align__ (16) float b[2][8][32];
  int t = threadIdx.x, column = t % 8 * 4, row = t / 8 * 4;
  long long first_row = 32LL * blockIdx.y, first_column = 32LL * blockIdx.x;
  float sum[4][4] = {};
  int buffer = 0;
  for (long long k = 0; k < arg.k; k += 8)
    {
      for (int e = t; e < 8 * 32; e += 64)
        {
          long long i = first_row + e / 8, l = k + e % 8;
          a[buffer][e % 8][e / 8]
            = i < arg.m && l < arg.k ? arg.a[i * arg.k + l] : 0.0f;
          long long j = first_column + e % 32;
          l = k + e / 32;
          b[buffer][e / 32][e % 32]
            = j < arg.n && l < arg.k ? arg.b[l * arg.n + j] : 0.0f;
        }
      __syncthreads ();
      for (int l = 0; l < 8; l++)
        {
          float4 of_a = *(const float4 *) &a[buffer][l][row];
          float4 of_b = *(const float4 *) &b[buffer][l][column];
          const float left[4] = { of_a.x, of_a.y, of_a.z, of_a.w };
          const float right[4] = { of_b.x, of_b.y, of_b.z, of_b.w };
          for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
              sum[i][j] = fmaf (left[i], right[j], sum[i][j]);
        }
      buffer ^= 1;
    }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      if (first_row + row + i < arg.m && first_column + column + j < arg.n)
        arg.c[(first_row + row + i) * arg.n + first_column + column + j]
          = sum[i][j];
}
