/* The sum of an array in one launch and one order: each block adds a chunk, and
   the last one to take a ticket adds what the blocks have.  */

struct sum_args
{
  float *sum;
  const float *x;
  float *partial;
  unsigned *ticket;
  long long n;
};

/* The sum of X over the block, in all threads' order; thread 0 has it.  */
static __device__ __forceinline__ float
block_sum (float x, float *of_warp)
{
  for (int i = 16; i > 0; i /= 2)
    x += __shfl_down_sync (0xffffffff, x, i);
  if (threadIdx.x % 32 == 0)
    of_warp[threadIdx.x / 32] = x;
  __syncthreads ();
  x = threadIdx.x < blockDim.x / 32 ? of_warp[threadIdx.x] : 0.0f;
  if (threadIdx.x < 32)
    for (int i = 16; i > 0; i /= 2)
      x += __shfl_down_sync (0xffffffff, x, i);
  __syncthreads ();
  return x;
}

extern "C" __global__ void __launch_bounds__ (256)
sum (const __grid_constant__ struct sum_args arg)
{
  __shared__ float of_warp[8];
  __shared__ int is_last;
  float x = 0;
  long long step = (long long) gridDim.x * blockDim.x;
  for (long long i = (long long) blockIdx.x * blockDim.x + threadIdx.x;
       i < arg.n; i += step)
    x += arg.x[i];
  x = block_sum (x, of_warp);
  if (threadIdx.x == 0)
    {
      arg.partial[blockIdx.x] = x;
      __threadfence ();
      is_last = atomicAdd (arg.ticket, 1u) == gridDim.x - 1;
    }
  __syncthreads ();
  if (!is_last)
    return;
  x = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x)
    x += arg.partial[i];
  x = block_sum (x, of_warp);
  if (threadIdx.x == 0)
    {
      *arg.sum = x;
      *arg.ticket = 0;
    }
}
