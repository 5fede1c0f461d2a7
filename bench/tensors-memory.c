/* What is a matter of memory alone: random numbers, dropout, optimisers,
   files.  The files are sparse: holes that read as 0.  */

#include "tensors.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
  MANY = 16 << 20,
  SOME = 1 << 20,
  PARTS = 200,
  PART = 1000,
  SMALL_PART = 16,
  READ = 32 << 20
};

#define NPY         "tensors-bench.npy"
#define SAFETENSORS "tensors-bench.safetensors"
#define GIGABYTE    (1 << 30)

/* Operands: a tensor, a state, weights and what steps them; ALONE: as many
   weights, each with an optimiser of its own, PARTS of them, or NULL; HAND:
   a weight, its gradient and its states for loops by hand, that are in step
   STEP.  */
typedef struct operands
{
  trm_tensor *x;
  trm_random random;
  trm_model *model;
  trm_optimiser *optimiser;
  trm_tensor *seed;
  struct operands **alone;
  float *hand[4];
  int step;
} operands;

static void
end (void *context)
{
  operands *o = context;
  for (int i = 0; o->alone && i < PARTS; i++)
    end (o->alone[i]);
  free (o->alone);
  for (int k = 0; k < 4; k++)
    free (o->hand[k]);
  trm_drop (o->x);
  trm_drop (o->seed);
  trm_optimiser_free (o->optimiser);
  trm_model_free (o->model);
  free (o);
  unlink (NPY);
  unlink (SAFETENSORS);
}

static void *
make_random (void)
{
  operands *o = calloc (1, sizeof *o);
  if (o)
    o->x = trm_full (TRM_F32, TRM_SHAPE (MANY), 1);
  return o;
}

static void
draw_normal (void *context)
{
  operands *o = context;
  trm_drop (trm_normal (&o->random, TRM_F32, TRM_SHAPE (MANY), 0, 1));
}

static void
drop_out (void *context)
{
  operands *o = context;
  trm_drop (trm_dropout (o->x, 0.1, &o->random));
}

/* N weights of SIZE, which the model makes, stepped as SETTINGS say.  */
static void *
make_stepped (int n, int64_t size, trm_optimiser_settings settings)
{
  operands *o = calloc (1, sizeof *o);
  if (!o)
    return NULL;
  o->model = trm_model_new (o->random);
  o->seed = trm_full (TRM_F32, TRM_SHAPE (size), 0.01);
  for (int i = 0; i < n; i++)
    {
      char name[16];
      snprintf (name, sizeof name, "%d", i);
      trm_drop (trm_layer_rms_norm (o->model, name, o->seed));
    }
  settings.rate = 1e-4;
  o->optimiser = trm_optimiser_new (o->model, settings);
  return o;
}

static void *
make_weights (int n, int64_t size)
{
  return make_stepped (n, size, (trm_optimiser_settings){ .method = TRM_ADAM });
}

/* A weight of SOME, and the same for loops by hand.  */
static void *
make_beside (trm_optimiser_settings settings)
{
  operands *o = make_stepped (1, SOME, settings);
  for (int k = 0; k < 4; k++)
    {
      o->hand[k] = malloc (SOME * sizeof (float));
      for (int64_t i = 0; i < SOME; i++)
        o->hand[k][i] = .01f;
    }
  return o;
}

static void *
make_sgd (void)
{
  return make_beside ((trm_optimiser_settings){ .method = TRM_SGD });
}

static void *
make_momentum (void)
{
  return make_beside (
    (trm_optimiser_settings){ .method = TRM_SGD, .momentum = .9 });
}

static void *
make_adamw (void)
{
  return make_beside (
    (trm_optimiser_settings){ .method = TRM_ADAM, .decay = .01 });
}

static void *
make_one_weight (void)
{
  return make_weights (1, MANY);
}

static void *
make_many_weights (void)
{
  return make_weights (PARTS, PART);
}

/* Weights of SIZE, and as many that are alone.  */
static void *
make_alone (int64_t size)
{
  operands *o = make_weights (PARTS, size);
  o->alone = calloc (PARTS, sizeof *o->alone);
  for (int i = 0; i < PARTS; i++)
    o->alone[i] = make_weights (1, size);
  return o;
}

static void *
make_many_alone (void)
{
  return make_alone (PART);
}

static void *
make_small_alone (void)
{
  return make_alone (SMALL_PART);
}

/* Each weight gets a gradient.  */
static void
give_gradients (void *context)
{
  operands *o = context;
  for (int i = 0; o->alone && i < PARTS; i++)
    give_gradients (o->alone[i]);
  trm_names *names = trm_model_names (o->model);
  trm_forget_gradients (o->model);
  trm_tape_open ();
  for (int i = 0; i < trm_names_count (names); i++)
    trm_backward (trm_affine (trm_names_at (names, i), 1, 0), o->seed);
  trm_tape_close ();
}

static void
step (void *context)
{
  operands *o = context;
  trm_step (o->optimiser, NULL);
}

/* A step of each weight that is alone, a call each.  */
static void
step_alone (void *context)
{
  operands *o = context;
  for (int i = 0; i < PARTS; i++)
    step (o->alone[i]);
}

static void
sgd_by_hand (void *context)
{
  operands *o = context;
  bench_sgd (SOME, o->hand[0], o->hand[1]);
}

static void
momentum_by_hand (void *context)
{
  operands *o = context;
  bench_momentum (SOME, o->hand[0], o->hand[1], o->hand[2]);
}

static void
adamw_by_hand (void *context)
{
  operands *o = context;
  bench_adamw (SOME, o->hand[0], o->hand[1], o->hand[2], o->hand[3], ++o->step);
}

/* Three operations on each weight, a call each.  */
static void
call_three (void *context)
{
  operands *o = context;
  trm_names *names = trm_model_names (o->model);
  for (int i = 0; i < trm_names_count (names); i++)
    {
      trm_tensor *w = trm_names_at (names, i);
      trm_scope_open ();
      trm_sub (w, trm_mul (o->seed, trm_add (w, o->seed)));
      trm_scope_close ();
    }
}

/* PATH becomes HEAD of BYTES, and a hole of LENGTH.  */
static bool
make_sparse (const char *path, const char *head, size_t bytes, int64_t length)
{
  FILE *file = fopen (path, "wb");
  bool made = file && fwrite (head, 1, bytes, file) == bytes
              && fflush (file) == 0
              && ftruncate (fileno (file), (off_t) bytes + length) == 0;
  return file && fclose (file) == 0 && made;
}

/* An .npy of N numbers of BYTES each.  */
static void *
make_npy (int64_t n, int bytes)
{
  char head[129] = "\x93NUMPY\x01";
  head[8] = 118;
  memset (head + 10, ' ', 118);
  int used = snprintf (head + 10, 118,
                       "{'descr': '<f%d', 'fortran_order': False, "
                       "'shape': (%lld,), }",
                       bytes, (long long) n);
  head[10 + used] = ' ';
  head[127] = '\n';
  return make_sparse (NPY, head, 128, n * bytes) ? calloc (1, sizeof (operands))
                                                 : NULL;
}

static void *
make_large_npy (void)
{
  return make_npy (GIGABYTE / 4, 4);
}

static void *
make_half_npy (void)
{
  return make_npy (READ, 2);
}

static void *
make_float_npy (void)
{
  return make_npy (READ, 4);
}

static void *
make_safetensors (void)
{
  char head[128] = "";
  int used = snprintf (head + 8, 120,
                       "{\"w\":{\"dtype\":\"F32\",\"shape\":[%d],"
                       "\"data_offsets\":[0,%d]}}",
                       GIGABYTE / 4, GIGABYTE);
  head[8 + used] = ' ';
  memset (head + 8 + used, ' ', (size_t) (120 - used));
  head[0] = 120;
  return make_sparse (SAFETENSORS, head, 128, GIGABYTE)
           ? calloc (1, sizeof (operands))
           : NULL;
}

static void
open_npy (void *context)
{
  (void) context;
  trm_drop (trm_npy_read (NPY));
}

static void
open_safetensors (void *context)
{
  (void) context;
  trm_names_free (trm_safetensors_read (SAFETENSORS));
}

static void
read_cast (void *context)
{
  (void) context;
  trm_scope_open ();
  trm_cast (trm_npy_read (NPY), TRM_F32);
  trm_scope_close ();
}

static void
read_copy (void *context)
{
  (void) context;
  trm_scope_open ();
  trm_copy (trm_npy_read (NPY));
  trm_scope_close ();
}

const bench_task bench_memory[]
  = { { "normal, 16 M", make_random, NULL, draw_normal, NULL, end, 4.0 * MANY,
        false },
      { "dropout, 16 M", make_random, NULL, drop_out, NULL, end, 8.0 * MANY,
        false },
      { "Adam, 16 M", make_one_weight, give_gradients, step, NULL, end,
        28.0 * MANY, false },
      { "SGD, 1 M", make_sgd, give_gradients, step, sgd_by_hand, end, 0,
        false },
      { "SGD with momentum, 1 M", make_momentum, give_gradients, step,
        momentum_by_hand, end, 0, false },
      { "AdamW, 1 M", make_adamw, give_gradients, step, adamw_by_hand, end, 0,
        false },
      { "Adam, 200 of 1,000", make_many_weights, give_gradients, step, NULL,
        end, 28.0 * PARTS *PART, false },
      { "Adam, 200 of 16, steps", make_small_alone, give_gradients, step,
        step_alone, end, 0, false },
      { "Adam, 200 of 1,000, steps", make_many_alone, give_gradients, step,
        step_alone, end, 0, false },
      { "Adam, 200, calls of three", make_many_weights, give_gradients, step,
        call_three, end, 0, false },
      { "open 1 GB .npy", make_large_npy, NULL, open_npy, NULL, end, 0, false },
      { "open 1 GB .safetensors", make_safetensors, NULL, open_safetensors,
        NULL, end, 0, false },
      { "read 32 M f16 as f32", make_half_npy, NULL, read_cast, NULL, end,
        6.0 * READ, false },
      { "read 32 M f32", make_float_npy, NULL, read_copy, NULL, end, 8.0 * READ,
        false },
      { 0 } };
