/* Batches whose loop devices share: rows of a product, a stencil in each image,
   rows that are added to, and what must stay on one device.  Prints sums, and
   with an argument how often kernels ran.  */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
  BATCH = 37,
  IN = 24,
  OUT = 20
};

static float x[BATCH][IN], y[BATCH][OUT], z[BATCH][IN], w[OUT][IN];
static float sums[BATCH], column[IN];

/* A layer: each part reads all of W.  */
static void
layer (int n, float y[restrict][OUT], float x[restrict][IN],
       float w[restrict][IN])
{
#pragma tensor target(cuda) devices(all) name("layer")
  for (int b = 0; b < n; b++)
    for (int o = 0; o < OUT; o++)
      {
        float sum = 0;
        for (int i = 0; i < IN; i++)
          sum += w[o][i] * x[b][i];
        y[b][o] = sum;
      }
}

/* What is written is not read, and not all of it is written.  */
static void
inner (int n, float z[restrict][IN], float x[restrict][IN])
{
#pragma tensor target(cuda) devices(all) name("inner")
  for (int b = 1; b < n; b++)
    for (int i = 1; i < IN - 1; i++)
      z[b][i] = x[b][i - 1] + x[b][i] + x[b][i + 1];
}

/* What is written is added to.  */
static void
rows (int n, float sums[restrict], float x[restrict][IN])
{
#pragma tensor target(cuda) devices(all) name("rows")
  for (int b = 0; b < n; b++)
    for (int i = 0; i < IN; i++)
      sums[b] += x[b][i];
}

/* Parts write what lies between what others write.  */
static void
turned (int n, float w[restrict][BATCH], float x[restrict][IN])
{
#pragma tensor target(cuda) devices(all) name("turned")
  for (int b = 0; b < n; b++)
    for (int i = 0; i < OUT; i++)
      w[i][b] = 2 * x[b][i];
}

/* A sum over the batch.  */
static void
columns (int n, float column[restrict], float x[restrict][IN])
{
#pragma tensor target(cuda) devices(all) name("columns")
  for (int b = 0; b < n; b++)
    for (int i = 0; i < IN; i++)
      column[i] += x[b][i];
}

/* The sum of X, of N numbers.  */
static double
sum (int n, const float *x)
{
  double all = 0;
  for (int i = 0; i < n; i++)
    all += (i % 7 + 1) * x[i];
  return all;
}

/* How many kernels the driver ran.  */
static long
kernels (void)
{
  long (*count) (const char *) = NULL;
  void *driver = dlopen ("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  if (driver)
    *(void **) &count = dlsym (driver, "fake_cuda_count");
  return count ? count ("run") : 0;
}

/* Say what WHAT has in the N numbers of X, and which kernels ran since.  */
static void
say (int counts, const char *what, int n, const float *x)
{
  static long before;
  long now = kernels ();
  printf ("%s %.6f", what, sum (n, x));
  if (counts)
    printf (" %ld kernels", now - before);
  putchar ('\n');
  before = now;
}

int
main (int argc, char **argv)
{
  static float t[OUT][BATCH];
  int n = argc > 1 ? atoi (argv[1]) : BATCH, counts = argc > 2;
  for (int b = 0; b < BATCH; b++)
    for (int i = 0; i < IN; i++)
      x[b][i] = (float) ((b * 5 + i * 3) % 11 - 5) / 8;
  for (int o = 0; o < OUT; o++)
    for (int i = 0; i < IN; i++)
      w[o][i] = (float) ((o + i * 7) % 13 - 6) / 16;
  for (int k = 0; k < 2; k++)
    {
      layer (n, y, x, w);
      say (counts, "layer", BATCH * OUT, y[0]);
      inner (n, z, x);
      say (counts, "inner", BATCH * IN, z[0]);
      rows (n, sums, x);
      say (counts, "rows", BATCH, sums);
      turned (n, t, x);
      say (counts, "turned", OUT * BATCH, t[0]);
      columns (n, column, x);
      say (counts, "columns", IN, column);
    }
  return 0;
}
