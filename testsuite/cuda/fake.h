/* What the files of the fake driver share (fake-driver.c).  */

#ifndef FAKE_H
#define FAKE_H

#include "cuda-driver.h"

#include <stdint.h>
#include <stdlib.h>

/* How many devices there are at most.  */
#define FAKE_DEVICES 16

/* A test may have its own malloc, whose failures are not for the fake.  */
#if defined __GLIBC__ && !defined __SANITIZE_ADDRESS__
extern void *__libc_malloc (size_t bytes);
extern void *__libc_calloc (size_t n, size_t bytes);
extern void __libc_free (void *block);
#  define malloc __libc_malloc
#  define calloc __libc_calloc
#  define free   __libc_free
#endif

/* What a stream is to do.

   event, turn   RECORD: the event's TURN is reached; WAIT: for that
   at            COPY_IN, COPY_OUT, ALLOCATE, FREE: memory of the device
   host          COPY_IN, COPY_OUT: memory of the host
   owned         COPY_IN: the bytes of pageable memory, which the caller may
                 change
   function, grid, block, shared, arguments, bytes  LAUNCH  */
typedef enum fake_kind
{
  FAKE_COPY_IN,
  FAKE_COPY_OUT,
  FAKE_ALLOCATE,
  FAKE_FREE,
  FAKE_LAUNCH,
  FAKE_RECORD,
  FAKE_WAIT
} fake_kind;

typedef struct fake_op
{
  fake_kind kind;
  trm_cu_event event;
  long turn;
  char *at;
  char *host;
  void *owned;
  size_t bytes;
  trm_cu_function function;
  unsigned grid[3], block[3], shared;
  void *arguments;
  struct fake_op *next;
} fake_op;

/* asked: the turn that was recorded last; reached: that the stream came to.  */
struct trm_cu_its_event
{
  long asked, reached;
};

struct trm_cu_its_stream
{
  int device;
  fake_op *first, **last;
  struct trm_cu_its_stream *next;
};

typedef int fake_launcher (void (*kernel) (void), const unsigned grid[3],
                           const unsigned block[3], size_t shared,
                           void **arguments, size_t bytes);

struct trm_cu_its_function
{
  int device;
  void (*kernel) (void);
  fake_launcher *launch;
  unsigned most_shared;
};

/* The error that ended the context, 0: none.  The device whose context is the
   current one.  */
extern trm_cu_result fake_lost;
extern int fake_device (void);

/* A call of NAME begins: the error that it is told to give, or that ended the
   context; 0: none.  */
extern trm_cu_result fake_enter (const char *name);

/* fake-queue.c: a stream; put OP, a copy of *OP, at its end; run what must
   run, and what may, until S is empty, or E has reached TURN.  The error.  */
extern trm_cu_stream fake_stream (void);
extern void fake_put (trm_cu_stream s, const fake_op *op);
extern trm_cu_result fake_run_stream (trm_cu_stream s);
extern trm_cu_result fake_run_event (trm_cu_event e, long turn);

/* fake-graph.c: KERNEL as *OP, with a copy of its arguments; false when it
   cannot be launched.  A graph; its nodes, each of which is behind the newest
   of it; what it is as it can be launched: its nodes as they are, and as they
   are set later.  They go.  */
extern bool fake_is_launch (const trm_cu_kernel_node *kernel, fake_op *op);
extern trm_cu_graph fake_graph (void);
extern trm_cu_node fake_node (trm_cu_graph graph, trm_cu_node behind,
                              const trm_cu_kernel_node *kernel);
extern void fake_graph_go (trm_cu_graph graph);
extern trm_cu_exec fake_exec (trm_cu_graph graph);
extern bool fake_exec_set (trm_cu_exec exec, trm_cu_node node,
                           const trm_cu_kernel_node *kernel);
extern void fake_exec_launch (trm_cu_exec exec, trm_cu_stream stream);
extern void fake_exec_go (trm_cu_exec exec);

/* fake-memory.c: memory of the device that is nobody's to touch, NULL when
   there is no more; it is LIVE from then on, or later; it goes.  Whether
   BYTES bytes at AT are live on DEVICE.  Let all that is live there be touched,
   or not.  */
extern char *fake_memory (size_t bytes, bool live);
extern void fake_memory_live (char *at);
extern bool fake_memory_go (char *at);
extern bool fake_memory_holds (int device, const char *at, size_t bytes);
extern void fake_memory_open (int device, bool open);

/* Pinned memory of the host; whether AT is in some.  */
extern void *fake_pinned (size_t bytes);
extern bool fake_is_pinned (const void *at);

#endif
