/* What kernels of the compiler's say to warpgroups, for devices of compute
   capability 9.0 alone, as sm_90a names them: four warps that multiply tiles
   out of shared memory together, and go on meanwhile.  It stands behind
   lowering/cuda-prelude.h, whose rules are its own.

     tns_group_fence ();                sums are as the threads left them
     tns_group_multiply_bf16<...> (..)  products, under way from here on
     tns_group_commit ();               those so far are a group
     tns_group_wait<N> ();              all groups but the N newest are done
     tns_group_take (sum);              the threads have the sums again

   Operands come there by copies of whole boxes, which one thread begins and a
   barrier of shared memory counts, by maps that the host makes.

   Instructions, descriptors and layouts are those of the PTX ISA, "Asynchronous
   Warpgroup Level Matrix Instructions", "mbarrier", "cp.async.bulk.tensor".  */

#ifndef TNS_CUDA_PRELUDE_GROUP
#define TNS_CUDA_PRELUDE_GROUP

/* Whether what is compiled has warpgroups.  */
#ifndef TNS_GROUPS
#  if defined TNS_ON_CPU || defined __CUDA_ARCH_FEAT_SM90_ALL
#    define TNS_GROUPS 1
#  else
#    define TNS_GROUPS 0
#  endif
#endif

#if TNS_GROUPS

/* What the thread has stored to shared memory, or copied there and waited for,
   is there for warpgroups behind the next barrier.  */
__device__ __forceinline__ void
tns_group_show (void)
{
#  ifdef TNS_ON_CPU
  tns_cpu_group_show ();
#  else
  asm volatile("fence.proxy.async;" ::: "memory");
#  endif
}

/* Where an operand lies in shared memory: in rows of WIDTH bytes, 64 or 128,
   one behind the other, eight of them a block that is aligned to its bytes.
   Its 16 bytes number C of row R are in place C ^ R % 8 of the row, of 64 bytes
   C ^ R / 2 % 4.  A row has inner values of a line; the next eight lines are
   STRIDE bytes on.  Or, across, a row has 64 lines of an inner value; the next
   eight inner values are STRIDE bytes on, the next 64 lines LEADING.  The first
   inner value is at FROM, where a row begins or, but across, a multiple of 32
   bytes behind.  */
__device__ __forceinline__ unsigned long long
tns_group_place (const void *from, unsigned width, unsigned leading,
                 unsigned stride)
{
#  ifdef TNS_ON_CPU
  unsigned at = tns_cpu_group_address (from);
#  else
  unsigned at = tns_shared_address (from);
#  endif
  return at >> 4 | (unsigned long long) (leading >> 4) << 16
         | (unsigned long long) (stride >> 4) << 32
         | (unsigned long long) (width == 128 ? 1 : 2) << 62;
}

__device__ __forceinline__ void
tns_group_fence (void)
{
#  ifdef TNS_ON_CPU
  tns_cpu_group_fence ();
#  else
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#  endif
}

__device__ __forceinline__ void
tns_group_commit (void)
{
#  ifdef TNS_ON_CPU
  tns_cpu_group_commit ();
#  else
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
#  endif
}

template <int N>
static __device__ __forceinline__ void
tns_group_wait (void)
{
#  ifdef TNS_ON_CPU
  tns_cpu_group_wait (N);
#  else
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory");
#  endif
}

/* The compiler has SUM in no other place until here.  */
template <int N>
static __device__ __forceinline__ void
tns_group_take (float (&sum)[N][4])
{
#  ifdef TNS_ON_CPU
  (void) sum;
#  else
#    pragma unroll
  for (int i = 0; i < N; i++)
    asm volatile(""
                 : "+f"(sum[i][0]), "+f"(sum[i][1]), "+f"(sum[i][2]),
                   "+f"(sum[i][3])::"memory");
#  endif
}

#  ifndef TNS_ON_CPU
#    define TNS_GROUP_32                                                       \
      "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, "                \
      "%13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, "                \
      "%24, %25, %26, %27, %28, %29, %30, %31"
#    define TNS_GROUP_64                                                       \
      TNS_GROUP_32 ", "                                                        \
                   "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, "   \
                   "%43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, "   \
                   "%54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#    define TNS_GROUP_128                                                      \
      TNS_GROUP_64 ", "                                                        \
                   "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, "   \
                   "%75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "   \
                   "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, "   \
                   "%97, %98, %99, %100, %101, %102, %103, %104, %105, "       \
                   "%106, %107, %108, %109, %110, %111, %112, %113, %114, "    \
                   "%115, %116, %117, %118, %119, %120, %121, %122, %123, "    \
                   "%124, %125, %126, %127"
#    define TNS_GROUP_SUMS(i)                                                  \
      "+f"(sum[i][0]), "+f"(sum[i][1]), "+f"(sum[i][2]), "+f"(sum[i][3])
#    define TNS_GROUP_SUMS_8(i)                                                \
      TNS_GROUP_SUMS (i), TNS_GROUP_SUMS (i + 1), TNS_GROUP_SUMS (i + 2),      \
        TNS_GROUP_SUMS (i + 3), TNS_GROUP_SUMS (i + 4),                        \
        TNS_GROUP_SUMS (i + 5), TNS_GROUP_SUMS (i + 6), TNS_GROUP_SUMS (i + 7)
#    define TNS_GROUP_ASM(element, columns, sums, rest, ...)                   \
      asm volatile("{ .reg .pred p; setp.eq.u32 p, 0, 0; "                     \
                   "wgmma.mma_async.sync.aligned.m64n" columns                 \
                   "k16.f32." element "." element " {" sums "}, " rest "; }"   \
                   : __VA_ARGS__                                               \
                   : "l"(a), "l"(b), "n"(ACROSS_A), "n"(ACROSS_B)              \
                   : "memory")
#    define TNS_GROUP_MULTIPLY(element)                                        \
      if constexpr (COLUMNS == 64)                                             \
        TNS_GROUP_ASM (element, "64", TNS_GROUP_32,                            \
                       "%32, %33, p, 1, 1, %34, %35", TNS_GROUP_SUMS_8 (0));   \
      else if constexpr (COLUMNS == 128)                                       \
        TNS_GROUP_ASM (element, "128", TNS_GROUP_64,                           \
                       "%64, %65, p, 1, 1, %66, %67", TNS_GROUP_SUMS_8 (0),    \
                       TNS_GROUP_SUMS_8 (8));                                  \
      else                                                                     \
        TNS_GROUP_ASM (element, "256", TNS_GROUP_128,                          \
                       "%128, %129, p, 1, 1, %130, %131",                      \
                       TNS_GROUP_SUMS_8 (0), TNS_GROUP_SUMS_8 (8),             \
                       TNS_GROUP_SUMS_8 (16), TNS_GROUP_SUMS_8 (24))
#  endif

/* SUM += A B, of a warpgroup: A 64 x 16 and B 16 x COLUMNS, 64, 128 or 256, of
   bf16 or f16, at places of shared memory, SUM 64 x COLUMNS of f32.  A warp has
   16 of the rows, and of eight columns after the other what lowering/
   cuda-prelude.h says of SUM.  */
template <int COLUMNS, int ACROSS_A, int ACROSS_B>
static __device__ __forceinline__ void
tns_group_multiply_bf16 (float (&sum)[COLUMNS / 8][4], unsigned long long a,
                         unsigned long long b TNS_FROM)
{
#  ifdef TNS_ON_CPU
  tns_cpu_group_multiply ({ "wgmma", file, line }, TNS_CPU_BF16, COLUMNS,
                          sum[0], { { a, b }, { ACROSS_A, ACROSS_B } });
#  else
  TNS_GROUP_MULTIPLY ("bf16");
#  endif
}
template <int COLUMNS, int ACROSS_A, int ACROSS_B>
static __device__ __forceinline__ void
tns_group_multiply_f16 (float (&sum)[COLUMNS / 8][4], unsigned long long a,
                        unsigned long long b TNS_FROM)
{
#  ifdef TNS_ON_CPU
  tns_cpu_group_multiply ({ "wgmma", file, line }, TNS_CPU_F16, COLUMNS, sum[0],
                          { { a, b }, { ACROSS_A, ACROSS_B } });
#  else
  TNS_GROUP_MULTIPLY ("f16");
#  endif
}

/* A barrier of shared memory, and a map of memory, aligned to 128 bytes on a
   device.  */
typedef unsigned long long tns_barrier;
#  ifdef TNS_ON_CPU
struct tns_map
#  else
struct alignas (128) tns_map
#  endif
{
  unsigned long long word[16];
};

/* BARRIER has phases, each complete when ARRIVALS threads have arrived and all
   bytes have come that they expect.  What is made of it so far is seen behind
   tns_group_show and the next barrier of the block.  */
__device__ __forceinline__ void
tns_barrier_init (tns_barrier *barrier, int arrivals)
{
#  ifdef TNS_ON_CPU
  tns_cpu_barrier_init (barrier, arrivals);
#  else
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(
                 tns_shared_address (barrier)),
               "r"(arrivals)
               : "memory");
#  endif
}

/* The thread arrives; the same, and BYTES are expected.  */
__device__ __forceinline__ void
tns_barrier_arrive (tns_barrier *barrier)
{
#  ifdef TNS_ON_CPU
  tns_cpu_barrier_arrive (barrier, 0);
#  else
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(
                 tns_shared_address (barrier))
               : "memory");
#  endif
}
__device__ __forceinline__ void
tns_barrier_expect (tns_barrier *barrier, int bytes)
{
#  ifdef TNS_ON_CPU
  tns_cpu_barrier_arrive (barrier, (unsigned) bytes);
#  else
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                 tns_shared_address (barrier)),
               "r"(bytes)
               : "memory");
#  endif
}

/* Wait until the last phase of PARITY, the first one's being 0, is
   complete.  */
__device__ __forceinline__ void
tns_barrier_wait (tns_barrier *barrier, int parity)
{
#  ifdef TNS_ON_CPU
  tns_cpu_barrier_wait (barrier, parity);
#  else
  asm volatile(
    "{ .reg .pred p; "
    "again: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; "
    "@p bra done; bra again; done: }" ::"r"(tns_shared_address (barrier)),
    "r"(parity)
    : "memory");
#  endif
}

/* Begin to copy the box at (X, Y) of MAP, zeros where nothing is, to SHARED,
   aligned to 1024 bytes; BARRIER gets its bytes.  */
__device__ __forceinline__ void
tns_map_copy (void *shared, const struct tns_map *map, long x, long y,
              tns_barrier *barrier)
{
#  ifdef TNS_ON_CPU
  tns_cpu_map_copy (shared, map, (int) x, (int) y, barrier);
#  else
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::"
               "complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(
                 tns_shared_address (shared)),
               "l"(map), "r"(tns_shared_address (barrier)), "r"((int) x),
               "r"((int) y)
               : "memory");
#  endif
}

/* The warpgroup's threads have N registers, fewer than the kernel began with;
   more.  */
template <int N>
static __device__ __forceinline__ void
tns_group_release (void)
{
#  ifndef TNS_ON_CPU
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(N));
#  endif
}
template <int N>
static __device__ __forceinline__ void
tns_group_claim (void)
{
#  ifndef TNS_ON_CPU
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(N));
#  endif
}

#endif

#endif
