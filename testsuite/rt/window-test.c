/* conv2d, max_pool2d and avg_pool2d: against plain loops in double for strides,
   pads and dilations from 1 to 3; gradients against differences; threads;
   errors.  */

#include "differences.h"

/* What a window sees at element (U, V) of place (I, J) of plane M of X, whose
   planes lie one after the other; OUTSIDE beyond the border.  */
static double
seen (const trm_tensor *x, trm_window s, int64_t m, int64_t i, int64_t j,
      int64_t u, int64_t v, double outside)
{
  int64_t h = x->extent[2], w = x->extent[3];
  int64_t row = i * s.stride + u * s.dilation - s.pad;
  int64_t column = j * s.stride + v * s.dilation - s.pad;
  return row < 0 || row >= h || column < 0 || column >= w
           ? outside
           : ((const double *) x->at)[(m * h + row) * w + column];
}

/* Places along EXTENT of windows of SIZE; 0 or less: none.  */
static int64_t
places (int64_t extent, int64_t size, trm_window s)
{
  int64_t room = extent + 2 * s.pad - s.dilation * (size - 1) - 1;
  return room < 0 ? 0 : room / s.stride + 1;
}

/* The convolution of X by W and B, or NULL.  */
static trm_tensor *
plain_conv2d (const trm_tensor *x, const trm_tensor *w, const trm_tensor *b,
              trm_window s)
{
  int64_t c = w->extent[1], k = w->extent[2], l = w->extent[3];
  int64_t oh = places (x->extent[2], k, s), ow = places (x->extent[3], l, s);
  trm_tensor *y
    = trm_empty (TRM_F64, TRM_SHAPE (x->extent[0], w->extent[0], oh, ow));
  for (int64_t e = 0; e < trm_count (y); e++)
    {
      int64_t j = e % ow, i = e / ow % oh;
      int64_t o = e / ow / oh % w->extent[0], n = e / ow / oh / w->extent[0];
      double sum = b ? element (b, o) : 0;
      for (int64_t t = 0; t < c * k * l; t++)
        sum += ((double *) w->at)[o * c * k * l + t]
               * seen (x, s, n * c + t / l / k, i, j, t / l % k, t % l, 0);
      ((double *) y->at)[e] = sum;
    }
  return y;
}

/* The greatest, or where not MOST the mean, of each window of X.  */
static trm_tensor *
plain_pool (const trm_tensor *x, int64_t size, trm_window s, bool most)
{
  int64_t oh = places (x->extent[2], size, s);
  int64_t ow = places (x->extent[3], size, s);
  trm_tensor *y
    = trm_empty (TRM_F64, TRM_SHAPE (x->extent[0], x->extent[1], oh, ow));
  for (int64_t e = 0; e < trm_count (y); e++)
    {
      double greatest = -INFINITY, sum = 0;
      for (int64_t t = 0; t < size * size; t++)
        {
          int64_t m = e / ow / oh, i = e / ow % oh, j = e % ow;
          greatest = fmax (greatest,
                           seen (x, s, m, i, j, t / size, t % size, -INFINITY));
          sum += seen (x, s, m, i, j, t / size, t % size, 0);
        }
      ((double *) y->at)[e] = most ? greatest : sum / (double) (size * size);
    }
  return y;
}

/* Window number E of those of strides, pads and dilations up to 3.  */
static trm_window
window_number (int e)
{
  return (trm_window){ 1 + e % 3, e / 3 % 4, 1 + e / 12 };
}
#define WINDOWS 36

/* Pictures, filters, and one number for each.  */
static const struct
{
  int64_t x[4];
  int64_t w[4];
} shapes[] = {
  { { 1, 1, 1, 1 }, { 1, 1, 1, 1 } },   { { 2, 3, 7, 5 }, { 4, 3, 3, 2 } },
  { { 3, 2, 13, 19 }, { 5, 2, 3, 3 } }, { { 1, 4, 20, 33 }, { 17, 4, 1, 1 } },
  { { 2, 1, 11, 12 }, { 2, 1, 5, 4 } }, { { 0, 2, 8, 8 }, { 3, 2, 2, 2 } },
  { { 2, 0, 8, 8 }, { 3, 0, 2, 2 } },   { { 2, 2, 8, 8 }, { 0, 2, 2, 2 } },
};

/* Convolutions of all windows.  */
static void
test_conv2d (void)
{
  bool right = true, narrow = true;
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    for (int e = 0; e < WINDOWS; e++)
      {
        trm_window s = window_number (e);
        trm_scope_open ();
        trm_tensor *x = numbers (1, -1, 1, 4, shapes[i].x);
        trm_tensor *w = numbers (2, -1, 1, 4, shapes[i].w);
        trm_tensor *b = e % 2 ? numbers (3, -1, 1, 1, shapes[i].w) : NULL;
        trm_tensor *y = plain_conv2d (x, w, b, s);
        if (y->extent[2] && y->extent[3])
          {
            right &= expect_close (trm_conv2d (x, w, b, s), y, 1e-12);
            narrow &= expect_close (
              trm_conv2d (trm_cast (x, TRM_F32), trm_cast (w, TRM_F32),
                          b ? trm_cast (b, TRM_F32) : NULL, s),
              trm_cast (y, TRM_F32), 2e-5);
          }
        else
          right &= !trm_conv2d (x, w, b, s)
                   && expect_failed (TRM_BAD_SHAPE, "conv2d: x [");
        trm_scope_close ();
      }
  expect (right, "conv2d of f64, all strides, pads and dilations");
  expect (narrow, "conv2d of f32, all strides, pads and dilations");
}

/* What X gains when Y, the convolution of X by W, gains SEED.  */
static trm_tensor *
gain_of (trm_tensor *x, trm_tensor *w, trm_tensor *seed, trm_window s)
{
  trm_tensor *in = trm_want_gradient (trm_detach (x));
  trm_tape_open ();
  trm_backward (trm_conv2d (in, w, NULL, s), seed);
  trm_tape_close ();
  return trm_gradient_of (in);
}

/* Convolutions of more pictures than are taken at a time: what one picture
   gains does not depend on the others; and since y is linear in w, the products
   of w with its gradient and of y with its own are one number.  */
static void
test_parts (void)
{
  trm_window s = { 1, 1, 1 };
  trm_scope_open ();
  trm_tensor *x = numbers (1, -1, 1, TRM_SHAPE (7, 8, 50, 50));
  trm_tensor *w = numbers (2, -1, 1, TRM_SHAPE (2, 8, 3, 3));
  trm_tensor *y = plain_conv2d (x, w, NULL, s);
  expect (expect_close (trm_conv2d (x, w, NULL, s), y, 1e-12),
          "conv2d of many pictures");
  trm_tensor *turned = trm_permute (x, TRM_AXES (0, 1, 3, 2));
  expect (expect_close (trm_conv2d (turned, w, NULL, s),
                        plain_conv2d (trm_copy (turned), w, NULL, s), 1e-12),
          "conv2d of pictures that lie the other way round");
  trm_tensor *dx = gain_of (x, w, y, s);
  bool right = true;
  for (int64_t i = 0; i < 7; i++)
    right &= expect_close (trm_slice (dx, 0, i, i + 1, 1),
                           gain_of (trm_slice (x, 0, i, i + 1, 1), w,
                                    trm_slice (y, 0, i, i + 1, 1), s),
                           1e-12);
  expect (right, "each of many pictures gains what it does alone");
  trm_tape_open ();
  trm_want_gradient (w);
  trm_backward (trm_conv2d (x, w, NULL, s), y);
  double square = inner_product (y, y);
  expect (fabs (inner_product (w, trm_gradient_of (w)) / square - 1) < 1e-12,
          "filters gain of all pictures");
  trm_tape_close ();
  trm_scope_close ();
}

/* Pools of all windows.  */
static void
test_pools (void)
{
  static const int64_t pictures[][4]
    = { { 1, 1, 3, 3 }, { 2, 3, 13, 7 }, { 1, 2, 33, 20 }, { 0, 2, 9, 9 } };
  bool most = true, mean = true;
  for (int i = 0; i < 4 * 3; i++)
    for (int e = 0; e < WINDOWS; e++)
      {
        trm_window s = window_number (e);
        int64_t size = 1 + i % 3;
        trm_scope_open ();
        trm_tensor *x = numbers (1, -1, 1, 4, pictures[i / 3]);
        trm_tensor *y = plain_pool (x, size, s, true);
        if (s.pad <= s.dilation * (size - 1) && y->extent[2] && y->extent[3])
          {
            most &= expect_close (trm_max_pool2d (x, size, s), y, 0);
            mean &= expect_close (trm_avg_pool2d (x, size, s),
                                  plain_pool (x, size, s, false), 1e-12);
          }
        else
          most &= !trm_max_pool2d (x, size, s)
                  && expect_failed (TRM_BAD_SHAPE, "max_pool2d: windows");
        trm_scope_close ();
      }
  expect (most, "max_pool2d, all sizes, strides, pads and dilations");
  expect (mean, "avg_pool2d, all sizes, strides, pads and dilations");
  trm_scope_open ();
  trm_tensor *x = numbers (1, -1, 1, TRM_SHAPE (1, 1, 6, 6));
  expect (expect_close (trm_max_pool2d (x, 2, (trm_window){ 0 }),
                        plain_pool (x, 2, (trm_window){ 2, 0, 1 }, true), 0),
          "a pool moves by its size");
  trm_tensor *bytes = trm_full (TRM_U8, TRM_SHAPE (1, 1, 6, 6), 3);
  trm_tensor *pooled = trm_max_pool2d (bytes, 3, (trm_window){ 0 });
  expect (pooled && pooled->type == TRM_F32, "whole numbers pool to f32");
  trm_scope_close ();
}

/* What functions of tensors below use.  */
static trm_window used;
static int64_t used_size;

static trm_tensor *
conv2d_of (trm_tensor **x)
{
  return trm_conv2d (x[0], x[1], x[2], used);
}
static trm_tensor *
bare_conv2d_of (trm_tensor **x)
{
  return trm_conv2d (x[0], x[1], NULL, used);
}
static trm_tensor *
max_pool_of (trm_tensor **x)
{
  return trm_max_pool2d (x[0], used_size, used);
}
static trm_tensor *
avg_pool_of (trm_tensor **x)
{
  return trm_avg_pool2d (x[0], used_size, used);
}

/* Gradients of conv2d against differences.  */
static void
test_conv2d_gradients (void)
{
  bool right = true;
  for (int e = 0; e < WINDOWS; e++)
    {
      used = window_number (e);
      trm_scope_open ();
      trm_tensor *x[] = { numbers (1, -1, 1, TRM_SHAPE (2, 2, 7, 6)),
                          numbers (2, -1, 1, TRM_SHAPE (3, 2, 3, 2)),
                          numbers (3, -1, 1, TRM_SHAPE (3)) };
      if (places (6, 3, used) && places (7, 3, used))
        right &= gradients_agree (conv2d_of, 3, x);
      if (e < 9)
        {
          x[1] = numbers (4, -1, 1, TRM_SHAPE (2, 2, 1, 1));
          right &= gradients_agree (bare_conv2d_of, 2, x);
          x[0] = numbers (5, -1, 1, TRM_SHAPE (1, 2, 5, 4));
          right &= gradients_agree (bare_conv2d_of, 2, x);
        }
      trm_scope_close ();
    }
  expect (right, "gradients of conv2d, all strides, pads and dilations");
}

/* Gradients of pools against differences, of pictures that windows of two cut
   with a rest and without.  */
static void
test_pool_gradients (void)
{
  bool most = true, mean = true;
  for (int e = 0; e < WINDOWS * 3 * 2; e++)
    {
      used = window_number (e / 2 % WINDOWS);
      used_size = 1 + e / 2 / WINDOWS;
      trm_scope_open ();
      trm_tensor *x[]
        = { numbers (1, -1, 1, TRM_SHAPE (1, 2, 8, e % 2 ? 8 : 9)) };
      if (used.pad <= used.dilation * (used_size - 1)
          && places (8, used_size, used))
        {
          most &= gradients_agree (max_pool_of, 1, x);
          mean &= gradients_agree (avg_pool_of, 1, x);
        }
      trm_scope_close ();
    }
  expect (most, "gradients of max_pool2d, all windows");
  expect (mean, "gradients of avg_pool2d, all windows");
}

/* Of equal elements the first is the greatest.  */
static void
test_ties (void)
{
  static const double first[] = { 1, 0, 0, 0 };
  trm_tape_open ();
  trm_tensor *x
    = trm_want_gradient (trm_zeros (TRM_F64, TRM_SHAPE (1, 1, 2, 2)));
  trm_tensor *y = trm_max_pool2d (x, 2, (trm_window){ 0 });
  bool right
    = y && !trm_backward (y, NULL)
      && expect_close (trm_gradient_of (x),
                       trm_from (TRM_F64, TRM_SHAPE (1, 1, 2, 2), first), 0);
  expect (right, "of equal elements the first one gains");
  trm_tape_close ();
}

/* The same bits for any number of threads.  */
static void
test_threads (void)
{
  trm_scope_open ();
  trm_tensor *x[] = { numbers (1, -1, 1, TRM_SHAPE (5, 6, 40, 40)),
                      numbers (2, -1, 1, TRM_SHAPE (16, 6, 3, 3)),
                      numbers (3, -1, 1, TRM_SHAPE (16)) };
  bool right[3] = { true, true, true };
  for (int e = 0; e < 2; e++)
    {
      used = (trm_window){ 1 + e, 1, 1 };
      used_size = 3;
      right[0] &= same_for_threads (conv2d_of, 3, x);
      right[1] &= same_for_threads (max_pool_of, 1, x);
      right[2] &= same_for_threads (avg_pool_of, 1, x);
    }
  expect (right[0], "conv2d has the same bits for 1, 2 and 4 threads");
  expect (right[1], "max_pool2d has the same bits for 1, 2 and 4 threads");
  expect (right[2], "avg_pool2d has the same bits for 1, 2 and 4 threads");
  trm_scope_close ();
}

/* What is no window.  */
static void
test_errors (void)
{
  trm_window plain = { 0 };
  trm_scope_open ();
  trm_tensor *x = numbers (1, -1, 1, TRM_SHAPE (1, 2, 4, 4));
  trm_tensor *w = numbers (1, -1, 1, TRM_SHAPE (3, 5, 2, 2));
  expect (!trm_conv2d (x, w, NULL, plain)
            && expect_failed (TRM_BAD_SHAPE, "conv2d: x [1, 2, 4, 4] does not"
                                             " go with w [3, 5, 2, 2]"),
          "conv2d names both shapes");
  w = numbers (1, -1, 1, TRM_SHAPE (3, 2, 5, 5));
  expect (!trm_conv2d (x, w, NULL, plain)
            && expect_failed (TRM_BAD_SHAPE, "w [3, 2, 5, 5]"),
          "a filter larger than the picture fails");
  w = numbers (1, -1, 1, TRM_SHAPE (3, 2, 2, 2));
  expect (!trm_conv2d (x, w, numbers (1, -1, 1, TRM_SHAPE (2)), plain)
            && expect_failed (TRM_BAD_SHAPE,
                              "conv2d: b [2] does not go with w [3, 2, 2, 2]"),
          "conv2d names the shapes of b and w");
  expect (!trm_conv2d (x, w, NULL, (trm_window){ -1, 0, 0 })
            && expect_failed (TRM_BAD_ARGUMENT, "stride -1"),
          "a negative stride fails");
  expect (!trm_conv2d (x, w, NULL, (trm_window){ 1, INT64_MAX / 2, 0 })
            && expect_failed (TRM_BAD_ARGUMENT, "pad"),
          "a pad beyond all pictures fails");
  expect (!trm_max_pool2d (x, 5, plain)
            && expect_failed (TRM_BAD_SHAPE, "max_pool2d: windows of 5 x 5"),
          "a pool larger than the picture fails");
  expect (!trm_avg_pool2d (x, 0, plain)
            && expect_failed (TRM_BAD_ARGUMENT, "avg_pool2d: size 0"),
          "a pool of size 0 fails");
  expect (!trm_conv2d (NULL, w, NULL, plain)
            && !trm_max_pool2d (NULL, 2, plain),
          "NULL gives NULL");
  trm_scope_close ();
}

int
main (void)
{
  test_conv2d ();
  test_parts ();
  test_pools ();
  test_conv2d_gradients ();
  test_pool_gradients ();
  test_ties ();
  test_threads ();
  test_errors ();
  return expect_status ();
}
