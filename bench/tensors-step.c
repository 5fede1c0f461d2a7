/* Steps of training: a network of two layers, the network of
   examples/convnet.c, a GPT; gradients, and Adam or SGD.  The memory of a step
   is that of the step before.  Two trainings at once, by trm_fork and by
   threads, against one after the other.  And pruned layers against whole
   ones.  */

#include "tensors.h"

#include <omp.h>
#include <pthread.h>
#include <stdlib.h>

enum
{
  BATCH = 4,
  TEXT = 64,
  STEPS = 20
};

/* What a step needs.  layers, width, kinds: of a GPT.  */
typedef struct training
{
  trm_tensor *(*loss) (struct training *t);
  trm_model *model;
  trm_optimiser *optimiser;
  trm_tensor *x;
  trm_tensor *label;
  trm_tensor *place;
  int layers;
  int width;
  int kinds;
} training;

static void
step (void *context)
{
  training *t = context;
  trm_tape_open ();
  trm_backward (t->loss (t), NULL);
  trm_tape_close ();
  trm_step (t->optimiser, NULL);
}

static void
end (void *context)
{
  training *t = context;
  trm_optimiser_free (t->optimiser);
  trm_model_free (t->model);
  trm_drop (t->x);
  trm_drop (t->label);
  trm_drop (t->place);
  free (t);
}

/* A training by METHOD, without operands.  */
static training *
make (trm_tensor *(*loss) (training *t), trm_method method)
{
  trm_optimiser_settings settings = { .method = method, .rate = 1e-4 };
  training *t = calloc (1, sizeof *t);
  if (!t)
    return NULL;
  t->loss = loss;
  t->model = trm_model_new ((trm_random){ 1, 0 });
  t->optimiser = trm_optimiser_new (t->model, settings);
  return t;
}

static trm_tensor *
two_layers_loss (training *t)
{
  trm_tensor *y = trm_relu (trm_layer_linear (t->model, "hidden", t->x, 100));
  return trm_cross_entropy (trm_layer_linear (t->model, "out", y, 10),
                            t->label);
}

static void *
make_two_layers (void)
{
  trm_random random = { 2, 0 };
  training *t = make (two_layers_loss, TRM_SGD);
  t->x = trm_uniform (&random, TRM_F32, TRM_SHAPE (64, 1000), -1, 1);
  t->label = trm_integers (&random, TRM_SHAPE (64), 0, 10);
  return t;
}

static trm_tensor *
convnet_loss (training *t)
{
  trm_window none = { 0 };
  trm_model *m = t->model;
  trm_tensor *x = trm_relu (trm_layer_conv2d (m, "conv1", t->x, 6, 3, none));
  x = trm_max_pool2d (x, 2, none);
  x = trm_relu (trm_layer_conv2d (m, "conv2", x, 16, 3, none));
  x = trm_max_pool2d (x, 2, none);
  x = trm_reshape (x, TRM_SHAPE (-1, 16 * 6 * 6));
  x = trm_relu (trm_layer_linear (m, "full1", x, 120));
  x = trm_relu (trm_layer_linear (m, "full2", x, 84));
  return trm_cross_entropy (trm_layer_linear (m, "out", x, 10), t->label);
}

static void *
make_convnet (void)
{
  trm_random random = { 3, 0 };
  training *t = make (convnet_loss, TRM_SGD);
  t->x = trm_uniform (&random, TRM_F32, TRM_SHAPE (8, 1, 32, 32), -1, 1);
  t->label = trm_integers (&random, TRM_SHAPE (8), 0, 10);
  return t;
}

/* Block I of a GPT.  */
static trm_tensor *
block (training *t, trm_tensor *x, int i)
{
  static const char *const part[]
    = { "before", "mix", "between", "wide", "narrow" };
  char name[5][32];
  for (int p = 0; p < 5; p++)
    snprintf (name[p], sizeof name[p], "%d.%s", i, part[p]);
  trm_model *m = t->model;
  trm_tensor *y = trm_layer_layer_norm (m, name[0], x);
  x = trm_add (x, trm_layer_attention (m, name[1], y, t->width / 64, true));
  y = trm_layer_layer_norm (m, name[2], x);
  y = trm_gelu (trm_layer_linear (m, name[3], y, 4 * t->width));
  return trm_add (x, trm_layer_linear (m, name[4], y, t->width));
}

static trm_tensor *
gpt_loss (training *t)
{
  trm_model *m = t->model;
  trm_tensor *x
    = trm_add (trm_layer_embedding (m, "letter", t->x, t->kinds, t->width),
               trm_layer_embedding (m, "place", t->place, TEXT, t->width));
  for (int i = 0; i < t->layers; i++)
    x = block (t, x, i);
  x = trm_layer_linear (m, "out", trm_layer_layer_norm (m, "last", x),
                        t->kinds);
  return trm_cross_entropy (trm_reshape (x, TRM_SHAPE (-1, t->kinds)),
                            t->label);
}

/* A GPT of LAYERS blocks of WIDTH numbers over KINDS letters.  */
static void *
make_gpt (int layers, int width, int kinds)
{
  trm_random random = { 4, 0 };
  training *t = make (gpt_loss, TRM_ADAM);
  t->layers = layers;
  t->width = width;
  t->kinds = kinds;
  t->x = trm_integers (&random, TRM_SHAPE (BATCH, TEXT), 0, kinds);
  t->label = trm_integers (&random, TRM_SHAPE (BATCH * TEXT), 0, kinds);
  t->place = trm_arange (TRM_I64, 0, TEXT, 1);
  return t;
}

static void *
make_small_gpt (void)
{
  return make_gpt (4, 256, 256);
}

static void *
make_full_gpt (void)
{
  return make_gpt (12, 768, 50257);
}

/* Two trainings that share nothing.  */
typedef struct pair
{
  training *one[2];
} pair;

static void *
make_pair (void)
{
  pair *p = calloc (1, sizeof *p);
  for (int i = 0; p && i < 2; i++)
    p->one[i] = make_convnet ();
  return p;
}

static void
end_pair (void *context)
{
  pair *p = context;
  for (int i = 0; i < 2; i++)
    end (p->one[i]);
  free (p);
}

static trm_status
many_steps (void *argument, trm_tensor **result)
{
  (void) result;
  for (int i = 0; i < STEPS; i++)
    step (argument);
  return trm_error ();
}

static void *
run_alone (void *argument)
{
  omp_set_num_threads (1);
  many_steps (argument, NULL);
  return NULL;
}

static void
in_turn (void *context)
{
  pair *p = context;
  for (int i = 0; i < 2; i++)
    many_steps (p->one[i], NULL);
}

static void
forked (void *context)
{
  pair *p = context;
  trm_future *future[2];
  for (int i = 0; i < 2; i++)
    future[i] = trm_fork (many_steps, p->one[i]);
  for (int i = 0; i < 2; i++)
    trm_wait (future[i], NULL);
}

static void
threaded (void *context)
{
  pair *p = context;
  pthread_t thread[2];
  for (int i = 0; i < 2; i++)
    if (pthread_create (&thread[i], NULL, run_alone, p->one[i]))
      abort ();
  for (int i = 0; i < 2; i++)
    pthread_join (thread[i], NULL);
}

/* A layer of which SHARE is pruned, and the same one whole, on 500 rows: calls
   forward and backward.  */
typedef struct layers
{
  trm_model *pruned, *whole;
  trm_tensor *x, *seed;
} layers;

static trm_tensor *
run_layer (layers *l, trm_model *m)
{
  return trm_layer_linear (m, "l", l->x, 256);
}

static void *
make_layers (double share)
{
  trm_random random = { 5, 0 };
  layers *l = calloc (1, sizeof *l);
  if (!l)
    return NULL;
  l->pruned = trm_model_new (random);
  l->whole = trm_model_new (random);
  l->x = trm_uniform (&random, TRM_F32, TRM_SHAPE (500, 784), -1, 1);
  l->seed = trm_uniform (&random, TRM_F32, TRM_SHAPE (500, 256), -1, 1);
  trm_want_gradient (l->x);
  trm_drop (run_layer (l, l->pruned));
  trm_drop (run_layer (l, l->whole));
  trm_prune (l->pruned, "l.w", share);
  return l;
}

static void *
make_fifth (void)
{
  return make_layers (.8);
}

static void *
make_tenth (void)
{
  return make_layers (.9);
}

static void
call_layer (layers *l, trm_model *m)
{
  trm_tape_open ();
  trm_backward (run_layer (l, m), l->seed);
  trm_tape_close ();
  trm_forget_gradient (l->x);
  trm_forget_gradients (m);
}

static void
call_pruned (void *context)
{
  layers *l = context;
  call_layer (l, l->pruned);
}

static void
call_whole (void *context)
{
  layers *l = context;
  call_layer (l, l->whole);
}

static void
read_pruned (void *context)
{
  layers *l = context;
  trm_drop (run_layer (l, l->pruned));
}

static void
read_whole (void *context)
{
  layers *l = context;
  trm_drop (run_layer (l, l->whole));
}

static void
end_layers (void *context)
{
  layers *l = context;
  trm_model_free (l->pruned);
  trm_model_free (l->whole);
  trm_drop (l->x);
  trm_drop (l->seed);
  free (l);
}

const bench_task bench_steps[]
  = { { "two layers 64x1000-100-10", make_two_layers, NULL, step, NULL, end, 0,
        false },
      { "convnet, batch 8", make_convnet, NULL, step, NULL, end, 0, false },
      { "GPT 4x256, 4x64", make_small_gpt, NULL, step, NULL, end, 0, false },
      { "2 convnets, 20 steps, forked", make_pair, NULL, forked, in_turn,
        end_pair, 0, false },
      { "2 convnets, 20 steps, threads", make_pair, NULL, threaded, in_turn,
        end_pair, 0, false },
      { "layer 80 % pruned", make_fifth, NULL, read_pruned, read_whole,
        end_layers, 0, false },
      { "layer 80 % pruned, both", make_fifth, NULL, call_pruned, call_whole,
        end_layers, 0, false },
      { "layer 90 % pruned", make_tenth, NULL, read_pruned, read_whole,
        end_layers, 0, false },
      { "layer 90 % pruned, both", make_tenth, NULL, call_pruned, call_whole,
        end_layers, 0, false },
      { "GPT 12x768, 4x64", make_full_gpt, NULL, step, NULL, end, 0, true },
      { 0 } };
