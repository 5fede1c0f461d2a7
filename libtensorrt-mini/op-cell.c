/* Recurrent cells: one step of rnn, lstm and gru.

   The products, the gates and what they make are one kernel each
   (kernel-cell.h).  Of lstm and gru what goes into the gates is one more
   result of the call on the tape, so that backward finds it:

     rnn   x h w u b      ->  y
     lstm  x h c w u b    ->  y, new c, gates
     gru   x h w u b c    ->  y, gates  */

#include "kernel.h"
#include "ready.h"
#include "rows.h"

#define MOST_INPUTS 6

/* Whether x [n][q], h [n][p], w [G p][q], u [G p][p] and b [G p] go together;
   if not, why.  */
static bool
is_cell (const char *name, int64_t g, trm_tensor *const x[5])
{
  static const char *const names[] = { "x", "h", "w", "u", "b" };
  static const struct
  {
    int a, b;
    int a_axis, b_axis;
    bool scaled;
  } pairs[]
    = { { 0, 1, 0, 0, false }, { 0, 2, 1, 1, false }, { 1, 2, 1, 0, true },
        { 1, 3, 1, 0, true },  { 1, 3, 1, 1, false }, { 1, 4, 1, 0, true } };
  for (int i = 0; i < 5; i++)
    if (x[i]->rank != (i < 4 ? 2 : 1))
      {
        trm_misfit (name, "x", x[0], names[i], x[i]);
        return false;
      }
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    {
      int64_t a = x[pairs[i].a]->extent[pairs[i].a_axis];
      int64_t b = x[pairs[i].b]->extent[pairs[i].b_axis];
      if ((pairs[i].scaled ? g * a : a) == b)
        continue;
      trm_misfit (name, names[pairs[i].a], x[pairs[i].a], names[pairs[i].b],
                  x[pairs[i].b]);
      return false;
    }
  return true;
}

/* What a backward function reads and adds to: gradients dy of results, zeros
   where none came, inputs x and their gradients dx; sizes and type.  */
typedef struct cell_gains
{
  int64_t n, p, q;
  trm_type type;
  trm_tensor *dy[2];
  trm_tensor *x[MOST_INPUTS];
  trm_tensor *dx[MOST_INPUTS];
} cell_gains;

/* Fill G for CALL, of N_IN inputs, N_OUT results of which have gradients; false
   without memory.  */
static bool
find_gains (cell_gains *g, trm_call *call, int n_in, int n_out)
{
  for (int i = 0; i < n_in; i++)
    {
      g->x[i] = trm_in (call, i);
      g->dx[i] = trm_gain_or_zeros (call, i, g->x[i]);
      if (!g->dx[i])
        return false;
    }
  const trm_tensor *h = g->x[1];
  for (int i = 0; i < n_out; i++)
    {
      trm_tensor *dy = trm_out_gradient (call, i);
      g->dy[i]
        = dy ? trm_contiguous (dy) : trm_zeros (h->type, h->rank, h->extent);
      if (!g->dy[i])
        return false;
    }
  g->type = h->type;
  g->n = h->extent[0];
  g->p = h->extent[1];
  g->q = g->x[0]->extent[1];
  return true;
}

/* The loops NAME of a cell of TYPE and sizes N, P, Q.  */
#define CELL_LOOPS(name, v, ...)                                               \
  trm_kernel (cell, name, (v)->type, (v)->n, (v)->p, (v)->q, __VA_ARGS__)

/* Backward of rnn.  */
static trm_status
rnn_back (trm_call *call)
{
  cell_gains g;
  if (!find_gains (&g, call, 5, 1))
    return trm_error ();
  CELL_LOOPS (rnn_back, &g, trm_out (call, 0)->at, g.dy[0]->at, g.x[0]->at,
              g.x[1]->at, g.x[2]->at, g.x[3]->at, g.dx[0]->at, g.dx[1]->at,
              g.dx[2]->at, g.dx[3]->at, g.dx[4]->at);
  return TRM_OK;
}

/* Backward of lstm.  */
static trm_status
lstm_back (trm_call *call)
{
  cell_gains g;
  if (!find_gains (&g, call, 6, 2))
    return trm_error ();
  CELL_LOOPS (lstm_back, &g, trm_out (call, 2)->at, g.dy[0]->at, g.dy[1]->at,
              g.x[0]->at, g.x[1]->at, g.x[2]->at, g.x[3]->at, g.x[4]->at,
              g.dx[0]->at, g.dx[1]->at, g.dx[2]->at, g.dx[3]->at, g.dx[4]->at,
              g.dx[5]->at);
  return TRM_OK;
}

/* Backward of gru.  */
static trm_status
gru_back (trm_call *call)
{
  cell_gains g;
  if (!find_gains (&g, call, 6, 1))
    return trm_error ();
  CELL_LOOPS (gru_back, &g, trm_out (call, 1)->at, g.dy[0]->at, g.x[0]->at,
              g.x[1]->at, g.x[2]->at, g.x[3]->at, g.dx[0]->at, g.dx[1]->at,
              g.dx[2]->at, g.dx[3]->at, g.dx[4]->at, g.dx[5]->at);
  return TRM_OK;
}

static const trm_function rnn_function = {
  .name = "rnn_cell", .backward = rnn_back, .saves_in = 31, .saves_out = 1
};
static const trm_function lstm_function = {
  .name = "lstm_cell", .backward = lstm_back, .saves_in = 63, .saves_out = 4
};
static const trm_function gru_function = {
  .name = "gru_cell", .backward = gru_back, .saves_in = 63, .saves_out = 2
};

/* Sizes and type of a cell.  */
typedef struct cell
{
  int64_t n, p, q;
  trm_type type;
} cell;

/* Those of the cell of X and H, ready.  */
static cell
cell_of (const trm_tensor *x, const trm_tensor *h)
{
  return (cell){ h->extent[0], h->extent[1], x->extent[1], h->type };
}

/* OUT[0..N) := tensors of H's shape, the last one, where GATES, of four times
   as many.  */
static bool
make_results (const cell *v, int n, trm_tensor **out, bool gates)
{
  for (int i = 0; i < n; i++)
    {
      bool wide = gates && i == n - 1;
      out[i] = trm_empty (v->type, TRM_SHAPE (v->n, wide ? 4 * v->p : v->p));
      if (!out[i])
        return false;
    }
  return true;
}

/* The step of rnn from IN, all ready.  */
static trm_tensor *
rnn (trm_tensor **in)
{
  cell v = cell_of (in[0], in[1]);
  trm_tensor *y;
  if (!make_results (&v, 1, &y, false))
    return NULL;
  CELL_LOOPS (rnn, &v, y->at, in[0]->at, in[1]->at, in[2]->at, in[3]->at,
              in[4]->at);
  return trm_record (&rnn_function, 5, in, 1, &y, NULL) ? NULL : y;
}

/* The step of lstm from IN, all ready; OUT: y, the new cell state, gates.  */
static bool
lstm (trm_tensor **in, trm_tensor **out)
{
  cell v = cell_of (in[0], in[1]);
  if (!make_results (&v, 3, out, true))
    return false;
  CELL_LOOPS (lstm, &v, out[0]->at, out[1]->at, out[2]->at, in[0]->at,
              in[1]->at, in[2]->at, in[3]->at, in[4]->at, in[5]->at);
  return !trm_record (&lstm_function, 6, in, 3, out, NULL);
}

/* The step of gru from IN, all ready.  */
static trm_tensor *
gru (trm_tensor **in)
{
  cell v = cell_of (in[0], in[1]);
  trm_tensor *out[2];
  if (!make_results (&v, 2, out, true))
    return NULL;
  CELL_LOOPS (gru, &v, out[0]->at, out[1]->at, in[0]->at, in[1]->at, in[2]->at,
              in[3]->at, in[4]->at, in[5]->at);
  return trm_record (&gru_function, 6, in, 2, out, NULL) ? NULL : out[0];
}

trm_tensor *
trm_rnn_cell (trm_tensor *x, trm_tensor *h, trm_tensor *w, trm_tensor *u,
              trm_tensor *b)
{
  trm_type type;
  trm_tensor *in[] = { x, h, w, u, b };
  if (!x || !h || !w || !u || !b || !is_cell ("rnn_cell", 1, in)
      || trm_scope_open ())
    return NULL;
  trm_tensor *y = trm_ready (5, in, &type) ? trm_cast (rnn (in), type) : NULL;
  trm_scope_give (y);
  trm_scope_close ();
  return y;
}

trm_tensor *
trm_lstm_cell (trm_tensor *x, trm_tensor *h, trm_tensor **c, trm_tensor *w,
               trm_tensor *u, trm_tensor *b)
{
  trm_type type;
  trm_tensor *in[] = { x, h, NULL, w, u, b }, *out[3];
  if (!x || !h || !c || !*c || !w || !u || !b
      || !is_cell ("lstm_cell", 4, (trm_tensor *const[]){ x, h, w, u, b }))
    return NULL;
  if (!trm_same_shape (*c, h))
    return trm_misfit ("lstm_cell", "c", *c, "h", h);
  if (trm_scope_open ())
    return NULL;
  in[2] = *c;
  bool done = trm_ready (6, in, &type) && lstm (in, out);
  trm_tensor *y = done ? trm_cast (out[0], type) : NULL;
  trm_tensor *state = y ? trm_cast (out[1], type) : NULL;
  y = state ? trm_scope_give (y) : NULL;
  *c = y ? trm_scope_give (state) : *c;
  trm_scope_close ();
  return y;
}

trm_tensor *
trm_gru_cell (trm_tensor *x, trm_tensor *h, trm_tensor *w, trm_tensor *u,
              trm_tensor *b, trm_tensor *c)
{
  trm_type type;
  trm_tensor *in[] = { x, h, w, u, b, c };
  if (!x || !h || !w || !u || !b || !c || !is_cell ("gru_cell", 3, in))
    return NULL;
  if (!trm_same_shape (c, b))
    return trm_misfit ("gru_cell", "c", c, "b", b);
  if (trm_scope_open ())
    return NULL;
  trm_tensor *y = trm_ready (6, in, &type) ? trm_cast (gru (in), type) : NULL;
  trm_scope_give (y);
  trm_scope_close ();
  return y;
}
