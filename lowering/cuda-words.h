/* What kernels of all kinds need: what is spelled otherwise on the CPU
   (testsuite/cuda/cuda_cpu.h), bits of numbers, quotients, and what threads put
   together.  It includes nothing, and stands in front of all kernels
   (build-aux/prelude.mk makes a string of it).  */

#ifndef TNS_PRELUDE
#define TNS_PRELUDE

#define _Bool bool

#ifndef TNS_ON_CPU
#  define TNS_BITS  __popcll
#  define TNS_ZEROS __clzll
#else
#  define TNS_BITS  __builtin_popcountll
#  define TNS_ZEROS __builtin_clzll
#endif

#ifdef TNS_ON_CPU
#  define TNS_UNROLL
#  define TNS_UNROLL4
#  define TNS_UNROLL8
#  define TNS_ROLL
#  define TNS_INLINE __attribute__ ((always_inline))
#else
#  define TNS_UNROLL  _Pragma ("unroll")
#  define TNS_UNROLL4 _Pragma ("unroll 4")
#  define TNS_UNROLL8 _Pragma ("unroll 8")
#  define TNS_ROLL    _Pragma ("unroll 1")
#  define TNS_INLINE
#endif

/* The bits of X as another type.  */
template <typename To, typename From>
static __device__ __forceinline__ To
tns_bits (From x)
{
  union
  {
    From from;
    To to;
  } both;
  both.from = x;
  return both.to;
}

/* A / B, and *REST, of numbers that are 0 or more.  */
__device__ __forceinline__ long
tns_divide (long a, long b, long *rest)
{
  if (((a | b) >> 32) == 0)
    {
      *rest = (unsigned int) a % (unsigned int) b;
      return (unsigned int) a / (unsigned int) b;
    }
  *rest = a % b;
  return a / b;
}

/* V of the thread K lanes across, among those of MASK.  */
template <typename T>
static __device__ __forceinline__ T
tns_across (T v, int k, unsigned int mask = 0xffffffffu)
{
  if constexpr (sizeof (T) < 4)
    return (T) __shfl_xor_sync (mask, (int) v, k);
  else
    return __shfl_xor_sync (mask, v, k);
}

/* V of all threads of the block put together by F, in an order that
   depends on nothing but their number, a power of two.  SHARED has room
   for a number of each warp.  */
template <typename T, typename F>
static __device__ __forceinline__ T
tns_fold (T v, F f, void *shared)
{
  T *const part = (T *) shared;
  const int warps = blockDim.x / 32;
  for (int k = 16; k > 0; k /= 2)
    v = f (v, tns_across (v, k));
  if (warps == 1)
    return v;
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = v;
  __syncthreads ();
  v = part[threadIdx.x % warps];
  for (int k = warps / 2; k > 0; k /= 2)
    v = f (v, tns_across (v, k));
  __syncthreads ();
  return v;
}

/* The same where F may tell its operands apart: what it gives to thread
   0.  */
template <typename T, typename F>
static __device__ __forceinline__ T
tns_fold_first (T v, F f, void *shared)
{
  return __shfl_sync (0xffffffffu, tns_fold (v, f, shared), 0);
}

/* V of LANES threads side by side, those of MASK, put together by F, in an
   order that depends on nothing but their number, a power of two.  */
template <int LANES, typename T, typename F>
static __device__ __forceinline__ T
tns_fold_row (T v, F f, unsigned int mask)
{
  for (int k = LANES / 2; k > 0; k /= 2)
    v = f (v, tns_across (v, k, mask));
  return v;
}

/* The same where F may tell its operands apart: what it gives to the first of
   them.  */
template <int LANES, typename T, typename F>
static __device__ __forceinline__ T
tns_first_row (T v, F f, unsigned int mask)
{
  return __shfl_sync (mask, tns_fold_row<LANES> (v, f, mask), 0, LANES);
}

/* How many lanes of a warp ROWS of COLUMNS need: no more than there are
   columns, and fewer where there are too few blocks for the device.  */
__device__ __forceinline__ int
tns_lanes (long rows, long columns)
{
  int lanes = 32;
  while (lanes > 8 && rows * (columns / lanes) < 128)
    lanes /= 2;
  while (lanes > 1 && columns <= lanes / 2)
    lanes /= 2;
  return lanes;
}

/* How many of N one of PARTS has, number PART, that take turns.  */
__device__ __forceinline__ long
tns_turns (long n, int part, int parts)
{
  long rest;
  return tns_divide (n + parts - 1 - part, parts, &rest);
}

/* V of all groups of LANES threads put together by F, for each lane, in an
   order that depends on nothing but their number.  SHARED has room for
   each thread's.  */
template <typename T, typename F>
static __device__ __forceinline__ T
tns_fold_groups (T v, F f, void *shared, int lanes)
{
  T *const part = (T *) shared;
  part[threadIdx.x] = v;
  __syncthreads ();
  for (int k = blockDim.x / 2; k >= lanes; k /= 2)
    {
      if ((int) threadIdx.x < k)
        part[threadIdx.x] = f (part[threadIdx.x], part[threadIdx.x + k]);
      __syncthreads ();
    }
  v = part[threadIdx.x % lanes];
  __syncthreads ();
  return v;
}

#endif
