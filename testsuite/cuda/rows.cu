/* Softmax of the rows of a matrix: a warp a row, the greatest element and the
   sum by shuffles.  */

struct rows_args
{
  float *y;
  const float *x;
  long long rows, columns;
};

static __device__ __forceinline__ float
warp_max (float x)
{
  for (int i = 16; i > 0; i /= 2)
    x = fmaxf (x, __shfl_xor_sync (0xffffffff, x, i));
  return x;
}

static __device__ __forceinline__ float
warp_sum (float x)
{
  for (int i = 16; i > 0; i /= 2)
    x += __shfl_xor_sync (0xffffffff, x, i);
  return x;
}

extern "C" __global__ void __launch_bounds__ (128)
rows (const __grid_constant__ struct rows_args arg)
{
  int lane = threadIdx.x % 32;
  long long row = (long long) blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (row >= arg.rows)
    return;
  const float *x = arg.x + row * arg.columns;
  float *y = arg.y + row * arg.columns;
  float most = -__int_as_float (0x7f800000), sum = 0;
  for (long long j = lane; j < arg.columns; j += 32)
    most = fmaxf (most, x[j]);
  most = warp_max (most);
  for (long long j = lane; j < arg.columns; j += 32)
    sum += expf (x[j] - most);
  sum = warp_sum (sum);
  for (long long j = lane; j < arg.columns; j += 32)
    y[j] = expf (x[j] - most) / sum;
}
