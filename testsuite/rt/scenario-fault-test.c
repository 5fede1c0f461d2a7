/* Whole programs while memory ends: two steps of training, a checkpoint written
   and read, a loader with and without threads, a tensor printed.  Each
   allocation fails in turn, of malloc and its kin, and of tensors by the limit
   on their memory: the program is told, ends what it began, and nothing is
   lost.  */

#include <fcntl.h>
#include <omp.h>
#include <unistd.h>

#include "failing.h"

#include "expect.h"

static char path[64];
static FILE *nowhere;

/* Learn in two steps; whether that was done.  */
static bool
learn (trm_model *m, trm_optimiser *o)
{
  trm_random random = { 3, 0 };
  bool done = m && o;
  for (int i = 0; i < 2 && done; i++)
    {
      if (trm_tape_open ())
        return false;
      trm_tensor *x
        = trm_normal (&random, TRM_F32, TRM_SHAPE (4, 1, 8, 8), 0, 1);
      trm_tensor *y = trm_integers (&random, TRM_SHAPE (4), 0, 3);
      x = trm_relu (trm_layer_conv2d (m, "c", x, 2, 3, (trm_window){ 0 }));
      x = trm_layer_batch_norm (m, "n",
                                trm_max_pool2d (x, 2, (trm_window){ 0 }));
      x = trm_layer_dropout (m, trm_reshape (x, TRM_SHAPE (4, 18)), 0.2);
      x = trm_cross_entropy (trm_layer_linear (m, "l", x, 3), y);
      done = x && !trm_backward (x, NULL);
      trm_tape_close ();
      done = done && !trm_step (o, NULL);
    }
  return done;
}

static trm_optimiser_settings adam
  = { TRM_ADAM, .rate = 0.01, .decay = 0.01, .clip = 1 };

/* A program that learns, and writes a checkpoint where SAVES.  */
static bool
learn_anew (bool saves)
{
  trm_model *m = trm_model_new ((trm_random){ 1, 0 });
  trm_optimiser *o = m ? trm_optimiser_new (m, adam) : NULL;
  bool done = learn (m, o) && (!saves || !trm_checkpoint_save (path, m, o, 2));
  trm_optimiser_free (o);
  trm_model_free (m);
  return done;
}

static bool
run_steps (void)
{
  return learn_anew (false);
}

static bool
run_save (void)
{
  return learn_anew (true);
}

static bool
run_load (void)
{
  trm_model *m = trm_model_new ((trm_random){ 1, 0 });
  trm_optimiser *o = m ? trm_optimiser_new (m, adam) : NULL;
  bool done = o && !trm_checkpoint_load (path, m, o, NULL) && learn (m, o);
  trm_optimiser_free (o);
  trm_model_free (m);
  return done;
}

static trm_status
read_example (void *context, int64_t index, int64_t row, trm_tensor **out)
{
  (void) context;
  return trm_set (out[0], TRM_SHAPE (row, 1), (double) index);
}

/* Two epochs of a loader with THREADS.  */
static bool
go_through (int threads)
{
  trm_source source = { .count = 10,
                        .read = read_example,
                        .n_out = 1,
                        .out = { { TRM_F32, 1, { 2 } } } };
  trm_loader *l = trm_loader_new (
    source,
    (trm_loader_settings){ .batch = 3, .shuffle = true, .threads = threads });
  trm_tensor *out[1];
  int batches = 0;
  bool done = l != NULL;
  for (int epoch = 0; epoch < 2 && done; epoch++)
    {
      done = !trm_loader_begin (l, epoch);
      while (done && trm_loader_next (l, out))
        batches++;
      done = done && !trm_error ();
    }
  trm_loader_free (l);
  return done && batches == 8;
}

static bool
run_loader (void)
{
  return go_through (0);
}

static bool
run_threads (void)
{
  return go_through (2);
}

static bool
run_print (void)
{
  if (trm_scope_open ())
    return false;
  trm_tensor *x = trm_linspace (TRM_F64, 0, 1, 60);
  trm_tensor *y = trm_reshape (x, TRM_SHAPE (3, 4, 5));
  if (y)
    trm_print (nowhere, y);
  trm_scope_close ();
  return y && !trm_error ();
}

/* The next descriptor that open would give.  */
static int
next_descriptor (void)
{
  int file = open ("/dev/null", O_RDONLY);
  close (file);
  return file;
}

/* Run RUN with the N-th allocation failing, or with room for N bytes of tensors
   where OF_TENSORS; whether it was done is *DONE.  Whether it was told what was
   wrong, and lost nothing.  */
static bool
fail_once (bool (*run) (void), bool of_tensors, long n, bool *done)
{
  int descriptor = next_descriptor ();
  long before = live;
  int64_t bytes = trm_memory_now ().bytes;
  trm_forget_error ();
  if (of_tensors)
    trm_memory_limit (bytes + n);
  else
    countdown = n;
  *done = run ();
  bool reached = !of_tensors && countdown == 0;
  countdown = 0;
  trm_memory_limit (0);
  bool told = *done || trm_error () == TRM_NO_MEMORY;
  bool kept = live == before && trm_memory_now ().bytes == bytes
              && next_descriptor () == descriptor;
  if (!told || !kept)
    printf ("  %ld: %d %s, %ld blocks and %ld bytes\n", n, *done,
            trm_message (), live - before,
            (long) (trm_memory_now ().bytes - bytes));
  *done = *done && !reached;
  return told && kept;
}

/* Let each allocation of RUN fail in turn.  */
static void
fail_all (const char *name, bool (*run) (void), bool of_tensors)
{
  bool all = true, done = false;
  int times = 0;
  if (!CAN_FAIL && !of_tensors)
    return;
  for (int i = 0; i < 3; i++)
    all &= run ();
  for (long n = 1; n < 100000 && !done; n += of_tensors ? 64 : 1, times++)
    all &= fail_once (run, of_tensors, n, &done);
  expect (all && done && times > 1, "%s: any of %d %s may fail", name, times,
          of_tensors ? "limits of memory" : "allocations");
}

int
main (void)
{
  static const struct
  {
    const char *name;
    bool (*run) (void);
  } programs[] = { { "steps of training", run_steps },
                   { "a checkpoint is written", run_save },
                   { "a checkpoint is read", run_load },
                   { "a loader", run_loader },
                   { "a loader of two threads", run_threads },
                   { "printing", run_print } };
  omp_set_num_threads (1);
  snprintf (path, sizeof path, "scenario-%d.safetensors", (int) getpid ());
  nowhere = fopen ("/dev/null", "w");
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
    {
      fail_all (programs[i].name, programs[i].run, false);
      fail_all (programs[i].name, programs[i].run, true);
    }
  fclose (nowhere);
  unlink (path);
  return expect_status ();
}
