/* A small convolutional network learns to read handwritten digits.

   The pictures of digits.csv, enlarged from 8 x 8 to 32 x 32, go through

     conv 6 of 3 x 3, pool, conv 16 of 3 x 3, pool, 576 - 120 - 84 - 10

   in batches of 8 that two threads prepare.  1,297 of them, by seed 1, are
   learned from in 10 epochs; the other 500 were read once, after the rate and
   its fall had been chosen from 28 pairs by quarters of the 1,297, held back.

     tensorcc -O2 convnet.c && ./a.out [digits.csv]

   Prints the loss and the accuracy after each epoch and writes the curve of the
   loss to convnet.svg.  On a terminal there is a bar.  */

#include <tensorrt-mini.h>

#include <string.h>
#include <unistd.h>

#define KNOWN  1297
#define EPOCHS 10

/* [n][1][32][32] -> [n][10].  */
static trm_tensor *
network (trm_model *m, trm_tensor *x)
{
  trm_window none = { 0 };
  x = trm_relu (trm_layer_conv2d (m, "conv1", x, 6, 3, none));
  x = trm_max_pool2d (x, 2, none);
  x = trm_relu (trm_layer_conv2d (m, "conv2", x, 16, 3, none));
  x = trm_max_pool2d (x, 2, none);
  x = trm_reshape (x, TRM_SHAPE (-1, 16 * 6 * 6));
  x = trm_relu (trm_layer_linear (m, "full1", x, 120));
  x = trm_relu (trm_layer_linear (m, "full2", x, 84));
  return trm_layer_linear (m, "out", x, 10);
}

/* Picture INDEX of TABLE, rows of 64 pixels 0 to 16 and the digit, enlarged by
   straight lines between pixels.  */
static trm_status
read_digit (void *table, int64_t index, int64_t row, trm_tensor **out)
{
  TRM_VIEW2 (float, from, (trm_tensor *) table);
  TRM_VIEW4 (float, x, out[0]);
  for (int i = 0; i < 32; i++)
    for (int j = 0; j < 32; j++)
      {
        float u = (float) i * 7 / 31, du = u - (int) u;
        float v = (float) j * 7 / 31, dv = v - (int) v;
        const float *p = &from[index][(int) u * 8 + (int) v];
        int below = du > 0 ? 8 : 0, right = dv > 0;
        float above = p[0] + dv * (p[right] - p[0]);
        float under = p[below] + dv * (p[below + right] - p[below]);
        x[row][0][i][j] = (above + du * (under - above)) / 8 - 1;
      }
  return trm_set (out[1], TRM_SHAPE (row), from[index][64]);
}

/* Batches of the pictures of TABLE; NULL when there is none.  */
static trm_loader *
load (trm_tensor *table)
{
  trm_source source = { .context = table,
                        .count = table ? table->extent[0] : 0,
                        .read = read_digit,
                        .n_out = 2,
                        .out = { { TRM_F32, 3, { 1, 32, 32 } }, { TRM_I64 } } };
  trm_loader_settings settings = { .batch = 8, .shuffle = true, .threads = 2 };
  return table ? trm_loader_new (source, settings) : NULL;
}

/* Go through the batches of EPOCH, and learn from them where O is not NULL:
   the mean of the losses; *RIGHT becomes how many per cent are read right.  */
static double
go_through (trm_model *m, trm_optimiser *o, trm_loader *loader, int epoch,
            double *right)
{
  trm_tensor *batch[2];
  double loss = *right = 0;
  int n = 0, examples = 0;
  for (trm_loader_begin (loader, epoch); trm_loader_next (loader, batch); n++)
    {
      trm_tape_open ();
      trm_tensor *y = network (m, batch[0]);
      trm_tensor *l = trm_cross_entropy (y, batch[1]);
      trm_tensor *same = trm_equal (trm_argmax (y, 1, false), batch[1]);
      loss += trm_get (l, TRM_SCALAR);
      *right += trm_get (trm_sum (same, TRM_ALL, false), TRM_SCALAR);
      examples += (int) batch[1]->extent[0];
      if (o)
        trm_backward (l, NULL);
      trm_tape_close ();
      if (o && !trm_step (o, NULL) && isatty (2))
        fprintf (stderr, "|%-16.*s|%s", 16 * examples / KNOWN,
                 "################", examples < KNOWN ? "\r" : "\n");
    }
  *right *= 100.0 / examples;
  return loss / n;
}

/* The curve of LOSS as a picture.  */
static void
draw (const double *loss)
{
  FILE *file = fopen ("convnet.svg", "w");
  if (!file)
    return;
  fprintf (file,
           "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 640 360'>"
           "<path d='M60 20V320H620' fill='none' stroke='black'/>"
           "<text x='60' y='345'>epochs 1 to %d, loss 0 to %.2f</text>"
           "<polyline fill='none' stroke='blue' points='",
           EPOCHS, loss[0]);
  for (int i = 0; i < EPOCHS; i++)
    fprintf (file, "%.1f,%.1f ", 60 + 560.0 * i / (EPOCHS - 1),
             320 - 300 * loss[i] / loss[0]);
  fprintf (file, "'/></svg>\n");
  fclose (file);
}

int
main (int argc, char **argv)
{
  double loss[EPOCHS], right;
  char beside[] = __FILE__ "digits.csv", *slash = strrchr (beside, '/');
  strcpy (beside + (slash ? slash + 1 - beside : 0), "digits.csv");
  setvbuf (stdout, NULL, _IOLBF, BUFSIZ);
  trm_random random = { 1, 0 };
  trm_tensor *all = trm_csv_read (argc > 1 ? argv[1] : beside, TRM_F32, ',', 0);
  trm_tensor *order = trm_permutation (&random, all ? all->extent[0] : 0);
  trm_tensor *mixed = trm_index (all, 1, &order);
  trm_loader *known = load (trm_slice (mixed, 0, 0, KNOWN, 1));
  trm_loader *asked = load (trm_slice (mixed, 0, KNOWN, TRM_END, 1));
  trm_model *m = trm_model_new (random);
  trm_optimiser *o
    = trm_optimiser_new (m, (trm_optimiser_settings){ .momentum = 0.9 });
  for (int e = 0; e < EPOCHS && asked && !trm_error (); e++)
    {
      trm_optimiser_rate (o, 0.02 * trm_rate_exponential (e, 0.8));
      loss[e] = go_through (m, o, known, e, &right);
      go_through (m, NULL, asked, e, &right);
      printf ("epoch %2d: loss %.4f, %.1f %% right\n", e + 1, loss[e], right);
    }
  if (trm_error ())
    return fprintf (stderr, "%s\n", trm_message ()), 1;
  draw (loss);
  return 0;
}
