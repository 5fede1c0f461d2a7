/* Layers: an operation and the weights that it needs.

   A weight is of the type of x where that is f64, else f32.  First values as
   PyTorch's: of linear and conv2d, w and b uniform within 1 / sqrt (numbers
   that one output sums); of embedding normal; norms 1 and 0.

     linear      w [width][q]                    b [width]
     conv2d      w [channels][c][size][size]     b [channels]
     embedding   w [kinds][width]
     layer_norm  gain [c]  shift [c]             epsilon 1e-5
     rms_norm    gain [c]                        epsilon 1e-6
     batch_norm  gain, shift, mean, variance [c] epsilon 1e-5, momentum 0.1;
                 mean and variance want no gradient
     attention   the layers NAME.qkv, of 3 c, and NAME.out, of c  */

#include "tensor.h"

#include "train.h"

#include <math.h>

/* The type of weights for X.  */
static trm_type
weight_type (const trm_tensor *x)
{
  return x->type == TRM_F64 ? TRM_F64 : TRM_F32;
}

/* What is wrong with the rank of X; false when nothing is.  */
static bool
lacks_axes (const char *layer, const trm_tensor *x, int rank)
{
  char text[TRM_SHAPE_TEXT];
  if (x->rank >= rank)
    return false;
  trm_fail (TRM_BAD_SHAPE, "%s: %s has fewer than %d axes", layer,
            trm_shape_text (text, x->rank, x->extent), rank);
  return true;
}

/* The compressed rows of the weight called NAME.w, where it is pruned and they
   are predicted to gain for X; else NULL.  */
static trm_compressed *
compressed_of (trm_model *model, const trm_tensor *w, const trm_tensor *x)
{
  trm_weight *beside = trm_model_beside (model, model->looked);
  if (!beside || !beside->mask || x->type != w->type
      || w->type != trm_type_computed (w->type) || !trm_is_contiguous (w))
    return NULL;
  if (!beside->compressed)
    beside->compressed = trm_compressed_new (beside->mask);
  int64_t n = w->extent[1] ? trm_count (x) / w->extent[1] : 0;
  return beside->compressed && trm_compressed_gains (beside->compressed, n)
           ? beside->compressed
           : NULL;
}

trm_tensor *
trm_layer_linear (trm_model *model, const char *name, trm_tensor *x,
                  int64_t width)
{
  if (!model || !x || lacks_axes ("layer_linear", x, 1))
    return NULL;
  int64_t q = x->extent[x->rank - 1];
  trm_form form = { .first = TRM_FIRST_UNIFORM,
                    .bound = 1 / sqrt ((double) (q ? q : 1)),
                    .type = weight_type (x),
                    .rank = 2,
                    .extent = { width, q } };
  trm_tensor *w = trm_model_weight (model, name, "w", &form);
  trm_compressed *rows = w ? compressed_of (model, w, x) : NULL;
  form.rank = 1;
  trm_tensor *b = w ? trm_model_weight (model, name, "b", &form) : NULL;
  if (!b)
    return NULL;
  if (!rows)
    return trm_linear (x, w, b);
  if (trm_scope_open ())
    return NULL;
  trm_tensor *y
    = trm_scope_give (trm_add (trm_compressed_product (x, w, rows), b));
  trm_scope_close ();
  return y;
}

trm_tensor *
trm_layer_conv2d (trm_model *model, const char *name, trm_tensor *x,
                  int64_t channels, int64_t size, trm_window window)
{
  if (!model || !x || lacks_axes ("layer_conv2d", x, 4))
    return NULL;
  int64_t summed = x->extent[1] * size * size;
  trm_form form = { .first = TRM_FIRST_UNIFORM,
                    .bound = 1 / sqrt ((double) (summed > 0 ? summed : 1)),
                    .type = weight_type (x),
                    .rank = 4,
                    .extent = { channels, x->extent[1], size, size } };
  trm_tensor *w = trm_model_weight (model, name, "w", &form);
  form.rank = 1;
  trm_tensor *b = w ? trm_model_weight (model, name, "b", &form) : NULL;
  return b ? trm_conv2d (x, w, b, window) : NULL;
}

trm_tensor *
trm_layer_embedding (trm_model *model, const char *name, trm_tensor *index,
                     int64_t kinds, int64_t width)
{
  trm_form form = { .first = TRM_FIRST_NORMAL,
                    .type = TRM_F32,
                    .rank = 2,
                    .extent = { kinds, width } };
  if (!model || !index)
    return NULL;
  return trm_embedding (trm_model_weight (model, name, "w", &form), index);
}

/* The parts of a norm, in this order.  */
enum
{
  GAIN,
  SHIFT,
  MEAN,
  VARIANCE
};

/* Find the first N parts of the norm NAME, in PART, of as many elements as
   axis AXIS of X; false when one fails.  */
static bool
find_parts (trm_model *model, const char *name, const trm_tensor *x, int axis,
            int n, trm_tensor **part)
{
  static const char *const names[] = { "gain", "shift", "mean", "variance" };
  for (int i = 0; i < n; i++)
    {
      bool is_one = i == GAIN || i == VARIANCE;
      trm_form form = { .first = is_one ? TRM_FIRST_ONE : TRM_FIRST_ZERO,
                        .statistic = i >= MEAN,
                        .type = weight_type (x),
                        .rank = 1,
                        .extent = { x->extent[axis] } };
      part[i] = trm_model_weight (model, name, names[i], &form);
      if (!part[i])
        return false;
    }
  return true;
}

trm_tensor *
trm_layer_layer_norm (trm_model *model, const char *name, trm_tensor *x)
{
  trm_tensor *part[2];
  if (!model || !x || lacks_axes ("layer_layer_norm", x, 1)
      || !find_parts (model, name, x, x->rank - 1, 2, part))
    return NULL;
  return trm_layer_norm (x, part[GAIN], part[SHIFT], 1e-5);
}

trm_tensor *
trm_layer_rms_norm (trm_model *model, const char *name, trm_tensor *x)
{
  trm_tensor *part[1];
  if (!model || !x || lacks_axes ("layer_rms_norm", x, 1)
      || !find_parts (model, name, x, x->rank - 1, 1, part))
    return NULL;
  return trm_rms_norm (x, part[GAIN], 1e-6);
}

trm_tensor *
trm_layer_batch_norm (trm_model *model, const char *name, trm_tensor *x)
{
  trm_tensor *part[4];
  if (!model || !x || lacks_axes ("layer_batch_norm", x, 2)
      || !find_parts (model, name, x, 1, 4, part))
    return NULL;
  return trm_batch_norm (x, part[GAIN], part[SHIFT], part[MEAN], part[VARIANCE],
                         0.1, 1e-5, model->training);
}

trm_tensor *
trm_layer_dropout (trm_model *model, trm_tensor *x, double probability)
{
  if (!model || !x)
    return NULL;
  return model->training ? trm_dropout (x, probability, &model->noise)
                         : trm_share (x);
}

/* Part I of the three of QKV [b][t][3 c], as [b][h][t][d].  */
static trm_tensor *
head_part (trm_tensor *qkv, int i, int64_t heads, int64_t c)
{
  trm_tensor *part = trm_slice (qkv, 2, i * c, (i + 1) * c, 1);
  if (!part)
    return NULL;
  part = trm_reshape (
    part, TRM_SHAPE (part->extent[0], part->extent[1], heads, c / heads));
  return trm_transpose (part, 1, 2);
}

trm_tensor *
trm_layer_attention (trm_model *model, const char *name, trm_tensor *x,
                     int heads, bool causal)
{
  char qkv_name[128], out_name[128], text[TRM_SHAPE_TEXT];
  if (!model || !x || lacks_axes ("layer_attention", x, 3))
    return NULL;
  int64_t c = x->extent[x->rank - 1];
  if (x->rank != 3 || heads < 1 || c % heads)
    return trm_fail_null (TRM_BAD_SHAPE, "layer_attention: %s in %d heads",
                          trm_shape_text (text, x->rank, x->extent), heads);
  snprintf (qkv_name, sizeof qkv_name, "%.120s.qkv", name);
  snprintf (out_name, sizeof out_name, "%.120s.out", name);
  if (trm_scope_open ())
    return NULL;
  trm_tensor *qkv = trm_layer_linear (model, qkv_name, x, 3 * c);
  trm_tensor *y
    = trm_attention (head_part (qkv, 0, heads, c), head_part (qkv, 1, heads, c),
                     head_part (qkv, 2, heads, c), causal, NULL, 0, NULL);
  y = trm_reshape (trm_transpose (y, 1, 2), x->rank, x->extent);
  y = trm_layer_linear (model, out_name, y, c);
  trm_scope_give (y);
  trm_scope_close ();
  return y;
}
