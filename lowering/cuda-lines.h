/* Lines of the user's in the text of kernels, for what debuggers and profilers
   of CUDA's say.

     #line 7                         #line 7 "blur.c"
     const long j = tns_at;          const long j = tns_at;
     y[j] = x[j];              ->    #line 7 "blur.c"
     }                               y[j] = x[j];
                                     }
                                     #line 412 "blur_5.cu"

   so that each line that accesses memory, or writes what it did, is the user's,
   and what is behind the kernel is again what it is.  */

#ifndef TNS_LOWERING_CUDA_LINES_H
#define TNS_LOWERING_CUDA_LINES_H

#include "base/text.h"

/* Append KERNEL, which has lines  #line N  in front of what comes of line N of
   FILE, to TEXT, which begins a file called NAME.  */
extern void tns_cuda_lines (tns_text *text, const char *kernel,
                            const char *file, const char *name);

#endif
