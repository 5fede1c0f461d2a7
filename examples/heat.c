/* Heat in a square plate: one edge is hot, the others are cold, a copper bar
   in the middle conducts better than the rest.

   Each step is a sweep from one array to another and a sweep back.

     tensorcc -O3 -march=native heat.c && ./a.out [size [steps]]
     tensor-compare heat.c

   Writes heat.pgm, and prints the temperature (0 to 9, blank below 1) on a
   coarse grid of its left half; the time of a step on stderr.  */

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Let the temperature u of [n][n] go STEPS steps; c is the conductivity, v
   scratch.  The outermost cells keep what they have.  */
static void
conduct (int n, int steps, float u[restrict n][n], float v[restrict n][n],
         const float c[restrict n][n])
{
#pragma tensor name("conduct") temp(v)
  for (int t = 0; t < steps; t++)
    {
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
          v[i][j] = u[i][j]
                    + c[i][j]
                        * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]
                           - 4 * u[i][j]);
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
          u[i][j] = v[i][j];
    }
}

/* The plate at the start: its left edge at 1, the rest at 0.01 (not 0: what
   is left of the heat far away would be denormal); the bar lies across.  */
static void
prepare (int n, float u[n][n], float c[n][n])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      {
        int bar = i > 3 * n / 8 && i < 5 * n / 8;
        u[i][j] = j == 0 ? 1 : 0.01f;
        c[i][j] = bar ? 0.24f : 0.02f;
      }
}

static void
write_picture (const char *name, int n, float u[n][n])
{
  FILE *file = fopen (name, "wb");
  if (!file)
    return;
  fprintf (file, "P5 %d %d 255\n", n, n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      fputc ((int) (255 * u[i][j] + 0.5f), file);
  fclose (file);
}

/* A digit for each of 16 x 32 places, and the mean.  */
static void
show (int n, float u[n][n])
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sum += u[i][j];
  for (int y = 0; y < 16; y++)
    {
      for (int x = 0; x < 32; x++)
        {
          int v = (int) (9.99f * u[y * n / 16][x * n / 64]);
          putchar (v ? '0' + v : ' ');
        }
      putchar ('\n');
    }
  printf ("mean temperature %.5f\n", sum / n / n);
}

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 256;
  int steps = argc > 2 ? atoi (argv[2]) : 4000;
  if (n < 16 || n > 1 << 14 || steps < 0)
    return fprintf (stderr, "the size is 16 to 16384\n"), 1;
  size_t elements = (size_t) n * n;
  float *u = malloc (elements * sizeof (float));
  float *v = malloc (elements * sizeof (float));
  float *c = malloc (elements * sizeof (float));
  if (!u || !v || !c)
    return fprintf (stderr, "no memory for %d x %d\n", n, n), 1;
  prepare (n, (float (*)[n]) u, (float (*)[n]) c);
  clock_t start = clock ();
  conduct (n, steps, (float (*)[n]) u, (float (*)[n]) v, (float (*)[n]) c);
  fprintf (stderr, "%d x %d, %d steps: %.1f us of processor time a step\n", n,
           n, steps,
           1e6 * (clock () - start) / CLOCKS_PER_SEC / (steps ? steps : 1));
  show (n, (float (*)[n]) u);
  write_picture ("heat.pgm", n, (float (*)[n]) u);
  free (u);
  free (v);
  free (c);
  return 0;
}
