/* Kernels that are wrong, each at the line with its name in a comment, and some
   without such a line that are right.  */

struct fault_args
{
  float *y;
  const float *x;
  unsigned *ticket;
  long long n;
};

#define KERNEL(name)                                                          \
  extern "C" __global__ void                                                  \
  name (const __grid_constant__ struct fault_args arg)

static const float table[4] = { 1, 2, 3, 4 };

KERNEL (race_shared)
{
  __shared__ float tile[64];
  tile[threadIdx.x] = arg.x[threadIdx.x]; /* race_shared */
  arg.y[threadIdx.x] = tile[threadIdx.x ^ 1]; /* race_shared */
}

KERNEL (race_warps)
{
  __shared__ float tile[64];
  tile[threadIdx.x] = arg.x[threadIdx.x]; /* race_warps */
  __syncwarp ();
  arg.y[threadIdx.x] = tile[63 - threadIdx.x]; /* race_warps */
}

KERNEL (shuffle_order)
{
  __shared__ float tile[64];
  tile[threadIdx.x] = arg.x[threadIdx.x];
  float x = __shfl_xor_sync (0xffffffff, arg.x[threadIdx.x], 2);
  arg.y[threadIdx.x] = x + tile[threadIdx.x ^ 1];
}

KERNEL (race_bytes)
{
  __shared__ unsigned char byte[128];
  byte[threadIdx.x] = 1;
  byte[threadIdx.x / 2 + 64] = 2; /* race_bytes */
  __syncthreads ();
  arg.y[threadIdx.x] = byte[threadIdx.x + 64];
}

KERNEL (race_global)
{
  arg.y[threadIdx.x] = arg.x[threadIdx.x]; /* race_global */
}

KERNEL (race_neighbour)
{
  long long i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = arg.y[i + 1]; /* race_neighbour */
  __syncthreads ();
  arg.y[i] = sum; /* race_neighbour */
}

KERNEL (race_ticket)
{
  if (threadIdx.x > 0)
    return;
  arg.y[blockIdx.x] = arg.x[blockIdx.x]; /* race_ticket */
  if (atomicAdd (arg.ticket, 1u) == gridDim.x - 1)
    arg.y[64] = arg.y[0] + arg.y[1]; /* race_ticket */
}

KERNEL (ticket)
{
  if (threadIdx.x > 0)
    return;
  arg.y[blockIdx.x] = arg.x[blockIdx.x];
  __threadfence ();
  if (atomicAdd (arg.ticket, 1u) == gridDim.x - 1)
    arg.y[64] = arg.y[0] + arg.y[1];
}

/* All threads write; a fence behind the barrier is one for all of them.  */
KERNEL (ticket_block)
{
  __shared__ int is_last;
  arg.y[blockIdx.x * 64 + threadIdx.x] = arg.x[threadIdx.x];
  __syncthreads ();
  if (threadIdx.x == 0)
    {
      __threadfence ();
      is_last = atomicAdd (arg.ticket, 1u) == gridDim.x - 1;
    }
  __syncthreads ();
  if (is_last)
    arg.y[128 + threadIdx.x] = arg.y[threadIdx.x] + arg.y[64 + threadIdx.x];
}

KERNEL (race_fence)
{
  __shared__ int is_last;
  arg.y[blockIdx.x * 64 + threadIdx.x] = arg.x[threadIdx.x]; /* race_fence */
  if (threadIdx.x == 0)
    __threadfence ();
  __syncthreads ();
  if (threadIdx.x == 0)
    is_last = atomicAdd (arg.ticket, 1u) == gridDim.x - 1;
  __syncthreads ();
  if (is_last)
    arg.y[128 + threadIdx.x]
      = arg.y[threadIdx.x] + arg.y[64 + threadIdx.x]; /* race_fence */
}

KERNEL (race_copy)
{
  __shared__ __align__ (16) float tile[64][4];
  int t = threadIdx.x;
  tile[t][0] = 1;
  __syncthreads ();
  arg.y[t] = tile[t ^ 1][0]; /* race_copy */
  tns_copy_async16 (tile[t], arg.x + 4 * t);
  tns_commit ();
  tns_wait<0> ();
}

/* Of two copies one is waited for.  */
KERNEL (early_copy)
{
  __shared__ __align__ (16) float tile[2][64][4];
  int t = threadIdx.x;
  tns_copy_async16 (tile[0][t], arg.x + 4 * t);
  tns_commit ();
  tns_copy_async16 (tile[1][t], arg.x + 4 * t); /* early_copy */
  tns_commit ();
  tns_wait<1> ();
  arg.y[t] = tile[0][t][0];
  arg.y[t] = tile[1][t][0]; /* early_copy */
}

/* The second copy is not committed: nothing waits for it.  */
KERNEL (open_copy)
{
  __shared__ __align__ (16) float tile[2][64][4];
  int t = threadIdx.x;
  tns_copy_async16 (tile[0][t], arg.x + 4 * t);
  tns_commit ();
  tns_copy_async16 (tile[1][t], arg.x + 4 * t); /* open_copy */
  tns_wait<0> ();
  arg.y[t] = tile[0][t][0];
  arg.y[t] = tile[1][t][0]; /* open_copy */
}

/* A thread waits for its own copies, and reads another's.  */
KERNEL (copy_of_another)
{
  __shared__ __align__ (16) float tile[64][4];
  int t = threadIdx.x;
  tns_copy_async16 (tile[t], arg.x + 4 * t);
  tns_commit ();
  if (t < 32)
    tns_wait<0> ();
  __syncthreads ();
  arg.y[t] = tile[t % 32][0];
  arg.y[t] = tile[t][0];
}

/* A stage is filled again while another thread reads it.  */
KERNEL (refilled)
{
  __shared__ __align__ (16) float tile[64][4];
  int t = threadIdx.x;
  tns_copy_async16 (tile[t], arg.x + 4 * t);
  tns_commit ();
  tns_wait<0> ();
  __syncthreads ();
  arg.y[t] = tile[t ^ 1][0];
  tns_copy_async16 (tile[t], arg.x + 4 * t);
  tns_commit ();
  tns_wait<0> ();
}

/* What is copied is written before the copy is waited for.  */
KERNEL (late_source)
{
  __shared__ __align__ (16) float tile[64][4];
  int t = threadIdx.x;
  tns_copy_async16 (tile[t], arg.y + 4 * t);
  tns_commit ();
  __syncthreads ();
  arg.y[4 * (t ^ 1)] = 1;
  tns_wait<0> ();
}

/* Stages, waited for as they have to be.  */
KERNEL (stages)
{
  __shared__ __align__ (16) float tile[3][64][4];
  int t = threadIdx.x;
  float sum = 0;
  for (int s = 0; s < 2; s++)
    {
      tns_send (tile[s][t], arg.x + t + s, 3);
      tns_commit ();
    }
  for (int s = 0; s < 6; s++)
    {
      tns_wait<1> ();
      __syncthreads ();
      if (s < 4)
        tns_send (tile[(s + 2) % 3][t], arg.x + t + s + 2, 3);
      tns_commit ();
      sum += tile[s % 3][t ^ 1][1] + tile[s % 3][t ^ 1][3];
    }
  arg.y[t] = sum;
}

KERNEL (two_barriers)
{
  if (threadIdx.x < 32)
    __syncthreads (); /* two_barriers */
  else
    __syncthreads ();
}

KERNEL (returned)
{
  if (threadIdx.x == 7)
    return;
  __syncthreads (); /* returned */
}

KERNEL (split_shuffle)
{
  float x = arg.x[threadIdx.x];
  if (threadIdx.x % 2)
    x = __shfl_xor_sync (0xffffffff, x, 2);
  else
    x = __shfl_xor_sync (0xffffffff, x, 2); /* split_shuffle */
  arg.y[threadIdx.x] = x;
}

KERNEL (other_mask)
{
  float x = arg.x[threadIdx.x];
  x = __shfl_xor_sync (0xffff, x, 2); /* other_mask */
  arg.y[threadIdx.x] = x;
}

KERNEL (absent_lane)
{
  if (threadIdx.x < 16)
    arg.y[threadIdx.x]
      = __shfl_sync (0xffff, arg.x[threadIdx.x], 20); /* absent_lane */
}

KERNEL (shuffle_and_barrier)
{
  if (threadIdx.x % 32 < 16)
    __syncwarp (); /* shuffle_and_barrier */
  else
    __syncthreads ();
}

KERNEL (partial_warp)
{
  unsigned of[4];
  __shared__ __align__ (16) float tile[64][4];
  if (threadIdx.x < 16)
    return;
  tns_load_tiles (of, tile[threadIdx.x]); /* partial_warp */
  arg.y[threadIdx.x] = of[0];
}

KERNEL (half_group)
{
  tns_group_wait<0> ();
  arg.y[threadIdx.x] = arg.x[threadIdx.x];
}

KERNEL (beside_column)
{
  __shared__ float tile[8][8];
  int t = threadIdx.x;
  tile[t / 8][t % 8] = 1;
  __syncthreads ();
  if (t == 3)
    arg.y[t] = tile[t][t + arg.n]; /* beside_column */
}

KERNEL (beside_pointer)
{
  __shared__ float tile[61];
  __shared__ float other[61];
  float *p = tile;
  p[threadIdx.x] = arg.x[threadIdx.x]; /* beside_pointer */
  other[threadIdx.x % 61] = 1;
  __syncthreads ();
  arg.y[threadIdx.x] = other[threadIdx.x % 61];
}

template <typename type>
static __device__ type *
of_template (void)
{
  __shared__ type tile[64];
  return tile;
}

KERNEL (in_template)
{
  of_template<float> ()[threadIdx.x] = 1; /* in_template */
}

KERNEL (before_pointer)
{
  __shared__ float tile[61];
  __shared__ float other[61];
  float *p = other, *q = tile;
  q -= threadIdx.x == 9;
  p -= threadIdx.x == 9;
  arg.y[threadIdx.x] = *q + *p; /* before_pointer */
}

KERNEL (beside_dynamic)
{
  TNS_SHARED (float, tile);
  tile[threadIdx.x] = arg.x[threadIdx.x]; /* beside_dynamic */
}

KERNEL (beside_global)
{
  long long i = blockIdx.x * blockDim.x + threadIdx.x;
  arg.y[i] = arg.x[i]; /* beside_global */
}

KERNEL (write_constant)
{
  arg.y[threadIdx.x] = table[threadIdx.x % 4];
  __syncthreads ();
  ((float *) arg.x)[threadIdx.x] = 0; /* write_constant */
}

KERNEL (not_aligned)
{
  float4 x = *(const float4 *) (arg.x + threadIdx.x); /* not_aligned */
  arg.y[threadIdx.x] = x.x + x.y + x.z + x.w;
}

KERNEL (not_filled)
{
  __shared__ float tile[64];
  TNS_SHARED (float, dynamic);
  int t = threadIdx.x;
  if (arg.n == 1000)
    tile[t] = dynamic[t] = 1;
  arg.y[t] = (tile[t] != tile[t]) + (dynamic[t] != dynamic[t]);
}
