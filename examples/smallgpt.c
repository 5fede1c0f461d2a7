/* The model of gpt.c by layers of the library: letters and places as numbers,
   three blocks, and the letter that follows.

     tensorcc -O2 smallgpt.c && ./a.out [steps [letters [text]]]

   Prints the loss on the way and on a part of the manual that was not learnt,
   in nats a letter, and LETTERS letters of its own; how many letters a second
   it learns goes to stderr.  On a terminal there is a bar.  */

#include <tensorrt-mini.h>

#include <libgen.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum
{
  T = 64,     /* letters that are seen together */
  B = 16,     /* such texts in a step */
  C = 128,    /* numbers for each letter */
  H = 4,      /* heads of attention */
  L = 3,      /* blocks */
  V = 128,    /* kinds of letters */
  HELD = 4096 /* letters at the end that are not learnt */
};

/* Block L adds attention to X, and then a wide layer, each behind a norm.  */
static trm_tensor *
block (trm_model *m, int l, trm_tensor *x)
{
  static const char *part[] = { "norm1", "heads", "norm2", "wide", "narrow" };
  char name[5][32];
  for (int i = 0; i < 5; i++)
    snprintf (name[i], sizeof name[i], "block%d.%s", l, part[i]);
  trm_tensor *y = trm_layer_layer_norm (m, name[0], x);
  x = trm_add (x, trm_layer_attention (m, name[1], y, H, true));
  y = trm_layer_layer_norm (m, name[2], x);
  y = trm_gelu (trm_layer_linear (m, name[3], y, 4 * C));
  return trm_add (x, trm_layer_linear (m, name[4], y, C));
}

/* What follows each of ID [b][t], as [b * t][V].  Letters and places start
   small, so that what the blocks add to them counts.  */
static trm_tensor *
network (trm_model *m, trm_tensor *id)
{
  double t = id ? (double) id->extent[1] : 0;
  trm_tensor *place = trm_arange (TRM_I64, 0, t, 1);
  place = trm_layer_embedding (m, "place", place, T, C);
  trm_tensor *x = trm_layer_embedding (m, "letter", id, V, C);
  x = trm_affine (trm_add (x, place), 0.1, 0);
  for (int l = 0; l < L; l++)
    x = block (m, l, x);
  x = trm_layer_layer_norm (m, "norm", x);
  return trm_layer_linear (m, "out", trm_reshape (x, TRM_SHAPE (-1, C)), V);
}

/* The loss on B texts of LETTERS, which start anywhere.  */
static trm_tensor *
loss_on (trm_model *m, trm_tensor *letters, trm_random *random)
{
  int64_t last = letters ? letters->extent[0] - T : 1;
  trm_tensor *at = trm_integers (random, TRM_SHAPE (B, 1), 0, last);
  at = trm_add (at, trm_arange (TRM_I64, 0, T + 1, 1));
  trm_tensor *text = trm_index (letters, 1, &at);
  trm_tensor *y = network (m, trm_slice (text, 1, 0, T, 1));
  text = trm_slice (text, 1, 1, T + 1, 1);
  return trm_cross_entropy (y, trm_reshape (text, TRM_SHAPE (-1)));
}

static double
now (void)
{
  struct timespec t;
  timespec_get (&t, TIME_UTC);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* Learn from LETTERS in STEPS steps.  */
static void
learn (trm_model *m, trm_tensor *letters, trm_random *random, int steps)
{
  trm_optimiser_settings adamw
    = { TRM_ADAM, .beta2 = 0.99, .decay = 0.01, .clip = 1 };
  trm_optimiser *o = trm_optimiser_new (m, adamw);
  double begin = now ();
  for (int i = 0; i < steps && !trm_error (); i++)
    {
      trm_tape_open ();
      trm_tensor *loss = loss_on (m, letters, random);
      trm_backward (loss, NULL);
      if (i % ((steps + 9) / 10) == 0)
        printf ("step %3d: loss %.3f\n", i + 1, trm_get (loss, TRM_SCALAR));
      trm_tape_close ();
      trm_optimiser_rate (o, 4e-3 * trm_rate_cosine (i, 20, steps, 0.05));
      if (!trm_step (o, NULL) && isatty (2))
        fprintf (stderr, "|%-16.*s|%s", 16 * (i + 1) / steps,
                 "################", i + 1 < steps ? "\r" : "\n");
    }
  fprintf (stderr, "%.0f letters a second\n", steps * B * T / (now () - begin));
  trm_optimiser_free (o);
}

/* Print COUNT letters, each drawn by what the model expects behind the T before
   it; what is unlikely becomes more so.  */
static void
tell (trm_model *m, trm_random *random, int count)
{
  trm_tensor *text = trm_full (TRM_U8, TRM_SHAPE (1, 1), '\n');
  for (; count > 0 && !trm_error (); count--)
    {
      trm_scope_open ();
      trm_tensor *y = network (m, trm_slice (text, 1, -T, TRM_END, 1));
      y = trm_affine (trm_slice (y, 0, -1, TRM_END, 1), 1.25, 0);
      trm_tensor *u = trm_uniform (random, TRM_F32, TRM_SHAPE (V), 0, 1);
      y = trm_sub (y, trm_log (trm_neg (trm_log (u))));
      y = trm_cast (trm_argmax (y, 1, true), TRM_U8);
      text = trm_scope_give (trm_concat (2, (trm_tensor *[]){ text, y }, 1));
      trm_scope_close ();
      putchar ((int) trm_get_int (text, TRM_SHAPE (0, -1)));
    }
  putchar ('\n');
}

int
main (int argc, char **argv)
{
  static char letter[1 << 20], here[] = __FILE__, manual[4096];
  snprintf (manual, sizeof manual, "%s/../doc/gcc-tensor.texi", dirname (here));
  FILE *file = fopen (argc > 3 ? argv[3] : manual, "r");
  int64_t n = file ? (int64_t) fread (letter, 1, sizeof letter, file) : 0;
  if (n < 2 * HELD)
    return fprintf (stderr, "no text to learn from\n"), 1;
  fclose (file);
  setvbuf (stdout, NULL, _IOLBF, BUFSIZ);
  trm_scope_open ();
  trm_random random = { 1, 0 };
  trm_model *m = trm_model_new (random);
  trm_tensor *text = trm_from (TRM_U8, TRM_SHAPE (n), letter);
  learn (m, trm_slice (text, 0, 0, -HELD, 1), &random,
         argc > 1 ? atoi (argv[1]) : 250);
  trm_tensor *y = loss_on (m, trm_slice (text, 0, -HELD, TRM_END, 1), &random);
  printf ("unseen letters: loss %.3f\n\n", trm_get (y, TRM_SCALAR));
  tell (m, &random, argc > 2 ? atoi (argv[2]) : 300);
  trm_model_free (m);
  trm_scope_close ();
  return trm_error () ? fprintf (stderr, "%s\n", trm_message ()), 1 : 0;
}
