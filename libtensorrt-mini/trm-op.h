/* Operations on tensors.

   Each gives a new, contiguous tensor, and is recorded on the thread's tape
   while one is open and an argument wants a gradient (trm-tape.h).  Shapes are
   broadcast as NumPy does: aligned at the last axis, extents of 1 stretch.
   Axes may be counted from the end.

   Element types: an operation on two types is one on the later of them in
   trm_type; f16 and bf16 are computed as f32 and rounded once.  What has no
   meaning among whole numbers (exp and so on) takes them to f32, as division
   does.

   The loops are in kernel-*.h, under #pragma tensor, compiled by the plugin,
   which wrote their gradients, too.  */

#ifndef TRM_OP_H
#define TRM_OP_H

#include "trm-tensor.h"

#ifdef __cplusplus
extern "C"
{
#endif
#pragma GCC visibility push(default)

  /* Element by element.  Gradients at corners are those of the compiler's
   table: fabs'(0) = 0, of equal ones the first is the greatest, relu'(0) = 0.

     affine  scale * a + shift
     clamp   LOW and HIGH may be infinite
     gelu    by its tanh form; gelu_erf by the error function
     where   CONDITION ? A : B  */
  extern trm_tensor *trm_add (trm_tensor *a, trm_tensor *b);
  extern trm_tensor *trm_sub (trm_tensor *a, trm_tensor *b);
  extern trm_tensor *trm_mul (trm_tensor *a, trm_tensor *b);
  extern trm_tensor *trm_div (trm_tensor *a, trm_tensor *b);
  extern trm_tensor *trm_pow (trm_tensor *a, trm_tensor *b);
  extern trm_tensor *trm_maximum (trm_tensor *a, trm_tensor *b);
  extern trm_tensor *trm_minimum (trm_tensor *a, trm_tensor *b);
  extern trm_tensor *trm_where (trm_tensor *condition, trm_tensor *a,
                                trm_tensor *b);

  extern trm_tensor *trm_affine (trm_tensor *a, double scale, double shift);
  extern trm_tensor *trm_clamp (trm_tensor *a, double low, double high);
  extern trm_tensor *trm_neg (trm_tensor *a);
  extern trm_tensor *trm_abs (trm_tensor *a);
  extern trm_tensor *trm_square (trm_tensor *a);
  extern trm_tensor *trm_sqrt (trm_tensor *a);
  extern trm_tensor *trm_reciprocal (trm_tensor *a);
  extern trm_tensor *trm_exp (trm_tensor *a);
  extern trm_tensor *trm_log (trm_tensor *a);
  extern trm_tensor *trm_sin (trm_tensor *a);
  extern trm_tensor *trm_cos (trm_tensor *a);
  extern trm_tensor *trm_tanh (trm_tensor *a);
  extern trm_tensor *trm_sigmoid (trm_tensor *a);
  extern trm_tensor *trm_relu (trm_tensor *a);
  extern trm_tensor *trm_gelu (trm_tensor *a);
  extern trm_tensor *trm_gelu_erf (trm_tensor *a);
  extern trm_tensor *trm_silu (trm_tensor *a);

  /* bool tensors, without gradients.  */
  extern trm_tensor *trm_equal (trm_tensor *a, trm_tensor *b);
  extern trm_tensor *trm_less (trm_tensor *a, trm_tensor *b);
  extern trm_tensor *trm_less_equal (trm_tensor *a, trm_tensor *b);
  extern trm_tensor *trm_and (trm_tensor *a, trm_tensor *b);
  extern trm_tensor *trm_or (trm_tensor *a, trm_tensor *b);
  extern trm_tensor *trm_not (trm_tensor *a);

  /* Over the N axes AXIS, TRM_ALL for all of them; KEEP leaves them with
   extent 1.  Sums of whole numbers and bool are i64, means f32; those of
   floating numbers are made in double.  var divides by count - CORRECTION.
   argmax and argmin are i64, the first of equal ones, over one axis.  Of no
   elements: sum 0, prod 1, the others fail.  */
  extern trm_tensor *trm_sum (trm_tensor *a, int n, const int *axis, bool keep);
  extern trm_tensor *trm_mean (trm_tensor *a, int n, const int *axis,
                               bool keep);
  extern trm_tensor *trm_prod (trm_tensor *a, int n, const int *axis,
                               bool keep);
  extern trm_tensor *trm_max (trm_tensor *a, int n, const int *axis, bool keep);
  extern trm_tensor *trm_min (trm_tensor *a, int n, const int *axis, bool keep);
  extern trm_tensor *trm_var (trm_tensor *a, int n, const int *axis, bool keep,
                              double correction);
  extern trm_tensor *trm_any (trm_tensor *a, int n, const int *axis, bool keep);
  extern trm_tensor *trm_every (trm_tensor *a, int n, const int *axis,
                                bool keep);
  extern trm_tensor *trm_argmax (trm_tensor *a, int axis, bool keep);
  extern trm_tensor *trm_argmin (trm_tensor *a, int axis, bool keep);
  extern trm_tensor *trm_cumsum (trm_tensor *a, int axis);

  /* Products.

     matmul  [.., n, q] by [.., q, p], axes in front broadcast; an argument of
             rank 1 is a row in front, a column behind, and its axis goes
     linear  x [.., q], w [p][q], b [p] or NULL: x w' + b, [.., p]  */
  extern trm_tensor *trm_matmul (trm_tensor *a, trm_tensor *b);
  extern trm_tensor *trm_linear (trm_tensor *x, trm_tensor *w, trm_tensor *b);

  /* Windows over pictures x [n][c][h][w].

     conv2d    w [o][c][kh][kw], b [o] or NULL: [n][o][h'][w'],
               h' = (h + 2 * pad - dilation * (kh - 1) - 1) / stride + 1
     max_pool, avg_pool  windows of SIZE x SIZE; what hangs over the border is
               left out; avg divides by SIZE * SIZE; max of up to 2^31 elements
               on a tape

   A stride and a dilation of 0 are 1; a pool's stride of 0 is SIZE.  */
  typedef struct trm_window
  {
    int64_t stride;
    int64_t pad;
    int64_t dilation;
  } trm_window;
  extern trm_tensor *trm_conv2d (trm_tensor *x, trm_tensor *w, trm_tensor *b,
                                 trm_window window);
  extern trm_tensor *trm_max_pool2d (trm_tensor *x, int64_t size,
                                     trm_window window);
  extern trm_tensor *trm_avg_pool2d (trm_tensor *x, int64_t size,
                                     trm_window window);

  /* Along one axis.  */
  extern trm_tensor *trm_softmax (trm_tensor *x, int axis);
  extern trm_tensor *trm_log_softmax (trm_tensor *x, int axis);

  /* Norms.  layer_norm and rms_norm work over the last axis, gain and shift
   [c]; batch_norm over all axes but axis 1, gain, shift, mean and variance
   [c].  When TRAINING, batch_norm uses the batch's own mean and variance and
   moves MEAN and VARIANCE towards them by MOMENTUM.  */
  extern trm_tensor *trm_layer_norm (trm_tensor *x, trm_tensor *gain,
                                     trm_tensor *shift, double epsilon);
  extern trm_tensor *trm_rms_norm (trm_tensor *x, trm_tensor *gain,
                                   double epsilon);
  extern trm_tensor *trm_batch_norm (trm_tensor *x, trm_tensor *gain,
                                     trm_tensor *shift, trm_tensor *mean,
                                     trm_tensor *variance, double momentum,
                                     double epsilon, bool training);

  /* Losses, of rank 0: means over the rows.

     cross_entropy  x [n][c], label [n] of whole numbers; rows whose label is
                    -1 do not count; a label outside fails
     mse            of the squares of a - b  */
  extern trm_tensor *trm_cross_entropy (trm_tensor *x, trm_tensor *label);
  extern trm_tensor *trm_mse (trm_tensor *a, trm_tensor *b);

  /* Each element 0 with PROBABILITY, else divided by 1 - PROBABILITY.  */
  extern trm_tensor *trm_dropout (trm_tensor *x, double probability,
                                  trm_random *random);

  /* Rows of table [v][c] by index [..]: [.., c].  */
  extern trm_tensor *trm_embedding (trm_tensor *table, trm_tensor *index);

  /* q [b][h][t][d], k and v [b][h][s][d]: softmax (q k' / sqrt (d)) v.  CAUSAL:
   row i sees up to i + s - t.  MASK, bool [t][s] or NULL: true is seen.
   DROPOUT: probability among the weights, with RANDOM.  */
  extern trm_tensor *trm_attention (trm_tensor *q, trm_tensor *k, trm_tensor *v,
                                    bool causal, trm_tensor *mask,
                                    double dropout, trm_random *random);

  /* Cells: x [n][q], h and c [n][p].

     rnn   tanh (x w' + h u' + b), w [p][q], u [p][p], b [p]
     lstm  w [4 p][q], u [4 p][p], b [4 p]: input, forget, cell and output
           gates; *C becomes the new cell state
     gru   w [3 p][q], u [3 p][p], b [3 p], c [3 p] (behind u): reset, update,
           new  */
  extern trm_tensor *trm_rnn_cell (trm_tensor *x, trm_tensor *h, trm_tensor *w,
                                   trm_tensor *u, trm_tensor *b);
  extern trm_tensor *trm_lstm_cell (trm_tensor *x, trm_tensor *h,
                                    trm_tensor **c, trm_tensor *w,
                                    trm_tensor *u, trm_tensor *b);
  extern trm_tensor *trm_gru_cell (trm_tensor *x, trm_tensor *h, trm_tensor *w,
                                   trm_tensor *u, trm_tensor *b, trm_tensor *c);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
