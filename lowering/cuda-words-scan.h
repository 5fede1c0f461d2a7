/* What a block's threads put together as a scan (lowering/cuda-scan.h): it
   stands behind what lowering/cuda-words.h has in front of all kernels.  */

#ifndef TNS_SCAN
#define TNS_SCAN

/* V of the thread K lanes in front.  */
template <typename T>
static __device__ __forceinline__ T
tns_in_front (T v, int k)
{
  if constexpr (sizeof (T) < 4)
    return (T) __shfl_up_sync (0xffffffffu, (int) v, k);
  else
    return __shfl_up_sync (0xffffffffu, v, k);
}

/* NONE and V of the threads in front put together by F, and *TOTAL, of all, in
   an order that depends on nothing but their number.  SHARED has room for a
   number of each warp.  */
template <typename T, typename F>
static __device__ __forceinline__ T
tns_scan (T v, T none, F f, void *shared, T *total)
{
  T *const part = (T *) shared;
  const int lane = threadIdx.x % 32;
  for (int k = 1; k < 32; k *= 2)
    {
      const T in_front = tns_in_front (v, k);
      v = lane >= k ? f (in_front, v) : v;
    }
  T own = tns_in_front (v, 1);
  own = lane == 0 ? none : own;
  if (lane == 31)
    part[threadIdx.x / 32] = v;
  __syncthreads ();
  T all = none, before = none;
  for (int k = 0; k < (int) blockDim.x / 32; k++)
    {
      before = k == (int) threadIdx.x / 32 ? all : before;
      all = f (all, part[k]);
    }
  __syncthreads ();
  *total = all;
  return f (before, own);
}

#endif
