/* Norms: of rows (layer_norm, rms_norm), of channels (batch_norm).

     layer_norm   y[i] := (x[i] - mean[i]) * scale[i] * gain + shift
     rms_norm     y[i] := x[i] * scale[i] * gain
     batch_norm   y[:, j] := (x[:, j] - mean[j]) * scale[j] * gain[j] + shift[j]

   Sums of forward, mean and scale, are results of the call on the tape, so that
   backward finds them.  A gain or shift that is not there is one of ones or
   zeros.

   Channels of few elements, [n][c][h][w] with small h * w, are brought to the
   last axis, where columns lie side by side.  In use, not in training,
   batch_norm is x * factor + offset, by channel.  */

#include "kernel.h"
#include "ready.h"
#include "rows.h"

#define LEAST_PLANE 16

/* The results of a call on the tape.  */
enum
{
  RESULT,
  SCALE,
  MEAN,
  VARIANCE
};

/* Whether V, WHAT of NAME in the message when not, is NULL or has N elements on
   one axis, to go with X.  */
static bool
is_vector (const char *name, const char *what, const trm_tensor *v, int64_t n,
           const trm_tensor *x)
{
  bool fits = !v || (v->rank == 1 && v->extent[0] == n);
  if (!fits)
    trm_misfit (name, what, v, "x", x);
  return fits;
}

/* In place: IN, x and a gain and a shift of N or NULL, as loops take them; one
   that is NULL becomes ones, or zeros.  *TYPE is that of the result.  */
static bool
make_ready (trm_tensor *in[3], int64_t n, trm_type *type)
{
  if (!in[0] || !trm_ready (3, in, type))
    return false;
  for (int i = 1; i < 3; i++)
    if (!in[i])
      in[i] = trm_full (in[0]->type, TRM_SHAPE (n), i == 1);
  return in[1] && in[2];
}

/* How many elements of X, of a channel, lie side by side.  */
static int64_t
plane_of (const trm_tensor *x)
{
  return trm_shape_count (x->rank - 2, x->extent + 2);
}

/* What backward of a norm reads, and what it adds to.  */
typedef struct norm_gains
{
  trm_tensor *x, *gain;
  trm_tensor *dy, *dx, *dgain, *dshift;
} norm_gains;

/* Fill G for CALL; false without memory.  */
static bool
find_gains (norm_gains *g, trm_call *call)
{
  g->x = trm_in (call, 0);
  g->gain = trm_in (call, 1);
  g->dy = trm_gradient_rows (call);
  g->dx = trm_gain_or_scratch (call, 0, g->x);
  g->dgain = trm_gain_or_scratch (call, 1, g->gain);
  g->dshift = trm_gain_or_scratch (call, 2, g->gain);
  return g->dy && g->dx && g->dgain && g->dshift;
}

/* Backward of rms_norm.  */
static trm_status
rms_norm_back (trm_call *call)
{
  norm_gains g;
  if (!find_gains (&g, call))
    return trm_error ();
  trm_kernel (rows, rms_norm_back, g.x->type, trm_rows (g.x), g.gain->extent[0],
              0, g.x->at, g.gain->at, trm_out (call, SCALE)->at, g.dy->at,
              g.dx->at, g.dgain->at);
  return TRM_OK;
}

/* Backward of layer_norm.  */
static trm_status
layer_norm_back (trm_call *call)
{
  norm_gains g;
  if (!find_gains (&g, call))
    return trm_error ();
  trm_kernel (rows, layer_norm_back, g.x->type, trm_rows (g.x),
              g.gain->extent[0], 0, g.x->at, g.gain->at,
              trm_out (call, MEAN)->at, trm_out (call, SCALE)->at, g.dy->at,
              g.dx->at, g.dgain->at, g.dshift->at);
  return TRM_OK;
}

/* Backward of batch_norm where channels are axis 1.  */
static trm_status
batch_norm_back (trm_call *call)
{
  norm_gains g;
  if (!find_gains (&g, call))
    return trm_error ();
  trm_kernel (rows, batch_norm_back, g.x->type, g.x->extent[0],
              g.gain->extent[0], plane_of (g.x), 0, g.x->at, g.gain->at,
              trm_out (call, MEAN)->at, trm_out (call, SCALE)->at, g.dy->at,
              g.dx->at, g.dgain->at, g.dshift->at);
  return TRM_OK;
}

/* Backward of batch_norm where channels are the last axis.  */
static trm_status
column_norm_back (trm_call *call)
{
  norm_gains g;
  if (!find_gains (&g, call))
    return trm_error ();
  trm_kernel (rows, column_norm_back, g.x->type, trm_rows (g.x),
              g.gain->extent[0], 0, g.x->at, g.gain->at,
              trm_out (call, MEAN)->at, trm_out (call, SCALE)->at, g.dy->at,
              g.dx->at, g.dgain->at, g.dshift->at);
  return TRM_OK;
}

#define NORM(norm, called)                                                     \
  static const trm_function norm##_function                                    \
    = { .name = called,                                                        \
        .backward = norm##_back,                                               \
        .saves_in = 3,                                                         \
        .saves_out = 1 << SCALE | 1 << MEAN }
NORM (rms_norm, "rms_norm");
NORM (layer_norm, "layer_norm");
NORM (batch_norm, "batch_norm");
NORM (column_norm, "batch_norm");

/* FUNCTION, layer_norm or rms_norm, of IN: rows, gain and shift.  */
static trm_tensor *
norm_rows (const trm_function *function, trm_tensor **in, double epsilon)
{
  trm_tensor *x = in[0];
  int64_t m = trm_rows (x), n = x->extent[x->rank - 1];
  trm_tensor *out[] = { [RESULT] = trm_empty_like (x, x->type),
                        [SCALE] = trm_empty (x->type, TRM_SHAPE (m)),
                        [MEAN] = trm_empty (x->type, TRM_SHAPE (m)) };
  if (!out[RESULT] || !out[SCALE] || !out[MEAN])
    return NULL;
  bool centred = function == &layer_norm_function;
  if (centred)
    trm_kernel (rows, layer_norm, x->type, m, n, epsilon, out[RESULT]->at,
                out[MEAN]->at, out[SCALE]->at, x->at, in[1]->at, in[2]->at);
  else
    trm_kernel (rows, rms_norm, x->type, m, n, epsilon, out[RESULT]->at,
                out[SCALE]->at, x->at, in[1]->at);
  int count = centred ? 3 : 2;
  return trm_record (function, count, in, count, out, NULL) ? NULL
                                                            : out[RESULT];
}

/* FUNCTION of X along its last axis, by GAIN and SHIFT or NULL.  */
static trm_tensor *
along_rows (const trm_function *function, trm_tensor *x, trm_tensor *gain,
            trm_tensor *shift, double epsilon)
{
  const char *name = function->name;
  if (!x)
    return NULL;
  if (x->rank == 0)
    return trm_fail_null (TRM_BAD_SHAPE, "%s: of rank 0", name);
  int64_t n = x->extent[x->rank - 1];
  if (!is_vector (name, "gain", gain, n, x)
      || !is_vector (name, "shift", shift, n, x) || trm_scope_open ())
    return NULL;
  trm_type type = TRM_F32;
  trm_tensor *in[] = { x, gain, shift };
  trm_tensor *y
    = make_ready (in, n, &type) ? norm_rows (function, in, epsilon) : NULL;
  y = trm_cast (y, type);
  trm_scope_give (y);
  trm_scope_close ();
  return y;
}

trm_tensor *
trm_layer_norm (trm_tensor *x, trm_tensor *gain, trm_tensor *shift,
                double epsilon)
{
  return along_rows (&layer_norm_function, x, gain, shift, epsilon);
}

trm_tensor *
trm_rms_norm (trm_tensor *x, trm_tensor *gain, double epsilon)
{
  return along_rows (&rms_norm_function, x, gain, NULL, epsilon);
}

/* What batch_norm is given beside its tensors on the tape.

   mean, variance  of what was seen so far, or NULL  */
typedef struct batch
{
  trm_tensor *mean, *variance;
  double momentum, epsilon;
} batch;

/* TO := TO + MOMENTUM * (FACTOR * SEEN - TO).  */
static trm_status
move_towards (trm_tensor *to, trm_tensor *seen, double momentum, double factor)
{
  trm_tensor *part = trm_affine (seen, momentum * factor, 0);
  trm_tensor *next = trm_add (trm_affine (to, 1 - momentum, 0), part);
  return next ? trm_copy_to (to, next) : trm_error ();
}

/* The means of B move towards those of COUNT elements.  */
static trm_status
move_means (const batch *b, trm_tensor *mean, trm_tensor *variance,
            int64_t count)
{
  trm_status status = TRM_OK;
  double n = (double) count;
  trm_tape_pause ();
  if (b->mean && count > 1)
    status = move_towards (b->mean, mean, b->momentum, 1);
  if (b->variance && count > 1 && !status)
    status = move_towards (b->variance, variance, b->momentum, n / (n - 1));
  trm_tape_resume ();
  return status;
}

/* IN, x, gain and shift, by the means of x over all axes but that of channels,
   1 where FUNCTION is batch_norm, else the last one.  */
static trm_tensor *
norm_channels (const trm_function *function, trm_tensor **in, const batch *b)
{
  trm_tensor *x = in[0];
  if (!x)
    return NULL;
  trm_type type = x->type;
  int64_t n = in[1]->extent[0];
  trm_tensor *out[] = { [RESULT] = trm_empty_like (x, type),
                        [SCALE] = trm_empty (type, TRM_SHAPE (n)),
                        [MEAN] = trm_empty (type, TRM_SHAPE (n)),
                        [VARIANCE] = trm_empty (type, TRM_SHAPE (n)) };
  if (!out[RESULT] || !out[SCALE] || !out[MEAN] || !out[VARIANCE])
    return NULL;
  if (function == &batch_norm_function)
    trm_kernel (rows, batch_norm, type, x->extent[0], n, plane_of (x),
                b->epsilon, out[RESULT]->at, out[MEAN]->at, out[VARIANCE]->at,
                out[SCALE]->at, x->at, in[1]->at, in[2]->at);
  else
    trm_kernel (rows, column_norm, type, trm_rows (x), n, b->epsilon,
                out[RESULT]->at, out[MEAN]->at, out[VARIANCE]->at,
                out[SCALE]->at, x->at, in[1]->at, in[2]->at);
  if (move_means (b, out[MEAN], out[VARIANCE], n ? trm_count (x) / n : 0))
    return NULL;
  return trm_record (function, 3, in, 3, out, NULL) ? NULL : out[RESULT];
}

/* X by its own means, which those of B move towards.  */
static trm_tensor *
norm_training (trm_tensor *x, trm_tensor *gain, trm_tensor *shift,
               const batch *b)
{
  int64_t n = x->extent[1];
  trm_type type = TRM_F32;
  bool columns = plane_of (x) < LEAST_PLANE;
  const trm_function *function
    = columns ? &column_norm_function : &batch_norm_function;
  trm_tensor *in[] = { x, gain, shift };
  if (!make_ready (in, n, &type))
    return NULL;
  if (columns)
    in[0] = trm_axis_last (in[0], 1);
  trm_tensor *y = norm_channels (function, in, b);
  return trm_cast (columns ? trm_axis_back (y, x, 1) : y, type);
}

/* V along axis 1 of X.  */
static trm_tensor *
along_channels (trm_tensor *v, const trm_tensor *x)
{
  int64_t extent[TRM_RANK] = { x->extent[1] };
  for (int i = 1; i < x->rank - 1; i++)
    extent[i] = 1;
  return trm_reshape (v, x->rank - 1, extent);
}

/* The sums of G over all axes but axis 1.  */
static trm_tensor *
channel_sums (trm_tensor *g)
{
  int axis[TRM_RANK] = { 0 };
  for (int i = 2; g && i < g->rank; i++)
    axis[i - 1] = i;
  return g ? trm_sum (g, g->rank - 1, axis, false) : NULL;
}

/* Backward of scaled as operations, for G, the gradient of its result.  */
static trm_status
scaled_twice (trm_call *call, trm_tensor *g)
{
  trm_tensor *x = trm_in (call, 0), *factor = trm_in (call, 1);
  trm_status status
    = trm_add_gain (call, 0, trm_mul (g, along_channels (factor, x)));
  if (!status)
    status = trm_add_gain (call, 1, channel_sums (trm_mul (g, x)));
  return status ? status : trm_add_gain (call, 2, channel_sums (g));
}

/* Backward of scaled.  */
static trm_status
scaled_back (trm_call *call)
{
  norm_gains g;
  if (trm_is_twice (call))
    return scaled_twice (call, trm_out_gradient (call, 0));
  if (!find_gains (&g, call))
    return trm_error ();
  int64_t m = g.x->extent[0], n = g.x->extent[1], p = plane_of (g.x);
  if (p == 1)
    trm_kernel (rows, scaled_columns_back, g.x->type, m, n, g.x->at, g.gain->at,
                g.dy->at, g.dx->at, g.dgain->at, g.dshift->at);
  else
    trm_kernel (rows, scaled_back, g.x->type, m, n, p, g.x->at, g.gain->at,
                g.dy->at, g.dx->at, g.dgain->at, g.dshift->at);
  return TRM_OK;
}

static const trm_function scaled_function = {
  .name = "batch_norm", .backward = scaled_back, .twice = true, .saves_in = 3
};

/* X * FACTOR + OFFSET, by channel.  */
static trm_tensor *
scaled (trm_tensor *x, trm_tensor *factor, trm_tensor *offset)
{
  trm_tensor *in[] = { x, factor, offset };
  trm_tensor *y = factor && offset ? trm_empty_like (x, x->type) : NULL;
  if (!y)
    return NULL;
  int64_t m = x->extent[0], n = x->extent[1], p = plane_of (x);
  if (p == 1)
    trm_kernel (rows, scaled_columns, x->type, m, n, y->at, x->at, factor->at,
                offset->at);
  else
    trm_kernel (rows, scaled, x->type, m, n, p, y->at, x->at, factor->at,
                offset->at);
  return trm_record (&scaled_function, 3, in, 1, &y, NULL) ? NULL : y;
}

/* X by the means of B: x * factor + offset.  */
static trm_tensor *
norm_in_use (trm_tensor *x, trm_tensor *gain, trm_tensor *shift, const batch *b)
{
  trm_type type, seen_type;
  trm_tensor *in[] = { x, gain, shift };
  trm_tensor *seen[] = { b->mean, b->variance };
  if (!make_ready (in, x->extent[1], &type) || !trm_ready (2, seen, &seen_type))
    return NULL;
  trm_tensor *deviation = trm_sqrt (trm_affine (seen[1], 1, b->epsilon));
  trm_tensor *factor = trm_div (in[1], deviation);
  trm_tensor *offset = trm_sub (in[2], trm_mul (seen[0], factor));
  return trm_cast (scaled (in[0], factor, offset), type);
}

/* Whether batch_norm of X by GAIN, SHIFT and the means of B is one; if not,
   why.  */
static bool
is_batch (const trm_tensor *x, const trm_tensor *gain, const trm_tensor *shift,
          const batch *b, bool training)
{
  char text[TRM_SHAPE_TEXT];
  const char *shape = trm_shape_text (text, x->rank, x->extent);
  if (x->rank < 2)
    {
      trm_fail (TRM_BAD_SHAPE, "batch_norm: %s has no axis 1", shape);
      return false;
    }
  int64_t n = x->extent[1];
  if (!is_vector ("batch_norm", "gain", gain, n, x)
      || !is_vector ("batch_norm", "shift", shift, n, x)
      || !is_vector ("batch_norm", "mean", b->mean, n, x)
      || !is_vector ("batch_norm", "variance", b->variance, n, x))
    return false;
  if (training && n > 0 && trm_count (x) == n)
    {
      trm_fail (TRM_BAD_SHAPE,
                "batch_norm: %s has one element a channel to train on", shape);
      return false;
    }
  return training || (b->mean && b->variance);
}

trm_tensor *
trm_batch_norm (trm_tensor *x, trm_tensor *gain, trm_tensor *shift,
                trm_tensor *mean, trm_tensor *variance, double momentum,
                double epsilon, bool training)
{
  batch b = { mean, variance, momentum, epsilon };
  if (!x || !is_batch (x, gain, shift, &b, training) || trm_scope_open ())
    return NULL;
  trm_tensor *y = training ? norm_training (x, gain, shift, &b)
                           : norm_in_use (x, gain, shift, &b);
  trm_scope_give (y);
  trm_scope_close ();
  return y;
}
