/* Products by warpgroups, C = A B (m x k and k x n, k, and m and n where lines
   lie across, multiples of 8): a block of four warps a tile of 64 x 64, in
   steps of 32 with three stages of asynchronous copies; a product is still
   under way while the next one begins.

   groups      of bf16, A m x k and B n x k
   groups_f16  the same of f16
   across      of bf16, A k x m and B k x n  */

struct groups_args
{
  float *c;
  const unsigned short *a, *b;
  long long m, n, k;
};

#if TNS_GROUPS

/* Begin to copy 64 lines from LINE on, inner values from K on, of X, LINES x
   DEPTH elements, to TO.  */
template <int across>
static __device__ __forceinline__ void
begin_lines (unsigned short *to, const unsigned short *x, long long line,
             long long k, long long lines, long long depth)
{
  for (int run = threadIdx.x; run < 256; run += 128)
    {
      int row = run / (across ? 8 : 4), chunk = run % (across ? 8 : 4);
      int place = across ? chunk ^ row % 8 : chunk ^ row / 2 % 4;
      long long i = across ? k + row : line + row;
      long long j = across ? line + chunk * 8 : k + chunk * 8;
      bool valid = i < (across ? depth : lines) && j < (across ? lines : depth);
      tns_copy_async16_part (
        to + row * (across ? 64 : 32) + place * 8,
        valid ? x + i * (across ? lines : depth) + j : x, valid ? 16 : 0);
    }
}

/* The place of 16 inner values, of those from STEP, 0 or 16, on.  */
template <int across>
static __device__ __forceinline__ unsigned long long
place_of (const unsigned short *from, int step)
{
  return across ? tns_group_place (from + step * 64, 128, 0, 1024)
                : tns_group_place (from + step, 64, 0, 512);
}

/* The tile of C at (ROW, COLUMN) gets SUM.  */
static __device__ __forceinline__ void
store_sums (const struct groups_args *arg, long long row, long long column,
            const float (&sum)[8][4])
{
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int n = 0; n < 8; n++)
    for (int e = 0; e < 4; e++)
      {
        long long i = row + warp * 16 + lane / 4 + e / 2 * 8;
        long long j = column + n * 8 + lane % 4 * 2 + e % 2;
        if (i < arg->m && j < arg->n)
          arg->c[i * arg->n + j] = sum[n][e];
      }
}

/* Begin to copy the values of A and B from K on to STAGE.  A branch here would
   have products that are under way wait.  */
template <int across>
static __device__ __forceinline__ void
begin_stage (const struct groups_args *arg, unsigned short (*stage)[2048],
             long long k)
{
  begin_lines<across> (stage[0], arg->a, 64LL * blockIdx.y, k, arg->m, arg->k);
  begin_lines<across> (stage[1], arg->b, 64LL * blockIdx.x, k, arg->n, arg->k);
  tns_commit ();
}

/* The block's tile of C, of f16 (HALF) or bf16.  */
template <int across, bool half>
static __device__ __forceinline__ void
product_of_groups (const struct groups_args *arg,
                   unsigned short (*stage)[2][2048])
{
  float sum[8][4] = {};
  begin_stage<across> (arg, stage[0], 0);
  for (long long k = 0, n = 0; k < arg->k; k += 32, n++)
    {
      unsigned short(*const now)[2048] = stage[n % 3];
      tns_wait<0> ();
      tns_group_show ();
      __syncthreads (); /* all have copied */
      begin_stage<across> (arg, stage[(n + 1) % 3], k + 32);
      tns_group_fence ();
      for (int step = 0; step < 32; step += 16)
        if (half)
          tns_group_multiply_f16<64, across, across> (
            sum, place_of<across> (now[0], step),
            place_of<across> (now[1], step));
        else
          tns_group_multiply_bf16<64, across, across> (
            sum, place_of<across> (now[0], step),
            place_of<across> (now[1], step));
      tns_group_commit ();
      tns_group_wait<1> (); /* the last step */
    }
  tns_group_wait<0> (); /* all */
  tns_group_take (sum);
  store_sums (arg, 64LL * blockIdx.y, 64LL * blockIdx.x, sum);
}

#  define PRODUCT(across, half)                                                \
    TNS_SHARED (unsigned short, shared);                                       \
    product_of_groups<across, half> (&arg, (unsigned short (*)[2][2048]) shared)
#else
#  define PRODUCT(across, half)
#endif

extern "C" __global__ void __launch_bounds__ (128)
groups (const __grid_constant__ struct groups_args arg)
{
  PRODUCT (0, false);
}

extern "C" __global__ void __launch_bounds__ (128)
groups_f16 (const __grid_constant__ struct groups_args arg)
{
  PRODUCT (0, true);
}

extern "C" __global__ void __launch_bounds__ (128)
across (const __grid_constant__ struct groups_args arg)
{
  PRODUCT (1, false);
}
