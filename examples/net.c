/* A network of two layers learns 64 random answers by heart.

   64 vectors of 1,000 numbers go through 100 neurons, max (0, .), and 10 more;
   500 steps make the squares of what is wrong small.  The weights, the
   gradients and the steps are the library's: the network is the C function
   that runs it.

     tensorcc -O2 net.c && ./a.out [steps [rate]]

   Prints the loss on the way and how much of each answer is right at the end;
   the time of a step goes to stderr.  On a terminal there is a bar.  */

#include <tensorrt-mini.h>

#include <math.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define BATCH   64
#define NUMBERS 1000
#define HIDDEN  100
#define ANSWERS 10

/* [BATCH][NUMBERS] -> [BATCH][ANSWERS].  */
static trm_tensor *
network (trm_model *model, trm_tensor *x)
{
  x = trm_relu (trm_layer_linear (model, "hidden", x, HIDDEN));
  return trm_layer_linear (model, "out", x, ANSWERS);
}

/* One step: the loss before it, NaN when something failed.  */
static double
step (trm_model *model, trm_optimiser *optimiser, trm_tensor *x, trm_tensor *y)
{
  trm_tape_open ();
  trm_tensor *loss = trm_mse (network (model, x), y);
  double value = trm_get (loss, TRM_SCALAR);
  trm_status status = trm_backward (loss, NULL);
  trm_tape_close ();
  return status || trm_step (optimiser, NULL) ? NAN : value;
}

static double
seconds (void)
{
  struct timespec t;
  timespec_get (&t, TIME_UTC);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* The greatest error of an answer.  */
static double
greatest_error (trm_model *model, trm_tensor *x, trm_tensor *y)
{
  trm_scope_open ();
  trm_tensor *error = trm_abs (trm_sub (network (model, x), y));
  double most = trm_get (trm_max (error, TRM_ALL, false), TRM_SCALAR);
  trm_scope_close ();
  return most;
}

int
main (int argc, char **argv)
{
  int steps = argc > 1 ? atoi (argv[1]) : 500;
  double rate = argc > 2 ? atof (argv[2]) : 0.1;
  setvbuf (stdout, NULL, _IOLBF, BUFSIZ);
  trm_random random = { 1, 0 };
  trm_scope_open ();
  trm_tensor *x
    = trm_normal (&random, TRM_F32, TRM_SHAPE (BATCH, NUMBERS), 0, 1);
  trm_tensor *y
    = trm_normal (&random, TRM_F32, TRM_SHAPE (BATCH, ANSWERS), 0, 1);
  trm_model *model = trm_model_new (random);
  trm_optimiser *optimiser = trm_optimiser_new (
    model, (trm_optimiser_settings){ .rate = rate, .momentum = 0.9 });
  double start = seconds ();
  for (int i = 0; i < steps; i++)
    {
      double loss = step (model, optimiser, x, y);
      if (isnan (loss))
        return fprintf (stderr, "step %d: %s\n", i, trm_message ()), 1;
      if (i % 50 == 0)
        printf ("step %3d: loss %.2e\n", i, loss);
      if (isatty (2))
        fprintf (stderr, "|%-16.*s|%s", 16 * (i + 1) / steps,
                 "################", i + 1 < steps ? "\r" : "\n");
    }
  fprintf (stderr, "%.0f us a step\n", 1e6 * (seconds () - start) / steps);
  printf ("after %d steps no answer is off by more than %.1g\n", steps,
          greatest_error (model, x, y));
  trm_optimiser_free (optimiser);
  trm_model_free (model);
  trm_scope_close ();
  return 0;
}
