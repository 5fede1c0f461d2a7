/* Training in several processes, started by mpirun with any number of ranks
   that divides 8; rank 0 tells.

   A two-layer network in f64 learns the same, within 1e-12, as in one process
   on the whole batch, by hooks and by marks, with parts held; all ranks have
   the same bits, in each run; gradients that only some ranks have; models that
   differ; weights used before their mark.

   With the argument "die" or "stop" the last rank ends, or sleeps, in the
   middle: the others fail within the limit, with a message.  */

#include "claim.h"

#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROWS  16
#define STEPS 20

static int spreads;
static int spreads_seen;

/* Count what sets out.  */
int
MPI_Ialltoall (const void *from, int n_from, MPI_Datatype from_type, void *to,
               int n_to, MPI_Datatype to_type, MPI_Comm comm,
               MPI_Request *request)
{
  spreads++;
  return PMPI_Ialltoall (from, n_from, from_type, to, n_to, to_type, comm,
                         request);
}

/* How a network is trained.

   alone   by this process, with the whole batch
   marked  layers are marked
   parts   that the batch is computed in, one after the other
   held    all but the last one  */
typedef struct way
{
  bool alone;
  bool marked;
  int parts;
  bool held;
  bool narrow;
  trm_type type;
  trm_method method;
} way;

/* Note what has set out by now.  */
static trm_tensor *
look (trm_tensor *gradient, void *context)
{
  (void) gradient;
  (void) context;
  spreads_seen = spreads;
  return NULL;
}

/* The loss of rows BEGIN to END of X and Y.  */
static trm_tensor *
loss_of (trm_model *m, trm_parallel *p, trm_tensor *x, trm_tensor *y)
{
  trm_tensor *h = trm_relu (trm_layer_linear (m, "one", x, 40));
  if (trm_wants_gradient (h))
    trm_hook (h, look, NULL);
  if (p)
    h = trm_parallel_layer (p, "two", h);
  return trm_mse (trm_layer_linear (m, "two", h, 3), y);
}

/* One backward over part I of N of X and Y, weighted so that the parts of a
   rank's batch add up to its mean.  */
static trm_status
walk_part (trm_model *m, trm_parallel *p, trm_tensor **xy, int i, const way *w)
{
  int size = w->alone ? 1 : trm_parallel_size ();
  int rank = w->alone ? 0 : trm_parallel_rank ();
  int rows = ROWS / size / w->parts;
  int begin = rank * (ROWS / size) + i * rows;
  trm_tape_open ();
  trm_tensor *x = trm_slice (xy[0], 0, begin, begin + rows, 1);
  trm_tensor *y = trm_slice (xy[1], 0, begin, begin + rows, 1);
  trm_tensor *loss = loss_of (m, w->marked ? p : NULL, x, y);
  trm_tensor *weight = loss ? trm_number (loss->type, 1.0 / w->parts) : NULL;
  trm_status status = trm_backward (trm_mul (loss, weight), NULL);
  trm_tape_close ();
  return status;
}

/* A model of SEED trained as W says for some steps; the caller's.  */
static trm_model *
train (uint64_t seed, const way *w)
{
  trm_scope_open ();
  trm_random random = { 7, 0 };
  trm_tensor *xy[]
    = { trm_normal (&random, w->type, TRM_SHAPE (ROWS, 12), 0, 1),
        trm_normal (&random, w->type, TRM_SHAPE (ROWS, 3), 0, 1) };
  trm_model *m = trm_model_new ((trm_random){ seed, 0 });
  loss_of (m, NULL, xy[0], xy[1]);
  trm_status status = w->alone ? TRM_OK : trm_parallel_model (m);
  if (w->narrow && !status)
    status = trm_model_narrow (m);
  trm_parallel *p
    = w->alone ? NULL
               : trm_parallel_gradients (m, (trm_parallel_settings){ 1024 });
  trm_optimiser *o = trm_optimiser_new (
    m, (trm_optimiser_settings){ .method = w->method, .rate = 0.05 });
  for (int step = 0; step < STEPS && !status; step++)
    {
      for (int i = 0; i < w->parts && !status; i++)
        {
          trm_parallel_hold (p, w->held && i < w->parts - 1);
          status = walk_part (m, p, xy, i, w);
        }
      if (!status && p)
        status = trm_parallel_wait (p);
      if (!status)
        status = trm_step (o, NULL);
    }
  trm_optimiser_free (o);
  trm_parallel_free (p);
  trm_scope_close ();
  if (status)
    printf ("# %s\n", trm_message ());
  return m;
}

/* Whether A and B have the same weights, within BOUND.  */
static bool
are_close (trm_model *a, trm_model *b, double bound)
{
  const trm_names *x = trm_model_names (a), *y = trm_model_names (b);
  bool good = trm_names_count (x) == 4 && trm_names_count (y) == 4;
  for (int i = 0; i < 4 && good; i++)
    good = expect_close (trm_names_at (x, i), trm_names_at (y, i), bound);
  return good;
}

/* Training by WAY, against REFERENCE, which one process trained.  */
static void
test_way (const char *name, way w, trm_model *reference)
{
  char text[200];
  trm_model *m = train (3, &w), *again = train (3, &w);
  snprintf (text, sizeof text, "%s: as one process, within 1e-12", name);
  claim (are_close (m, reference, 1e-12), text);
  snprintf (text, sizeof text, "%s: the same bits in all ranks and runs", name);
  claim (is_same (m, MPI_COMM_WORLD) && are_close (m, again, 0), text);
  trm_model_free (m);
  trm_model_free (again);
}

static void
test_ways (void)
{
  way alone = { .alone = true, .parts = 1, .type = TRM_F64 };
  way w = { .parts = 1, .type = TRM_F64 };
  trm_model *reference = train (3, &alone);
  test_way ("sgd", w, reference);
  w.marked = true;
  test_way ("sgd, marked", w, reference);
  w.parts = 2;
  spreads = 0;
  test_way ("sgd, two parts", w, reference);
  int each = spreads;
  w.held = true;
  spreads = 0;
  test_way ("sgd, two parts, held", w, reference);
  claim (trm_parallel_size () == 1 ? spreads == 0
                                   : spreads > 0 && spreads < each,
         "what is held is sent once");
  trm_model_free (reference);
  alone.method = w.method = TRM_ADAM;
  reference = train (3, &alone);
  test_way ("adam", w, reference);
  trm_model_free (reference);
}

static void
test_types (void)
{
  way w = { .parts = 1, .type = TRM_F32, .marked = true, .narrow = true };
  trm_model *m = train (3 + (uint64_t) trm_parallel_rank (), &w);
  trm_tensor *t = trm_names_at (trm_model_names (m), 0);
  claim (t->type == TRM_BF16 && is_same (m, MPI_COMM_WORLD),
         "narrow, other seeds: the same bits in all ranks");
  claim (trm_parallel_size () == 1 ? !trm_parallel_model (m)
                                   : trm_parallel_model (m) == TRM_BAD_TYPE
                                       && expect_failed (TRM_BAD_TYPE, "bf16"),
         "a narrow model is not sent");
  trm_model_free (m);
}

static void
test_early (void)
{
  way w = { .parts = 1, .type = TRM_F64, .marked = true };
  spreads = spreads_seen = 0;
  trm_model_free (train (3, &w));
  bool alone = trm_parallel_size () == 1;
  claim (alone ? spreads == 0 : spreads > STEPS,
         "gradients go in several buckets");
  claim (alone || spreads_seen > spreads - spreads / STEPS,
         "a marked layer sets out before backward has ended");
  spreads = spreads_seen = 0;
  w.marked = false;
  trm_model_free (train (3, &w));
  claim (spreads_seen <= spreads - spreads / STEPS,
         "one that is not, behind it");
}

/* Weights A, which rank 0 uses, and B, which nobody does.  */
static void
test_absent (void)
{
  trm_scope_open ();
  int rank = trm_parallel_rank (), size = trm_parallel_size ();
  trm_model *m = trm_model_new ((trm_random){ 1, 0 });
  trm_names *names = trm_model_names (m);
  trm_tensor *a = trm_want_gradient (trm_full (TRM_F32, TRM_SHAPE (2, 3), 1));
  trm_tensor *b = trm_want_gradient (trm_full (TRM_F64, TRM_SHAPE (5), 1));
  trm_names_put (names, "a", a);
  trm_names_put (names, "b", b);
  trm_parallel *p = trm_parallel_gradients (m, (trm_parallel_settings){ 0 });
  bool good = true;
  for (int i = 0; i < 3; i++)
    {
      trm_forget_gradients (m);
      trm_tape_open ();
      if (rank == 0)
        trm_backward (trm_sum (a, TRM_ALL, false), NULL);
      trm_tape_close ();
      good = !trm_parallel_wait (p) && good;
      trm_tensor *mean = trm_full (TRM_F32, TRM_SHAPE (2, 3), 1.0 / size);
      good = good && expect_close (trm_gradient_of (a), mean, 0)
             && !trm_gradient_of (b);
    }
  claim (good, "a gradient that some lack is 0 there, that all lack none");
  trm_parallel_free (p);
  trm_model_free (m);
  trm_scope_close ();
}

static void
test_other_models (void)
{
  trm_scope_open ();
  int rank = trm_parallel_rank (), size = trm_parallel_size ();
  trm_model *m = trm_model_new ((trm_random){ 1, 0 });
  trm_layer_linear (m, "l", trm_zeros (TRM_F32, TRM_SHAPE (2, 3)), 4 + rank);
  trm_status status = trm_parallel_model (m);
  claim (size == 1 ? !status : expect_failed (TRM_BAD_SHAPE, "models differ"),
         "models that differ fail in all ranks");
  trm_model_free (m);
  trm_scope_close ();
}

/* A weight of layer "two" that is read in front of the mark as well.  */
static void
test_used_before (void)
{
  trm_scope_open ();
  trm_model *m = trm_model_new ((trm_random){ 1, 0 });
  trm_parallel *p = trm_parallel_gradients (m, (trm_parallel_settings){ 0 });
  trm_tensor *x = trm_full (TRM_F32, TRM_SHAPE (4, 4), 1);
  trm_status status = TRM_OK;
  for (int i = 0; i < 2; i++)
    {
      trm_tape_open ();
      trm_tensor *h = trm_layer_linear (m, "two", x, 4);
      h = trm_parallel_layer (p, "two", h);
      h = trm_sum (trm_layer_linear (m, "two", h, 4), TRM_ALL, false);
      trm_backward (h, NULL);
      trm_tape_close ();
      status = trm_parallel_wait (p);
      trm_forget_gradients (m);
    }
  claim (trm_parallel_size () == 1
           ? !status
           : status && expect_failed (TRM_CHANGED, "was used before"),
         "a weight used before its mark fails");
  trm_parallel_free (p);
  trm_model_free (m);
  trm_scope_close ();
}

/* The last rank leaves after step 3, or SLEEPS.  */
static void
test_lost (bool sleeps)
{
  trm_scope_open ();
  int rank = trm_parallel_rank (), size = trm_parallel_size ();
  way w = { .parts = 1, .type = TRM_F64, .marked = true };
  trm_tensor *xy[] = { trm_full (TRM_F64, TRM_SHAPE (ROWS, 12), 1),
                       trm_full (TRM_F64, TRM_SHAPE (ROWS, 3), 1) };
  trm_model *m = trm_model_new ((trm_random){ 1, 0 });
  trm_parallel *p = trm_parallel_gradients (m, (trm_parallel_settings){ 0 });
  trm_status status = TRM_OK;
  trm_parallel_limit (2);
  double begin = seconds ();
  for (int step = 0; step < STEPS && !status; step++)
    {
      if (step == 3 && rank == size - 1 && sleeps)
        sleep (6);
      if (step == 3 && rank == size - 1)
        _exit (0);
      status = walk_part (m, p, xy, 0, &w);
      if (!status)
        status = trm_parallel_wait (p);
      trm_forget_gradients (m);
    }
  double spent = seconds () - begin;
  char first[400];
  snprintf (first, sizeof first, "%s", trm_message ());
  printf ("# rank %d, %.1f s: %s\n", rank, spent, first);
  bool named = expect_failed (TRM_NOT_HERE, "parallel_wait: rank ");
  bool stays = trm_parallel_model (m) == TRM_NOT_HERE
               && strcmp (first, trm_message ()) == 0
               && trm_parallel_end () == TRM_NOT_HERE;
  trm_parallel_free (p);
  trm_model_free (m);
  trm_scope_close ();
  if (rank > 0)
    return;
  expect (status == TRM_NOT_HERE && named && spent < 5,
          "a rank that is lost: the others fail within the limit");
  expect (stays, "and all that follows fails with the same message");
}

int
main (int argc, char **argv)
{
  if (trm_parallel_begin (&argc, &argv))
    return 1;
  if (argc > 1)
    {
      test_lost (strcmp (argv[1], "stop") == 0);
      fflush (stdout);
      sleep (trm_parallel_rank () == 0);
      _exit (expect_status ());
    }
  trm_parallel_limit (30);
  test_ways ();
  test_types ();
  test_early ();
  test_absent ();
  test_other_models ();
  test_used_before ();
  claim (true, "done");
  return trm_parallel_end () || expect_status ();
}
