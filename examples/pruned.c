/* Fewer weights: what a network that reads digits loses, and gains, by pruning.

     64 - 512 - 512 - 10, learned from 1,297 digits of 8 x 8 pixels in 6 epochs

   Then none, half and nine tenths of the weights of the two large layers, the
   smallest ones, become 0 and stay so while it learns for 3 epochs more, and
   the layers run compressed rows.

     tensorcc -O2 pruned.c && ./a.out [digits.csv]

   Prints how many of the 500 other digits it reads, how long it takes for one
   of them, and for all at once.  */

#include <tensorrt-mini.h>

#include <string.h>

#define KNOWN 1297
#define BATCH 16
#define WIDTH 512

/* A network, and what it reads.  */
typedef struct reader
{
  trm_model *model;
  trm_tensor *pixels;
} reader;

/* [n][64] -> [n][10].  */
static trm_tensor *
network (trm_model *m, trm_tensor *x)
{
  x = trm_relu (trm_layer_linear (m, "first", x, WIDTH));
  x = trm_relu (trm_layer_linear (m, "second", x, WIDTH));
  return trm_layer_linear (m, "out", x, 10);
}

/* The pixels of ROWS, 64 of them and the digit, from -1 to 1; the digits.  */
static trm_tensor *
pixels_of (trm_tensor *rows)
{
  return trm_affine (trm_slice (rows, 1, 0, 64, 1), 1.0 / 8, -1);
}

static trm_tensor *
digits_of (trm_tensor *rows)
{
  return trm_cast (trm_squeeze (trm_slice (rows, 1, 64, 65, 1), 1), TRM_I64);
}

/* Learn from KNOWN for EPOCHS, in batches that RANDOM draws.  */
static void
learn (trm_model *m, trm_optimiser *o, trm_tensor *known, int epochs,
       trm_random *random)
{
  for (int e = 0; e < epochs && !trm_error (); e++)
    {
      trm_scope_open ();
      trm_tensor *order = trm_permutation (random, KNOWN);
      trm_tensor *mixed = trm_index (known, 1, &order);
      for (int i = 0; i + BATCH <= KNOWN; i += BATCH)
        {
          trm_tape_open ();
          trm_tensor *rows = trm_slice (mixed, 0, i, i + BATCH, 1);
          trm_tensor *y = network (m, pixels_of (rows));
          trm_backward (trm_cross_entropy (y, digits_of (rows)), NULL);
          trm_tape_close ();
          trm_step (o, NULL);
        }
      trm_scope_close ();
    }
}

/* Read what CONTEXT, a reader, has.  */
static void
read_all (void *context)
{
  const reader *r = context;
  trm_scope_open ();
  network (r->model, r->pixels);
  trm_scope_close ();
}

/* Microseconds that M takes to read PIXELS.  */
static double
time_of (trm_model *m, trm_tensor *pixels)
{
  reader r = { m, pixels };
  trm_timing timing = { 0 };
  trm_bench (read_all, &r, &(trm_bench_settings){ .seconds = 0.2 }, &timing);
  return timing.median / 1000;
}

/* Tell what M, of whose weights SHARE is pruned, makes of ASKED.  */
static void
tell (trm_model *m, double share, trm_tensor *asked)
{
  trm_scope_open ();
  trm_tensor *x = pixels_of (asked);
  trm_tensor *read = trm_argmax (network (m, x), 1, false);
  trm_tensor *right = trm_equal (read, digits_of (asked));
  double count = trm_get (trm_sum (right, TRM_ALL, false), TRM_SCALAR);
  printf ("%2.0f %% pruned: %.1f %% right, %8.1f us for one, %8.1f for all\n",
          100 * share, 100 * count / (double) asked->extent[0],
          time_of (m, trm_slice (x, 0, 0, 1, 1)), time_of (m, x));
  trm_scope_close ();
}

int
main (int argc, char **argv)
{
  static const double shares[] = { 0, 0.5, 0.9 };
  char beside[] = __FILE__ "digits.csv", *slash = strrchr (beside, '/');
  strcpy (beside + (slash ? slash + 1 - beside : 0), "digits.csv");
  trm_random random = { 1, 0 };
  trm_scope_open ();
  trm_tensor *all = trm_csv_read (argc > 1 ? argv[1] : beside, TRM_F32, ',', 0);
  trm_tensor *order = trm_permutation (&random, all ? all->extent[0] : 0);
  trm_tensor *mixed = trm_index (all, 1, &order);
  trm_tensor *known = trm_slice (mixed, 0, 0, KNOWN, 1);
  trm_tensor *asked = trm_slice (mixed, 0, KNOWN, TRM_END, 1);
  trm_model *m = trm_model_new (random);
  trm_optimiser *o = trm_optimiser_new (
    m, (trm_optimiser_settings){ .rate = 0.02, .momentum = 0.9 });
  learn (m, o, known, 6, &random);
  for (int i = 0; i < 3 && !trm_error (); i++)
    {
      if (shares[i] > 0)
        {
          trm_prune (m, "first.w", shares[i]);
          trm_prune (m, "second.w", shares[i]);
        }
      learn (m, o, known, 3, &random);
      tell (m, shares[i], asked);
    }
  trm_optimiser_free (o);
  trm_model_free (m);
  trm_scope_close ();
  return trm_error () ? fprintf (stderr, "%s\n", trm_message ()), 1 : 0;
}
