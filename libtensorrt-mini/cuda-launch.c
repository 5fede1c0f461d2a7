/* Launches, which a run gathers and the device gets at once.

     for k                       k times        list: f, g, f, g, ..
       launch f                  2 launches     seen often enough: a graph,
       launch g                                 1 launch

   The driver takes longer to be told of a kernel than a small kernel takes to
   run, 3.9 us on one host beside an H200; a graph, however long, is one call of
   1.7 us, and its kernels follow each other in 1 us instead of 4.  So a list of
   launches that has come before becomes a graph: a chain of kernels.  The next
   list of the same kernels and blocks is launched by it; where arguments have
   changed, as the number of a step or a buffer's address, its kernels are told,
   at 0.3 us each.

   A list of MOST_CALLS is as long as they get: a host's loop of thousands of
   launches is some lists, all but the last of which have one graph.  A graph
   takes the time of some twenty launches to make; it is made when its list has
   come so often that this would have paid already.  The table of lists has a
   fixed size, and an entry stays as long as it is used now and then: a program
   of more lists than that launches the others one by one, as it does where the
   driver has no graphs, or one of their functions fails.  */

#include "cuda-unit.h"

#include <stdlib.h>
#include <string.h>

#define MOST_CALLS 64
#define MOST_WORDS 2048
#define LISTS      256
#define ENOUGH     20
#define STALE      4096
#define FACTOR     0x9e3779b97f4a7c15u

/* A launch OF a kernel, whose arguments are the words from FIRST on, BYTES
   bytes.  */
typedef struct call
{
  trm_cuda_call of;
  int first;
  size_t bytes;
} call;

/* A graph: as it was launched last; the kernels in it.  */
typedef struct graph
{
  trm_cu_graph graph;
  trm_cu_exec exec;
  int n_words;
  int n;
  call call[MOST_CALLS];
  trm_cu_node node[MOST_CALLS];
  int64_t words[];
} graph;

/* A list that came: its hash; how many kernels it launched so far; which list
   it was when it came last; its graph or NULL.  */
typedef struct entry
{
  uint64_t hash;
  int64_t launches;
  int64_t last;
  graph *graph;
} entry;

static call calls[MOST_CALLS];
static int64_t words[MOST_WORDS];
static int n_calls, n_words;
static entry table[LISTS];
static int64_t n_lists;
static bool is_off;

/* Launch C, whose arguments are ARGS.  */
static bool
launch_one (const call *c, const void *args)
{
  size_t size = c->bytes;
  void *own = (void *) (uintptr_t) args;
  void *extra[] = { TRM_CU_ARGUMENTS, own, TRM_CU_ARGUMENT_BYTES, &size,
                    TRM_CU_ARGUMENT_END };
  bool aligned = c->of.aligned;
  trm_cuda_mark (c->of.kernel, trm_cuda_site);
  return TRM_CALL (NOT_LAUNCHED, LaunchKernel, c->of.kernel->function,
                   c->of.blocks, 1, 1, c->of.threads, 1, 1, c->of.shared,
                   trm_cuda_here->work, aligned ? &own : NULL,
                   aligned ? NULL : extra);
}

/* Whether a function for graphs did what it was asked for, by its RESULT; if
   not there are none any more, and what it leaves nothing to go on with is a
   fault.  */
static bool
is_fine (const char *name, trm_cu_result result)
{
  if (!result)
    return true;
  is_off = true;
  if (trm_cu_is_sticky (result))
    trm_cuda_ok (TRM_CUDA_NOT_LAUNCHED, name, result);
  return false;
}
#define FINE(NAME, ...) is_fine ("cu" #NAME, trm_cuda.cu.NAME (__VA_ARGS__))

/* Whether the driver has graphs.  */
static bool
has_graphs (void)
{
  const trm_cu *cu = &trm_cuda.cu;
  return !is_off && cu->GraphCreate && cu->GraphAddKernelNode
         && cu->GraphInstantiateWithFlags && cu->GraphLaunch
         && cu->GraphExecKernelNodeSetParams && cu->GraphExecDestroy
         && cu->GraphDestroy;
}

/* The hash of the list but for what its arguments hold.  */
static uint64_t
hash_list (void)
{
  uint64_t hash = (uint64_t) n_calls;
  for (int i = 0; i < n_calls; i++)
    {
      const call *c = &calls[i];
      hash = (hash ^ (uintptr_t) c->of.kernel) * FACTOR;
      hash = (hash ^ hash >> 29 ^ c->of.blocks) * FACTOR;
      hash = (hash ^ hash >> 29 ^ c->of.threads) * FACTOR;
      hash = (hash ^ hash >> 29 ^ c->of.shared) * FACTOR;
      hash = (hash ^ hash >> 29 ^ c->bytes) * FACTOR;
    }
  return hash ^ hash >> 32;
}

/* Whether X and Y are launches of one kernel in one way.  */
static bool
is_same (const call *x, const call *y)
{
  return x->of.kernel == y->of.kernel && x->of.blocks == y->of.blocks
         && x->of.threads == y->of.threads && x->of.shared == y->of.shared
         && x->bytes == y->bytes;
}

/* Whether G is a graph of the list, whatever its arguments hold.  */
static bool
is_of_list (const graph *g)
{
  bool same = g->n == n_calls && g->n_words == n_words;
  for (int i = 0; same && i < n_calls; i++)
    same = is_same (&g->call[i], &calls[i]);
  return same;
}

/* Let E have no graph.  One that may be under way is not taken away.  */
static void
drop_graph (entry *e)
{
  graph *g = e->graph;
  e->graph = NULL;
  if (!g)
    return;
  trm_cuda.cu.StreamSynchronize (trm_cuda_here->work);
  if (g->exec)
    trm_cuda.cu.GraphExecDestroy (g->exec);
  if (g->graph)
    trm_cuda.cu.GraphDestroy (g->graph);
  free (g);
}

/* The entry of the list, which may be new; NULL: one that is in use has its
   place.  */
static entry *
find_entry (void)
{
  uint64_t hash = hash_list ();
  entry *e = &table[hash % LISTS];
  n_lists++;
  if (e->hash != hash)
    {
      if (e->launches && n_lists - e->last < STALE)
        return NULL;
      drop_graph (e);
      *e = (entry){ .hash = hash };
    }
  e->launches += n_calls;
  e->last = n_lists;
  return e;
}

/* What a node is told of C; EXTRA and SIZE are the caller's.  */
static trm_cu_kernel_node
node_of (const call *c, void **extra, size_t *size)
{
  bool aligned = c->of.aligned;
  *size = c->bytes;
  extra[0] = aligned ? words + c->first : TRM_CU_ARGUMENTS;
  extra[1] = words + c->first;
  extra[2] = TRM_CU_ARGUMENT_BYTES;
  extra[3] = size;
  extra[4] = TRM_CU_ARGUMENT_END;
  return (trm_cu_kernel_node){ .function = c->of.kernel->function,
                               .blocks = { c->of.blocks, 1, 1 },
                               .threads = { c->of.threads, 1, 1 },
                               .shared = c->of.shared,
                               .arguments = aligned ? extra : NULL,
                               .extra = aligned ? NULL : extra };
}

/* Let G's kernels be those of the list, each behind the one before.  */
static bool
add_nodes (graph *g)
{
  void *extra[5];
  size_t size;
  if (!FINE (GraphCreate, &g->graph, 0))
    return false;
  for (int i = 0; i < n_calls; i++)
    {
      trm_cu_kernel_node node = node_of (&calls[i], extra, &size);
      if (!FINE (GraphAddKernelNode, &g->node[i], g->graph,
                 i ? &g->node[i - 1] : NULL, i > 0, &node))
        return false;
    }
  return FINE (GraphInstantiateWithFlags, &g->exec, g->graph, 0);
}

/* Give E a graph of the list.  */
static bool
make_graph (entry *e)
{
  size_t bytes = (size_t) n_words * sizeof *words;
  graph *g = e->graph = calloc (1, sizeof *g + bytes);
  if (!g)
    return false;
  g->n = n_calls;
  g->n_words = n_words;
  memcpy (g->call, calls, (size_t) n_calls * sizeof *calls);
  memcpy (g->words, words, bytes);
  if (add_nodes (g))
    return true;
  drop_graph (e);
  return false;
}

/* Tell G the arguments that are others than last time.  */
static bool
tell_arguments (graph *g)
{
  void *extra[5];
  size_t size;
  for (int i = 0; i < n_calls; i++)
    {
      const call *c = &calls[i];
      if (memcmp (g->words + c->first, words + c->first, c->bytes) == 0)
        continue;
      trm_cu_kernel_node node = node_of (c, extra, &size);
      if (!FINE (GraphExecKernelNodeSetParams, g->exec, g->node[i], &node))
        return false;
    }
  memcpy (g->words, words, (size_t) n_words * sizeof *words);
  return true;
}

/* Launch the list by a graph.  False: nothing was launched.  */
static bool
launch_by_graph (void)
{
  entry *e = has_graphs () ? find_entry () : NULL;
  if (!e || (e->graph && !is_of_list (e->graph)))
    return false;
  if (!e->graph && (e->launches < ENOUGH + n_calls || !make_graph (e)))
    return false;
  if (tell_arguments (e->graph)
      && FINE (GraphLaunch, e->graph->exec, trm_cuda_here->work))
    return true;
  drop_graph (e);
  return false;
}

/* Launch the list one by one; whether there was a first.  */
static bool
launch_each (void)
{
  int i = 0;
  while (i < n_calls && launch_one (&calls[i], words + calls[i].first))
    i++;
  if (i == n_calls)
    trm_cuda_mark (NULL, trm_cuda_site);
  return i > 0;
}

bool
trm_cuda_launch_gathered (void)
{
  bool launched = n_calls > 0
                  && ((!trm_cuda_here->timed && launch_by_graph ())
                      || (!trm_cuda.why && launch_each ()));
  trm_cuda_drop_gathered ();
  return launched;
}

void
trm_cuda_drop_gathered (void)
{
  n_calls = n_words = 0;
}

bool
trm_cuda_gather (trm_cuda_call of, const void *args, intptr_t bytes)
{
  intptr_t n = (bytes + 7) / 8;
  bool launched = false;
  if (n > MOST_WORDS)
    return trm_cuda_fault (TRM_CUDA_NOT_LAUNCHED, "%lld bytes of arguments",
                           (long long) bytes);
  if (n_calls == MOST_CALLS || n > MOST_WORDS - n_words)
    launched = trm_cuda_launch_gathered ();
  calls[n_calls++] = (call){ of, n_words, (size_t) bytes };
  memcpy (words + n_words, args, (size_t) bytes);
  n_words += (int) n;
  return launched;
}
