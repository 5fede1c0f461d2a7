/* The words of CUDA C for g++: "g++ -x c++ -include cuda_cpu.h text.cu" makes
   of a text of kernels an object that cuda_cpu_run.h runs on the CPU.

   It has what the kernels of the compiler use, and no more: what is not here
   does not compile.  Types, names and results are those of the CUDA C++
   Programming Guide; lowering/cuda-prelude.h has what CUDA does not name.  */

#ifndef CUDA_CPU_H
#define CUDA_CPU_H

#ifndef __cplusplus
#  error "a text of kernels is C++: g++ -x c++"
#endif

#include "cuda_cpu_run.h"

#define TNS_ON_CPU 1

#define __global__ __attribute__ ((visibility ("default")))
#define __device__
#define __host__
#define __forceinline__ inline __attribute__ ((always_inline))
#define __launch_bounds__(...)
#define __grid_constant__
#define __align__(n) __attribute__ ((aligned (n)))

/* A variable of the block, which no template has, lies in the section
   tns_shared, behind bytes that nobody may touch; tns_gaps lists these.  */
#define TNS_CPU_JOIN(a, b) a##b
#define TNS_CPU_NAME(a, b) TNS_CPU_JOIN (a, b)
#define TNS_CPU_SHARED(n)                                                      \
  static struct tns_cpu_gap TNS_CPU_NAME (tns_gap, n)                          \
    __attribute__ ((section ("tns_shared"), aligned (1), used));               \
  static struct tns_cpu_gap *const TNS_CPU_NAME (tns_gap_at, n)                \
    __attribute__ ((section ("tns_gaps"), used))                               \
    = &TNS_CPU_NAME (tns_gap, n);                                              \
  static __attribute__ ((section ("tns_shared"), aligned (64)))
#define __shared__ TNS_CPU_SHARED (__COUNTER__)

#define threadIdx (tns_cpu_thread ())
#define blockIdx  (tns_cpu_block ())
#define blockDim  (tns_cpu_block_size ())
#define gridDim   (tns_cpu_grid_size ())
#define warpSize  32

/* Where the text calls the function that has these as its last parameters.  */
#define TNS_CPU_FROM                                                           \
  const char *file = __builtin_FILE(), int line = __builtin_LINE()

struct int2
{
  int x, y;
} __align__ (8);
struct int4
{
  int x, y, z, w;
} __align__ (16);
struct uint2
{
  unsigned x, y;
} __align__ (8);
struct uint4
{
  unsigned x, y, z, w;
} __align__ (16);
struct float2
{
  float x, y;
} __align__ (8);
struct float4
{
  float x, y, z, w;
} __align__ (16);
struct double2
{
  double x, y;
} __align__ (16);
typedef tns_cpu_index uint3;

#define TNS_CPU_MAKE_2(type, element)                                          \
  static __forceinline__ type make_##type (element x, element y)               \
  {                                                                            \
    return type{ x, y };                                                       \
  }
#define TNS_CPU_MAKE_4(type, element)                                          \
  static __forceinline__ type make_##type (element x, element y, element z,    \
                                           element w)                          \
  {                                                                            \
    return type{ x, y, z, w };                                                 \
  }
TNS_CPU_MAKE_2 (int2, int)
TNS_CPU_MAKE_4 (int4, int)
TNS_CPU_MAKE_2 (uint2, unsigned)
TNS_CPU_MAKE_4 (uint4, unsigned)
TNS_CPU_MAKE_2 (float2, float)
TNS_CPU_MAKE_4 (float4, float)
TNS_CPU_MAKE_2 (double2, double)

/* The functions of libm, of double and with f of float.  */
#define TNS_CPU_MATH_1(name)                                                   \
  double name (double) noexcept;                                               \
  float name##f (float) noexcept;
#define TNS_CPU_MATH_2(name)                                                   \
  double name (double, double) noexcept;                                       \
  float name##f (float, float) noexcept;
extern "C"
{
  TNS_CPU_MATH_1 (acos)
  TNS_CPU_MATH_1 (acosh)
  TNS_CPU_MATH_1 (asin)
  TNS_CPU_MATH_1 (asinh)
  TNS_CPU_MATH_1 (atan)
  TNS_CPU_MATH_1 (atanh)
  TNS_CPU_MATH_1 (cbrt)
  TNS_CPU_MATH_1 (ceil)
  TNS_CPU_MATH_1 (cos)
  TNS_CPU_MATH_1 (cosh)
  TNS_CPU_MATH_1 (erf)
  TNS_CPU_MATH_1 (erfc)
  TNS_CPU_MATH_1 (exp)
  TNS_CPU_MATH_1 (exp10)
  TNS_CPU_MATH_1 (exp2)
  TNS_CPU_MATH_1 (expm1)
  TNS_CPU_MATH_1 (fabs)
  TNS_CPU_MATH_1 (floor)
  TNS_CPU_MATH_1 (lgamma)
  TNS_CPU_MATH_1 (log)
  TNS_CPU_MATH_1 (log10)
  TNS_CPU_MATH_1 (log1p)
  TNS_CPU_MATH_1 (log2)
  TNS_CPU_MATH_1 (logb)
  TNS_CPU_MATH_1 (nearbyint)
  TNS_CPU_MATH_1 (rint)
  TNS_CPU_MATH_1 (round)
  TNS_CPU_MATH_1 (sin)
  TNS_CPU_MATH_1 (sinh)
  TNS_CPU_MATH_1 (sqrt)
  TNS_CPU_MATH_1 (tan)
  TNS_CPU_MATH_1 (tanh)
  TNS_CPU_MATH_1 (tgamma)
  TNS_CPU_MATH_1 (trunc)
  TNS_CPU_MATH_2 (atan2)
  TNS_CPU_MATH_2 (copysign)
  TNS_CPU_MATH_2 (fdim)
  TNS_CPU_MATH_2 (fmax)
  TNS_CPU_MATH_2 (fmin)
  TNS_CPU_MATH_2 (fmod)
  TNS_CPU_MATH_2 (hypot)
  TNS_CPU_MATH_2 (nextafter)
  TNS_CPU_MATH_2 (pow)
  TNS_CPU_MATH_2 (remainder)
  double ldexp (double, int) noexcept;
  float ldexpf (float, int) noexcept;
  double fma (double, double, double) noexcept;
  float fmaf (float, float, float) noexcept;
  int abs (int) noexcept;
  long long llabs (long long) noexcept;
}

static __forceinline__ float
rsqrtf (float x)
{
  return 1 / sqrtf (x);
}

static __forceinline__ float
__fmaf_rn (float a, float b, float c)
{
  return fmaf (a, b, c);
}

static __forceinline__ double
__fma_rn (double a, double b, double c)
{
  return fma (a, b, c);
}

/* The bits of FROM as a TO.  */
template <typename to_type, typename from_type>
static __forceinline__ to_type
tns_cpu_bits (from_type from)
{
  to_type to = to_type ();
  __builtin_memcpy (&to, &from,
                    sizeof from < sizeof to ? sizeof from : sizeof to);
  return to;
}

static __forceinline__ float
__int_as_float (int bits)
{
  return tns_cpu_bits<float> (bits);
}

static __forceinline__ int
__float_as_int (float x)
{
  return tns_cpu_bits<int> (x);
}

static __forceinline__ float
__uint_as_float (unsigned bits)
{
  return tns_cpu_bits<float> (bits);
}

static __forceinline__ unsigned
__float_as_uint (float x)
{
  return tns_cpu_bits<unsigned> (x);
}

static __forceinline__ double
__longlong_as_double (long long bits)
{
  return tns_cpu_bits<double> (bits);
}

static __forceinline__ long long
__double_as_longlong (double x)
{
  return tns_cpu_bits<long long> (x);
}

template <typename type>
static __forceinline__ type
__ldg (const type *at)
{
  return *at;
}

static __forceinline__ int
__popc (unsigned bits)
{
  return __builtin_popcount (bits);
}

static __forceinline__ int
__popcll (unsigned long long bits)
{
  return __builtin_popcountll (bits);
}

static __forceinline__ int
__clz (int bits)
{
  return bits ? __builtin_clz ((unsigned) bits) : 32;
}

static __forceinline__ int
__clzll (long long bits)
{
  return bits ? __builtin_clzll ((unsigned long long) bits) : 64;
}

/* Barriers of the block, with what its threads' predicates come to.  */
static __forceinline__ void
__syncthreads (TNS_CPU_FROM)
{
  tns_cpu_barrier ({ "__syncthreads", file, line }, 0, TNS_CPU_OR);
}

static __forceinline__ int
__syncthreads_or (int predicate, TNS_CPU_FROM)
{
  return tns_cpu_barrier ({ "__syncthreads_or", file, line }, predicate,
                          TNS_CPU_OR);
}

static __forceinline__ int
__syncthreads_and (int predicate, TNS_CPU_FROM)
{
  return tns_cpu_barrier ({ "__syncthreads_and", file, line }, predicate,
                          TNS_CPU_AND);
}

static __forceinline__ int
__syncthreads_count (int predicate, TNS_CPU_FROM)
{
  return tns_cpu_barrier ({ "__syncthreads_count", file, line }, predicate,
                          TNS_CPU_COUNT);
}

static __forceinline__ void
__syncwarp (unsigned mask = 0xffffffff, TNS_CPU_FROM)
{
  tns_cpu_meet ({ "__syncwarp", file, line }, mask, nullptr, nullptr, 1);
}

/* Whether shuffles and votes order what their lanes do to memory.  CUDA
   promises that of __syncwarp alone.  */
#ifndef TNS_CPU_SHUFFLES_ORDER
#  define TNS_CPU_SHUFFLES_ORDER 1
#endif

/* VALUE of lane SOURCE.  */
template <typename type>
static __forceinline__ type
tns_cpu_shuffle (tns_cpu_site at, unsigned mask, type value, int source)
{
  static_assert (sizeof value == 4 || sizeof value == 8,
                 "shuffles are of 4 or 8 bytes");
  tns_cpu_shuffled shuffled
    = { tns_cpu_bits<unsigned long long> (value), 0, source };
  tns_cpu_meet (at, mask, &shuffled, tns_cpu_shuffle_all,
                TNS_CPU_SHUFFLES_ORDER);
  return tns_cpu_bits<type> (shuffled.result);
}

/* The first lane of the WIDTH lanes that a shuffle stays among.  */
static __forceinline__ int
tns_cpu_first (int width)
{
  return tns_cpu_lane () & -width;
}

template <typename type>
static __forceinline__ type
__shfl_sync (unsigned mask, type value, int source, int width = 32,
             TNS_CPU_FROM)
{
  return tns_cpu_shuffle ({ "__shfl_sync", file, line }, mask, value,
                          tns_cpu_first (width) + (source & (width - 1)));
}

template <typename type>
static __forceinline__ type
__shfl_xor_sync (unsigned mask, type value, int bits, int width = 32,
                 TNS_CPU_FROM)
{
  int source = tns_cpu_lane () ^ bits;
  if (source >= tns_cpu_first (width) + width)
    source = tns_cpu_lane ();
  return tns_cpu_shuffle ({ "__shfl_xor_sync", file, line }, mask, value,
                          source);
}

template <typename type>
static __forceinline__ type
__shfl_up_sync (unsigned mask, type value, unsigned by, int width = 32,
                TNS_CPU_FROM)
{
  int source = tns_cpu_lane () - (int) by;
  if (source < tns_cpu_first (width))
    source = tns_cpu_lane ();
  return tns_cpu_shuffle ({ "__shfl_up_sync", file, line }, mask, value,
                          source);
}

template <typename type>
static __forceinline__ type
__shfl_down_sync (unsigned mask, type value, unsigned by, int width = 32,
                  TNS_CPU_FROM)
{
  int source = tns_cpu_lane () + (int) by;
  if (source >= tns_cpu_first (width) + width)
    source = tns_cpu_lane ();
  return tns_cpu_shuffle ({ "__shfl_down_sync", file, line }, mask, value,
                          source);
}

/* The lanes of MASK that have a predicate, as bits.  */
static __forceinline__ unsigned
tns_cpu_ballot (tns_cpu_site at, unsigned mask, int predicate)
{
  tns_cpu_vote vote = { predicate, 0 };
  tns_cpu_meet (at, mask, &vote, tns_cpu_vote_all, TNS_CPU_SHUFFLES_ORDER);
  return vote.result;
}

static __forceinline__ unsigned
__ballot_sync (unsigned mask, int predicate, TNS_CPU_FROM)
{
  return tns_cpu_ballot ({ "__ballot_sync", file, line }, mask, predicate);
}

static __forceinline__ int
__any_sync (unsigned mask, int predicate, TNS_CPU_FROM)
{
  return tns_cpu_ballot ({ "__any_sync", file, line }, mask, predicate) != 0;
}

static __forceinline__ int
__all_sync (unsigned mask, int predicate, TNS_CPU_FROM)
{
  return !tns_cpu_ballot ({ "__all_sync", file, line }, mask, !predicate);
}

static __forceinline__ void
__threadfence (void)
{
  tns_cpu_fence ();
}

/* Atomics are for tickets: of floats they would add in any order.  */
static __forceinline__ unsigned
atomicAdd (unsigned *at, unsigned more)
{
  return tns_cpu_atomic_add (at, more);
}

static __forceinline__ int
atomicAdd (int *at, int more)
{
  return (int) tns_cpu_atomic_add ((unsigned *) at, (unsigned) more);
}

static __forceinline__ unsigned
atomicInc (unsigned *at, unsigned limit)
{
  return tns_cpu_atomic_next (at, limit);
}

float atomicAdd (float *, float) = delete;
double atomicAdd (double *, double) = delete;

#endif
