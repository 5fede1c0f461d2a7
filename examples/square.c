/* x = x * x, ten times over, in three spellings.

   As written, each of the ten steps walks through the whole array; fused,
   one walk does all ten on a value in a register.

     tensorcc -O3 -march=native square.c && ./a.out [elements]
     tensor-compare square.c

   Prints a few of the results (each is the start to the power of 1024) and,
   on stderr, the time of a call for 5 and for many elements.  */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Ten nests, in place.  */
static void
ten_nests (long n, float *x)
{
#pragma tensor name("ten nests")
  {
    for (long i = 0; i < n; i++)
      x[i] = x[i] * x[i];
    for (long i = 0; i < n; i++)
      x[i] = x[i] * x[i];
    for (long i = 0; i < n; i++)
      x[i] = x[i] * x[i];
    for (long i = 0; i < n; i++)
      x[i] = x[i] * x[i];
    for (long i = 0; i < n; i++)
      x[i] = x[i] * x[i];
    for (long i = 0; i < n; i++)
      x[i] = x[i] * x[i];
    for (long i = 0; i < n; i++)
      x[i] = x[i] * x[i];
    for (long i = 0; i < n; i++)
      x[i] = x[i] * x[i];
    for (long i = 0; i < n; i++)
      x[i] = x[i] * x[i];
    for (long i = 0; i < n; i++)
      x[i] = x[i] * x[i];
  }
}

/* A loop around one nest; the number of steps is known when it runs.  */
static void
loop_around (long n, float *x, int steps)
{
#pragma tensor name("loop around")
  for (int t = 0; t < steps; t++)
    for (long i = 0; i < n; i++)
      x[i] *= x[i];
}

/* Each step to an array of its own (A and B in turn), as an interpreter of
   array expressions does; neither is needed afterwards.  */
static void
temporaries (long n, float *x, float *a, float *b)
{
#pragma tensor name("temporaries") temp(a, b)
  {
    for (long i = 0; i < n; i++)
      a[i] = x[i] * x[i];
    for (int t = 0; t < 4; t++)
      {
        for (long i = 0; i < n; i++)
          b[i] = a[i] * a[i];
        for (long i = 0; i < n; i++)
          a[i] = b[i] * b[i];
      }
    for (long i = 0; i < n; i++)
      x[i] = a[i] * a[i];
  }
}

static double
seconds (void)
{
  struct timespec t;
  timespec_get (&t, TIME_UTC);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

/* Numbers so near to 1 that their power of 1024 is a usual number.  */
static void
fill (long n, float *x)
{
  for (long i = 0; i < n; i++)
    x[i] = 0.9995f + 0.001f * (float) (i % 1000) / 1000;
}

static void
show (const char *name, long n, const float *x, double ns)
{
  double sum = 0;
  for (long i = 0; i < n; i++)
    sum += x[i];
  printf ("%-12s %9ld elements: first %.4f, last %.4f, mean %.5f\n", name, n,
          x[0], x[n - 1], sum / n);
  fprintf (stderr, "%-12s %9ld elements: %.1f ns a call\n", name, n, ns);
}

/* Time CALLS calls of form F on N elements, each from the same start.  */
static void
run (int f, long n, int calls, float *x[3])
{
  static const char *const name[]
    = { "ten nests", "loop around", "temporaries" };
  double spent = 0;
  for (int c = 0; c < calls; c++)
    {
      fill (n, x[0]);
      double start = seconds ();
      if (f == 0)
        ten_nests (n, x[0]);
      else if (f == 1)
        loop_around (n, x[0], 10);
      else
        temporaries (n, x[0], x[1], x[2]);
      spent += seconds () - start;
    }
  show (name[f], n, x[0], 1e9 * spent / calls);
}

int
main (int argc, char **argv)
{
  long n = argc > 1 ? atol (argv[1]) : 16 << 20;
  float *x[3];
  for (int i = 0; i < 3; i++)
    if (n < 1 || !(x[i] = malloc ((n > 5 ? n : 5) * sizeof (float))))
      return fprintf (stderr, "no memory for %ld elements\n", n), 1;
    else
      fill (n, x[i]);
  for (int f = 0; f < 3; f++)
    {
      run (f, 5, 10000, x);
      run (f, n, 2, x);
    }
  return 0;
}
