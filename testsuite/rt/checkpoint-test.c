/* Checkpoints: training goes on as if it had not stopped, bit for bit.

   Ten steps, saved, loaded into a new model and optimiser, ten more steps: the
   same bits as twenty steps in one go, with dropout, batch norm, clipping,
   pruned and narrow weights, SGD and Adam.  A process that is killed while it
   saves leaves a whole file.  Files that do not fit change nothing.  */

#include "expect.h"

#include "trm-train.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char path[64];

/* A training run: what a program has before it makes its first weight.  */
typedef struct run
{
  trm_model *model;
  trm_optimiser *optimiser;
} run;

static run
begin_run (trm_optimiser_settings settings)
{
  run r = { .model = trm_model_new ((trm_random){ 11, 0 }) };
  r.optimiser = trm_optimiser_new (r.model, settings);
  return r;
}

static void
end_run (run *r)
{
  trm_optimiser_free (r->optimiser);
  trm_model_free (r->model);
}

/* The loss of step STEP, whose batch depends on STEP alone.  */
static trm_tensor *
loss_of (trm_model *m, int step)
{
  trm_random random = { 77, (uint64_t) step << 32 };
  trm_tensor *x = trm_normal (&random, TRM_F32, TRM_SHAPE (32, 20), 0, 1);
  trm_tensor *y = trm_normal (&random, TRM_F32, TRM_SHAPE (32, 3), 0, 1);
  x = trm_relu (trm_layer_linear (m, "a", x, 40));
  x = trm_layer_batch_norm (m, "norm", x);
  x = trm_layer_dropout (m, x, 0.3);
  x = trm_tanh (trm_layer_linear (m, "b", x, 30));
  return trm_mse (trm_layer_linear (m, "c", x, 3), y);
}

/* Steps FROM to TO - 1 of R.  */
static bool
train (run *r, int from, int to)
{
  bool good = true;
  for (int step = from; step < to && good; step++)
    {
      trm_tape_open ();
      trm_tensor *loss = loss_of (r->model, step);
      good = loss && !trm_backward (loss, NULL);
      trm_tape_close ();
      if (step == 4)
        trm_optimiser_rate (r->optimiser, 0.004);
      good = good && !trm_step (r->optimiser, NULL);
    }
  if (!good)
    printf ("# %s\n", trm_message ());
  return good;
}

/* Whether A and B have the same names with the same bits.  */
static bool
is_same (trm_model *a, trm_model *b)
{
  trm_names *x = trm_model_names (a), *y = trm_model_names (b);
  bool same = trm_names_count (x) == trm_names_count (y);
  for (int i = 0; i < trm_names_count (x) && same; i++)
    {
      trm_tensor *s = trm_names_at (x, i), *t = trm_names_at (y, i);
      same = strcmp (trm_names_name (x, i), trm_names_name (y, i)) == 0
             && s->type == t->type && trm_same_shape (s, t)
             && trm_wants_gradient (s) == trm_wants_gradient (t)
             && memcmp (s->at, t->at,
                        (size_t) trm_count (s) * trm_type_bytes (s->type))
                  == 0;
    }
  return same;
}

typedef enum kind
{
  PLAIN,
  PRUNED,
  NARROW
} kind;

/* Whether the first two weights of MODEL lie side by side, as layers make
   them.  */
static bool
lie_side_by_side (trm_model *model)
{
  const trm_tensor *w = trm_names_at (trm_model_names (model), 0);
  const trm_tensor *b = trm_names_at (trm_model_names (model), 1);
  return w && b && (const float *) w->at + trm_count (w) == b->at;
}

/* What of WHAT happens to R after step 5.  */
static bool
change (run *r, kind what)
{
  if (what == NARROW)
    return !trm_model_narrow (r->model);
  return what == PLAIN || !trm_prune (r->model, "b.w", 0.9);
}

static void
test_restart (const char *name, trm_optimiser_settings settings, kind what)
{
  run whole = begin_run (settings), first = begin_run (settings);
  settings.rate *= 3;
  run second = begin_run (settings), third = begin_run (settings);
  int64_t step = 0;
  bool good
    = train (&whole, 0, 5) && change (&whole, what) && train (&whole, 5, 20);
  good = good && train (&first, 0, 5) && change (&first, what)
         && train (&first, 5, 10)
         && !trm_checkpoint_save (path, first.model, first.optimiser, 10);
  good = good
         && !trm_checkpoint_load (path, second.model, second.optimiser, &step)
         && is_same (first.model, second.model) && step == 10
         && (what == NARROW || lie_side_by_side (second.model));
  end_run (&first);
  good = good && train (&second, 10, 20);
  expect (good && is_same (whole.model, second.model),
          "%s: 10 steps, saved, loaded, and 10 more are 20", name);
  good = good && train (&third, 0, 3);
  trm_tensor *w = trm_names_get (trm_model_names (third.model), "a.w");
  const void *at = w ? w->at : NULL;
  good = good && !trm_checkpoint_load (path, third.model, third.optimiser, NULL)
         && w == trm_names_get (trm_model_names (third.model), "a.w")
         && (what == NARROW || w->at == at) && train (&third, 10, 20);
  expect (good && is_same (whole.model, third.model),
          "%s: loaded into a model that has weights, too", name);
  if (!good)
    printf ("# %s\n", trm_message ());
  end_run (&whole);
  end_run (&second);
  end_run (&third);
}

/* Save models whose one weight is full of the number of the save, again and
   again, until the process is killed.  */
static void
save_for_ever (void)
{
  trm_model *m = trm_model_new ((trm_random){ 1, 0 });
  trm_tensor *w = trm_zeros (TRM_F32, TRM_SHAPE (300000));
  trm_names_put (trm_model_names (m), "w", trm_want_gradient (w));
  for (int64_t step = 1;; step++)
    {
      trm_fill (w, (double) step);
      trm_checkpoint_save (path, m, NULL, step);
    }
}

/* Whether the file is a whole one of save_for_ever.  */
static bool
is_whole (void)
{
  trm_model *m = trm_model_new ((trm_random){ 1, 0 });
  int64_t step = 0;
  bool good = !trm_checkpoint_load (path, m, NULL, &step) && step > 0;
  trm_tensor *w = good ? trm_names_get (trm_model_names (m), "w") : NULL;
  for (int64_t i = 0; i < 300000 && good; i++)
    good = ((float *) w->at)[i] == (float) step;
  if (!good)
    printf ("# %s\n", trm_message ());
  trm_model_free (m);
  return good;
}

static void
remove_left (pid_t child)
{
  char name[96];
  snprintf (name, sizeof name, "%s.tmp-%d", path, (int) child);
  unlink (name);
}

static void
test_kill (void)
{
  bool good = true;
  int left = 0;
  for (int i = 0; i < 8 && good; i++)
    {
      pid_t child = fork ();
      if (child == 0)
        save_for_ever ();
      for (int wait = 0; wait < 2000 && access (path, R_OK); wait++)
        nanosleep (&(struct timespec){ .tv_nsec = 1000000 }, NULL);
      nanosleep (&(struct timespec){ .tv_nsec = 3000000 + i * 1700000 }, NULL);
      kill (child, SIGKILL);
      waitpid (child, NULL, 0);
      char name[96];
      snprintf (name, sizeof name, "%s.tmp-%d", path, (int) child);
      left += access (name, F_OK) == 0;
      remove_left (child);
      good = is_whole ();
    }
  printf ("# %d of 8 were killed in the middle of saving\n", left);
  expect (good, "a process killed while saving leaves a whole file");
  unlink (path);
}

/* The first BYTES of the file as a file.  */
static bool
cut_file (long bytes)
{
  return truncate (path, bytes) == 0;
}

static void
test_failures (void)
{
  trm_optimiser_settings sgd = { .rate = 0.01, .momentum = 0.9 };
  trm_optimiser_settings adam = { .method = TRM_ADAM, .rate = 0.01 };
  run r = begin_run (sgd), other = begin_run (adam), same = begin_run (sgd);
  bool good = train (&r, 0, 2) && train (&same, 0, 2)
              && !trm_checkpoint_save (path, r.model, r.optimiser, 2);
  expect (good && trm_checkpoint_load (path, other.model, other.optimiser, NULL)
            && expect_failed (TRM_BAD_FILE, "method")
            && trm_names_count (trm_model_names (other.model)) == 0,
          "another method's file fails");
  trm_scope_open ();
  trm_layer_linear (other.model, "b", trm_zeros (TRM_F32, TRM_SHAPE (1, 8)), 9);
  expect (trm_checkpoint_load (path, other.model, NULL, NULL)
            && strstr (trm_message (), "[30, 40]")
            && expect_failed (TRM_BAD_SHAPE, "[9, 8]")
            && trm_names_count (trm_model_names (other.model)) == 2,
          "another shape fails, with both, and changes nothing");
  trm_layer_linear (r.model, "more", trm_zeros (TRM_F32, TRM_SHAPE (1, 8)), 9);
  trm_scope_close ();
  expect (trm_checkpoint_load (path, r.model, NULL, NULL)
            && expect_failed (TRM_BAD_FILE, "more.w"),
          "a weight that the file lacks is named");
  good = cut_file (3000);
  expect (good && trm_checkpoint_load (path, same.model, same.optimiser, NULL)
            && trm_error () == TRM_BAD_FILE && train (&same, 2, 3),
          "a file that was cut fails");
  trm_forget_error ();
  unlink (path);
  expect (trm_checkpoint_load (path, same.model, NULL, NULL)
            && trm_error () == TRM_NO_FILE,
          "a file that is not there fails");
  trm_names *names = trm_names_new ();
  good = !trm_safetensors_write (path, names, "something else");
  expect (good && trm_checkpoint_load (path, same.model, NULL, NULL)
            && expect_failed (TRM_BAD_FILE, "not a checkpoint"),
          "another safetensors file is no checkpoint");
  trm_names_free (names);
  unlink (path);
  end_run (&r);
  end_run (&other);
  end_run (&same);
}

int
main (void)
{
  trm_optimiser_settings sgd
    = { .rate = 0.01, .momentum = 0.9, .clip = 0.5, .decay = 0.01 };
  trm_optimiser_settings adam
    = { .method = TRM_ADAM, .rate = 0.01, .clip = 0.5, .decay = 0.01 };
  snprintf (path, sizeof path, "checkpoint-test-%d.safetensors",
            (int) getpid ());
  test_kill ();
  test_restart ("sgd", sgd, PLAIN);
  test_restart ("adam", adam, PLAIN);
  test_restart ("adam, pruned", adam, PRUNED);
  test_restart ("adam, narrow", adam, NARROW);
  test_restart ("sgd, narrow", sgd, NARROW);
  test_failures ();
  unlink (path);
  return expect_status ();
}
