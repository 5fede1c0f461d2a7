/* What the profiler's own files share.  Not installed.

   Each thread that runs regions counts its own calls, in a tree of the places
   they were called from; only the wall clock is shared (profile-share.c).

     trm_enter   -> profile-call.c   -> the thread's tree, its ring of events
     at exit     -> profile-gather.c -> rows and paths, all threads together
                 -> table.c, profile-json.c, trace.c, html.c, profile-dot.c

   Memory is bounded: of a thread at most TRM_NODES places (0.7 MiB) and,
   while events are kept, TRM_EVENTS events (2 MiB), both touched as they fill;
   at most TRM_THREADS threads at once, whose memory later threads use again;
   TRM_ADDRESSES sampled addresses, TRM_MOMENTS moments of memory, and, when it
   is asked who holds it, TRM_HOLDERS that do (0.4 MiB); of a region at most
   TRM_SIZES sets of sizes.  */

#ifndef TRM_PROFILE_H
#define TRM_PROFILE_H

#include "runtime.h"

#define TRM_FRAMES    32
#define TRM_NODES     4096
#define TRM_EVENTS    65536
#define TRM_THREADS   256
#define TRM_ADDRESSES 4096
#define TRM_MOMENTS   512
#define TRM_HOLDERS   512
#define TRM_CALLERS   16
#define TRM_STRETCHES 64
#define TRM_COUNTERS  3
#define TRM_SIZES     16
#define TRM_GIVEN     32

/* What is recorded of a call, besides its time: bits of trm_recording.  */
#define TRM_RECORD_EVENTS   1 /* its beginning and end, for a trace */
#define TRM_RECORD_COUNTERS 2 /* the processor's counters */
#define TRM_RECORD_SAMPLES  4 /* which region threads that have none work for */
#define TRM_RECORD_HOLDERS  8 /* who allocates */
#define TRM_RECORD_RANGES   16 /* for other profilers */

extern int trm_recording;

static inline bool
trm_records (int what)
{
  return __atomic_load_n (&trm_recording, __ATOMIC_RELAXED) & what;
}

/* profile-clock.c: the time in ticks of the fastest clock that all processors
   share, and nanoseconds a tick, better known the longer the clock runs.  */
extern bool trm_clock_is_counter;
extern void trm_clock_start (void);
extern double trm_clock_tick (void);

static inline int64_t
trm_ticks (void)
{
  if (!trm_clock_is_counter)
    return trm_now ();
#if defined __x86_64__
  return (int64_t) __builtin_ia32_rdtsc ();
#elif defined __aarch64__
  int64_t t;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(t));
  return t;
#else
  return trm_now ();
#endif
}

/* profile-share.c: the wall clock, shared out (see there), in ticks.

   begin   a thread's outermost region SITE begins, at *NOW; false when EPOCH
           is over
   end     it ends, at NOW
   at      what the shared clock shows at NOW, while one is under way
   The first two set *SHARED to the shared clock.  */
extern bool trm_share_begin (trm_site *site, long epoch, int64_t *now,
                             double *shared);
extern bool trm_share_end (long epoch, int64_t now, double *shared);
extern double trm_share_at (int64_t now);

/* The wall clock runs, or stands; from nothing when FRESH.  Calls under way
   are forgotten: a new epoch.  */
extern void trm_share_run (bool on, bool fresh);
extern bool trm_share_is_on (void);

/* The epoch in which the wall clock, and counts, last began from nothing.  */
extern long trm_share_first_epoch (void);

/* When it began; so far all, and outside regions.  */
typedef struct trm_wall
{
  int64_t begin;
  double all;
  double outside;
} trm_wall;
extern trm_wall trm_share_wall (void);

/* The region that began last of those under way in any thread, or NULL: the
   outermost ones, and others that are told.  */
extern trm_site *trm_share_under_way (void);
extern void trm_share_tell (trm_site *site);

/* Around fork: nobody else holds the clock; then all may again.  */
extern void trm_share_lock (void);
extern void trm_share_unlock (void);

/* A place of a thread's tree: the calls of SITE from the place PARENT.

   ticks     from begin to end, added over calls
   self      of the shared clock, of SITE itself
   first_at, first, least, most, fallback  of a site compiled with profile:
             when its first call began, ticks of it, the fastest, the slowest,
             and of those that fell back
   spanned   ticks of the calls around which the next two were read
   cpu       nanoseconds of the process's processors
   counted, count  the same for the processor's counters
   allocated bytes of tensors
   samples   of the thread in SITE itself  */
typedef struct trm_node
{
  trm_site *site;
  int32_t parent;
  int32_t newest;
  int64_t calls;
  int64_t ticks;
  double self;
  int64_t first_at;
  int64_t first;
  int64_t least;
  int64_t most;
  int64_t fallback;
  int64_t spanned;
  int64_t cpu;
  int64_t counted;
  int64_t count[TRM_COUNTERS];
  int64_t allocated;
  int64_t samples;
} trm_node;

/* A call that ended (site; value is 1 when it fell back), or a change of the
   memory of tensors at begin (no site; value in bytes, all of it).  */
typedef struct trm_event
{
  int64_t begin;
  int64_t end;
  trm_site *site;
  int64_t value;
} trm_event;

_Static_assert(sizeof (trm_event) == 32, "an event has 32 bytes");

/* A thread.

   epoch       of its frames: they are dropped when there is a newer one
   generation  the epoch in which its counts began
   n, frame    regions under way, the outermost first
   too_deep    those that found no frame
   lane        its number
   task        the kernel's
   given       what the region that it is about to enter is given, or NULL
   live        a thread has it
   nodes, node its tree; node 0 is the thread itself, node 1 stands for all
               places for which there was no room
   slot        hash table of the nodes: 0, or an index
   ring, written  its newest events; event i stands at i % TRM_EVENTS
   origin      number of the first event that is of this generation  */
typedef struct trm_thread
{
  long epoch;
  long generation;
  int n;
  int too_deep;
  int lane;
  int task;
  bool live;
  struct trm_sizes *given;
  int nodes;
  trm_node *node;
  int32_t *slot;
  trm_event *ring;
  int64_t written;
  int64_t origin;
  trm_frame frame[TRM_FRAMES];
  struct trm_thread *next;
} trm_thread;

/* The calling thread; NULL before trm_thread_new, which gives NULL without
   memory or when there are too many.  */
extern _Thread_local trm_thread *trm_mine;
extern trm_thread *trm_thread_new (void);

/* A new epoch began: T's frames are dropped, what was forgotten is cleared,
   and memory for counts, and for events when these are recorded, is there if
   there is any.  */
extern void trm_thread_renew (trm_thread *t);

/* profile-given.c: the calls of a region in which it was given the same sizes
   (TRM_STATE_GIVEN).

   site     what the calls are counted for, with the region's place; its name
            is the region's with the sizes behind it; flops and bytes are those
            of a call, fallbacks are its own
   region   whose calls they are
   names    as trm_given has them
   n, n_sizes  how many numbers, how many of them are sizes
   rest     it stands for all sizes for which there was no room; then the
            numbers, flops and bytes are the last call's
   value    the numbers; those that are no sizes are the last call's  */
typedef struct trm_sizes
{
  trm_site site;
  trm_site *region;
  const char *names;
  int n;
  int n_sizes;
  bool rest;
  struct trm_sizes *next;
  int64_t value[TRM_GIVEN];
  char name[128];
} trm_sizes;

/* The region that SITE stands for, itself where it is one; NULL of NULL.  */
static inline trm_site *
trm_site_region (const trm_site *site)
{
  bool is = site && (site->flags & TRM_SITE_SIZES);
  return is ? ((const trm_sizes *) site)->region : (trm_site *) site;
}

/* SITE as rows of the kind BY show it.  */
static inline trm_site *
trm_site_shown (const trm_site *site, trm_group by)
{
  return by == TRM_BY_SHAPE ? (trm_site *) site : trm_site_region (site);
}

/* All sizes of REGION, by next; what was counted in them is set to nothing.  */
extern trm_sizes *trm_sizes_of (const trm_site *region);
extern void trm_sizes_clear (void);

/* Print the numbers of SIZES, with FIRST <= number < END, as a JSON object.  */
extern void trm_sizes_json (FILE *file, const trm_sizes *sizes, int first,
                            int end);

/* profile-call.c: a call of FRAME's site begins in T, inside OUTER (NULL when
   it is the thread's outermost), and ends.  Give up T's frames from N on.  */
extern void trm_call_begin (trm_thread *t, trm_frame *frame, trm_frame *outer);
extern void trm_call_end (trm_thread *t, trm_frame *frame, trm_frame *outer);
extern void trm_frames_drop (trm_thread *t, int n);

/* Which calls are long: nanoseconds of a tick are known.  */
extern void trm_call_prepare (double tick);

/* All threads so far, by next; how many calls found no thread's memory.  */
extern trm_thread *trm_threads (void);
extern int64_t trm_threads_refused (void);

/* For what threads share besides the wall clock: while it is held none clears
   its counts, and a fork waits.  */
extern void trm_threads_lock (void);
extern void trm_threads_unlock (void);

/* Whether T's counts are of the newest generation.  */
extern bool trm_thread_is_fresh (const trm_thread *t);

/* The site of node 1.  */
extern trm_site trm_site_of_the_rest;

/* X becomes Y, or Y is added, where other threads may read X meanwhile.  */
#define TRM_SET(x, y) __atomic_store_n (&(x), y, __ATOMIC_RELAXED)
#define TRM_ADD(x, y) TRM_SET (x, (x) + (y))

static inline void
trm_add_double (double *x, double y)
{
  double sum = *x + y;
  __atomic_store (x, &sum, __ATOMIC_RELAXED);
}

/* trace.c: keep an event of T.  */
extern void trm_event_keep (trm_thread *t, trm_site *site, int64_t begin,
                            int64_t end, int64_t value);

/* Copy T's newest events, at most MOST, to EVENT, the oldest first; how many.
   *DROPPED is how many T had before.  */
extern int64_t trm_events_take (const trm_thread *t, trm_event *event,
                                int64_t most, int64_t *dropped);

/* tool.c: whether the environment names another profiler; look for all; whether
   there is one.  Tell those that SITE, which is registered, begins in the
   calling thread: which took it; that it ends, which began last.  */
extern bool trm_tools_named (void);
extern bool trm_tools_open (void);
extern int trm_tools_begin (const trm_site *site);
extern void trm_tools_end (int told);

/* counters.c: open the processor's counters of this process, all threads;
   why that failed, or NULL; read them; nanoseconds of the process's
   processors.  */
extern void trm_counters_open (void);
extern const char *trm_counters_refused (void);
extern void trm_counters_read (int64_t count[TRM_COUNTERS]);
extern int64_t trm_cpu_now (void);

/* Who allocates: a region that has temporaries; else the addresses of the calls
   outside of this library, the innermost first, only one of them where the
   library is a shared object.  Where it is not, its own are among them.  */
typedef struct trm_origin
{
  trm_site *site;
  void *caller[TRM_CALLERS];
} trm_origin;

/* What one origin has.

   allocations, allocated  how many, and their bytes
   held, at_peak  bytes that it has now, and had when all memory was at its most
   last, bytes    the most that it had in each stretch up to LAST, of which one
                  is as long as TRM_MOMENTS / TRM_STRETCHES of trm_moments
   peak           which peak at_peak is of, when held is not  */
typedef struct trm_holder
{
  trm_origin origin;
  int64_t allocations;
  int64_t allocated;
  int64_t held;
  int64_t at_peak;
  int64_t peak;
  int last;
  int64_t bytes[TRM_STRETCHES];
} trm_holder;

/* profile-holders.c: who allocates here, SITE when that is a region of the
   user's.  */
extern void trm_origin_find (trm_origin *origin, trm_site *site);

/* ORIGIN has BYTES more in moment I: a word for the block, 0 when that could
   not be kept.  WORD's holder has less; false when it has none.  A new peak;
   moments became twice as long; begin anew; what is needed before counting.
   Copy all, which have what they hold up to moment LAST; how many.  */
extern int32_t trm_holder_add (const trm_origin *origin, int64_t bytes, int i);
extern bool trm_holder_take_away (int32_t word, int64_t bytes, int i);
extern void trm_holders_peak (void);
extern void trm_holders_halve (void);
extern void trm_holders_clear (void);
extern void trm_holders_prepare (void);
extern int trm_holders_copy (trm_holder *copy, int last);

/* profile-memory.c: the bytes of tensors, and of temporaries when it is asked
   who holds them, over time: the most in each of N stretches of STEP ticks
   since BEGIN, and in all.  *N and HOLDER, room for TRM_HOLDERS or NULL: who
   holds them.  */
typedef struct trm_moments
{
  int n;
  int64_t begin;
  int64_t step;
  int64_t most;
  int64_t bytes[TRM_MOMENTS];
} trm_moments;
extern void trm_memory_clear (void);
extern trm_moments trm_memory_over_time (trm_holder *holder, int *n);

/* sample.c: a timer asks now and then where the process is.  Addresses that
   were met INSIDE region SITE; or outside regions, where SITE is the region
   that ran meanwhile in another thread, or NULL.  */
typedef struct trm_address
{
  void *at;
  trm_site *site;
  bool inside;
  int64_t samples;
} trm_address;
extern void trm_sample_run (bool on);
extern void trm_sample_clear (void);
extern int trm_sample_addresses (trm_address address[TRM_ADDRESSES]);

/* Nanoseconds of the process's processors that were sampled so far.  */
extern double trm_sample_cpu (void);

/* Where the address AT is.

   function  its function, OBJECT+OFFSET when that has no name
   object    the last name of the program, or library
   folder, file, line  the line that it comes from; "", "" and 0 when that is
             not known.  file is a last name, folder a path with it or without
   own       it is in this library

   profile-places.c: fill all but AT of PLACE[0..n).  Its texts are kept until
   trm_places_free.  */
typedef struct trm_place
{
  const void *at;
  char function[96];
  const char *object;
  const char *folder;
  const char *file;
  int line;
  bool own;
} trm_place;
extern void trm_places_find (trm_place *place, int n);
extern void trm_places_free (void);

/* profile-peaks.c: what this machine reaches, on all its processors: floating
   operations a nanosecond, bytes copied a nanosecond.  Takes some tens of
   milliseconds, once.  */
typedef struct trm_peaks
{
  double flops_f32;
  double flops_f64;
  double bytes;
} trm_peaks;
extern trm_peaks trm_peaks_measure (void);

/* The sums of a region, or of a group of them.  Times are nanoseconds; total
   counts a region inside itself once; the others as in trm_node.  workers:
   samples outside regions of other threads while it ran.  */
typedef struct trm_row
{
  trm_site *site;
  int64_t calls;
  double total;
  double self;
  int64_t first_at;
  double first;
  double least;
  double most;
  double fallback;
  double spanned;
  double cpu;
  double counted;
  double count[TRM_COUNTERS];
  double flops;
  double bytes;
  int64_t fallbacks;
  int64_t allocated;
  int64_t samples;
  int64_t workers;
} trm_row;

/* A place of the tree of all threads: the calls of SITE inside those of place
   parent, which stands before it; -1: of none.  */
typedef struct trm_path
{
  trm_site *site;
  int parent;
  int64_t calls;
  double total;
  double self;
} trm_path;

/* The calls with SIZES, of all threads; TOTAL counts one inside another
   twice; the others as in trm_row.  */
typedef struct trm_sized
{
  const trm_sizes *sizes;
  int64_t calls;
  double total;
  double self;
  int64_t allocated;
  int64_t samples;
} trm_sized;

/* Samples in one function outside regions, or at one line; SITE and INSIDE as
   in trm_address.  FILE, a last name, and LINE: of a function the line that has
   most of them; 0 when it is not known.  */
typedef struct trm_sampled
{
  char name[96];
  char object[40];
  char file[64];
  int line;
  bool inside;
  trm_site *site;
  int64_t samples;
} trm_sampled;

/* What one line, or the temporaries of one region, have of the memory; as in
   trm_holder.  NAME: the function, or the region.  */
typedef struct trm_held
{
  char name[96];
  char object[40];
  char file[64];
  int line;
  trm_site *site;
  int64_t allocations;
  int64_t allocated;
  int64_t held;
  int64_t at_peak;
  int64_t most;
  int64_t bytes[TRM_STRETCHES];
} trm_held;

/* What was counted up to one moment: wall = outside + the rows' self +
   under_way.  Rows have the longest self time first, or are in the order that
   was asked for; functions and lines have the most samples first.

   by          what rows are
   tick        nanoseconds of one
   begin       of the wall clock
   processors, tasks  of the machine that the process may use; its threads, now
               or when most ran regions
   samples     all, and the nanoseconds of each; 0 without sampling
   dropped     events for which there was no room
   refused     calls of threads for which there was no room
   peaks       zeros when they were not asked for  */
typedef struct trm_profile
{
  double wall;
  double outside;
  double under_way;
  double tick;
  int64_t begin;
  int n;
  trm_row *row;
  int n_paths;
  trm_path *path;
  int n_sized;
  trm_sized *sized;
  trm_group by;
  int n_functions;
  trm_sampled *function;
  int n_lines;
  trm_sampled *line;
  int64_t samples;
  double sample_ns;
  int64_t outside_samples;
  int processors;
  int tasks;
  int64_t events;
  int64_t dropped;
  int64_t refused;
  trm_peaks peaks;
  trm_moments memory;
  int n_held;
  trm_held *held;
} trm_profile;

/* profile-gather.c: what was counted, in WISH's order, in rows of WISH's kind;
   free it.  */
extern trm_profile trm_profile_take (const trm_wish *wish);
extern void trm_profile_free (trm_profile *profile);

/* profile-samples.c: add what was sampled to PROFILE, samples of other threads
   to the rows that ROW_OF gives for a region, or NULL.  */
extern void trm_samples_add (trm_profile *profile,
                             trm_row *(*row_of) (void *context, trm_site *site),
                             void *context);

/* profile-held.c: the memory of PROFILE, and what of it lines hold: most at the
   peak first.  */
extern void trm_held_add (trm_profile *profile);

/* profile-judge.c: what bounds ROW, a word, "" when that is not known.  The
   share of the roof that it reaches, the processors it kept busy, its cycles an
   instruction; 0 when not known.  Why its instructions take more than a cycle
   each, or NULL.  */
extern const char *trm_row_bound (const trm_row *row, const trm_profile *p);
extern double trm_row_roof (const trm_row *row, const trm_profile *p);
extern double trm_row_threads (const trm_row *row);
extern double trm_row_cpi (const trm_row *row);
extern const char *trm_row_suspect (const trm_row *row, const trm_profile *p);

/* table.c: PROFILE as text; NS nanoseconds with a unit; the last name of
   SITE's file and its line.  */
extern void trm_profile_table (FILE *file, const trm_profile *profile,
                               const trm_wish *wish);
extern const char *trm_time_text (char text[16], double ns);
extern void trm_place_text (char *text, size_t bytes, const trm_site *site);

/* table-places.c: the functions and lines that were sampled most; notes of the
   lines outside regions that are hot: loops without a pragma, often.  */
extern void trm_profile_samples (FILE *file, const trm_profile *profile);
extern void trm_profile_hot (FILE *file, const trm_profile *profile);

/* The same file: the lines that hold most memory.  BYTES with a unit.  */
extern void trm_profile_held (FILE *file, const trm_profile *profile);
extern const char *trm_bytes_text (char text[16], double bytes);

/* Others, each a file of its own.  */
extern void trm_profile_json (FILE *file, const trm_profile *profile,
                              bool with_events);
extern void trm_profile_trace (FILE *file, const trm_profile *profile);

/* cuda-trace.c: the lanes of a CUDA device in it, where it did something.  */
extern void trm_cuda_trace_print (FILE *file, const trm_profile *p);
extern void trm_profile_html (FILE *file, const trm_profile *profile);
extern void trm_profile_dot (FILE *file, const trm_profile *profile);

/* TEXT as a JSON string that may stand in a page.  */
extern void trm_print_json_string (FILE *file, const char *text);

/* The newest events of the threads, at most MOST in all, as JSON.  */
extern void trm_events_json (FILE *file, const trm_profile *profile,
                             int64_t most);

#endif
