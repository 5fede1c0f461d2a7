/* Products on the tensor cores.

   tiles        C = A B of bf16 (m x k and k x n, k and n multiples of 8), a
                block of one warp a tile of 16 x 16, in steps of 16 with two
                stages of asynchronous copies; zeros behind the matrices
   tiles_f16    the same of f16
   tiles_tf32   C = A B of f32 as tf32, straight from memory: m = 16, n = 8,
                k a multiple of 8  */

struct tiles_args
{
  float *c;
  const void *a, *b;
  long long m, n, k;
};

/* Begin to copy rows [ROW, ROW + 16), columns [COLUMN, COLUMN + 16) of X, ROWS
   x COLUMNS, to TILE: eight elements a lane.  */
static __device__ __forceinline__ void
begin_tile (unsigned short (*tile)[24], const unsigned short *x, long long row,
            long long column, long long rows, long long columns)
{
  int i = threadIdx.x / 2, j = threadIdx.x % 2 * 8;
  bool valid = row + i < rows && column + j < columns;
  tns_copy_async16_part (&tile[i][j],
                         valid ? x + (row + i) * columns + column + j : x,
                         valid ? 16 : 0);
}

/* The tile of C at (ROW, COLUMN) gets SUM, of its half HALF.  */
static __device__ __forceinline__ void
store_tile (const struct tiles_args *arg, long long row, long long column,
            const float sum[4])
{
  int lane = threadIdx.x;
  for (int e = 0; e < 4; e++)
    {
      long long i = row + lane / 4 + e / 2 * 8;
      long long j = column + lane % 4 * 2 + e % 2;
      if (i < arg->m && j < arg->n)
        arg->c[i * arg->n + j] = sum[e];
    }
}

/* SUM += A B, of f16 (HALF) or bf16.  */
template <bool half>
static __device__ __forceinline__ void
multiply (float sum[4], const unsigned a[4], const unsigned b[2])
{
  if (half)
    tns_mma_f16 (sum, a, b);
  else
    tns_mma_bf16 (sum, a, b);
}

/* The block's tile of C, through two stages of A and B.  */
template <bool half>
static __device__ __forceinline__ void
product_of_tiles (const struct tiles_args *arg, unsigned short (*a)[16][24],
                  unsigned short (*b)[16][24])
{
  const unsigned short *of_a = (const unsigned short *) arg->a;
  const unsigned short *of_b = (const unsigned short *) arg->b;
  long long row = 16LL * blockIdx.y, column = 16LL * blockIdx.x;
  int i = threadIdx.x % 16, j = threadIdx.x / 16 * 8, stage = 0;
  float left[4] = {}, right[4] = {};
  begin_tile (a[0], of_a, row, 0, arg->m, arg->k);
  begin_tile (b[0], of_b, 0, column, arg->k, arg->n);
  tns_commit ();
  for (long long k = 0; k < arg->k; k += 16)
    {
      begin_tile (a[stage ^ 1], of_a, row, k + 16, arg->m, arg->k);
      begin_tile (b[stage ^ 1], of_b, k + 16, column, arg->k, arg->n);
      tns_commit ();
      tns_wait<1> ();
      __syncthreads ();
      unsigned of_left[4], of_right[4];
      tns_load_tiles (of_left, &a[stage][i][j]);
      tns_load_tiles_transposed (of_right, &b[stage][i][j]);
      multiply<half> (left, of_left, of_right);
      multiply<half> (right, of_left, of_right + 2);
      __syncthreads (); /* all have read */
      stage ^= 1;
    }
  store_tile (arg, row, column, left);
  store_tile (arg, row, column + 8, right);
}

extern "C" __global__ void __launch_bounds__ (32)
tiles (const __grid_constant__ struct tiles_args arg)
{
  __shared__ __align__ (16) unsigned short a[2][16][24];
  __shared__ __align__ (16) unsigned short b[2][16][24];
  product_of_tiles<false> (&arg, a, b);
}

extern "C" __global__ void __launch_bounds__ (32)
tiles_f16 (const __grid_constant__ struct tiles_args arg)
{
  __shared__ __align__ (16) unsigned short a[2][16][24];
  __shared__ __align__ (16) unsigned short b[2][16][24];
  product_of_tiles<true> (&arg, a, b);
}

extern "C" __global__ void __launch_bounds__ (32)
tiles_tf32 (const __grid_constant__ struct tiles_args arg)
{
  const float *a = (const float *) arg.a, *b = (const float *) arg.b;
  int row = threadIdx.x / 4, column = threadIdx.x % 4;
  float sum[4] = {};
  for (long long k = 0; k < arg.k; k += 8)
    {
      const unsigned of_a[4]
        = { tns_tf32 (a[row * arg.k + k + column]),
            tns_tf32 (a[(row + 8) * arg.k + k + column]),
            tns_tf32 (a[row * arg.k + k + column + 4]),
            tns_tf32 (a[(row + 8) * arg.k + k + column + 4]) };
      const unsigned of_b[2] = { tns_tf32 (b[(k + column) * arg.n + row]),
                                 tns_tf32 (b[(k + column + 4) * arg.n + row]) };
      tns_mma_tf32 (sum, of_a, of_b);
    }
  store_tile (&arg, 0, 0, sum);
}

/* C[i] becomes A[2 i] and A[2 i + 1] as a pair of bf16 (k = 0) or f16.  */
extern "C" __global__ void
pairs (const __grid_constant__ struct tiles_args arg)
{
  long long i = (long long) blockIdx.x * blockDim.x + threadIdx.x;
  const float *a = (const float *) arg.a;
  if (i < arg.n)
    ((unsigned *) arg.c)[i] = arg.k ? tns_pair_f16 (a[2 * i], a[2 * i + 1])
                                    : tns_pair_bf16 (a[2 * i], a[2 * i + 1]);
}
