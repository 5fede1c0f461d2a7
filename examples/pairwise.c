/* Squared distances between all points of two sets, the way array languages
   write it: a difference with a new axis, a square, a sum over that axis.

   As written, two arrays of n x m x p numbers are stored and read again;
   fused, neither exists.

     tensorcc -O3 -march=native pairwise.c && ./a.out [n m p]
     tensor-compare pairwise.c

   Prints the nearest neighbour of the first points; times on stderr.  */

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* a: [n][p], b: [m][p], d: [n][m]; diff and sqr: [n][m][p], scratch.  */
static void
pairwise (int n, int m, int p, float a[n][p], float b[m][p], float d[n][m],
          float diff[n][m][p], float sqr[n][m][p])
{
#pragma tensor name("pairwise") temp(diff, sqr)
  {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        for (int k = 0; k < p; k++)
          diff[i][j][k] = a[i][k] - b[j][k];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        for (int k = 0; k < p; k++)
          sqr[i][j][k] = diff[i][j][k] * diff[i][j][k];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        {
          d[i][j] = 0;
          for (int k = 0; k < p; k++)
            d[i][j] += sqr[i][j][k];
        }
  }
}

/* The sum of x[i] x[j] over all pairs: (sum x)^2, if algebra is allowed.  */
static float
all_products (int n, const float *x)
{
  float sum = 0;
#pragma tensor name("all products") fp(fast)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sum += x[i] * x[j];
  return sum;
}

static double
seconds (void)
{
  struct timespec t;
  timespec_get (&t, TIME_UTC);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static float *
array (long n, unsigned seed)
{
  float *x = malloc (sizeof (float) * n);
  if (!x)
    {
      fprintf (stderr, "no memory for %ld elements\n", n);
      exit (1);
    }
  for (long i = 0; seed && i < n; i++)
    {
      seed = seed * 1664525u + 1013904223u;
      x[i] = (float) (seed >> 8) / (1 << 24);
    }
  return x;
}

static int
nearest (int m, const float *row)
{
  int best = 0;
  for (int j = 1; j < m; j++)
    if (row[j] < row[best])
      best = j;
  return best;
}

static void
run (int n, int m, int p, int calls)
{
  long whole = (long) n * m * p;
  float *a = array ((long) n * p, 1), *b = array ((long) m * p, 2);
  float *d = array ((long) n * m, 0);
  float *diff = array (whole, 0), *sqr = array (whole, 0);
  double start = seconds ();
  for (int c = 0; c < calls; c++)
    pairwise (n, m, p, (float (*)[p]) a, (float (*)[p]) b, (float (*)[m]) d,
              (float (*)[m][p]) diff, (float (*)[m][p]) sqr);
  double us = 1e6 * (seconds () - start) / calls;
  printf ("%4d x %4d points of %d numbers: nearest to", n, m, p);
  for (int i = 0; i < 3 && i < n; i++)
    printf (" %d is %d (%.5f)%s", i, nearest (m, d + (long) i * m),
            d[(long) i * m + nearest (m, d + (long) i * m)],
            i < 2 ? "," : "\n");
  fprintf (stderr, "%4d x %4d points of %d numbers: %.1f us a call\n", n, m, p,
           us);
  free (a);
  free (b);
  free (d);
  free (diff);
  free (sqr);
}

int
main (int argc, char **argv)
{
  if (argc == 4)
    run (atoi (argv[1]), atoi (argv[2]), atoi (argv[3]), 3);
  else
    {
      run (100, 200, 10, 20);
      run (100, 200, 2, 20);
      run (1000, 1000, 64, 1);
    }
  float *x = array (100, 3);
  double start = seconds ();
  float sum = 0;
  for (int c = 0; c < 1000; c++)
    sum += all_products (100, x);
  double ns = 1e9 * (seconds () - start) / 1000;
  printf ("sum of all products of 100: %.2f\n", sum / 1000);
  fprintf (stderr, "sum of all products of 100: %.1f ns a call\n", ns);
  free (x);
  return 0;
}
