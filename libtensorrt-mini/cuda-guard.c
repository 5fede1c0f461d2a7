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

void
trm_cuda_now (trm_cuda_entry *e, trm_cuda_state state)
{
  if (e->guarded && e->state != state
      && mprotect (e->base, pages_of (e), allowed (state)))
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

/* The guarded entry that AT is in; NULL when there is none.  */
static trm_cuda_entry *
guarded_at (const char *at)
{
  trm_cuda_entry *e = trm_cuda_entries ();
  while (e && !(e->guarded && e->base <= at && at < e->base + pages_of (e)))
    e = e->next;
  return e;
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
allow (trm_cuda_entry *e, const ucontext_t *context)
{
  trm_cuda_place = trm_context_address (context);
  if (is_write (context, e->state))
    trm_cuda_to_host (e->base, e->bytes, TRM_CUDA_READ | TRM_CUDA_WRITE,
                      "the host writes");
  else
    trm_cuda_to_host (e->base, e->bytes, TRM_CUDA_READ, "the host reads");
  trm_cuda_place = NULL;
}

/* Whether the access to AT was stopped by a guard, and is allowed now.  */
static bool
is_allowed (const char *at, const ucontext_t *context)
{
  if (trm_cuda_is_locked ())
    return false;
  trm_cuda_lock ();
  bool pushed = trm_cuda_push ();
  trm_cuda_forget_fault ();
  trm_cuda_entry *e = guarded_at (at);
  if (e)
    allow (e, context);
  if (pushed)
    trm_cuda_pop ();
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

void
trm_cuda_guard (void *base, intptr_t bytes)
{
  if (bytes == 0 || trm_cuda_off () || trm_mode_get () != TRM_MODE_FUSED)
    return;
  trm_cuda_lock ();
  trm_cuda_entry *e = handle () ? trm_cuda_enter (base, bytes, NULL) : NULL;
  if (e)
    {
      e->scopes = 1;
      e->guarded = true;
    }
  trm_cuda_unlock ();
}

void
trm_cuda_unguard (void *base)
{
  if (!trm_cuda_entries ())
    return;
  trm_cuda_lock ();
  trm_cuda_entry *e = guarded_at (base);
  bool pushed = trm_cuda_push ();
  trm_cuda_forget_fault ();
  if (e)
    trm_cuda_drop (e);
  if (pushed)
    trm_cuda_pop ();
  trm_cuda_unlock ();
}
