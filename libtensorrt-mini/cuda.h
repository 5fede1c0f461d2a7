/* What the files of the CUDA half share.  Not installed.

   A run of a region, from trm_cuda_begin to trm_cuda_end:

     decide      cuda-cost.c       does the device pay?
     start       cuda-device.c     once in a process
     load        cuda-unit.c       kernels, by cuda-nvrtc.c and cuda-cache.c
     hold        cuda-hold.c       each array lies in an entry of the table,
                                   which has memory on the device
     copy in     cuda-copy.c
     launch      cuda-run.c, cuda-launch.c
     wait        cuda-later.c      at once, or when somebody wants the results
     copy out    cuda-copy.c
     settle      cuda-hold.c       what no data block keeps goes

   cuda-parts.c does that for each of several devices that share a run.

   Whatever fails before the copies out leaves the host's memory as it was; the
   CPU's version runs then, and cuda-fall.c counts why.  All of it happens
   under one lock, which a run holds from its beginning to its end.  */

#ifndef TRM_CUDA_H
#define TRM_CUDA_H

#include "abi-cuda.h"
#include "cuda-driver.h"
#include "runtime.h"

/* Why the CPU's version runs (cuda-why.def).  */
typedef enum trm_cuda_why
{
  TRM_CUDA_FINE,
#define TRM_CUDA_WHY(NAME, WORDS) TRM_CUDA_##NAME,
#include "cuda-why.def"
#undef TRM_CUDA_WHY
  TRM_CUDA_WHYS
} trm_cuda_why;

/* What the process has of CUDA.

   cu           the driver's functions
   version      the driver's: 12080
   n            how many devices there are
   why, words   what failed first since trm_cuda_forget_fault
   sticky       it left nothing to go on with, on no device  */
typedef struct trm_cuda_process
{
  trm_cu cu;
  int version;
  int n;
  trm_cuda_why why;
  char words[160];
  bool sticky;
} trm_cuda_process;

extern trm_cuda_process trm_cuda;

/* Pinned memory that copies go through; OVER: the device is done with it.  */
typedef struct trm_cuda_slot
{
  char *at;
  trm_cu_event over;
} trm_cuda_slot;

#define TRM_CUDA_SLOTS 4
#define TRM_CUDA_MOST  16

/* A device.

   is_on        it was started; what follows is known then
   name         its name
   arch         what it runs: 90
   processors   how many multiprocessors it has
   pool         where memory comes from in the order of streams; NULL: there is
                none
   in, work, out  streams: memory and copies to the device; kernels; copies from
                the device, and memory that goes
   filled       an event: IN came that far
   timed        kernels are: of the device that was started first
   filling      IN was given something to do since FILLED was recorded
   newest       of its entries (cuda-table.c)
   ring, turn   what copies go through (cuda-copy.c), and which one was last  */
typedef struct trm_cuda_gpu
{
  bool is_on;
  trm_cu_device device;
  char name[64];
  int arch;
  int processors;
  trm_cu_pool pool;
  trm_cu_context context;
  trm_cu_stream in, work, out;
  trm_cu_event filled;
  bool timed;
  bool filling;
  struct trm_cuda_entry *newest;
  trm_cuda_slot ring[TRM_CUDA_SLOTS];
  unsigned turn;
} trm_cuda_gpu;

/* The devices, by their numbers, and the one that all functions below are
   about, unless they say otherwise: under the lock that of the thread, or one
   that is visited (cuda-several.c).  */
extern trm_cuda_gpu trm_cuda_gpus[TRM_CUDA_MOST];
extern trm_cuda_gpu *trm_cuda_here;

/* cuda-device.c */

/* The lock of all that follows.  */
extern void trm_cuda_lock (void);
extern void trm_cuda_unlock (void);

/* The thread's device is that of NUMBER from its next trm_cuda_lock on.  How
   many there are, but for those beyond TRM_CUDA_MOST.  */
extern void trm_cuda_choose (int number);
extern int trm_cuda_count (void);

/* Whether the calling thread has it.  */
extern bool trm_cuda_is_locked (void);

/* Start the device, unless it was.  False: CUDA is out of use, trm_cuda_off
   says why.  */
extern bool trm_cuda_start (void);

/* Whether it was started.  */
extern bool trm_cuda_is_on (void);

/* Enter and leave the device's context; nothing before the start.  */
extern bool trm_cuda_push (void);
extern void trm_cuda_pop (void);

/* Why the process does not use CUDA, FINE where it may; with the words of the
   fault that ended it.  End its use, because of WHY and that fault.  */
extern trm_cuda_why trm_cuda_off (void);
extern const char *trm_cuda_off_words (void);
extern void trm_cuda_end_use (trm_cuda_why why);

/* What TRM_DEVICE asks for.  */
typedef enum trm_cuda_wish
{
  TRM_CUDA_AUTO,
  TRM_CUDA_CPU,
  TRM_CUDA_ALWAYS
} trm_cuda_wish;
extern trm_cuda_wish trm_cuda_wished (void);

/* Whether the driver's function NAME did what it was asked for, by its RESULT;
   if not WHY is the fault.  TRM_CALL calls it.  */
extern bool trm_cuda_ok (trm_cuda_why why, const char *name,
                         trm_cu_result result);
#define TRM_CALL(WHY, NAME, ...)                                               \
  trm_cuda_ok (TRM_CUDA_##WHY, "cu" #NAME, trm_cuda.cu.NAME (__VA_ARGS__))

/* The run is not for the device, because of WHY.  The fault is WHY, with words;
   the first one stays.  Both give false.  */
extern bool trm_cuda_refuse (trm_cuda_why why);
extern bool trm_cuda_fault (trm_cuda_why why, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));
extern void trm_cuda_forget_fault (void);

/* cuda-fall.c */

/* SITE ran on the device; its kernels took NS nanoseconds.  It runs on the CPU
   because of WHY, told with WORDS, which may be "", the first time.  All are
   counted; the last one gives NULL.  */
extern void trm_cuda_ran (const trm_site *site);
extern void trm_cuda_took (const trm_site *site, int64_t ns);
extern void *trm_cuda_fell (const trm_site *site, trm_cuda_why why,
                            const char *words);

/* How often it did.  */
extern int64_t trm_cuda_falls (const trm_site *site, trm_cuda_why why);

/* The device failed and held the only copy of NAME: say so, and end the
   process.  */
extern void trm_cuda_lost (const char *name, intptr_t bytes)
  __attribute__ ((noreturn));

/* The device failed, and what SITE was to do there cannot be done on the CPU
   any more: the same.  */
extern void trm_cuda_stuck (const trm_site *site) __attribute__ ((noreturn));

/* cuda-cost.c */

/* What a device can do: operations and bytes of its memory a nanosecond, bytes
   a nanosecond of the link to the host; what a launch with its wait, and the
   start of CUDA, take.  */
typedef struct trm_cuda_machine
{
  const char *name;
  double flops;
  double bytes;
  double link;
  double launch_ns;
  double start_ns;
} trm_cuda_machine;

/* The machine that TRM_CUDA_MACHINE, a file, or else the built-in table tells
   for a device called NAME; NULL: not known yet.  */
extern trm_cuda_machine trm_cuda_machine_of (const char *name);

/* The nanoseconds that the device is predicted to save in a run of COST that
   copies IN bytes to the device, and would copy OUT bytes from it if the CPU's
   version ran: 0 or less where it does not pay.  */
extern double trm_cuda_saves (const trm_cuda_cost *cost, double in, double out,
                              const trm_cuda_machine *machine);

/* cuda-table.c */

/* Where the contents of an entry are: on the host; on both; on the device.  */
typedef enum trm_cuda_state
{
  TRM_CUDA_ON_HOST,
  TRM_CUDA_ON_BOTH,
  TRM_CUDA_ON_DEVICE
} trm_cuda_state;

/* Memory of the host that has, or is to have, a copy on the device.  No two
   overlap.

   base, bytes  where it is; base is NULL of memory of the device alone
   device       the copy; 0: there is no memory for it yet
   scopes       data blocks that keep it
   writes       one of them wants it copied out when they have ended
   state        where the contents are; was: when the run began
   use          what the run under way does, TRM_CUDA_ bits and cuda-run.c's; 0:
                it is not touched
   later        what runs do that are not known to have ended, TRM_CUDA_ bits
                and cuda-later.c's; 0: they do not touch it
   good         where the contents were before the first of these runs
   stage        what is copied out, until all of it is there
   name         of the first array in it; NULL: none was yet
   guarded      cuda-guard.c watches base, which is in pages of its own  */
typedef struct trm_cuda_entry
{
  char *base;
  intptr_t bytes;
  trm_cu_pointer device;
  int scopes;
  bool writes;
  trm_cuda_state state;
  trm_cuda_state was;
  intptr_t use;
  intptr_t later;
  trm_cuda_state good;
  void *stage;
  const char *name;
  bool guarded;
  struct trm_cuda_entry *next;
} trm_cuda_entry;

/* Whether there are any, of all devices; without the lock.  */
extern bool trm_cuda_has_entries (void);

/* The newest entry.  The first one from E on that overlaps BYTES bytes at BASE,
   NULL when none does.  A new one; NULL when there is no memory.  Remove E, not
   its memory on the device; all of them.  */
extern trm_cuda_entry *trm_cuda_entries (void);
extern trm_cuda_entry *trm_cuda_overlap (trm_cuda_entry *e, const void *base,
                                         intptr_t bytes);
extern trm_cuda_entry *trm_cuda_enter (void *base, intptr_t bytes,
                                       const char *name);
extern void trm_cuda_remove (trm_cuda_entry *e);
extern void trm_cuda_remove_all (void);

/* cuda-copy.c */

/* Copy BYTES bytes to the device, in the order of trm_cuda.in: FROM may change
   when this returns; from the device, where no kernel is under way: complete
   when this returns.  False with a fault.  */
extern bool trm_cuda_put (trm_cu_pointer to, const void *from, intptr_t bytes);
extern bool trm_cuda_get (void *to, trm_cu_pointer from, intptr_t bytes);

/* cuda-guard.c */

/* The contents of E are where STATE says from now on.  */
extern void trm_cuda_now (trm_cuda_entry *e, trm_cuda_state state);

/* Copy the contents of E, which the device alone has, to the host, so that both
   have them.  False with a fault.  */
extern bool trm_cuda_fetch (trm_cuda_entry *e);

/* BYTES bytes at BASE, in pages of their own (trm_pages_get), are on a device,
   too, and the host's accesses to them are watched, where one is used; until
   they go: what the device has of them is nobody's any more.  */
extern void trm_cuda_guard (void *base, intptr_t bytes);
extern void trm_cuda_unguard (void *base);

/* The entry of the memory that AT is in, where it is watched for another device
   and not for this one, which it is from now on; NULL: it is not, or there is
   no memory.  */
extern trm_cuda_entry *trm_cuda_guard_here (const void *at);

/* cuda-memory.c */

/* Give E memory on the device; what no run under way uses makes room.  False
   with a fault.  Take its memory after all copies out, and all kernels that
   use it.  */
extern bool trm_cuda_give_memory (trm_cuda_entry *e);
extern void trm_cuda_take_memory (trm_cuda_entry *e);

/* cuda-resident.c */

/* Whether the contents of E are on the host, copied out because of WHY.  */
extern bool trm_cuda_bring_back (trm_cuda_entry *e, const char *why);

/* The entry that holds A as a whole, which may be new, and take in others.
   NULL with a fault.  */
extern trm_cuda_entry *trm_cuda_cover (const trm_cuda_array *a);

/* The host is about to use BYTES bytes at BASE; what the device alone holds is
   copied out because of WHY.  */
extern void trm_cuda_to_host (void *base, intptr_t bytes, intptr_t use,
                              const char *why);

/* Forget E, which nobody keeps, and its memory.  */
extern void trm_cuda_drop (trm_cuda_entry *e);

/* All devices are lost: so are the contents that only they had, which ends the
   process; the tables have no memory on them any more.  */
extern void trm_cuda_lose_devices (void);

/* Before a fork: all contents of all devices are on the host.  */
extern void trm_cuda_all_to_host (void);

/* cuda-several.c */

/* Do WHAT with GIVEN about GPU, in its context; about each with entries.  */
extern void trm_cuda_visit (trm_cuda_gpu *gpu, void (*what) (void *given),
                            void *given);
extern void trm_cuda_each (void (*what) (void *given), void *given);

/* The host is about to use BYTES bytes at BASE, which any device may have: see
   trm_cuda_to_host.  A run of the device is about to use A[0..N), which
   others may have.  */
extern void trm_cuda_to_host_all (void *base, intptr_t bytes, intptr_t use,
                                  const char *why);
extern void trm_cuda_take_over (const trm_cuda_array *a, intptr_t n);

/* cuda-hold.c */

/* The bytes of ARRAY[0..N) that a run on the device would copy in and out, and
   those that one on the CPU would have copied out before.  */
extern void trm_cuda_missing (const trm_cuda_array *array, intptr_t n,
                              double *in, double *out);

/* Whether all of the BYTES bytes at BASE can be read (cuda-there.c).  */
extern bool trm_cuda_is_there (const void *base, intptr_t bytes);

/* Let a run hold ARRAY[0..N): their addresses, and all that kernels read there,
   before the stream work goes on.  False with a fault.  */
extern bool trm_cuda_hold (trm_cuda_array *array, intptr_t n);

/* Whether the contents of E must be there when the kernels of the run under way
   begin.  Whether that run, having failed, leaves nothing of some contents that
   the device alone had.  */
extern bool trm_cuda_needs_contents (const trm_cuda_entry *e);
extern bool trm_cuda_has_spoilt (void);

/* Copy out what the run wrote and nobody keeps: what it did not write wholly to
   memory of its own, STAGED, which gets to the host's arrays when all is FINE,
   and goes; the other to these at once.  False with a fault.  */
extern bool trm_cuda_copy_out (bool staged);
extern void trm_cuda_unstage (bool fine);

/* The run ends, FINE or not, kernels having been LAUNCHED or not: entries get
   their states, and those that nobody keeps go.  */
extern void trm_cuda_settle (bool fine, bool launched);

/* cuda-launch.c */

/* A launch of KERNEL (cuda-unit.h): BLOCKS blocks of THREADS threads with
   SHARED bytes.  ALIGNED: its argument is one value, which lies where the
   driver alone knows, since it is aligned to more than 16 bytes.  */
typedef struct trm_cuda_call
{
  struct trm_cuda_kernel *kernel;
  unsigned blocks;
  unsigned threads;
  unsigned shared;
  bool aligned;
} trm_cuda_call;

/* Gather a launch with the BYTES bytes at ARGS; launch all that were gathered;
   forget them.  The first two tell whether something was launched, if not all
   of it: a fault says that.  */
extern bool trm_cuda_gather (trm_cuda_call of, const void *args,
                             intptr_t bytes);
extern bool trm_cuda_launch_gathered (void);
extern void trm_cuda_drop_gathered (void);

/* cuda-later.c */

/* Whether the run under way, of SITE, may end before its kernels have; if so it
   is noted, with a copy of the BYTES bytes at ARGS, which AGAIN may be called
   with.  */
extern bool trm_cuda_note (const trm_site *site, trm_cuda_again *again,
                           const void *args, intptr_t bytes);

/* Wait for all runs that were noted.  False: they failed, and AGAIN has done on
   the host what they were to do; the first fault says why.  */
extern bool trm_cuda_wait (void);

/* All kernels so far have ended well; or noted runs have failed, or were
   spoilt, with a fault, and are done on the host.  */
extern void trm_cuda_all_ended (void);
extern void trm_cuda_all_again (void);

/* cuda-ledger.c */

/* For the ledger: the site of the run under way, NULL: none is; where in the
   program the host touches what is copied, NULL: nobody knows.  */
extern const trm_site *trm_cuda_site;
extern const void *trm_cuda_place;

/* A copy of BYTES bytes of NAME took NS nanoseconds; OUT: from the device.  */
extern void trm_cuda_copied (bool out, const char *name, intptr_t bytes,
                             int64_t ns, const char *why);

/* cuda-time.c: KERNEL, NULL for none, is what the stream WORK does next for
   SITE.  All of it is done: note how long it took.  Forget it.  */
struct trm_cuda_kernel;
extern void trm_cuda_mark (struct trm_cuda_kernel *kernel,
                           const trm_site *site);
extern void trm_cuda_read_marks (void);
extern void trm_cuda_drop_marks (void);

/* A copy is begun in STREAM, ends there; it was of BYTES bytes of NAME, from
   the device or to it, and took NS nanoseconds of the host's.  */
extern void trm_cuda_copy_begins (trm_cu_stream stream);
extern void trm_cuda_copy_ends (trm_cu_stream stream);
extern void trm_cuda_time_copy (bool out, const char *name, intptr_t bytes,
                                int64_t ns);

/* cuda-trace.c: SPAN goes on a lane of the trace, where one is kept: NAME took
   NS nanoseconds until END, in ticks, for SITE.  */
typedef enum trm_cuda_lane
{
  TRM_CUDA_LANE_IN,
  TRM_CUDA_LANE_WORK,
  TRM_CUDA_LANE_IDLE,
  TRM_CUDA_LANE_OUT
} trm_cuda_lane;
typedef struct trm_cuda_span
{
  int64_t end;
  int64_t ns;
  const char *name;
  const trm_site *site;
  intptr_t bytes;
} trm_cuda_span;
extern void trm_cuda_traced (trm_cuda_lane lane, const trm_cuda_span *span);

/* What was copied so far: how often, how much.  */
extern void trm_cuda_copies (bool out, int64_t *n, int64_t *bytes);

#endif
