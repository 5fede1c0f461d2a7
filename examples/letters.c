/* A recurrent network learns to write the manual of gcc-tensor.

   Parts of the text are read side by side, 32 letters of each a step.  The
   state goes on from step to step; backpropagation is truncated there.

     tensorcc -O2 letters.c && ./a.out [steps [letters [text]]]

   Prints the entropy of the text's single letters, the loss on the way and on
   a part that was not learnt, in nats a letter, and LETTERS letters of its own;
   draws letters.svg, the curve of the loss.  On a terminal there is a bar.  */

#include <tensorrt-mini.h>

#include <libgen.h>
#include <stdlib.h>
#include <unistd.h>

#define STREAMS  16
#define TOGETHER 32
#define WIDTH    256
#define KINDS    128
#define TRIALS   8
#define HELD     (TRIALS * TOGETHER * STREAMS + STREAMS)
#define MOST     10000

/* What follows each of ID [t][n], as [t * n][KINDS]; *STATE moves on.  */
static trm_tensor *
network (trm_model *m, trm_tensor *id, trm_tensor **state)
{
  trm_tensor *x = trm_layer_embedding (m, "letter", id, KINDS, WIDTH);
  trm_tensor *y[TOGETHER];
  int letters = x ? (int) x->extent[0] : 1;
  for (int t = 0; t < letters; t++)
    *state = y[t]
      = trm_layer_gru (m, "gru", trm_select (x, 0, t), *state, WIDTH);
  x = trm_reshape (trm_stack (letters, y, 0), TRM_SHAPE (-1, WIDTH));
  return trm_layer_linear (m, "out", x, KINDS);
}

/* Letters FROM to TO of TEXT as streams: [length][STREAMS].  */
static trm_tensor *
cut (trm_tensor *text, int64_t from, int64_t to)
{
  int64_t length = (to - from) / STREAMS;
  text = trm_slice (text, 0, from, from + length * STREAMS, 1);
  return trm_t (trm_reshape (text, TRM_SHAPE (STREAMS, length)));
}

/* Read STREAM in STEPS steps, anew when it ends, and learn from it where O is
   not NULL: LOSS becomes that of each step; gives the mean.  */
static double
go_through (trm_model *m, trm_optimiser *o, trm_tensor *stream, int steps,
            double *loss)
{
  double sum = 0;
  int64_t round = stream ? (stream->extent[0] - 1) / TOGETHER : 1;
  trm_tensor *state = trm_zeros (TRM_F32, TRM_SHAPE (STREAMS, WIDTH));
  for (int i = 0; i < steps && !trm_error (); sum += loss[i++])
    {
      trm_tape_open ();
      trm_tensor *after = i % round ? state : NULL;
      int64_t at = i % round * TOGETHER;
      trm_tensor *id = trm_slice (stream, 0, at, at + TOGETHER, 1);
      trm_tensor *next = trm_slice (stream, 0, at + 1, at + 1 + TOGETHER, 1);
      trm_tensor *y = network (m, id, &after);
      trm_tensor *l = trm_cross_entropy (y, trm_reshape (next, TRM_SHAPE (-1)));
      loss[i] = trm_get (l, TRM_SCALAR);
      if (o)
        trm_backward (l, NULL);
      trm_copy_to (state, after);
      trm_tape_close ();
      trm_optimiser_rate (o, 5e-3 * trm_rate_cosine (i, 20, steps, 0.02));
      if (o && i % ((steps + 9) / 10) == 0)
        printf ("step %3d: loss %.3f\n", i + 1, loss[i]);
      if (o && !trm_step (o, NULL) && isatty (2))
        fprintf (stderr, "|%-16.*s|%s", 16 * (i + 1) / steps,
                 "################", i + 1 < steps ? "\r" : "\n");
    }
  return sum / steps;
}

/* Print COUNT letters, each drawn by what the network expects behind those
   before it; what is unlikely becomes more so.  */
static void
tell (trm_model *m, int count)
{
  trm_random random = { 2, 0 };
  trm_tensor *id = trm_full (TRM_U8, TRM_SHAPE (1, 1), '\n'), *state = NULL;
  for (; count > 0 && !trm_error (); count--)
    {
      trm_tensor *y = trm_affine (network (m, id, &state), 1.25, 0);
      trm_tensor *u = trm_uniform (&random, TRM_F32, TRM_SHAPE (KINDS), 0, 1);
      id = trm_argmax (trm_sub (y, trm_log (trm_neg (trm_log (u)))), 1, true);
      putchar ((int) trm_get_int (id, TRM_SCALAR));
    }
  putchar ('\n');
}

/* The curve of LOSS as a picture.  */
static void
draw (int steps, const double *loss)
{
  FILE *file = fopen ("letters.svg", "w");
  if (!file)
    return;
  fputs ("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 640 360'>"
         "<path d='M60 20V320H620' fill='none' stroke='black'/>"
         "<polyline fill='none' stroke='blue' points='",
         file);
  for (int i = 0; i < steps; i++)
    fprintf (file, "%d,%.1f ", 60 + 560 * i / steps, 320 - 60 * loss[i]);
  fprintf (file, "'/><text x='60' y='345'>%d steps, loss 0 to 5</text></svg>\n",
           steps);
  fclose (file);
}

int
main (int argc, char **argv)
{
  int steps = argc > 1 ? atoi (argv[1]) : 700;
  static char letter[1 << 20], here[] = __FILE__, manual[4096];
  static double loss[MOST], unseen[TRIALS];
  snprintf (manual, sizeof manual, "%s/../doc/gcc-tensor.texi", dirname (here));
  FILE *file = fopen (argc > 3 ? argv[3] : manual, "r");
  int64_t n = file ? (int64_t) fread (letter, 1, sizeof letter, file) : 0;
  if (n < 2 * HELD || steps < 1 || steps > MOST)
    return fprintf (stderr, "no text to learn from\n"), 1;
  fclose (file);
  setvbuf (stdout, NULL, _IOLBF, BUFSIZ);
  trm_scope_open ();
  trm_tensor *text = trm_from (TRM_U8, TRM_SHAPE (n), letter);
  trm_tensor *share = trm_zeros (TRM_F64, TRM_SHAPE (KINDS));
  trm_index_add (share, 1, &text, trm_number (TRM_F64, 1.0 / (double) n));
  trm_tensor *said = trm_log (trm_index (share, 1, &text));
  printf ("%ld letters, entropy %.3f\n", (long) n,
          -trm_get (trm_mean (said, TRM_ALL, false), TRM_SCALAR));
  trm_optimiser_settings adamw = { TRM_ADAM, .decay = 0.01, .clip = 1 };
  trm_model *m = trm_model_new ((trm_random){ 1, 0 });
  trm_optimiser *o = trm_optimiser_new (m, adamw);
  go_through (m, o, cut (text, 0, n - HELD), steps, loss);
  printf ("unseen letters: loss %.3f\n\n",
          go_through (m, NULL, cut (text, n - HELD, n), TRIALS, unseen));
  draw (steps, loss);
  tell (m, argc > 2 ? atoi (argv[2]) : 400);
  trm_optimiser_free (o);
  trm_model_free (m);
  trm_scope_close ();
  return trm_error () ? fprintf (stderr, "%s\n", trm_message ()), 1 : 0;
}
