/* Short rows as text: lowering/cuda-short.h.  */

#include "lowering/cuda-short.h"

#include <string.h>

#include "lowering/cuda-reword.h"

#define WARP 32

void
tns_cuda_short (tns_text *text, const char *body, int threads, int lanes)
{
  tns_arena *arena = text->arena;
  const char *fold = tns_arena_format (arena, "tns_fold_row<%d> (", lanes);
  const char *first = tns_arena_format (arena, "tns_first_row<%d> (", lanes);
  const char *width = tns_arena_format (arena, "%du", lanes);
  const tns_reword word[] = { { "blockIdx.x", "tns_unit" },
                              { "gridDim.x", "tns_units" },
                              { "threadIdx.x", "tns_lane" },
                              { "blockDim.x", width },
                              { "__syncthreads ()", "__syncwarp (tns_mask)" },
                              { "tns_fold (", fold },
                              { "tns_fold_first (", first },
                              { ", tns_parts)", ", tns_mask)" } };
  tns_text_line (text, "const unsigned int tns_lane = threadIdx.x %% %d;",
                 lanes);
  tns_text_line (text,
                 "const long tns_unit = tns_anew ((long) blockIdx.x * %d + "
                 "threadIdx.x / %d);",
                 threads / lanes, lanes);
  tns_text_line (text, "const long tns_units = (long) gridDim.x * %d;",
                 threads / lanes);
  if (lanes == WARP)
    tns_text_line (text, "const unsigned int tns_mask = 0xffffffffu;");
  else
    tns_text_line (text,
                   "const unsigned int tns_mask = %#xu << (threadIdx.x %% %d / "
                   "%d * %d);",
                   (1u << lanes) - 1, WARP, lanes, lanes);
  tns_text_line (text, "(void) tns_lane, (void) tns_mask;");
  while (*body)
    {
      const char *end = body + strcspn (body, "\n");
      tns_cuda_reword (text, body, end, sizeof word / sizeof word[0], word);
      body = end + (*end == '\n');
    }
}
