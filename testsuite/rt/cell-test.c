/* rnn_cell, lstm_cell and gru_cell: against plain loops in double, gradients
   against differences, steps one after the other, threads, errors.  */

#include "differences.h"

static double
sigmoid (double x)
{
  return 1 / (1 + exp (-x));
}

/* What x w' + b, less b where it is NULL, is in row I and column J.  */
static double
part (const trm_tensor *x, const trm_tensor *w, const trm_tensor *b, int64_t i,
      int64_t j)
{
  int64_t q = x->extent[1];
  double sum = b ? ((double *) b->at)[j] : 0;
  for (int64_t k = 0; k < q; k++)
    sum += ((double *) x->at)[i * q + k] * ((double *) w->at)[j * q + k];
  return sum;
}

/* Inputs of a cell: x, h, w, u, b, and c, of lstm [n][p], else like b.  */
enum
{
  X,
  H,
  W,
  U,
  B,
  C,
  INPUTS
};

/* A cell of G gates for each of P states.  */
static void
make_cell (int64_t g, int64_t n, int64_t p, int64_t q, trm_tensor *x[INPUTS])
{
  x[X] = numbers (1, -1, 1, TRM_SHAPE (n, q));
  x[H] = numbers (2, -1, 1, TRM_SHAPE (n, p));
  x[W] = numbers (3, -1, 1, TRM_SHAPE (g * p, q));
  x[U] = numbers (4, -1, 1, TRM_SHAPE (g * p, p));
  x[B] = numbers (5, -1, 1, TRM_SHAPE (g * p));
  x[C] = g == 4 ? numbers (6, -1, 1, TRM_SHAPE (n, p))
                : numbers (6, -1, 1, TRM_SHAPE (g * p));
}

/* The new state of a cell of G gates; of lstm the cell state in *STATE.  */
static trm_tensor *
plain_cell (int64_t g, trm_tensor *const x[INPUTS], trm_tensor **state)
{
  int64_t p = x[H]->extent[1];
  trm_tensor *y = trm_empty (TRM_F64, 2, x[H]->extent);
  *state = trm_empty (TRM_F64, 2, x[H]->extent);
  for (int64_t e = 0; e < trm_count (y); e++)
    {
      double z[4], right[4], h = ((double *) x[H]->at)[e];
      double *to = (double *) y->at + e, *cell = (double *) (*state)->at + e;
      for (int64_t k = 0; k < g; k++)
        {
          z[k] = part (x[X], x[W], x[B], e / p, k * p + e % p);
          right[k]
            = part (x[H], x[U], g == 3 ? x[C] : NULL, e / p, k * p + e % p);
        }
      if (g == 1)
        *to = tanh (z[0] + right[0]);
      if (g == 3)
        {
          double update = sigmoid (z[1] + right[1]);
          double fresh = tanh (z[2] + sigmoid (z[0] + right[0]) * right[2]);
          *to = (1 - update) * fresh + update * h;
        }
      if (g != 4)
        continue;
      *cell = sigmoid (z[1] + right[1]) * ((double *) x[C]->at)[e]
              + sigmoid (z[0] + right[0]) * tanh (z[2] + right[2]);
      *to = sigmoid (z[3] + right[3]) * tanh (*cell);
    }
  return y;
}

/* The library's; *STATE is x[C] where there is none.  */
static trm_tensor *
cell (int64_t g, trm_tensor *const x[INPUTS], trm_tensor **state)
{
  *state = x[C];
  if (g == 1)
    return trm_rnn_cell (x[X], x[H], x[W], x[U], x[B]);
  if (g == 3)
    return trm_gru_cell (x[X], x[H], x[W], x[U], x[B], x[C]);
  return trm_lstm_cell (x[X], x[H], state, x[W], x[U], x[B]);
}

static const int64_t kinds[] = { 1, 3, 4 };
static const char *const names[] = { "rnn_cell", "gru_cell", "lstm_cell" };

/* n, p, q.  */
static const int64_t sizes[][3]
  = { { 1, 1, 1 }, { 3, 5, 2 }, { 7, 16, 33 }, { 32, 17, 64 },
      { 0, 3, 2 }, { 3, 0, 2 }, { 3, 2, 0 } };
#define SIZES (sizeof sizes / sizeof *sizes)

/* Cells of all sizes.  */
static void
test_values (void)
{
  for (int k = 0; k < 3; k++)
    {
      bool right = true, narrow = true;
      for (size_t i = 0; i < SIZES; i++)
        {
          trm_tensor *x[INPUTS], *small[INPUTS], *want, *state;
          trm_scope_open ();
          make_cell (kinds[k], sizes[i][0], sizes[i][1], sizes[i][2], x);
          trm_tensor *y = plain_cell (kinds[k], x, &want);
          right &= expect_close (cell (kinds[k], x, &state), y, 1e-12)
                   && (kinds[k] != 4 || expect_close (state, want, 1e-12));
          for (int j = 0; j < INPUTS; j++)
            small[j] = trm_cast (x[j], TRM_F32);
          narrow &= expect_close (cell (kinds[k], small, &state),
                                  trm_cast (y, TRM_F32), 2e-5);
          trm_scope_close ();
        }
      expect (right, "%s of f64", names[k]);
      expect (narrow, "%s of f32", names[k]);
    }
}

/* As functions of their arguments; of two steps, so that what h and c gain
   comes of both.  */
static int64_t used_kind;

static trm_tensor *
cell_of (trm_tensor **x)
{
  trm_tensor *state;
  return cell (used_kind, x, &state);
}
static trm_tensor *
state_of (trm_tensor **x)
{
  trm_tensor *state;
  return cell (used_kind, x, &state) ? state : NULL;
}
static trm_tensor *
steps_of (trm_tensor **x)
{
  trm_tensor *state, *in[INPUTS];
  memcpy (in, x, sizeof in);
  in[H] = cell (used_kind, in, &state);
  in[C] = state;
  return in[H] ? cell (used_kind, in, &state) : NULL;
}

/* Of one tensor as x and h.  */
static trm_tensor *
same_of (trm_tensor **x)
{
  trm_tensor *state, *in[INPUTS];
  memcpy (in, x, sizeof in);
  in[X] = in[H];
  return cell (used_kind, in, &state);
}

/* Gradients against differences.  */
static void
test_gradients (void)
{
  for (int k = 0; k < 3; k++)
    {
      int n = kinds[k] == 1 ? 5 : 6;
      trm_tensor *x[INPUTS];
      bool right = true;
      used_kind = kinds[k];
      trm_scope_open ();
      make_cell (used_kind, 2, 3, 2, x);
      right &= gradients_agree (cell_of, n, x);
      if (used_kind == 4)
        right &= gradients_agree (state_of, n, x);
      right &= agree_for (steps_of, n, x, (1u << n) - 1, 1e-6);
      make_cell (used_kind, 2, 3, 3, x);
      right &= agree_for (same_of, n, x, (1u << n) - 2, 1e-6);
      make_cell (used_kind, 5, 17, 19, x);
      right &= agree_for (cell_of, n, x, (1u << n) - 1, 1e-6);
      expect (right, "gradients of %s", names[k]);
      trm_scope_close ();
    }
}

/* The same bits for any number of threads.  */
static void
test_threads (void)
{
  for (int k = 0; k < 3; k++)
    {
      trm_tensor *x[INPUTS];
      used_kind = kinds[k];
      trm_scope_open ();
      make_cell (used_kind, 33, 65, 64, x);
      expect (same_for_threads (steps_of, used_kind == 1 ? 5 : 6, x),
              "%s has the same bits for 1, 2 and 4 threads", names[k]);
      trm_scope_close ();
    }
}

/* What is no cell.  */
static void
test_errors (void)
{
  trm_tensor *x[INPUTS], *state, *kept;
  trm_scope_open ();
  for (int k = 0; k < 3; k++)
    {
      make_cell (kinds[k], 2, 3, 4, x);
      kept = x[W];
      x[W] = numbers (1, -1, 1, TRM_SHAPE (5, 6));
      bool right = !cell (kinds[k], x, &state)
                   && expect_failed (TRM_BAD_SHAPE,
                                     "x [2, 4] does not go with w [5, 6]");
      x[W] = kept;
      x[H] = numbers (1, -1, 1, TRM_SHAPE (2, 5));
      right &= !cell (kinds[k], x, &state)
               && expect_failed (TRM_BAD_SHAPE, names[k]);
      expect (right, "%s names both shapes", names[k]);
      x[H] = NULL;
      expect (!cell (kinds[k], x, &state), "%s of NULL is NULL", names[k]);
    }
  make_cell (4, 2, 3, 4, x);
  state = x[X];
  expect (!trm_lstm_cell (x[X], x[H], &state, x[W], x[U], x[B])
            && expect_failed (TRM_BAD_SHAPE, "lstm_cell: c [2, 4] does not go"
                                             " with h [2, 3]")
            && state == x[X],
          "a cell state of another shape fails, and stays");
  trm_scope_close ();
}

int
main (void)
{
  test_values ();
  test_gradients ();
  test_threads ();
  test_errors ();
  return expect_status ();
}
