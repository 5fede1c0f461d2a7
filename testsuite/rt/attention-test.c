/* attention: against plain loops in double, full and causal, with masks and
   with rows that see nothing; dropout; gradients against differences; threads;
   errors.  */

#include "differences.h"

/* Whether row I sees column J of the T x S scores.  */
static bool
sees (const trm_tensor *mask, bool causal, int64_t i, int64_t j, int64_t t,
      int64_t s)
{
  return (!causal || j <= i + s - t)
         && (!mask || element (mask, i * s + j) != 0);
}

/* The weights of row I for Q, a row of D, and K [s][d], in W[0..S).  */
static void
plain_weights (const double *q, const double *k, int64_t d, int64_t s,
               const bool *seen, double *w)
{
  double most = -INFINITY, sum = 0;
  for (int64_t j = 0; j < s; j++)
    {
      w[j] = 0;
      for (int64_t e = 0; e < d; e++)
        w[j] += q[e] * k[j * d + e] / sqrt ((double) d);
      most = seen[j] ? fmax (most, w[j]) : most;
    }
  for (int64_t j = 0; j < s; j++)
    sum += w[j] = seen[j] ? exp (w[j] - most) : 0;
  for (int64_t j = 0; j < s; j++)
    w[j] = sum > 0 ? w[j] / sum : 0;
}

#define MOST_COLUMNS 128

/* The attention of Q, K and V, f64 and contiguous.  */
static trm_tensor *
plain_attention (const trm_tensor *q, const trm_tensor *k, const trm_tensor *v,
                 bool causal, const trm_tensor *mask)
{
  int64_t t = q->extent[2], s = k->extent[2], d = q->extent[3];
  trm_tensor *y = trm_zeros (TRM_F64, 4, q->extent);
  for (int64_t row = 0; row < trm_count (q) / (d ? d : 1); row++)
    {
      double w[MOST_COLUMNS], *to = (double *) y->at + row * d;
      bool seen[MOST_COLUMNS];
      int64_t head = row / t * s * d;
      for (int64_t j = 0; j < s; j++)
        seen[j] = sees (mask, causal, row % t, j, t, s);
      plain_weights ((const double *) q->at + row * d,
                     (const double *) k->at + head, d, s, seen, w);
      for (int64_t j = 0; j < s; j++)
        for (int64_t e = 0; e < d; e++)
          to[e] += w[j] * ((const double *) v->at)[head + j * d + e];
    }
  return y;
}

/* b, h, t, s, d.  */
static const int64_t shapes[][5]
  = { { 1, 1, 1, 1, 1 },   { 2, 3, 5, 7, 4 },    { 1, 2, 7, 5, 3 },
      { 2, 1, 16, 16, 8 }, { 1, 2, 33, 33, 17 }, { 1, 1, 70, 101, 64 },
      { 0, 2, 3, 3, 2 },   { 1, 2, 0, 3, 2 },    { 1, 2, 3, 0, 2 },
      { 1, 2, 3, 4, 0 } };
#define SHAPES ((int) (sizeof shapes / sizeof *shapes))

/* q, k and v of shape number I, of numbers up to SIZE.  */
static void
make_heads (int i, double size, trm_tensor *x[3])
{
  const int64_t *e = shapes[i];
  x[0] = numbers (1, -size, size, TRM_SHAPE (e[0], e[1], e[2], e[4]));
  x[1] = numbers (2, -size, size, TRM_SHAPE (e[0], e[1], e[3], e[4]));
  x[2] = numbers (3, -1, 1, TRM_SHAPE (e[0], e[1], e[3], e[4]));
}

/* A mask of T x S, where KIND is not 0; row 1 of it sees nothing where KIND is
   2.  */
static trm_tensor *
make_mask (int kind, int64_t t, int64_t s)
{
  trm_tensor *mask = kind ? trm_zeros (TRM_BOOL, TRM_SHAPE (t, s)) : NULL;
  for (int64_t i = 0; mask && i < t * s; i++)
    ((bool *) mask->at)[i] = i % 7 != 3 && (kind == 1 || i / s != 1);
  return mask;
}

/* Attention of all shapes.  */
static void
test_values (void)
{
  bool right = true, narrow = true, steep = true;
  for (int e = 0; e < SHAPES * 6; e++)
    {
      int i = e / 6;
      bool causal = e % 2;
      trm_tensor *x[3];
      trm_scope_open ();
      trm_tensor *mask = make_mask (e / 2 % 3, shapes[i][2], shapes[i][3]);
      make_heads (i, 2, x);
      trm_tensor *y = plain_attention (x[0], x[1], x[2], causal, mask);
      right &= expect_close (
        trm_attention (x[0], x[1], x[2], causal, mask, 0, NULL), y, 1e-12);
      narrow &= expect_close (
        trm_attention (trm_cast (x[0], TRM_F32), trm_cast (x[1], TRM_F32),
                       trm_cast (x[2], TRM_F32), causal, mask, 0, NULL),
        trm_cast (y, TRM_F32), 2e-5);
      make_heads (i, 300, x);
      steep &= expect_close (
        trm_attention (x[0], x[1], x[2], causal, mask, 0, NULL),
        plain_attention (x[0], x[1], x[2], causal, mask), 1e-9);
      trm_scope_close ();
    }
  expect (right, "attention of f64, causal or not, masked or not");
  expect (narrow, "attention of f32, causal or not, masked or not");
  expect (steep, "attention of large scores");
}

/* Rows that see nothing are 0, and so are their gradients.  */
static void
test_blind_rows (void)
{
  trm_tensor *x[3];
  trm_scope_open ();
  make_heads (1, 1, x);
  trm_tensor *mask = trm_zeros (TRM_BOOL, TRM_SHAPE (5, 7));
  trm_tensor *y = trm_attention (x[0], x[1], x[2], false, mask, 0, NULL);
  expect (expect_close (y, trm_zeros (TRM_F64, 4, x[0]->extent), 0),
          "rows that see nothing are 0");
  trm_tape_open ();
  for (int i = 0; i < 3; i++)
    trm_want_gradient (x[i]);
  y = trm_attention (x[0], x[1], x[2], false, mask, 0, NULL);
  bool right = !trm_backward (y, x[0]);
  for (int i = 0; i < 3 && right; i++)
    right = expect_close (trm_gradient_of (x[i]),
                          trm_zeros (TRM_F64, 4, x[i]->extent), 0);
  expect (right, "and have no gradients");
  trm_tape_close ();
  trm_scope_close ();
}

/* What functions of tensors below use.  */
static bool used_causal;
static trm_tensor *used_mask;
static double used_dropout;

static trm_tensor *
attention_of (trm_tensor **x)
{
  trm_random random = { 5, 3 };
  return trm_attention (x[0], x[1], x[2], used_causal, used_mask, used_dropout,
                        &random);
}

/* Of one tensor, three times.  */
static trm_tensor *
self_attention_of (trm_tensor **x)
{
  trm_tensor *all[] = { x[0], x[0], x[0] };
  return attention_of (all);
}

/* Gradients against differences.  */
static void
test_gradients (void)
{
  bool right[2] = { true, true }, self = true;
  for (int e = 0; e < SHAPES * 12; e++)
    {
      int i = e / 12;
      trm_tensor *x[3];
      if (shapes[i][3] > 10)
        continue;
      trm_scope_open ();
      make_heads (i, 1, x);
      used_causal = e % 2;
      used_mask = make_mask (e / 2 % 3, shapes[i][2], shapes[i][3]);
      used_dropout = e / 6 % 2 * 0.3;
      right[used_dropout > 0] &= gradients_agree (attention_of, 3, x);
      if (shapes[i][2] == shapes[i][3])
        self &= gradients_agree (self_attention_of, 1, x);
      trm_scope_close ();
    }
  expect (right[0], "gradients of attention");
  expect (right[1], "gradients of attention with dropout");
  expect (self, "gradients of attention of one tensor");
}

/* Dropout: v is the unit matrix, so that weights come out.  */
static void
test_dropout (void)
{
  trm_random random = { 42, 0 }, again = { 42, 0 };
  int64_t n = 64, dropped = 0;
  bool right = true;
  trm_scope_open ();
  trm_tensor *q = numbers (1, -1, 1, TRM_SHAPE (2, 2, n, n));
  trm_tensor *k = numbers (2, -1, 1, TRM_SHAPE (2, 2, n, n));
  trm_tensor *v = trm_expand (trm_eye (TRM_F64, n), TRM_SHAPE (2, 2, n, n));
  trm_tensor *w = trm_attention (q, k, v, false, NULL, 0, NULL);
  trm_tensor *y = trm_attention (q, k, v, false, NULL, 0.25, &random);
  for (int64_t i = 0; i < trm_count (y); i++)
    {
      double kept = element (w, i) / 0.75, found = element (y, i);
      dropped += found == 0;
      right &= found == 0 || fabs (found - kept) < 1e-12;
    }
  expect (right, "a weight is dropped, or scaled");
  expect (fabs ((double) dropped / (double) trm_count (y) - 0.25) < 0.01,
          "a quarter of the weights is dropped");
  expect (same_bits (y, trm_attention (q, k, v, false, NULL, 0.25, &again)),
          "the same numbers drop the same weights");
  expect (
    random.counter == again.counter && random.counter
      && !same_bits (y, trm_attention (q, k, v, false, NULL, 0.25, &random)),
    "the next call drops others");
  expect (expect_close (trm_attention (q, k, v, false, NULL, 1, &random),
                        trm_zeros (TRM_F64, 4, q->extent), 0),
          "a dropout of 1 leaves nothing");
  trm_scope_close ();
}

/* The same bits for any number of threads.  */
static void
test_threads (void)
{
  bool right = true;
  trm_scope_open ();
  trm_tensor *x[] = { numbers (1, -1, 1, TRM_SHAPE (2, 4, 70, 32)),
                      numbers (2, -1, 1, TRM_SHAPE (2, 4, 70, 32)),
                      numbers (3, -1, 1, TRM_SHAPE (2, 4, 70, 32)) };
  for (int e = 0; e < 4; e++)
    {
      used_causal = e == 1;
      used_mask = make_mask (e / 2, 70, 70);
      used_dropout = e == 3 ? 0.1 : 0;
      right &= same_for_threads (attention_of, 3, x);
    }
  expect (right, "attention has the same bits for 1, 2 and 4 threads");
  trm_scope_close ();
}

/* What is no attention.  */
static void
test_errors (void)
{
  trm_tensor *x[3];
  trm_scope_open ();
  make_heads (1, 1, x);
  expect (!trm_attention (x[0], trm_transpose (x[1], 2, 3), x[2], false, NULL,
                          0, NULL)
            && expect_failed (TRM_BAD_SHAPE,
                              "attention: q [2, 3, 5, 4] does not go with k"
                              " [2, 3, 4, 7]"),
          "attention names the shapes of q and k");
  expect (!trm_attention (x[0], x[1], x[0], false, NULL, 0, NULL)
            && expect_failed (TRM_BAD_SHAPE, "attention: k [2, 3, 7, 4] does"
                                             " not go with v [2, 3, 5, 4]"),
          "attention names the shapes of k and v");
  expect (!trm_attention (x[0], x[1], x[2], false, make_mask (1, 7, 5), 0, NULL)
            && expect_failed (TRM_BAD_SHAPE, "mask [7, 5]"),
          "a mask of another shape fails");
  expect (!trm_attention (x[0], x[1], x[2], false,
                          trm_zeros (TRM_F32, TRM_SHAPE (5, 7)), 0, NULL)
            && expect_failed (TRM_BAD_TYPE, "attention: a mask of f32"),
          "a mask of numbers fails");
  expect (!trm_attention (x[0], x[1], x[2], false, NULL, 0.5, NULL)
            && expect_failed (TRM_BAD_ARGUMENT, "no random numbers"),
          "dropout without random numbers fails");
  expect (!trm_attention (NULL, x[1], x[2], false, NULL, 0, NULL),
          "NULL gives NULL");
  trm_scope_close ();
}

int
main (void)
{
  test_values ();
  test_blind_rows ();
  test_gradients ();
  test_dropout ();
  test_threads ();
  test_errors ();
  return expect_status ();
}
