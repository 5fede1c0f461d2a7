/* A product of matrices, a scale and a shift: xy = x y; xy * 100; + 10.

   A lecture on fast tensor programs writes the three operations as three
   nests and then fuses them by hand into one.  Here they stay three nests.
   Note that the product adds into xy[i][j] itself, not into a scalar.

     tensorcc -O3 -march=native lecture.c && ./a.out [size...]
     tensor-compare lecture.c

   Prints the middle of each result and its largest relative error against
   sums in double precision; the time of a call on stderr.  */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* x: [n][p], y: [p][m], xy: [n][m].  */
static void
lecture (int n, int m, int p, float x[n][p], float y[p][m], float xy[n][m])
{
#pragma tensor name("lecture")
  {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        {
          xy[i][j] = 0;
          for (int k = 0; k < p; k++)
            xy[i][j] += x[i][k] * y[k][j];
        }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        xy[i][j] = xy[i][j] * 100;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        xy[i][j] = xy[i][j] + 10;
  }
}

static double
seconds (void)
{
  struct timespec t;
  timespec_get (&t, TIME_UTC);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void
fill (long n, float *x, unsigned seed)
{
  for (long i = 0; i < n; i++)
    {
      seed = seed * 1664525u + 1013904223u;
      x[i] = (float) (seed >> 8) / (1 << 24);
    }
}

/* The largest relative error over a diagonal walk through XY.  */
static double
error (int n, int m, int p, float x[n][p], float y[p][m], float xy[n][m])
{
  double worst = 0;
  for (int i = 0; i < n; i++)
    {
      int j = (int) (7L * i % m);
      double sum = 0;
      for (int k = 0; k < p; k++)
        sum += (double) x[i][k] * y[k][j];
      sum = 100 * sum + 10;
      worst = fmax (worst, fabs (xy[i][j] - sum) / sum);
    }
  return worst;
}

/* One product of n x p and p x m, CALLS times.  */
static int
run (int n, int m, int p, int calls)
{
  float *x = malloc (sizeof (float) * n * p);
  float *y = malloc (sizeof (float) * p * m);
  float *xy = malloc (sizeof (float) * n * m);
  if (!x || !y || !xy)
    return fprintf (stderr, "no memory\n"), 1;
  fill ((long) n * p, x, 1);
  fill ((long) p * m, y, 2);
  double start = seconds ();
  for (int c = 0; c < calls; c++)
    lecture (n, m, p, (float (*)[p]) x, (float (*)[m]) y, (float (*)[m]) xy);
  double ns = 1e9 * (seconds () - start) / calls;
  double worst
    = error (n, m, p, (float (*)[p]) x, (float (*)[m]) y, (float (*)[m]) xy);
  printf ("%4d x %4d x %4d: middle %.2f, error %s\n", n, m, p,
          xy[(long) (n / 2) * m + m / 2],
          worst < 1e-5 ? "below 1e-5" : "TOO LARGE");
  fprintf (stderr, "%4d x %4d x %4d: %.0f ns a call, %.2f GFLOP/s\n", n, m, p,
           ns, 2.0 * n * m * p / ns);
  free (x);
  free (y);
  free (xy);
  return worst >= 1e-5;
}

int
main (int argc, char **argv)
{
  int bad = run (10, 10, 1, 10000);
  if (argc == 1)
    bad |= run (512, 512, 512, 1);
  for (int a = 1; a < argc; a++)
    bad |= run (atoi (argv[a]), atoi (argv[a]), atoi (argv[a]), 1);
  return bad;
}
