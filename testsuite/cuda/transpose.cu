/* A transposition through tiles of dynamic shared memory, so that both sides
   are accessed along their rows.  */

struct transpose_args
{
  float *y;
  const float *x;
  long long rows, columns;
};

extern "C" __global__ void __launch_bounds__ (256)
transpose (const __grid_constant__ struct transpose_args arg)
{
  TNS_SHARED (float, tile);
  long long row = 32LL * blockIdx.y, column = 32LL * blockIdx.x;
  for (int i = threadIdx.y; i < 32; i += 8)
    if (row + i < arg.rows && column + threadIdx.x < arg.columns)
      tile[i * 33 + threadIdx.x]
        = arg.x[(row + i) * arg.columns + column + threadIdx.x];
  __syncthreads ();
  for (int i = threadIdx.y; i < 32; i += 8)
    if (column + i < arg.columns && row + threadIdx.x < arg.rows)
      arg.y[(column + i) * arg.rows + row + threadIdx.x]
        = tile[threadIdx.x * 33 + i];
}
