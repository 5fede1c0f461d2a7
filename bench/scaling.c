/* scaling STAGES PARTS SECONDS

   In the ranks that mpirun started: a step of training of BLOCKS blocks of
   WIDTH numbers, in f32, on ROWS rows, with Adam, in a grid of STAGES by the
   ranks over STAGES, in PARTS of each copy's rows.  Rank 0 prints one line:

     ranks stages copies parts  bytes that a rank sends in a step, the most
     best and median of a step's seconds  the least processor time of rank 0

   STAGES 0 measures what carries the messages, between ranks 0 and 1: seconds
   that a message of 8 bytes takes, and bytes a second of messages of
   MESSAGE_BYTES, both of the best of ROUND_TRIPS, halved.  */

#include <trm-parallel.h>

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum
{
  ROWS = 256,
  WIDTH = 128,
  BLOCKS = 8,
  MOST_STEPS = 400,
  LEAST_STEPS = 5,
  MESSAGE_BYTES = 4 << 20,
  ROUND_TRIPS = 200
};

static double sent_bytes;

/* Count what this rank sends; of each N elements of TYPE.  */
static void
count (int n, MPI_Datatype type, int receivers)
{
  int bytes = 0;
  MPI_Type_size (type, &bytes);
  sent_bytes += (double) n * bytes * receivers;
}

int
MPI_Isend (const void *at, int n, MPI_Datatype type, int to, int tag,
           MPI_Comm comm, MPI_Request *request)
{
  count (n, type, 1);
  return PMPI_Isend (at, n, type, to, tag, comm, request);
}

int
MPI_Ialltoall (const void *from, int n_from, MPI_Datatype from_type, void *to,
               int n_to, MPI_Datatype to_type, MPI_Comm comm,
               MPI_Request *request)
{
  count (n_from, from_type, trm_parallel_copies () - 1);
  return PMPI_Ialltoall (from, n_from, from_type, to, n_to, to_type, comm,
                         request);
}

int
MPI_Iallgather (const void *from, int n_from, MPI_Datatype from_type, void *to,
                int n_to, MPI_Datatype to_type, MPI_Comm comm,
                MPI_Request *request)
{
  int size;
  MPI_Comm_size (comm, &size);
  count (n_to, to_type, size - 1);
  return PMPI_Iallgather (from, n_from, from_type, to, n_to, to_type, comm,
                          request);
}

/* A training in this rank.  */
typedef struct training
{
  int parts;
  trm_model *model;
  trm_parallel *parallel;
  trm_optimiser *optimiser;
  trm_tensor *x;
  trm_tensor *y;
} training;

/* The rows of part PART.  */
static trm_tensor *
rows_of (const training *t, trm_tensor *batch, int part)
{
  int n = ROWS / trm_parallel_copies () / t->parts;
  int begin = (trm_parallel_copy () * t->parts + part) * n;
  return trm_slice (batch, 0, begin, begin + n, 1);
}

/* Block I.  */
static trm_tensor *
block (const training *t, int i, trm_tensor *x)
{
  char name[4][32];
  static const char *const part[] = { "", ".norm", ".wide", ".narrow" };
  for (int k = 0; k < 4; k++)
    snprintf (name[k], sizeof name[k], "%d%s", i, part[k]);
  x = trm_parallel_layer (t->parallel, name[0], x);
  trm_tensor *y = trm_layer_layer_norm (t->model, name[1], x);
  y = trm_gelu (trm_layer_linear (t->model, name[2], y, 4 * WIDTH));
  return trm_add (x, trm_layer_linear (t->model, name[3], y, WIDTH));
}

static trm_tensor *
stage (void *context, int part, trm_tensor *x)
{
  const training *t = context;
  int begin, end;
  trm_parallel_layers (BLOCKS, &begin, &end);
  if (begin == 0)
    x = rows_of (t, t->x, part);
  for (int i = begin; i < end; i++)
    x = block (t, i, x);
  return end == BLOCKS ? trm_mse (x, rows_of (t, t->y, part)) : x;
}

static training
begin_training (int parts)
{
  trm_random random = { 1, 0 };
  trm_optimiser_settings settings = { .method = TRM_ADAM, .rate = 1e-4 };
  training t
    = { .parts = parts, .model = trm_model_new ((trm_random){ 2, 0 }) };
  t.x = trm_normal (&random, TRM_F32, TRM_SHAPE (ROWS, WIDTH), 0, 1);
  t.y = trm_normal (&random, TRM_F32, TRM_SHAPE (ROWS, WIDTH), 0, 1);
  t.parallel = trm_parallel_gradients (t.model, (trm_parallel_settings){ 0 });
  t.optimiser = trm_optimiser_new (t.model, settings);
  return t;
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

static int
compare (const void *a, const void *b)
{
  const double *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

/* Seconds of this process on a processor.  */
static double
processor_time (void)
{
  struct timespec t;
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* The seconds of steps, two more in front, until SECONDS are over, into SPENT;
   the least processor time into *LEAST; how many, or -1.  */
static int
time_steps (training *t, double seconds, double *spent, double *least)
{
  double end = MPI_Wtime () + seconds;
  int n = -2, goes_on = 1;
  while (goes_on)
    {
      MPI_Barrier (MPI_COMM_WORLD);
      double begin = MPI_Wtime (), worked = processor_time ();
      if (trm_parallel_pass (t->parallel, t->parts, stage, t, NULL)
          || trm_step (t->optimiser, NULL))
        return -1;
      worked = processor_time () - worked;
      MPI_Barrier (MPI_COMM_WORLD);
      if (n >= 0)
        spent[n] = MPI_Wtime () - begin;
      else
        sent_bytes = 0;
      *least = n > 0 ? fmin (*least, worked) : worked;
      n++;
      goes_on = n < LEAST_STEPS || (MPI_Wtime () < end && n < MOST_STEPS);
      MPI_Bcast (&goes_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
  return n;
}

/* Print the line of STAGES and PARTS.  */
static int
measure_steps (int stages, int parts, double seconds)
{
  static double spent[MOST_STEPS];
  double most = 0, least;
  if (trm_parallel_grid (stages))
    return 1;
  training t = begin_training (parts);
  int n = time_steps (&t, seconds, spent, &least);
  end_training (&t);
  if (n < 0)
    return 1;
  sent_bytes /= n;
  MPI_Reduce (&sent_bytes, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  qsort (spent, (size_t) n, sizeof *spent, compare);
  if (trm_parallel_rank () == 0)
    printf ("%d %d %d %d %.0f %.6f %.6f %.6f\n", trm_parallel_size (), stages,
            trm_parallel_copies (), parts, most, spent[0], spent[n / 2], least);
  return 0;
}

/* The least seconds that BYTES AT take from one rank to the other.  */
static double
time_message (void *at, int bytes)
{
  double least = INFINITY;
  int rank = trm_parallel_rank ();
  for (int i = 0; i < ROUND_TRIPS; i++)
    {
      double begin = MPI_Wtime ();
      for (int k = 0; k < 2; k++)
        if (k == rank)
          MPI_Send (at, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD);
        else
          MPI_Recv (at, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD,
                    MPI_STATUS_IGNORE);
      least = fmin (least, (MPI_Wtime () - begin) / 2);
    }
  return least;
}

/* Print what a message costs.  */
static int
measure_messages (void)
{
  void *at = calloc (1, MESSAGE_BYTES);
  if (!at || trm_parallel_size () != 2)
    return 1;
  double latency = time_message (at, 8);
  double bandwidth = MESSAGE_BYTES / time_message (at, MESSAGE_BYTES);
  if (trm_parallel_rank () == 0)
    printf ("%.9f %.0f\n", latency, bandwidth);
  free (at);
  return 0;
}

int
main (int argc, char **argv)
{
  if (argc < 4 || trm_parallel_begin (&argc, &argv))
    return 2;
  int stages = atoi (argv[1]);
  int failed = stages == 0
                 ? measure_messages ()
                 : measure_steps (stages, atoi (argv[2]), atof (argv[3]));
  if (failed)
    fprintf (stderr, "scaling: %s\n", trm_message ());
  return trm_parallel_end () || failed;
}
