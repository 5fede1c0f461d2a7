/* What kernels need and CUDA C does not name: dynamic shared memory,
   asynchronous copies and tiles for the tensor cores, for sm_80 and newer.
   It stands in front of kernels of the compiler's that use tensor cores
   (build-aux/prelude.mk makes a string of it), and of those of testsuite/cuda.
   It includes nothing; with TNS_ON_CPU it is what testsuite/cuda/cuda_cpu.h
   runs on the CPU.

   A text that has to run in both places keeps some rules: __shared__ is the
   first word of a declaration in a kernel, not in a template, and no
   initialiser follows; device functions are "static __device__
   __forceinline__" or without static; assembly stands here and nowhere
   else.  */

#ifndef TNS_CUDA_PRELUDE
#define TNS_CUDA_PRELUDE

/* Whether what is compiled has tensor cores as they are used here, and copies
   that need no thread.  */
#ifdef TNS_ON_CPU
#  define TNS_NEWER 1
#elif defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 800
#  define TNS_NEWER 1
#else
#  define TNS_NEWER 0
#endif

/* TNS_SHARED (TYPE, NAME); declares TYPE *NAME: the dynamic shared memory of
   the launch, aligned to 1024 bytes.  */
#ifdef TNS_ON_CPU
#  define TNS_SHARED(type, name) type *const name = (type *) tns_cpu_shared ()
#else
#  define TNS_SHARED(type, name)                                               \
    extern __shared__ __align__ (1024) unsigned char tns_shared_memory[];      \
    type *const name = (type *) tns_shared_memory
#endif

/* The last parameter of what a warp does together: on the CPU, where the text
   calls it.  */
#ifdef TNS_ON_CPU
#  define TNS_FROM                                                             \
    , const char *file = __builtin_FILE(), int line = __builtin_LINE()
#else
#  define TNS_FROM
#endif

/* The address of shared memory as PTX wants it.  */
#ifndef TNS_ON_CPU
__device__ __forceinline__ unsigned
tns_shared_address (const void *shared)
{
  return (unsigned) __cvta_generic_to_shared (shared);
}
#endif

/* Begin to copy 16 bytes, both addresses aligned to 16.  */
__device__ __forceinline__ void
tns_copy_async16 (void *shared, const void *global)
{
#ifdef TNS_ON_CPU
  tns_cpu_copy (shared, global, 16, 16);
#else
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                 tns_shared_address (shared)),
               "l"(__cvta_generic_to_global (global))
               : "memory");
#endif
}

/* The same of the first VALID of 16 bytes, 0 to 16, and zeros behind them.  */
__device__ __forceinline__ void
tns_copy_async16_part (void *shared, const void *global, int valid)
{
#ifdef TNS_ON_CPU
  tns_cpu_copy (shared, global, 16, valid);
#else
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(
                 tns_shared_address (shared)),
               "l"(__cvta_generic_to_global (global)), "r"(valid)
               : "memory");
#endif
}

/* The same of BYTES, 4 or 8, aligned to them; VALID is 0 or BYTES.  */
template <int BYTES>
static __device__ __forceinline__ void
tns_copy_async_part (void *shared, const void *global, int valid)
{
#ifdef TNS_ON_CPU
  tns_cpu_copy (shared, global, BYTES, valid);
#else
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(
                 tns_shared_address (shared)),
               "l"(__cvta_generic_to_global (global)), "n"(BYTES), "r"(valid)
               : "memory");
#endif
}

/* Begin to copy the first VALID of the elements that 16 bytes have, zeros
   behind them, to SHARED, aligned to 16, from any address: element by element
   where it is not aligned or some are not there, and by the thread itself what
   is smaller than any copy.  A copy of 16 bytes of which a part alone is there
   reads no more, but sanitizers take it to read all.  */
template <typename T>
static __device__ __forceinline__ void
tns_send (T *shared, const T *from, long valid)
{
  const int size = sizeof (T), n = 16 / size;
  if ((unsigned long) from % 16 == 0 && valid >= n)
    {
      tns_copy_async16 (shared, from);
      return;
    }
#ifndef TNS_ON_CPU
#  pragma unroll 1
#endif
  for (int k = 0; k < n; k++)
    if (k >= valid)
      shared[k] = T (0);
    else if constexpr (size >= 4)
      tns_copy_async_part<size> (shared + k, from + k, size);
    else
      shared[k] = from[k];
}

/* The thread's copies since the last commit are a group.  */
__device__ __forceinline__ void
tns_commit (void)
{
#ifdef TNS_ON_CPU
  tns_cpu_commit ();
#else
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/* Wait until all but the N newest groups of this thread are done; the other
   threads see them behind the next barrier.  */
template <int N>
__device__ __forceinline__ void
tns_wait (void)
{
#ifdef TNS_ON_CPU
  tns_cpu_wait (N);
#else
  asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
#endif
}

/* Load four tiles of 8 x 8 16-bit elements.  ROW is the address, in shared
   memory and aligned to 16, of row lane % 8 of tile lane / 8.  TO[m] becomes
   elements (lane / 4, 2 (lane % 4)) and the next one of tile m.  */
__device__ __forceinline__ void
tns_load_tiles (unsigned to[4], const void *row TNS_FROM)
{
#ifdef TNS_ON_CPU
  tns_cpu_load_tiles ({ "ldmatrix", file, line }, to, row, 0);
#else
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 "
               "{%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(tns_shared_address (row))
               : "memory");
#endif
}

/* The same of the transposed tiles: TO[m] becomes elements (2 (lane % 4),
   lane / 4) and the one below it of tile m.  */
__device__ __forceinline__ void
tns_load_tiles_transposed (unsigned to[4], const void *row TNS_FROM)
{
#ifdef TNS_ON_CPU
  tns_cpu_load_tiles ({ "ldmatrix", file, line }, to, row, 1);
#else
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 "
               "{%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(tns_shared_address (row))
               : "memory");
#endif
}

/* SUM += A B, of a warp: A 16 x 16 and B 16 x 8 of bf16, SUM 16 x 8 of f32.
   With g = lane / 4 and t = 2 (lane % 4), a lane holds A (g, t), (g + 8, t),
   (g, t + 8), (g + 8, t + 8), each with the element right of it; B (t, g),
   (t + 8, g), each with the element below it; SUM (g, t), (g, t + 1),
   (g + 8, t), (g + 8, t + 1).  */
__device__ __forceinline__ void
tns_mma_bf16 (float sum[4], const unsigned a[4], const unsigned b[2] TNS_FROM)
{
#ifdef TNS_ON_CPU
  tns_cpu_multiply ({ "mma.sync", file, line }, TNS_CPU_BF16, sum, a, b);
#else
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}

/* The same of f16.  */
__device__ __forceinline__ void
tns_mma_f16 (float sum[4], const unsigned a[4], const unsigned b[2] TNS_FROM)
{
#ifdef TNS_ON_CPU
  tns_cpu_multiply ({ "mma.sync", file, line }, TNS_CPU_F16, sum, a, b);
#else
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}

/* SUM += A B, of a warp: A 16 x 8 and B 8 x 8 of tf32, SUM as above.  With
   g = lane / 4 and k = lane % 4, a lane holds A (g, k), (g + 8, k), (g, k + 4),
   (g + 8, k + 4) and B (k, g), (k + 4, g).  */
__device__ __forceinline__ void
tns_mma_tf32 (float sum[4], const unsigned a[4], const unsigned b[2] TNS_FROM)
{
#ifdef TNS_ON_CPU
  tns_cpu_multiply ({ "mma.sync", file, line }, TNS_CPU_TF32, sum, a, b);
#else
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}

/* X as tf32: to the nearest, halves away from zero.  */
__device__ __forceinline__ unsigned
tns_tf32 (float x)
{
#ifdef TNS_ON_CPU
  return tns_cpu_round (TNS_CPU_TF32, x);
#else
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
  return bits;
#endif
}

/* Two bf16 in a word, FIRST in its low half: to the nearest, halves to
   even.  */
__device__ __forceinline__ unsigned
tns_pair_bf16 (float first, float second)
{
#ifdef TNS_ON_CPU
  return tns_cpu_round (TNS_CPU_BF16, first)
         | tns_cpu_round (TNS_CPU_BF16, second) << 16;
#else
  unsigned pair;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(second), "f"(first));
  return pair;
#endif
}

/* The same of f16.  */
__device__ __forceinline__ unsigned
tns_pair_f16 (float first, float second)
{
#ifdef TNS_ON_CPU
  return tns_cpu_round (TNS_CPU_F16, first)
         | tns_cpu_round (TNS_CPU_F16, second) << 16;
#else
  unsigned pair;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(second), "f"(first));
  return pair;
#endif
}

/* Two words, and four elements, at once, all aligned.  */
struct alignas (8) tns_words2
{
  unsigned word[2];
};
template <typename T> struct alignas (4 * sizeof (T)) tns_elements4
{
  T element[4];
};

/* N elements can be had at once; four of them, so.  */
template <int N, typename T>
static __device__ __forceinline__ bool
tns_are (const T *from)
{
  return (unsigned long) from % (N * sizeof (T)) == 0;
}
template <typename T>
static __device__ __forceinline__ void
tns_get4 (T to[4], const T *from)
{
  *(tns_elements4<T> *) to = *(const tns_elements4<T> *) from;
}

/* The first LEFT of four elements that follow each other in memory, zeros
   behind them: at once where that is aligned.  */
template <typename T>
static __device__ __forceinline__ void
tns_read4 (T to[4], const T *from, long left)
{
  if (left >= 4 && tns_are<4> (from))
    tns_get4 (to, from);
  else
    for (int k = 0; k < 4; k++)
      to[k] = k < left ? from[k] : (T) 0;
}

/* Four elements of 16 bits as they are, aligned to 8 bytes.  */
__device__ __forceinline__ void
tns_keep4_raw (unsigned short *to, const unsigned short *from)
{
  tns_get4 (to, from);
}

/* Round four numbers, to TO, aligned to 8 bytes, of tf32 to 16.  */
__device__ __forceinline__ void
tns_keep4_bf16 (unsigned short *to, const float from[4])
{
  *(tns_words2 *) to = { { tns_pair_bf16 (from[0], from[1]),
                           tns_pair_bf16 (from[2], from[3]) } };
}
__device__ __forceinline__ void
tns_keep4_f16 (unsigned short *to, const float from[4])
{
  *(tns_words2 *) to
    = { { tns_pair_f16 (from[0], from[1]), tns_pair_f16 (from[2], from[3]) } };
}
__device__ __forceinline__ void
tns_keep4_tf32 (unsigned *to, const float from[4])
{
  *(tns_elements4<unsigned> *) to
    = { { tns_tf32 (from[0]), tns_tf32 (from[1]), tns_tf32 (from[2]),
          tns_tf32 (from[3]) } };
}

#endif
