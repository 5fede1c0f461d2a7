/* Several devices: a thread's regions run on the one that it has chosen.

     trm_device (0);          h = layer (x, w0)    on device 0
     trm_device (1);          y = layer (h, w1)    on device 1; h comes by the
                                                   host, once; w1 stays there

   Each device has streams, memory, code and a table of its own; one lock is for
   all.  To each of them the others are what the host is.  */

#include "tensor.h"

#include "cuda.h"

void
trm_cuda_visit (trm_cuda_gpu *gpu, void (*what) (void *given), void *given)
{
  trm_cuda_gpu *home = trm_cuda_here;
  trm_cuda_here = gpu;
  bool pushed = trm_cuda_push ();
  what (given);
  if (pushed)
    trm_cuda_pop ();
  trm_cuda_here = home;
}

void
trm_cuda_each (void (*what) (void *given), void *given)
{
  for (int i = 0; i < TRM_CUDA_MOST; i++)
    if (trm_cuda_gpus[i].newest)
      trm_cuda_visit (&trm_cuda_gpus[i], what, given);
}

/* Memory that somebody is about to use, and why it is copied out of what has
   it.  */
typedef struct used
{
  void *base;
  intptr_t bytes;
  intptr_t use;
  const char *why;
} used;

/* Let the device see to it.  */
static void
make_way (void *given)
{
  const used *u = given;
  trm_cuda_to_host (u->base, u->bytes, u->use, u->why);
}

/* Let all devices but HOME see to U.  */
static void
clear_way (used *u, const trm_cuda_gpu *home)
{
  for (int i = 0; i < TRM_CUDA_MOST; i++)
    {
      trm_cuda_gpu *gpu = &trm_cuda_gpus[i];
      if (gpu != home && trm_cuda_overlap (gpu->newest, u->base, u->bytes))
        trm_cuda_visit (gpu, make_way, u);
    }
}

void
trm_cuda_to_host_all (void *base, intptr_t bytes, intptr_t use, const char *why)
{
  clear_way (&(used){ base, bytes, use, why }, NULL);
}

void
trm_cuda_take_over (const trm_cuda_array *a, intptr_t n)
{
  for (const trm_cuda_array *end = a + n; a < end; a++)
    if (a->base && a->bytes > 0)
      clear_way (&(used){ a->base, a->bytes, a->use, "another device uses it" },
                 trm_cuda_here);
}

int
trm_devices (void)
{
  if (trm_cuda_off ())
    return 0;
  trm_cuda_lock ();
  trm_cuda_forget_fault ();
  int n = trm_cuda_count ();
  trm_cuda_unlock ();
  return n;
}

trm_status
trm_device (int number)
{
  int n = trm_devices ();
  if (n == 0)
    return trm_fail (TRM_NOT_HERE, "device: there is none");
  if (number < 0 || number >= n)
    return trm_fail (TRM_BAD_ARGUMENT, "device: %d of %d", number, n);
  trm_cuda_choose (number);
  return TRM_OK;
}
