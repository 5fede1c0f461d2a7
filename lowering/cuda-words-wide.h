/* Several neighbouring elements at once (lowering/cuda-wide.h,
   lowering/cuda-row.h, lowering/cuda-tile.h): it stands behind what
   lowering/cuda-words.h has in front of all kernels.  */

#ifndef TNS_WIDE
#define TNS_WIDE

/* N elements at once, aligned to all their bytes, or to 16.  */
template <typename T, int N>
struct alignas (sizeof (T) * N < 16 ? sizeof (T) * N : 16) tns_few
{
  T element[N];
};

template <int N, typename T>
static __device__ __forceinline__ void
tns_take (T *to, const T *from)
{
  const tns_few<T, N> few = *(const tns_few<T, N> *) from;
  TNS_UNROLL
  for (int k = 0; k < N; k++)
    to[k] = few.element[k];
}

template <int N, typename T>
static __device__ __forceinline__ void
tns_give (T *to, const T *from)
{
  tns_few<T, N> few;
  TNS_UNROLL
  for (int k = 0; k < N; k++)
    few.element[k] = from[k];
  *(tns_few<T, N> *) to = few;
}

/* N elements from AT on are aligned like that; how many elements there
   are before some are.  */
template <int N, typename T>
static __device__ __forceinline__ bool
tns_is_even (const T *at)
{
  return (unsigned long) at % alignof (tns_few<T, N>) == 0;
}

template <int N, typename T>
static __device__ __forceinline__ long
tns_until_even (const T *at)
{
  return (N - (unsigned long) at / sizeof (T) % N) % N;
}

/* The first VALID of N elements, and zeros, from any address.  */
template <int N, typename T>
static __device__ __forceinline__ void
tns_fetch (T *to, const T *from, long valid)
{
  if (valid >= N && tns_is_even<N> (from))
    tns_take<N> (to, from);
  else
    {
      TNS_UNROLL
      for (int k = 0; k < N; k++)
        to[k] = k < valid ? from[k] : T (0);
    }
}

/* Those of N elements at AT that are numbers LO to HI - 1, all at once
   where they are aligned and all are.  */
template <int N, typename T>
static __device__ __forceinline__ void
tns_take_part (T *to, const T *at, bool even, int lo, int hi)
{
  if (even && lo <= 0 && hi >= N)
    tns_take<N> (to, at);
  else
    {
      TNS_UNROLL
      for (int k = 0; k < N; k++)
        if (k >= lo && k < hi)
          to[k] = at[k];
    }
}

template <int N, typename T>
static __device__ __forceinline__ void
tns_give_part (T *at, const T *from, bool even, int lo, int hi)
{
  if (even && lo <= 0 && hi >= N)
    tns_give<N> (at, from);
  else
    {
      TNS_UNROLL
      for (int k = 0; k < N; k++)
        if (k >= lo && k < hi)
          at[k] = from[k];
    }
}

/* K, of which nothing that is known may be kept in registers.  */
__device__ __forceinline__ int
tns_anew (int k)
{
#ifndef TNS_ON_CPU
  asm volatile("" : "+r"(k));
#endif
  return k;
}

/* The same of the number of a row, or of a part's block: where nvcc sees what
   that is made of, it does not store neighbours at once.  */
__device__ __forceinline__ long
tns_anew (long k)
{
#ifndef TNS_ON_CPU
  asm volatile("" : "+l"(k));
#endif
  return k;
}

/* K, -2^28 at least and 2^28 at most; what K is beyond a multiple of
   N.  */
__device__ __forceinline__ int
tns_clip (long k)
{
  const long most = 1l << 28;
  return (int) (k < -most ? -most : k > most ? most : k);
}

template <int N>
static __device__ __forceinline__ int
tns_beyond (long k)
{
  return (int) ((k % N + N) % N);
}

#endif
