/* What memory moves, of the model of schedule/weigh.h: footprints and traffic,
   as schedule/weigh.c says.  */

#include "schedule/weigh-scale.h"

#define LINE   64
#define CACHES 3

/* What one execution of a node moves, by stream.

   elements  different ones; near: the lines that hold them are read whole
   moved     bytes beyond each cache  */
typedef struct flow
{
  double *elements;
  bool *near;
  double *moved[CACHES];
} flow;

/* No flow.  */
static flow
flow_new (const tns_scale *w)
{
  size_t n = (size_t) w->n_streams + 1;
  flow f = { .elements = TNS_NEW_ARRAY (w->arena, double, n),
             .near = TNS_NEW_ARRAY (w->arena, bool, n) };
  for (int c = 0; c < CACHES; c++)
    f.moved[c] = TNS_NEW_ARRAY (w->arena, double, n);
  return f;
}

/* The bytes of stream K in F, in lines.  */
static double
bytes_of (const tns_scale *w, const flow *f, int k)
{
  int array = w->stream[k].array;
  double bytes = tns_elem_bytes (w->scop->array[array].sym->type.elem);
  bool whole = f->near[k] || f->elements[k] <= 1;
  return f->elements[k] * (whole ? bytes : LINE);
}

/* All bytes of F.  */
static double
all_bytes (const tns_scale *w, const flow *f)
{
  double sum = 0;
  for (int k = 0; k < w->n_streams; k++)
    sum += bytes_of (w, f, k);
  return sum;
}

/* The bytes of each cache, from the smallest on.  */
static double
cache_bytes (const tns_scale *w, int cache)
{
  const tns_machine *m = w->machine;
  double bytes[CACHES] = { m->l1_bytes, m->l2_bytes, m->l3_bytes };
  return bytes[cache];
}

/* In a cache that holds all of F each byte moves once, those of a temporary
   never.  */
static void
settle (const tns_scale *w, flow *f)
{
  double all = all_bytes (w, f);
  for (int c = 0; c < CACHES; c++)
    for (int k = 0; all <= cache_bytes (w, c) && k < w->n_streams; k++)
      {
        bool gone = tns_scale_in_registers (w, w->stream[k].array);
        f->moved[c][k] = gone ? 0 : bytes_of (w, f, k);
      }
}

/* The flow of statement S.  */
static flow
flow_of_leaf (const tns_scale *w, int s)
{
  flow f = flow_new (w);
  for (int a = 0; a < w->scop->stmt[s].n_accesses; a++)
    f.elements[w->of[s][a]] = 1;
  settle (w, &f);
  return f;
}

/* The streams of which some access below DIM moves with it, in FOUND; NEAR: by
   one element.  */
static void
find_moving (const tns_scale *w, const tns_tree *dim, bool *found, bool *near)
{
  tns_members in = tns_scale_members (w, dim);
  for (int k = 0; k < in.n; k++)
    for (int a = 0; a < w->scop->stmt[in.stmt[k]].n_accesses; a++)
      {
        const tns_access *access = &w->scop->stmt[in.stmt[k]].access[a];
        tns_stride stride = tns_scale_stride (w, dim, in.stmt[k], access);
        int stream = w->of[in.stmt[k]][a];
        found[stream] |= stride != TNS_STRIDE_FIXED;
        near[stream] |= stride == TNS_STRIDE_UNIT || stride == TNS_STRIDE_SHORT;
      }
}

/* F, of the body of DIM, for TRIP iterations.  */
static flow
flow_of_dim (const tns_scale *w, const tns_tree *dim, double trip,
             const flow *f)
{
  flow out = flow_new (w);
  double all = all_bytes (w, f);
  bool innermost = tns_tree_depth (dim->body) == 0;
  bool *found = TNS_NEW_ARRAY (w->arena, bool, w->n_streams + 1);
  bool *near = TNS_NEW_ARRAY (w->arena, bool, w->n_streams + 1);
  find_moving (w, dim, found, near);
  for (int k = 0; k < w->n_streams; k++)
    {
      bool moved = f->elements[k] > 0 && found[k];
      out.near[k] = f->near[k] || (f->elements[k] > 0 && near[k]);
      out.elements[k] = f->elements[k] * (moved ? trip : 1);
      for (int c = 0; c < CACHES; c++)
        {
          bool stays = !moved && all <= cache_bytes (w, c);
          out.moved[c][k] = f->moved[c][k] * (stays ? 1 : trip);
          if (innermost && !tns_scale_in_registers (w, w->stream[k].array))
            out.moved[c][k] = bytes_of (w, &out, k);
        }
    }
  settle (w, &out);
  return out;
}

/* The flow of TREE, which has DEPTH DIMs above.  */
static flow
flow_of (const tns_scale *w, const tns_tree *tree, int depth)
{
  if (tree->kind == TNS_TREE_LEAF)
    return flow_of_leaf (w, tree->stmt);
  if (tree->kind == TNS_TREE_DIM)
    {
      flow f = flow_of (w, tree->body, depth + 1);
      return flow_of_dim (w, tree, tns_scale_trip_at (w, tree, depth), &f);
    }
  flow sum = flow_new (w);
  for (int k = 0; k < tree->n_kids; k++)
    {
      flow f = flow_of (w, tree->kid[k], depth);
      for (int a = 0; a < w->n_streams; a++)
        {
          sum.near[a] |= f.near[a];
          if (f.elements[a] > sum.elements[a])
            sum.elements[a] = f.elements[a];
          for (int c = 0; c < CACHES; c++)
            sum.moved[c][a] += f.moved[c][a];
        }
    }
  settle (w, &sum);
  return sum;
}

/* What is of stream K is written.  */
static bool
is_written (const tns_scale *w, int k)
{
  return w->scop->array[w->stream[k].array].written;
}

double
tns_scale_memory_cycles (const tns_scale *w, const tns_tree *tree)
{
  const tns_machine *m = w->machine;
  double speed[CACHES]
    = { m->l2_bandwidth, m->l3_bandwidth, m->memory_bandwidth };
  flow f = flow_of (w, tree, 0);
  double most = 0;
  for (int c = 0; c < CACHES; c++)
    {
      double sum = 0;
      for (int k = 0; k < w->n_streams; k++)
        sum += f.moved[c][k] * (is_written (w, k) ? 2 : 1);
      most = sum / speed[c] > most ? sum / speed[c] : most;
    }
  return most;
}
