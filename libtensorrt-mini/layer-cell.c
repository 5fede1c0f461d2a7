/* Layers of recurrent cells: the weights of all gates in one matrix each.

     w [gates * width][q], of x; u [gates * width][width], of the state;
     b [gates * width]; of the GRU also c [gates * width], behind u

   First values are uniform within 1 / sqrt (width), as PyTorch's.  */

#include "tensor.h"

#include "train.h"

#include <math.h>

/* A layer under way: its model, name and argument, and its weights, w, u, b
   and c.  */
typedef struct cell
{
  trm_model *model;
  const char *name;
  trm_tensor *x;
  int64_t width;
  trm_tensor *weight[4];
} cell;

/* Find or make part I of C, of ROWS rows, with COLUMNS columns, or a vector for
   0; false when that fails.  */
static bool
find_weight (cell *c, int i, int64_t rows, int64_t columns)
{
  static const char *const part[] = { "w", "u", "b", "c" };
  trm_form form = { .first = TRM_FIRST_UNIFORM,
                    .bound = 1 / sqrt ((double) c->width),
                    .type = c->x->type == TRM_F64 ? TRM_F64 : TRM_F32,
                    .rank = columns ? 2 : 1,
                    .extent = { rows, columns } };
  c->weight[i] = trm_model_weight (c->model, c->name, part[i], &form);
  return c->weight[i];
}

/* Begin C, of GATES gates and N weights, in a scope of its own; false when it
   cannot run, and why.  */
static bool
begin_cell (cell *c, int64_t gates, int n)
{
  char text[TRM_SHAPE_TEXT];
  if (!c->model || !c->x)
    return false;
  if (c->x->rank != 2 || c->width < 1)
    {
      trm_fail (TRM_BAD_SHAPE, "%s: a cell takes [n, q], not %s", c->name,
                trm_shape_text (text, c->x->rank, c->x->extent));
      return false;
    }
  int64_t rows = gates * c->width;
  bool good = find_weight (c, 0, rows, c->x->extent[1])
              && find_weight (c, 1, rows, c->width);
  for (int i = 2; i < n && good; i++)
    good = find_weight (c, i, rows, 0);
  return good && trm_scope_open () == TRM_OK;
}

/* The state H of C, or zeros.  */
static trm_tensor *
cell_state (const cell *c, trm_tensor *h)
{
  return h ? h : trm_zeros (c->x->type, TRM_SHAPE (c->x->extent[0], c->width));
}

trm_tensor *
trm_layer_rnn (trm_model *model, const char *name, trm_tensor *x, trm_tensor *h,
               int64_t width)
{
  cell c = { model, name, x, width, { NULL } };
  if (!begin_cell (&c, 1, 3))
    return NULL;
  trm_tensor *y = trm_rnn_cell (x, cell_state (&c, h), c.weight[0], c.weight[1],
                                c.weight[2]);
  trm_scope_give (y);
  trm_scope_close ();
  return y;
}

trm_tensor *
trm_layer_lstm (trm_model *model, const char *name, trm_tensor *x,
                trm_tensor *h, trm_tensor **state, int64_t width)
{
  cell c = { model, name, x, width, { NULL } };
  if (!state || !begin_cell (&c, 4, 3))
    return NULL;
  trm_tensor *next = cell_state (&c, *state);
  trm_tensor *y = trm_lstm_cell (x, cell_state (&c, h), &next, c.weight[0],
                                 c.weight[1], c.weight[2]);
  if (y)
    *state = trm_scope_give (next);
  trm_scope_give (y);
  trm_scope_close ();
  return y;
}

trm_tensor *
trm_layer_gru (trm_model *model, const char *name, trm_tensor *x, trm_tensor *h,
               int64_t width)
{
  cell c = { model, name, x, width, { NULL } };
  if (!begin_cell (&c, 3, 4))
    return NULL;
  trm_tensor *y = trm_gru_cell (x, cell_state (&c, h), c.weight[0], c.weight[1],
                                c.weight[2], c.weight[3]);
  trm_scope_give (y);
  trm_scope_close ();
  return y;
}
