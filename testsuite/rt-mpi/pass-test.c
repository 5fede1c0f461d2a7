/* Layers split over ranks, started by mpirun with up to 8 ranks; rank 0 tells.

   A network of four layers in f64 learns the same in each grid of stages and
   copies and with any number of parts: within 1e-12 of one process on the whole
   batch, the same bits as one process that takes the parts one by one; so is
   the loss, in all ranks.  Marks, Adam, clipped gradients, weights of all
   stages in one model, a run that is stopped and goes on.  No stage holds more
   parts than stages come from it on.  What goes from stage to stage: shapes,
   types, no gradient.  Grids that cannot be.

   With an argument all ranks have to fail, within the limit and with a message:
   "fail", a stage does; "hear", while another one is busy; "parts", one rank
   has more of them; "twice", two stages have weights of one name; "die" and
   "stop", the last rank ends, or sleeps, in the middle.  */

#include "claim.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
  ROWS = 96,
  STEPS = 6,
  LAYERS = 4,
  WIDTH = 10,
  BUCKET = 512
};

static int spreads;

/* Count what sets out to the other copies.  */
int
MPI_Ialltoall (const void *from, int n_from, MPI_Datatype from_type, void *to,
               int n_to, MPI_Datatype to_type, MPI_Comm comm,
               MPI_Request *request)
{
  spreads++;
  return PMPI_Ialltoall (from, n_from, from_type, to, n_to, to_type, comm,
                         request);
}

/* A training, and what its stages note.

   alone     all layers here, the whole batch, without passes
   marked    layers are marked
   x, y      the batch
   going     parts that went forward and not yet back; most: of them at a time
   calls     of the stage  */
typedef struct training
{
  bool alone;
  bool marked;
  int parts;
  trm_method method;
  double clip;
  trm_model *model;
  trm_optimiser *optimiser;
  trm_parallel *parallel;
  trm_tensor *x;
  trm_tensor *y;
  int going;
  int most;
  int calls;
} training;

/* The rows of part PART of T, which is the batch.  */
static trm_tensor *
rows_of (const training *t, trm_tensor *batch, int part)
{
  int copies = t->alone ? 1 : trm_parallel_copies ();
  int copy = t->alone ? 0 : trm_parallel_copy ();
  int n = ROWS / copies / t->parts;
  int begin = copy * (ROWS / copies) + part * n;
  return trm_slice (batch, 0, begin, begin + n, 1);
}

/* Layers BEGIN to END of X, and behind the last one the loss.  */
static trm_tensor *
run_layers (training *t, int part, int begin, int end, trm_tensor *x)
{
  char name[8];
  for (int i = begin; i < end; i++)
    {
      snprintf (name, sizeof name, "%d", i);
      if (t->marked)
        x = trm_parallel_layer (t->parallel, name, x);
      x = trm_tanh (trm_layer_linear (t->model, name, x, WIDTH));
    }
  return end == LAYERS ? trm_mse (x, rows_of (t, t->y, part)) : x;
}

/* A part goes back.  */
static trm_tensor *
note_back (trm_tensor *gradient, void *context)
{
  training *t = context;
  (void) gradient;
  t->going--;
  return NULL;
}

/* The stage of this rank; CONTEXT is the training.  */
static trm_tensor *
stage (void *context, int part, trm_tensor *x)
{
  training *t = context;
  int begin, end;
  trm_parallel_layers (LAYERS, &begin, &end);
  if (begin == 0)
    x = rows_of (t, t->x, part);
  trm_tensor *y = run_layers (t, part, begin, end, x);
  t->calls++;
  t->going++;
  t->most = t->going > t->most ? t->going : t->most;
  if (trm_wants_gradient (y))
    trm_hook (y, note_back, t);
  return y;
}

/* One process, one part after the other.  */
static trm_status
go_alone (training *t, double *loss)
{
  trm_status status = TRM_OK;
  *loss = 0;
  for (int k = 0; k < t->parts && !status; k++)
    {
      trm_tape_open ();
      trm_tensor *y = run_layers (t, k, 0, LAYERS, rows_of (t, t->x, k));
      *loss += trm_get (y, TRM_SCALAR) / t->parts;
      status = trm_backward (y, trm_number (TRM_F64, 1.0 / t->parts));
      trm_tape_close ();
    }
  return status;
}

/* Make what T needs.  */
static void
begin_training (training *t)
{
  trm_random random = { 7, 0 };
  trm_optimiser_settings settings
    = { .method = t->method,
        .rate = t->method == TRM_ADAM ? 0.01 : 0.3,
        .clip = t->clip };
  trm_scope_open ();
  t->x
    = trm_keep (trm_normal (&random, TRM_F64, TRM_SHAPE (ROWS, WIDTH), 0, 1));
  t->y
    = trm_keep (trm_uniform (&random, TRM_F64, TRM_SHAPE (ROWS, WIDTH), -1, 1));
  trm_scope_close ();
  t->model = trm_model_new ((trm_random){ 3, 0 });
  t->optimiser = trm_optimiser_new (t->model, settings);
  if (!t->alone)
    t->parallel
      = trm_parallel_gradients (t->model, (trm_parallel_settings){ BUCKET });
}

static void
end_training (training *t)
{
  trm_parallel_free (t->parallel);
  trm_optimiser_free (t->optimiser);
  trm_model_free (t->model);
  trm_drop (t->x);
  trm_drop (t->y);
}

/* N steps; the losses are LOSS[0..N).  */
static trm_status
train (training *t, int n, double *loss)
{
  trm_status status = TRM_OK;
  for (int i = 0; i < n && !status; i++)
    {
      status = t->alone ? go_alone (t, &loss[i])
                        : trm_parallel_pass (t->parallel, t->parts, stage, t,
                                             &loss[i]);
      if (!status)
        status = trm_step (t->optimiser, NULL);
    }
  if (status)
    printf ("# %s\n", trm_message ());
  return status;
}

/* Whether T has at least one weight, and all are REFERENCE's within BOUND.  */
static bool
are_close (const training *t, const training *reference, double bound)
{
  const trm_names *names = trm_model_names (t->model);
  const trm_names *other = trm_model_names (reference->model);
  int n = trm_names_count (names);
  bool good = n > 0;
  for (int i = 0; i < n && good; i++)
    good
      = expect_close (trm_names_at (names, i),
                      trm_names_get (other, trm_names_name (names, i)), bound);
  return good;
}

/* Whether the losses A and B are the same within BOUND.  */
static bool
are_losses_close (const double *a, const double *b, double bound)
{
  bool good = true;
  for (int i = 0; i < STEPS; i++)
    good = good && a[i] - b[i] <= bound && b[i] - a[i] <= bound && a[i] > 0;
  return good && b[STEPS - 1] < b[0];
}

/* Whether all copies of this stage have the same bits.  */
static bool
are_copies_same (const training *t)
{
  MPI_Comm comm;
  MPI_Comm_split (MPI_COMM_WORLD, trm_parallel_stage (), 0, &comm);
  bool same = is_same (t->model, comm);
  MPI_Comm_free (&comm);
  return same;
}

/* Claim HOLDS of the training T; SAYS what.  */
static void
claim_of (const training *t, bool holds, const char *says)
{
  char text[200];
  snprintf (text, sizeof text, "%d x %d, %d parts%s%s: %s",
            trm_parallel_stages (), trm_parallel_copies (), t->parts,
            t->marked ? ", marked" : "", t->method == TRM_ADAM ? ", adam" : "",
            says);
  claim (holds, text);
}

/* How many buckets of BUCKET bytes, the last weight first, hold the gradients
   of M.  */
static int
bucket_count (trm_model *m)
{
  const trm_names *names = trm_model_names (m);
  int64_t most = BUCKET / 8, held = most;
  int n = 0;
  for (int i = trm_names_count (names) - 1; i >= 0; i--)
    {
      int64_t count = trm_count (trm_names_at (names, i));
      n += held + count > most;
      held = held + count > most ? count : held + count;
    }
  return n;
}

/* The grid as it is, with PARTS.  */
static void
test_parts (int parts, bool marked, trm_method method)
{
  training t = { .parts = parts, .marked = marked, .method = method };
  training again = t;
  training whole = { .alone = true, .parts = 1, .method = method };
  training each = { .alone = true, .parts = parts, .method = method };
  training *all[] = { &t, &again, &whole, &each };
  double loss[4][STEPS];
  int copies = trm_parallel_copies ();
  bool good = true;
  spreads = 0;
  for (int i = 0; i < 4; i++)
    {
      begin_training (all[i]);
      good = !train (all[i], STEPS, loss[i]) && good;
    }
  int buckets = copies == 1 ? 0 : 2 * STEPS * bucket_count (t.model);
  claim_of (&t, spreads == buckets, "gradients are sent once a step");
  claim_of (&t, good && are_close (&t, &whole, 1e-12),
            "weights of one process, within 1e-12");
  if (copies == 1)
    claim_of (&t,
              are_close (&t, &each, 0)
                && !memcmp (loss[0], loss[3], sizeof loss[0]),
              "the same bits as part after part");
  claim_of (&t,
            are_close (&t, &again, 0) && are_copies_same (&t)
              && !memcmp (loss[0], loss[1], sizeof loss[0]),
            "the same bits in all copies and runs");
  claim_of (&t, are_losses_close (loss[0], loss[2], 1e-12),
            "the loss of one process, within 1e-12");
  int behind = trm_parallel_stages () - trm_parallel_stage ();
  claim_of (&t,
            t.calls == STEPS * parts && t.going == 0
              && t.most == (behind < parts ? behind : parts),
            "no more parts at a time than stages to come");
  for (int i = 0; i < 4; i++)
    end_training (all[i]);
}

/* Each stage's checkpoint, of its copy 0, is loaded by all: three steps and
   three more are six.  */
static void
test_checkpoint (void)
{
  training t = { .parts = 2, .method = TRM_ADAM };
  training again = t, whole = t;
  training *all[] = { &t, &again, &whole };
  double loss[STEPS];
  char path[64];
  int64_t step = 0;
  snprintf (path, sizeof path, "pass-%d.safetensors", trm_parallel_stage ());
  for (int i = 0; i < 3; i++)
    begin_training (all[i]);
  trm_status status = train (&whole, STEPS, loss);
  if (!status)
    status = train (&t, STEPS / 2, loss);
  if (!status && trm_parallel_copy () == 0)
    status = trm_checkpoint_save (path, t.model, t.optimiser, STEPS / 2);
  MPI_Barrier (MPI_COMM_WORLD);
  if (!status)
    status = trm_checkpoint_load (path, again.model, again.optimiser, &step);
  if (!status)
    status = train (&again, STEPS / 2, loss);
  claim_of (&t, !status && step == STEPS / 2 && are_close (&again, &whole, 0),
            "goes on from checkpoints with the same bits");
  MPI_Barrier (MPI_COMM_WORLD);
  if (trm_parallel_copy () == 0)
    remove (path);
  for (int i = 0; i < 3; i++)
    end_training (all[i]);
}

/* Whether gradients that are clipped have the norm and the weights that one
   process gets.  */
static void
test_clip (void)
{
  training t = { .parts = 2 };
  training each = { .alone = true, .parts = 1, .clip = 0.001 };
  double norm = 0, clipped = 0, other = 1, again = 2, loss;
  begin_training (&t);
  begin_training (&each);
  trm_status status = trm_parallel_pass (t.parallel, t.parts, stage, &t, &loss);
  go_alone (&each, &loss);
  trm_step (each.optimiser, &other);
  if (!status)
    status = trm_parallel_clip (t.model, 0, &norm);
  if (!status)
    status = trm_parallel_clip (t.model, 0.001, &clipped);
  if (!status)
    status = trm_parallel_clip (t.model, 1, &again);
  if (!status)
    status = trm_step (t.optimiser, NULL);
  bool good = !status && clipped == norm && norm > other - 1e-12
              && norm < other + 1e-12 && again > 0.001 - 1e-12
              && again < 0.001 + 1e-12;
  claim_of (&t, good && are_close (&t, &each, 1e-12),
            "clipped as one process, within 1e-12");
  end_training (&t);
  end_training (&each);
}

/* All stages' weights come to rank 0, also into a model that has them; two of
   one name do not.  */
static void
test_collect (void)
{
  training t = { .parts = 2 }, each = { .alone = true, .parts = 2 };
  double loss[STEPS];
  begin_training (&t);
  begin_training (&each);
  trm_model *whole = trm_model_new ((trm_random){ 9, 0 });
  training collected = { .model = whole };
  trm_status status = train (&t, 1, loss);
  if (!status)
    status = trm_parallel_collect (t.model, whole);
  bool first = trm_parallel_rank () == 0;
  int n = trm_names_count (trm_model_names (whole));
  if (!status)
    status = train (&t, STEPS - 1, loss);
  if (!status)
    status = trm_parallel_collect (t.model, first ? whole : NULL);
  train (&each, STEPS, loss);
  const trm_tensor *w
    = first ? trm_names_get (trm_model_names (whole), "3.w") : NULL;
  claim_of (
    &t,
    !status && n == (first ? 2 * LAYERS : 0)
      && (!first
          || (are_close (&collected, &each, 1e-12) && trm_wants_gradient (w))),
    "all weights come to rank 0");
  trm_model_free (whole);
  end_training (&t);
  end_training (&each);
}

/* A stage that goes forward only.  */
static trm_tensor *
stage_paused (void *context, int part, trm_tensor *x)
{
  trm_tape_pause ();
  x = stage (context, part, x);
  trm_tape_resume ();
  return x;
}

static void
test_forward (void)
{
  training t = { .parts = 2 }, alone = { .alone = true, .parts = 1 };
  double loss = 0, other = 1;
  begin_training (&t);
  begin_training (&alone);
  trm_status status = trm_parallel_pass (NULL, 2, stage_paused, &t, &loss);
  go_alone (&alone, &other);
  bool none = true;
  const trm_names *names = trm_model_names (t.model);
  for (int i = 0; i < trm_names_count (names); i++)
    none = none && !trm_gradient_of (trm_names_at (names, i));
  claim_of (&t, !status && none && loss > other - 1e-12 && loss < other + 1e-12,
            "a stage in a pause only goes forward");
  end_training (&t);
  end_training (&alone);
}

/* What came to each stage in the last pass: bad where it is not what the stage
   before had given.  */
typedef struct journey
{
  trm_tensor *w;
  int bad;
} journey;

/* Part 0 goes as i32 [3], part 1 as f32 [0, 2], part 2 as bf16 [2, 5] that
   wants a gradient, transposed, which nobody uses; the loss is made of W.  */
static trm_tensor *
send_kinds (void *context, int part, trm_tensor *x)
{
  journey *j = context;
  static const trm_type type[] = { TRM_I32, TRM_F32, TRM_BF16 };
  int stages = trm_parallel_stages ();
  if (trm_parallel_stage () > 0)
    {
      bool good = x && x->type == type[part] && x->rank == (part ? 2 : 1)
                  && x->extent[0]
                       == (part == 0   ? 3
                           : part == 1 ? 0
                                       : 2)
                  && (part != 2 || x->extent[1] == 5)
                  && trm_wants_gradient (x) == (part == 2);
      good = good && (part != 0 || trm_get (x, TRM_SHAPE (2)) == 7)
             && (part != 2 || trm_get (x, TRM_SHAPE (1, 3)) == 8);
      j->bad += !good;
    }
  if (trm_parallel_stage () == stages - 1)
    return trm_sum (trm_square (j->w), TRM_ALL, false);
  if (part == 0)
    return trm_from (TRM_I32, TRM_SHAPE (3), (int32_t[]){ 5, 6, 7 });
  if (part == 1)
    return trm_zeros (TRM_F32, TRM_SHAPE (0, 2));
  x = trm_reshape (trm_arange (TRM_BF16, 0, 10, 1), TRM_SHAPE (5, 2));
  x = trm_add (x, trm_affine (trm_cast (j->w, TRM_BF16), 0, 0));
  return trm_transpose (trm_affine (x, 1, 1), 0, 1);
}

static void
test_kinds (void)
{
  trm_scope_open ();
  journey j = { .w = trm_full (TRM_F32, TRM_SHAPE (1, 1), 3) };
  double loss = 0;
  trm_want_gradient (j.w);
  trm_status status = trm_parallel_pass (NULL, 3, send_kinds, &j, &loss);
  bool last = trm_parallel_stage () == trm_parallel_stages () - 1;
  const trm_tensor *g = trm_gradient_of (j.w);
  double slope = g ? trm_get (g, TRM_SHAPE (0, 0)) : 0;
  claim (!status && !j.bad && loss > 9 - 1e-12 && loss < 9 + 1e-12
           && slope > (last ? 6 - 1e-5 : -1e-5)
           && slope < (last ? 6 + 1e-5 : 1e-5),
         "any type and shape goes, with and without a gradient");
  trm_scope_close ();
}

/* Grids of what the ranks are, and others.  */
static void
test_grid (void)
{
  int size = trm_parallel_size (), rank = trm_parallel_rank ();
  int begin, end, next = 0;
  bool good = trm_parallel_grid (size + 1) == TRM_BAD_ARGUMENT
              && expect_failed (TRM_BAD_ARGUMENT, "stages of");
  good = good && trm_parallel_grid (0) == TRM_BAD_ARGUMENT;
  claim (good, "stages that do not divide the ranks are refused");
  good = trm_parallel_grid (rank == 0 ? size : 1) == TRM_BAD_ARGUMENT
         && expect_failed (TRM_BAD_ARGUMENT, "in another");
  claim (good || size == 1, "ranks that ask for different grids are refused");
  good = !trm_parallel_grid (size) && trm_parallel_stage () == rank
         && trm_parallel_copies () == 1 && trm_parallel_copy () == 0;
  trm_parallel_layers (7, &begin, &end);
  MPI_Exscan (&end, &next, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  next = rank == 0 ? 0 : next;
  claim (good && begin == next && (rank < size - 1 || end == 7),
         "stages share the layers");
  trm_model *m = trm_model_new ((trm_random){ 1, 0 });
  trm_parallel *p = NULL;
  if (rank == size - 1)
    p = trm_parallel_gradients (m, (trm_parallel_settings){ 0 });
  good = trm_parallel_grid (1) == TRM_BAD_ARGUMENT
         && expect_failed (TRM_BAD_ARGUMENT, "there are");
  claim (good, "a grid is not changed under what averages by it");
  trm_parallel_free (p);
  trm_model_free (m);
}

/* Y, once another rank is heard to have failed NULL: marks hear it.  */
static trm_tensor *
hear (trm_tensor *y)
{
  trm_model *m = trm_model_new ((trm_random){ 1, 0 });
  trm_parallel *p = trm_parallel_gradients (m, (trm_parallel_settings){ 0 });
  double end = seconds () + 10;
  bool good = true;
  while (good && seconds () < end)
    {
      trm_scope_open ();
      good = trm_parallel_layer (p, "a", y) != NULL;
      trm_scope_close ();
    }
  trm_parallel_free (p);
  trm_model_free (m);
  return good ? y : NULL;
}

/* What this rank does, or makes of Y, in call number CALL of its stage.  */
static trm_tensor *
spoil (const char *what, int call, trm_tensor *y)
{
  bool last = trm_parallel_rank () == trm_parallel_size () - 1;
  bool hears = strcmp (what, "hear") == 0, stops = strcmp (what, "stop") == 0;
  bool fails = hears || strcmp (what, "fail") == 0;
  if (fails && trm_parallel_stage () == 1 && call == (hears ? 8 : 9))
    return trm_add (y, trm_zeros (TRM_F32, TRM_SHAPE (3)));
  if (hears && trm_parallel_stage () == 0 && call == 9)
    return hear (y);
  if (stops && last && call == 9)
    sleep (6);
  if ((stops || strcmp (what, "die") == 0) && last && call == 9)
    _exit (0);
  return y;
}

/* A stage that does what CONTEXT says, in one of its calls.  */
static trm_tensor *
stage_lost (void *context, int part, trm_tensor *x)
{
  static int calls;
  trm_scope_open ();
  trm_tensor *w = trm_want_gradient (trm_full (TRM_F32, TRM_SHAPE (4), 1));
  trm_tensor *y = spoil (context, calls++, trm_mul (w, x ? x : w));
  (void) part;
  if (trm_parallel_stage () == trm_parallel_stages () - 1)
    y = trm_sum (y, TRM_ALL, false);
  trm_scope_give (y);
  trm_scope_close ();
  return y;
}

/* Collect weights that are called the same in all stages.  */
static trm_status
collect_twice (void)
{
  trm_scope_open ();
  trm_model *m = trm_model_new ((trm_random){ 1, 0 });
  trm_model *whole = trm_model_new ((trm_random){ 1, 0 });
  trm_layer_linear (m, "same", trm_zeros (TRM_F32, TRM_SHAPE (2, 3)), 4);
  trm_status status = trm_parallel_collect (m, whole);
  trm_model_free (m);
  trm_model_free (whole);
  trm_scope_close ();
  return status;
}

/* What fails, what it says, and in which stage it does, as which failure; -1:
   the others wait in vain.  */
typedef struct loss_case
{
  const char *what;
  const char *says;
  int stage;
  trm_status own;
} loss_case;
static const loss_case cases[]
  = { { "fail", "failed: add: shapes", 1, TRM_BAD_SHAPE },
      { "hear", "failed: add: shapes", 1, TRM_BAD_SHAPE },
      { "parts", "in place of part", 1, TRM_BAD_ARGUMENT },
      { "twice", "there is 'same.w' already", 0, TRM_BAD_ARGUMENT },
      { "die", " in vain", -1, TRM_NOT_HERE },
      { "stop", " in vain", -1, TRM_NOT_HERE } };

/* Passes until one fails for what C says.  */
static trm_status
pass_until (const loss_case *c)
{
  bool last = trm_parallel_rank () == trm_parallel_size () - 1;
  int parts = strcmp (c->what, "parts") == 0 && last ? 5 : 4;
  trm_status status = trm_parallel_grid (2);
  trm_parallel_limit (c->stage < 0 ? 2 : 30);
  if (!status && strcmp (c->what, "twice") == 0)
    return collect_twice ();
  for (int i = 0; i < 10 && !status; i++)
    status
      = trm_parallel_pass (NULL, parts, stage_lost, (void *) c->what, NULL);
  return status;
}

/* All ranks fail for what C says.  */
static void
test_lost (const loss_case *c)
{
  char first[500];
  int rank = trm_parallel_rank ();
  double begin = seconds ();
  trm_status status = pass_until (c);
  double spent = seconds () - begin;
  snprintf (first, sizeof first, "%s", trm_message ());
  printf ("# rank %d, %.1f s: %s\n", rank, spent, first);
  bool own = trm_parallel_stage () == c->stage && status == c->own;
  bool stays = trm_parallel_pass (NULL, 1, stage_lost, (void *) c->what, NULL)
                 == TRM_NOT_HERE
               && strcmp (first, trm_message ()) == 0
               && trm_parallel_end () == TRM_NOT_HERE;
  expect ((own || status == TRM_NOT_HERE) && strstr (first, c->says)
            && spent < 5,
          "rank %d fails within the limit", rank);
  expect (stays, "rank %d: all that follows fails with the same message", rank);
}

/* All that goes in the grid of STAGES.  */
static void
test_stages (int stages)
{
  if (trm_parallel_grid (stages))
    claim (false, "a grid");
  test_parts (1, false, TRM_SGD);
  test_parts (2, false, TRM_SGD);
  test_parts (8, true, TRM_ADAM);
  test_checkpoint ();
  test_clip ();
  test_collect ();
  test_forward ();
  test_kinds ();
}

int
main (int argc, char **argv)
{
  if (trm_parallel_begin (&argc, &argv))
    return 1;
  if (argc > 1)
    {
      for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (strcmp (argv[1], cases[i].what) == 0)
          test_lost (&cases[i]);
      fflush (stdout);
      sleep (2);
      _exit (expect_status ());
    }
  trm_parallel_limit (30);
  test_grid ();
  for (int stages = 1; stages <= trm_parallel_size () && stages <= LAYERS;
       stages++)
    if (trm_parallel_size () % stages == 0)
      test_stages (stages);
  claim (true, "done");
  return trm_parallel_end () || expect_status ();
}
