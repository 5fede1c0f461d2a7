/* A fused chain, y[i] = max (a x[i] + b, 0): a grid-stride loop, four elements
   an access where both addresses are aligned, one otherwise.  */

struct chain_args
{
  float *y;
  const float *x;
  float a, b;
  long long n;
};

extern "C" __global__ void __launch_bounds__ (256)
chain (const __grid_constant__ struct chain_args arg)
{
  long long step = (long long) gridDim.x * blockDim.x;
  for (long long i = (long long) blockIdx.x * blockDim.x + threadIdx.x;
       i < arg.n; i += step)
    arg.y[i] = fmaxf (fmaf (arg.a, arg.x[i], arg.b), 0.0f);
}

extern "C" __global__ void __launch_bounds__ (256)
chain_by_four (const __grid_constant__ struct chain_args arg)
{
  long long step = (long long) gridDim.x * blockDim.x;
  long long first = (long long) blockIdx.x * blockDim.x + threadIdx.x;
  for (long long i = first; i < arg.n / 4; i += step)
    {
      float4 x = __ldg ((const float4 *) arg.x + i);
      ((float4 *) arg.y)[i]
        = make_float4 (fmaxf (fmaf (arg.a, x.x, arg.b), 0.0f),
                       fmaxf (fmaf (arg.a, x.y, arg.b), 0.0f),
                       fmaxf (fmaf (arg.a, x.z, arg.b), 0.0f),
                       fmaxf (fmaf (arg.a, x.w, arg.b), 0.0f));
    }
  for (long long i = arg.n / 4 * 4 + first; i < arg.n; i += step)
    arg.y[i] = fmaxf (fmaf (arg.a, arg.x[i], arg.b), 0.0f);
}
