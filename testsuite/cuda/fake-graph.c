/* The graphs of the fake driver: chains of kernels.  What can be launched is a
   copy, whose kernels may be set anew: a launch puts them into a stream as they
   are then.  */

#include "fake.h"

#include <string.h>

/* What is copied of an argument of which nobody says how long it is: no less
   than the longest, and no more than what the runtime has there.  */
#define MOST_ONE 768

/* A kernel; the same in a graph from which it was copied.  */
struct trm_cu_its_node
{
  fake_op op;
  trm_cu_node of;
  trm_cu_node next;
};

struct trm_cu_its_graph
{
  trm_cu_node first, newest;
};

struct trm_cu_its_exec
{
  trm_cu_node first;
};

/* A copy of N bytes.  */
static void *
copy (const void *bytes, size_t n)
{
  void *made = malloc (n ? n : 1);
  memcpy (made, bytes, n);
  return made;
}

bool
fake_is_launch (const trm_cu_kernel_node *kernel, fake_op *op)
{
  void **extra = kernel->extra;
  bool one = kernel->arguments != NULL;
  if (one == (extra != NULL) || !kernel->blocks[0] || !kernel->threads[0]
      || kernel->threads[0] > 1024
      || kernel->shared > kernel->function->most_shared
      || (!one
          && (extra[0] != TRM_CU_ARGUMENTS || extra[2] != TRM_CU_ARGUMENT_BYTES
              || extra[4] != TRM_CU_ARGUMENT_END)))
    return false;
  *op = (fake_op){ .kind = FAKE_LAUNCH,
                   .function = kernel->function,
                   .shared = kernel->shared,
                   .bytes = one ? MOST_ONE : *(size_t *) extra[3] };
  memcpy (op->grid, kernel->blocks, sizeof op->grid);
  memcpy (op->block, kernel->threads, sizeof op->block);
  op->arguments = copy (one ? kernel->arguments[0] : extra[1], op->bytes);
  return true;
}

trm_cu_graph
fake_graph (void)
{
  return calloc (1, sizeof (struct trm_cu_its_graph));
}

trm_cu_node
fake_node (trm_cu_graph graph, trm_cu_node behind,
           const trm_cu_kernel_node *kernel)
{
  fake_op op;
  if (behind != graph->newest || !fake_is_launch (kernel, &op))
    return NULL;
  trm_cu_node node = calloc (1, sizeof *node);
  node->op = op;
  *(behind ? &behind->next : &graph->first) = node;
  graph->newest = node;
  return node;
}

/* The nodes from NODE on go.  */
static void
nodes_go (trm_cu_node node)
{
  for (trm_cu_node next; node; node = next)
    {
      next = node->next;
      free (node->op.arguments);
      free (node);
    }
}

void
fake_graph_go (trm_cu_graph graph)
{
  nodes_go (graph->first);
  free (graph);
}

trm_cu_exec
fake_exec (trm_cu_graph graph)
{
  trm_cu_exec exec = calloc (1, sizeof *exec);
  trm_cu_node *last = &exec->first;
  for (trm_cu_node node = graph->first; node; node = node->next)
    {
      trm_cu_node made = *last = calloc (1, sizeof *made);
      made->op = node->op;
      made->op.arguments = copy (node->op.arguments, node->op.bytes);
      made->of = node;
      last = &made->next;
    }
  return exec;
}

bool
fake_exec_set (trm_cu_exec exec, trm_cu_node node,
               const trm_cu_kernel_node *kernel)
{
  fake_op op;
  trm_cu_node at = exec->first;
  while (at && at->of != node)
    at = at->next;
  if (!at || !fake_is_launch (kernel, &op))
    return false;
  free (at->op.arguments);
  at->op = op;
  return true;
}

void
fake_exec_launch (trm_cu_exec exec, trm_cu_stream stream)
{
  for (trm_cu_node node = exec->first; node; node = node->next)
    {
      fake_op op = node->op;
      op.arguments = copy (node->op.arguments, node->op.bytes);
      fake_put (stream, &op);
    }
}

void
fake_exec_go (trm_cu_exec exec)
{
  nodes_go (exec->first);
  free (exec);
}
