/* Tensors shared with other libraries, without a copy.

   DLPack (its C header, version 0.x and 1.x's unversioned struct): NumPy,
   PyTorch and others give and take DLManagedTensor.  What is given lives until
   its deleter was called; what is taken is freed by calling it.

     Python:  x = torch.from_dlpack (tensorrt_mini.Tensor (...))

   tensorrt_mini.py, beside the library, is a module for ctypes that uses
   these; it needs no compiler.  */

#ifndef TRM_EXCHANGE_H
#define TRM_EXCHANGE_H

#include "trm-tensor.h"

#ifdef __cplusplus
extern "C"
{
#endif
#pragma GCC visibility push(default)

  struct DLManagedTensor;

  /* T as others take it; NULL with a message.  The receiver owns one reference
   to T.  */
  extern struct DLManagedTensor *trm_to_dlpack (trm_tensor *t);

  /* A view of MANAGED, in memory of the host.  On success the view frees it
   when its last reference goes; on failure it stays the caller's.  */
  extern trm_tensor *trm_from_dlpack (struct DLManagedTensor *managed);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
