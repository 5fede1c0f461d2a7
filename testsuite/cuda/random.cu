/* A program a thread: in each step at most one access, to bytes of the block or
   of all or to a counter of all, and behind it a barrier, __syncwarp of all or
   of halves, or nothing.  random.c knows whether two accesses race.  */

struct random_args
{
  unsigned char *out, *global;
  const unsigned short *access;
  const unsigned char *behind;
  long long n_steps;
};

extern "C" __global__ void __launch_bounds__ (64)
random (const __grid_constant__ struct random_args arg)
{
  __shared__ unsigned char shared[256];
  unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned char sum = 0;
  for (long long s = 0; s < arg.n_steps; s++)
    {
      int access = arg.access[s * gridDim.x * blockDim.x + thread];
      int at = access / 8;
      if (access % 8 == 1)
        sum += shared[at];
      else if (access % 8 == 2)
        shared[at] = sum;
      else if (access % 8 == 3)
        sum += arg.global[at];
      else if (access % 8 == 4)
        arg.global[at] = sum;
      else if (access % 8 == 5)
        atomicAdd ((unsigned *) (arg.global + at / 4 * 4), 1u);
      if (arg.behind[s] == 1)
        __syncthreads ();
      else if (arg.behind[s] == 2)
        __syncwarp ();
      else if (arg.behind[s] == 3)
        __syncwarp (threadIdx.x & 16 ? 0xffff0000 : 0xffff);
    }
  arg.out[thread] = sum;
}
