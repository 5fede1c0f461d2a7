/* Kernels -> CUDA C that needs no includes: nvcc and NVRTC take it by itself,
   and so does a C++ compiler for processors that knows what threads and blocks
   are (TNS_ON_CPU is defined then).

     struct softmax_k0_args { float *y; const float *x; long n; long c; };

     extern "C" __global__ void __launch_bounds__ (256)
     softmax_k0 (const __grid_constant__ struct softmax_k0_args args)
     {
       for (long at = blockIdx.x; at < args.n; at += gridDim.x)
         ...
     }

   A kernel has one argument, a struct whose members are eight bytes each and
   at least three: the host fills it as an array of numbers.  */

#ifndef TNS_LOWERING_CUDA_H
#define TNS_LOWERING_CUDA_H

#include "base/ctx.h"
#include "base/text.h"
#include "lowering/grid.h"

/* The least number of members of a kernel's argument.  */
enum
{
  TNS_LEAST_MEMBERS = 3
};

/* Append what all kernels of a text need, once in front of them, and WORDS.  */
extern void tns_cuda_prelude (tns_text *text, tns_grid_words words);

/* Append GRID's kernels.  */
extern void tns_cuda_print (tns_ctx *ctx, tns_text *text, const tns_grid *grid);

/* NAME with _ in place of all but letters and digits.  */
extern const char *tns_cuda_identifier (tns_arena *arena, const char *name);

/* What KERNEL is called there.  */
extern const char *tns_cuda_name (tns_arena *arena, const tns_kernel *kernel);

#endif
