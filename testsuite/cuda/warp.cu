/* Each function of a warp and of a block that returns something, and the
   conversions of bits: OUT[e][i] is what thread i of 64 got from number e.  */

struct warp_args
{
  double *out;
  const int *x;
  long long n;
};

/* Write VALUE as number E.  */
static __device__ __forceinline__ void
put (const struct warp_args *arg, int e, double value)
{
  arg->out[e * 64 + threadIdx.x] = value;
}

extern "C" __global__ void __launch_bounds__ (64)
warp (const __grid_constant__ struct warp_args arg)
{
  unsigned all = 0xffffffff;
  int x = arg.x[threadIdx.x], lane = threadIdx.x % 32;
  long long wide = 0x100000001LL * x;
  put (&arg, 0, __shfl_sync (all, x, 5));
  put (&arg, 1, __shfl_sync (all, x, 9, 8));
  put (&arg, 2, __shfl_xor_sync (all, (double) x, 3));
  put (&arg, 3, __shfl_up_sync (all, (float) x, 2));
  put (&arg, 4, __shfl_up_sync (all, x, 3u, 8));
  put (&arg, 5, __shfl_down_sync (all, (unsigned) x, 4));
  put (&arg, 6, (double) __shfl_down_sync (all, wide, 1, 16));
  put (&arg, 7, __ballot_sync (all, x % 3 == 0));
  put (&arg, 8, __any_sync (all, x == 40));
  put (&arg, 9, __all_sync (all, x >= 0));
  put (&arg, 10, __all_sync (all, x > 3));
  put (&arg, 11, __syncthreads_or (x == 40));
  put (&arg, 12, __syncthreads_or (x == 400));
  put (&arg, 13, __syncthreads_and (x >= 0));
  put (&arg, 14, __syncthreads_and (x > 3));
  put (&arg, 15, __syncthreads_count (x % 3 == 0));
  if (lane < 16)
    put (&arg, 16, __shfl_xor_sync (0xffff, x, 8));
  else
    put (&arg, 16, __shfl_xor_sync (0xffff0000, x, 4));
  __syncwarp ();
  put (&arg, 17, __int_as_float (__float_as_int (1.5f * x)));
  put (&arg, 18, __longlong_as_double (__double_as_longlong (2.5 * x)));
  put (&arg, 19, __fmaf_rn ((float) x, 2.0f, 1.0f));
  float2 two = make_float2 (x, 1);
  double2 wide_two = make_double2 (two.x, two.y);
  int4 four = make_int4 (x, 1, 2, 3);
  put (&arg, 20, wide_two.x + wide_two.y + four.x + four.w);
  put (&arg, 21, __uint_as_float (__float_as_uint (rsqrtf ((float) x + 1))));
}

struct wide_args
{
  double *out;
  long long first[100];
  float4 last;
};

/* Many parameters, and all three dimensions of blocks and threads.  */
extern "C" __global__ void __launch_bounds__ (64)
wide (const __grid_constant__ struct wide_args arg)
{
  unsigned thread
    = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  unsigned block
    = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  unsigned n = blockDim.x * blockDim.y * blockDim.z;
  arg.out[block * n + thread]
    = arg.first[block] + arg.last.w * thread + __popc (block) + __clz (block)
      + __popcll (1ULL << 40) + __clzll (1) + exp10f (1);
}

/* Lanes of one warp pass what they have through memory of the block.  */
extern "C" __global__ void __launch_bounds__ (64)
warp_turn (const __grid_constant__ struct warp_args arg)
{
  __shared__ int turned[64];
  int t = threadIdx.x;
  turned[t ^ 31] = arg.x[t];
  __syncwarp ();
  put (&arg, 0, turned[t]);
}

/* Each thread counts in memory of the block and of all.  */
extern "C" __global__ void __launch_bounds__ (64)
count (const __grid_constant__ struct warp_args arg)
{
  __shared__ int counted[4];
  if (threadIdx.x < 4)
    counted[threadIdx.x] = 0;
  __syncthreads ();
  atomicAdd (&counted[arg.x[threadIdx.x] % 4], 1);
  unsigned place = atomicInc ((unsigned *) &arg.out[4], 63);
  __syncthreads ();
  if (threadIdx.x < 4)
    arg.out[threadIdx.x] = counted[threadIdx.x];
  if (place == 63)
    arg.out[5] = threadIdx.x < 64;
}
