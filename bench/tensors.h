/* What the files of the measurements of the library of tensors share.  */

#ifndef BENCH_TENSORS_H
#define BENCH_TENSORS_H

#include <tensorrt-mini.h>

enum
{
  BENCH_INPUTS = 7,
  BENCH_AXES = 4
};

/* An operation as loops by hand see it: arrays of single precision.

   in      its inputs, extent[i] their extents; in place of in[i] index[i]
           where input i holds whole numbers, truth[i] where it is of bool
   out     the result, of whatever type it is
   seed    the gradient of the result
   gain    the gradient of each input that wants one, to be set, else NULL
   spare   BENCH_SPARE numbers for whatever is needed between  */
#define BENCH_SPARE (4 << 20)
typedef struct bench_arrays
{
  const float *in[BENCH_INPUTS];
  const int64_t *index[BENCH_INPUTS];
  const uint8_t *truth[BENCH_INPUTS];
  const int64_t *extent[BENCH_INPUTS];
  float *out;
  const float *seed;
  float *gain[BENCH_INPUTS];
  float *spare;
} bench_arrays;

/* An input: rank 0 behind the last one; whole numbers below KINDS where this
   is not 0, bool where it is BENCH_TRUTH, else numbers from LEAST to 1, where
   LEAST is 0 from -1.  */
#define BENCH_TRUTH (-1)
typedef struct bench_input
{
  int rank;
  int64_t extent[BENCH_AXES];
  int64_t kinds;
  double least;
} bench_input;

/* An operation.  wants: bits of the inputs whose gradients are taken.  hand
   sets the result, hand_both the gradients, too; NULL where there is nothing
   to compare with.  most_ns: what a call is to take at most, or 0.  */
typedef struct bench_operation
{
  const char *name;
  bench_input in[BENCH_INPUTS];
  unsigned wants;
  trm_tensor *(*run) (trm_tensor **in);
  void (*hand) (const bench_arrays *a);
  void (*hand_both) (const bench_arrays *a);
  double most_ns;
} bench_operation;

/* Something longer.  make gives what the others get, or NULL; before runs,
   untimed, in front of each call (may be NULL).  other: what a call is held
   against: NULL is a copy that reads and writes BYTES, or nothing where these
   are 0.  is_full: only where all is asked for.  */
typedef struct bench_task
{
  const char *name;
  void *(*make) (void);
  void (*before) (void *context);
  void (*call) (void *context);
  void (*other) (void *context);
  void (*end) (void *context);
  double bytes;
  bool is_full;
} bench_task;

/* tensors-operation.c, tensors-step.c, tensors-memory.c; name is NULL behind
   the last one.  */
extern const bench_operation bench_operations[];
extern const bench_task bench_steps[];
extern const bench_task bench_memory[];

/* tensors-{element,rows,folds,columns,product,window,network}.c, compiled by
   gcc -O3 -march=native -ffast-math: loops on one thread.  bench_NAME sets the
   result, bench_NAME_both the gradients, too, where there are such.  */
#define BENCH_HAND(NAME)                                                       \
  extern void bench_##NAME (const bench_arrays *a);                            \
  extern void bench_##NAME##_both (const bench_arrays *a);
BENCH_HAND (add)
BENCH_HAND (chain)
BENCH_HAND (sum_row)
BENCH_HAND (sum_column)
BENCH_HAND (softmax)
BENCH_HAND (layer_norm)
BENCH_HAND (batch_norm)
BENCH_HAND (entropy)
BENCH_HAND (linear)
BENCH_HAND (matmul)
BENCH_HAND (matmuls)
BENCH_HAND (conv)
BENCH_HAND (pool)
BENCH_HAND (attention)
BENCH_HAND (causal)
BENCH_HAND (rows)
BENCH_HAND (gru)
BENCH_HAND (lstm)
BENCH_HAND (transposed)
BENCH_HAND (where)
BENCH_HAND (mse)
BENCH_HAND (rms_norm)
BENCH_HAND (avg_pool)
BENCH_HAND (wide_pool)
BENCH_HAND (apart)
BENCH_HAND (used_norm)
BENCH_HAND (dropout)
BENCH_HAND (rnn)
#define UNARY(name, ...) BENCH_HAND (name)
#define BINARY           UNARY
#define COMPARE          UNARY
#define LOGIC            UNARY
#define FOLD             UNARY
#define FOUND            UNARY
#include "tensors-rows.def"
#undef BENCH_HAND

/* tensors-step-hand.c, compiled the same way: a step of N weights W with
   gradients G, at rate 1e-4: SGD, with momentum .9 and velocities M, AdamW with
   its means M and S, in step STEP, from 1 on, with a decay of .01.  */
extern void bench_sgd (int64_t n, float *w, const float *g);
extern void bench_momentum (int64_t n, float *w, const float *g, float *m);
extern void bench_adamw (int64_t n, float *w, const float *g, float *m,
                         float *s, int step);

#endif
