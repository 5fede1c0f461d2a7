/* Two products that do not depend on each other, x y + 100 and x z + 1000,
   and their sum x y + x z.

   The two can run at the same time; under fp(fast) the sum needs one product
   only, x (y + z).

     tensorcc -O3 -march=native twoproducts.c && ./a.out [size]
     tensor-compare twoproducts.c

   Prints corners of the results, which agree with each other: the sum is
   what the two give without their shifts.  Times on stderr.  */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* All matrices are n x n.  */
static void
two_products (int n, float x[restrict n][n], float y[restrict n][n],
              float z[restrict n][n], float u[restrict n][n],
              float v[restrict n][n])
{
#pragma tensor name("two products")
  {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        {
          float sum = 0;
          for (int k = 0; k < n; k++)
            sum += x[i][k] * y[k][j];
          u[i][j] = sum + 100;
        }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        {
          float sum = 0;
          for (int k = 0; k < n; k++)
            sum += x[i][k] * z[k][j];
          v[i][j] = sum + 1000;
        }
  }
}

static void
sum_of_products (int n, float x[restrict n][n], float y[restrict n][n],
                 float z[restrict n][n], float w[restrict n][n])
{
#pragma tensor name("sum of products") fp(fast)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      {
        float sum = 0;
        for (int k = 0; k < n; k++)
          sum += x[i][k] * y[k][j] + x[i][k] * z[k][j];
        w[i][j] = sum;
      }
}

static double
seconds (void)
{
  struct timespec t;
  timespec_get (&t, TIME_UTC);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static float *
matrix (int n, unsigned seed)
{
  long elements = (long) n * n;
  float *x = malloc (sizeof (float) * elements);
  if (!x)
    {
      fprintf (stderr, "no memory for %d x %d\n", n, n);
      exit (1);
    }
  for (long i = 0; i < elements; i++)
    {
      seed = seed * 1664525u + 1013904223u;
      x[i] = (float) (seed >> 8) / (1 << 24);
    }
  return x;
}

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 512;
  if (n < 1)
    return fprintf (stderr, "the size is a number from 1\n"), 1;
  float *x = matrix (n, 1), *y = matrix (n, 2), *z = matrix (n, 3);
  float *u = matrix (n, 0), *v = matrix (n, 0), *w = matrix (n, 0);
  double start = seconds ();
  two_products (n, (float (*)[n]) x, (float (*)[n]) y, (float (*)[n]) z,
                (float (*)[n]) u, (float (*)[n]) v);
  double middle = seconds ();
  sum_of_products (n, (float (*)[n]) x, (float (*)[n]) y, (float (*)[n]) z,
                   (float (*)[n]) w);
  double end = seconds ();
  long last = (long) n * n - 1;
  double worst = 0;
  for (long i = 0; i <= last; i++)
    worst = fmax (worst, fabs (w[i] - (u[i] - 100.0 + v[i] - 1000.0)) / w[i]);
  printf ("x y + 100:  first %.3f, last %.3f\n", u[0], u[last]);
  printf ("x z + 1000: first %.3f, last %.3f\n", v[0], v[last]);
  printf ("x y + x z:  first %.3f, last %.3f, %s\n", w[0], w[last],
          worst < 1e-4 ? "agrees with the two" : "DISAGREES");
  fprintf (stderr, "two products %.1f ms, sum of products %.1f ms\n",
           1e3 * (middle - start), 1e3 * (end - middle));
  free (x);
  free (y);
  free (z);
  free (u);
  free (v);
  free (w);
  return worst >= 1e-4;
}
