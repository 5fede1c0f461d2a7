/* Memory of the host that tells who touches it: the storages of tensors that
   reside (trm_reside).

   The pages of a guarded entry allow what the host may do without a word, by
   where the contents are:

     device   nothing
     both     to read
     host     to read and write

   Whoever does more, a plain loop, an operation or memcpy in any thread, is
   stopped by the processor.  The signal's handler copies out what is missing,
   once, and lets the pages allow what was tried, which is then done:

     device  --read-->  both  --written-->  host

   So nobody need say what he touches; a region's arrays are told apart from
   the host's accesses, since the device has addresses of its own.  That is how
   GMAC keeps memory coherent (Gelado et al., ASPLOS 2010).

   What comes from the device is complete in pages of its own before these take
   the place of the entry's, all at once: no other thread finds some of it.
   What goes there cannot be written meanwhile.

   A system call is not stopped; it fails with EFAULT: trm_to_host.  A signal
   that is not about guarded entries goes to the handler that was there.  */

#define _GNU_SOURCE
#include "cuda.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

static struct sigaction others;
static bool is_handled;

/* The pages of E, in bytes.  */
static size_t
pages_of (const trm_cuda_entry *e)
{
  return (size_t) trm_pages_bytes (e->bytes);
}

/* What the pages of an entry in STATE allow.  */
static int
allowed (trm_cuda_state state)
{
  return state == TRM_CUDA_ON_HOST   ? PROT_READ | PROT_WRITE
         : state == TRM_CUDA_ON_BOTH ? PROT_READ
                                     : PROT_NONE;
}

/* The guarded entry of GPU that AT is in; NULL when there is none.  */
static trm_cuda_entry *
guarded_at (const trm_cuda_gpu *gpu, const char *at)
{
  trm_cuda_entry *e = gpu->newest;
  while (e && !(e->guarded && e->base <= at && at < e->base + pages_of (e)))
    e = e->next;
  return e;
}

/* The guarded entry of any device that AT is in; NULL when there is none.  */
static trm_cuda_entry *
guarded_anywhere (const char *at)
{
  trm_cuda_entry *e = NULL;
  for (int i = 0; i < TRM_CUDA_MOST && !e; i++)
    e = guarded_at (&trm_cuda_gpus[i], at);
  return e;
}

/* Of where the contents at BASE, guarded, are by each device, what allows the
   least.  */
static trm_cuda_state
strictest (const char *base)
{
  trm_cuda_state state = TRM_CUDA_ON_HOST;
  for (int i = 0; i < TRM_CUDA_MOST; i++)
    {
      const trm_cuda_entry *e = guarded_at (&trm_cuda_gpus[i], base);
      if (e && e->state > state)
        state = e->state;
    }
  return state;
}

/* E, guarded, is in STATE; its pages allow what they may.  */
static bool
protect (trm_cuda_entry *e, trm_cuda_state state)
{
  trm_cuda_state before = strictest (e->base);
  e->state = state;
  trm_cuda_state now = strictest (e->base);
  return now == before || mprotect (e->base, pages_of (e), allowed (now)) == 0;
}

void
trm_cuda_now (trm_cuda_entry *e, trm_cuda_state state)
{
  if (e->guarded && e->state != state && !protect (e, state))
    {
      trm_cuda_forget_fault ();
      trm_cuda_fault (TRM_CUDA_NO_HOST_MEMORY, "mprotect");
      trm_cuda_lost (e->name, e->bytes);
    }
  e->state = state;
}

/* Put the contents of E, which is guarded, in pages that take the place of
   its, and can be read.  */
static bool
fetch_pages (trm_cuda_entry *e)
{
  size_t bytes = pages_of (e);
  void *fresh = trm_pages_get (e->bytes);
  if (!fresh)
    return trm_cuda_fault (TRM_CUDA_NO_HOST_MEMORY, "for copies out");
  if (trm_cuda_get (fresh, e->device, e->bytes)
      && ((mprotect (fresh, bytes, allowed (TRM_CUDA_ON_BOTH)) == 0
           && mremap (fresh, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED,
                      e->base)
                == e->base)
          || trm_cuda_fault (TRM_CUDA_NO_HOST_MEMORY, "mremap")))
    return true;
  trm_pages_put (fresh, e->bytes);
  return false;
}

bool
trm_cuda_fetch (trm_cuda_entry *e)
{
  if (!(e->guarded ? fetch_pages (e)
                   : trm_cuda_get (e->base, e->device, e->bytes)))
    return false;
  e->state = TRM_CUDA_ON_BOTH;
  return true;
}

/* Whether the access that CONTEXT tells of, to an entry in STATE, writes.  */
static bool
is_write (const ucontext_t *context, trm_cuda_state state)
{
#if defined __x86_64__
  (void) state;
  return context->uc_mcontext.gregs[REG_ERR] & 2;
#else
  (void) context;
  return state == TRM_CUDA_ON_BOTH;
#endif
}

/* Let E be accessed as CONTEXT tells; another thread may have seen to that.  */
static void
allow (const trm_cuda_entry *e, const ucontext_t *context)
{
  bool writes = is_write (context, strictest (e->base));
  trm_cuda_place = trm_context_address (context);
  trm_cuda_to_host_all (e->base, e->bytes,
                        TRM_CUDA_READ | (writes ? TRM_CUDA_WRITE : 0),
                        writes ? "the host writes" : "the host reads");
  trm_cuda_place = NULL;
}

/* Whether the access to AT was stopped by a guard, and is allowed now.  */
static bool
is_allowed (const char *at, const ucontext_t *context)
{
  if (trm_cuda_is_locked ())
    return false;
  trm_cuda_lock ();
  trm_cuda_forget_fault ();
  const trm_cuda_entry *e = guarded_anywhere (at);
  if (e)
    allow (e, context);
  trm_cuda_unlock ();
  return e != NULL;
}

/* The signal is for whoever would have got it without us.  */
static void
pass_on (int number, siginfo_t *info, void *context)
{
  if (others.sa_flags & SA_SIGINFO)
    others.sa_sigaction (number, info, context);
  else if (others.sa_handler == SIG_DFL || others.sa_handler == SIG_IGN)
    sigaction (number, &others, NULL);
  else
    others.sa_handler (number);
}

/* Somebody touches what he must not.  */
static void
on_touch (int number, siginfo_t *info, void *context)
{
  int kept = errno;
  if (info->si_code != SEGV_ACCERR || !is_allowed (info->si_addr, context))
    pass_on (number, info, context);
  errno = kept;
}

/* Have the handler called, from now on.  */
static bool
handle (void)
{
  struct sigaction ours
    = { .sa_sigaction = on_touch, .sa_flags = SA_SIGINFO | SA_RESTART };
  sigemptyset (&ours.sa_mask);
  is_handled = is_handled || sigaction (SIGSEGV, &ours, &others) == 0;
  return is_handled;
}

/* Watch BYTES bytes at BASE for the device; NULL without memory.  */
static trm_cuda_entry *
enter (void *base, intptr_t bytes, const char *name)
{
  trm_cuda_entry *e = trm_cuda_enter (base, bytes, name);
  if (e)
    {
      e->scopes = 1;
      e->guarded = true;
    }
  return e;
}

void
trm_cuda_guard (void *base, intptr_t bytes)
{
  if (bytes == 0 || trm_cuda_off () || trm_mode_get () != TRM_MODE_FUSED)
    return;
  trm_cuda_lock ();
  if (handle ())
    enter (base, bytes, NULL);
  trm_cuda_unlock ();
}

trm_cuda_entry *
trm_cuda_guard_here (const void *at)
{
  const trm_cuda_entry *e = guarded_anywhere (at);
  return e ? enter (e->base, e->bytes, e->name) : NULL;
}

/* BASE is watched no more for the device.  */
static void
drop (void *base)
{
  trm_cuda_entry *e = guarded_at (trm_cuda_here, base);
  if (e)
    trm_cuda_drop (e);
}

void
trm_cuda_unguard (void *base)
{
  if (!trm_cuda_has_entries ())
    return;
  trm_cuda_lock ();
  trm_cuda_forget_fault ();
  trm_cuda_each (drop, base);
  trm_cuda_unlock ();
}
