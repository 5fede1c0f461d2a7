/* The operations that are measured: of five elements, and of sizes as networks
   have them.  */

#include "tensors.h"

/* run_NAME: CALL of the tensor x, or of x and z, or of three.  */
#define RUN(NAME, CALL)                                                        \
  static trm_tensor *run_##NAME (trm_tensor **in)                              \
  {                                                                            \
    trm_tensor *x = in[0];                                                     \
    return CALL;                                                               \
  }
#define UNARY(NAME, CALL, ...)       RUN (NAME, CALL)
#define BINARY(NAME, ...)            RUN (NAME, trm_##NAME (x, in[1]))
#define COMPARE                      BINARY
#define LOGIC                        BINARY
#define FOLD(NAME, WORDS, CALL, ...) RUN (NAME, CALL)
#define FOUND                        FOLD
#include "tensors-rows.def"
RUN (add, trm_add (x, in[1]))
RUN (where, trm_where (x, in[1], in[2]))
RUN (mse, trm_mse (x, in[1]))
RUN (rms_norm, trm_rms_norm (x, in[1], 1e-5))
RUN (avg_pool, trm_avg_pool2d (x, 2, (trm_window){ 0 }))
RUN (wide_pool, trm_max_pool2d (x, 3, (trm_window){ .stride = 2 }))
RUN (apart, trm_conv2d (x, in[1], NULL, (trm_window){ .stride = 2, .pad = 1 }))
RUN (used_norm, trm_batch_norm (x, in[1], in[2], in[3], in[4], 0, 1e-5, false))
RUN (dropout, trm_dropout (x, .1, &(trm_random){ 1, 0 }))
RUN (rnn, trm_rnn_cell (x, in[1], in[2], in[3], in[4]))

static trm_tensor *
run_sum (trm_tensor **in)
{
  return trm_sum (in[0], TRM_ALL, false);
}

/* What is made on the way to Y goes.  */
static trm_tensor *
alone (trm_tensor *y)
{
  trm_scope_give (y);
  trm_scope_close ();
  return y;
}

static trm_tensor *
run_chain (trm_tensor **in)
{
  trm_scope_open ();
  trm_tensor *z = trm_add (trm_mul (in[0], in[1]), in[0]);
  return alone (trm_mul (trm_sigmoid (z), in[1]));
}

static trm_tensor *
run_sum_row (trm_tensor **in)
{
  return trm_sum (in[0], TRM_AXES (1), false);
}

static trm_tensor *
run_sum_column (trm_tensor **in)
{
  return trm_sum (in[0], TRM_AXES (0), false);
}

static trm_tensor *
run_softmax (trm_tensor **in)
{
  return trm_softmax (in[0], 1);
}

static trm_tensor *
run_layer_norm (trm_tensor **in)
{
  return trm_layer_norm (in[0], in[1], in[2], 1e-5);
}

static trm_tensor *
run_batch_norm (trm_tensor **in)
{
  return trm_batch_norm (in[0], in[1], in[2], in[3], in[4], 0.1, 1e-5, true);
}

static trm_tensor *
run_entropy (trm_tensor **in)
{
  return trm_cross_entropy (in[0], in[1]);
}

static trm_tensor *
run_linear (trm_tensor **in)
{
  return trm_linear (in[0], in[1], in[2]);
}

static trm_tensor *
run_matmul (trm_tensor **in)
{
  return trm_matmul (in[0], in[1]);
}

static trm_tensor *
run_conv (trm_tensor **in)
{
  return trm_conv2d (in[0], in[1], in[2], (trm_window){ 0 });
}

static trm_tensor *
run_pool (trm_tensor **in)
{
  return trm_max_pool2d (in[0], 2, (trm_window){ 0 });
}

static trm_tensor *
run_attention (trm_tensor **in)
{
  return trm_attention (in[0], in[1], in[2], false, NULL, 0, NULL);
}

static trm_tensor *
run_causal (trm_tensor **in)
{
  return trm_attention (in[0], in[1], in[2], true, NULL, 0, NULL);
}

static trm_tensor *
run_embedding (trm_tensor **in)
{
  return trm_embedding (in[0], in[1]);
}

static trm_tensor *
run_index (trm_tensor **in)
{
  return trm_index (in[0], 1, &in[1]);
}

static trm_tensor *
run_gru (trm_tensor **in)
{
  return trm_gru_cell (in[0], in[1], in[2], in[3], in[4], in[5]);
}

static trm_tensor *
run_lstm (trm_tensor **in)
{
  trm_tensor *c = in[5];
  trm_scope_open ();
  return alone (trm_lstm_cell (in[0], in[1], &c, in[2], in[3], in[4]));
}

static trm_tensor *
run_transposed (trm_tensor **in)
{
  trm_scope_open ();
  return alone (trm_contiguous (trm_t (in[0])));
}

/* An input of some extents, and one of N whole numbers; of 256 K numbers from
   LEAST on, and of bool.  */
#define ONE(...)                                                               \
  {                                                                            \
    sizeof ((int[]){ __VA_ARGS__ }) / 4, { __VA_ARGS__ }, 0                    \
  }
#define WHOLE(N, KINDS)                                                        \
  {                                                                            \
    1, { N }, KINDS                                                            \
  }

#define FROM(LEAST)                                                            \
  {                                                                            \
    1, { 1 << 18 }, 0, LEAST                                                   \
  }
#define TRUTH(...)                                                             \
  {                                                                            \
    sizeof ((int[]){ __VA_ARGS__ }) / 4, { __VA_ARGS__ }, BENCH_TRUTH          \
  }

#define FIVE  ONE (5)
#define LONG  ONE (1 << 20)
#define TABLE ONE (2048, 768)
#define NORM  TABLE, ONE (768), ONE (768)
#define HEADS ONE (1, 8, 128, 64), ONE (1, 8, 128, 64), ONE (1, 8, 128, 64)
#define STATE ONE (32, 128), ONE (32, 128)
#define BITS  TRUTH (1 << 18)
#define HELD  TRUTH (2048, 768)
#define NEAR_ONE                                                               \
  {                                                                            \
    2, { 2048, 768 }, 0, .9                                                    \
  }
#define FEW_ROWS                                                               \
  {                                                                            \
    2, { 256, 6144 }, 0, .9                                                    \
  }
#define POSITIVE                                                               \
  {                                                                            \
    1, { 768 }, 0, .1                                                          \
  }
#define ROWS ONE (10000, 256), WHOLE (2048, 10000)

/* Names of loops by hand, and none.  */
#define BY(NAME)      bench_##NAME, bench_##NAME##_both
#define FORWARD(NAME) bench_##NAME, NULL
#define BY_NONE       NULL, NULL

#define SHORT 100

/* Rows of tensors-rows.def, and of folds of a table.  */
#define UNARY(NAME, CALL, LEAST, ...)                                          \
  { #NAME, { FROM (LEAST) }, 1, run_##NAME, BY (NAME), 0 },
#define BINARY(NAME, LEAST, ...)                                               \
  { #NAME, { FROM (LEAST), FROM (LEAST) }, 3, run_##NAME, BY (NAME), 0 },
#define COMPARE(NAME, ...)                                                     \
  { #NAME, { FROM (-1), FROM (-1) }, 0, run_##NAME, FORWARD (NAME), 0 },
#define BOTH             BITS, BITS
#define LOGIC(NAME, ...) { #NAME, { BOTH }, 0, run_##NAME, FORWARD (NAME), 0 },
#define FOLD(NAME, WORDS, CALL, IN)                                            \
  { WORDS, { IN }, 1, run_##NAME, BY (NAME), 0 },
#define FOUND(NAME, WORDS, CALL, IN)                                           \
  { WORDS, { IN }, 0, run_##NAME, FORWARD (NAME), 0 },

const bench_operation bench_operations[] = {
  { "add of 5", { FIVE, FIVE }, 0, run_add, BY_NONE, SHORT },
  { "mul of 5", { FIVE, FIVE }, 0, run_mul, BY_NONE, SHORT },
  { "relu of 5", { FIVE }, 0, run_relu, BY_NONE, SHORT },
  { "exp of 5", { FIVE }, 0, run_exp, BY_NONE, SHORT },
  { "sum of 5", { FIVE }, 0, run_sum, BY_NONE, SHORT },
  { "add", { LONG, LONG }, 3, run_add, BY (add), 0 },
  { "elementwise chain", { LONG, LONG }, 3, run_chain, BY (chain), 0 },
  { "sum of rows", { TABLE }, 1, run_sum_row, BY (sum_row), 0 },
  { "sum of columns", { TABLE }, 1, run_sum_column, BY (sum_column), 0 },
  { "softmax", { TABLE }, 1, run_softmax, BY (softmax), 0 },
  { "layer norm", { NORM }, 7, run_layer_norm, BY (layer_norm), 0 },
  { "batch norm",
    { NORM, ONE (768), ONE (768) },
    7,
    run_batch_norm,
    BY (batch_norm),
    0 },
  { "cross entropy",
    { TABLE, WHOLE (2048, 768) },
    1,
    run_entropy,
    BY (entropy),
    0 },
  { "linear 64x1000 to 100",
    { ONE (64, 1000), ONE (100, 1000), ONE (100) },
    7,
    run_linear,
    BY (linear),
    0 },
  { "matmul 512",
    { ONE (512, 512), ONE (512, 512) },
    3,
    run_matmul,
    BY (matmul),
    0 },
  { "16 matmuls 128",
    { ONE (16, 128, 128), ONE (16, 128, 128) },
    3,
    run_matmul,
    BY (matmuls),
    0 },
  { "conv2d 8x6x30x30 to 16",
    { ONE (8, 6, 30, 30), ONE (16, 6, 3, 3), ONE (16) },
    7,
    run_conv,
    BY (conv),
    0 },
  { "max pool 8x16x28x28", { ONE (8, 16, 28, 28) }, 1, run_pool, BY (pool), 0 },
  { "attention 8x128x64", { HEADS }, 7, run_attention, BY (attention), 0 },
  { "causal attention", { HEADS }, 7, run_causal, BY (causal), 0 },
  { "embedding", { ROWS }, 1, run_embedding, BY (rows), 0 },
  { "index rows", { ROWS }, 1, run_index, BY (rows), 0 },
  { "gru cell 32x128",
    { STATE, ONE (384, 128), ONE (384, 128), ONE (384), ONE (384) },
    63,
    run_gru,
    BY (gru),
    0 },
  { "lstm cell 32x128",
    { STATE, ONE (512, 128), ONE (512, 128), ONE (512), ONE (32, 128) },
    63,
    run_lstm,
    BY (lstm),
    0 },
  { "transposed copy 2048",
    { ONE (2048, 2048) },
    1,
    run_transposed,
    BY (transposed),
    0 },
#include "tensors-rows.def"
  { "where",
    { TRUTH (1 << 18), FROM (-1), FROM (-1) },
    6,
    run_where,
    BY (where),
    0 },
  { "mse", { LONG, LONG }, 3, run_mse, BY (mse), 0 },
  { "rms norm", { TABLE, ONE (768) }, 3, run_rms_norm, BY (rms_norm), 0 },
  { "batch norm in use",
    { NORM, ONE (768), POSITIVE },
    7,
    run_used_norm,
    BY (used_norm),
    0 },
  { "dropout", { FROM (-1) }, 1, run_dropout, BY (dropout), 0 },
  { "avg pool 8x16x28x28",
    { ONE (8, 16, 28, 28) },
    1,
    run_avg_pool,
    BY (avg_pool),
    0 },
  { "max pool 3x3, 2 apart",
    { ONE (8, 16, 29, 29) },
    1,
    run_wide_pool,
    BY (wide_pool),
    0 },
  { "conv2d 3x3, 2 apart",
    { ONE (8, 16, 28, 28), ONE (32, 16, 3, 3) },
    3,
    run_apart,
    BY (apart),
    0 },
  { "rnn cell 32x128",
    { STATE, ONE (128, 128), ONE (128, 128), ONE (128) },
    31,
    run_rnn,
    BY (rnn),
    0 },
  { 0 }
};
