/* Shows gradients of loops that end before they begin: do runs once, what a
   loop would have counted is not counted.  The functions scale y, so that the
   adjoints that were 1 are what y becomes that was 1.  */

#include <stdio.h>

enum
{
  ROOM = 40,
  MIDDLE = 12
};

static void
count (int n, double *y, const double *x)
{
  int k = 0;
  for (int i = 1; i < n; i++)
    {
      y[k] *= x[k];
      k += 2;
    }
  for (int i = 0; i < 3; i++, k += 3)
    y[k] *= x[k];
  y[k] *= x[k];
}

#pragma tensor gradient(count) of(y : dy) wrt(y : dy)
void count_back (int n, const double *y, const double *x, double *dy);

static void
step (int n, double *y, const double *x)
{
  const double *p = x;
  for (int i = 1; i < n; i++)
    p++;
  y[0] *= *p;
}

#pragma tensor gradient(step) of(y : dy) wrt(y : dy)
void step_back (int n, const double *y, const double *x, double *dy);

static void
rise (int n, double *y, const double *x)
{
  int i = -1;
  do
    y[i] *= x[i];
  while (++i < n);
}

#pragma tensor gradient(rise) of(y : dy) wrt(y : dy)
void rise_back (int n, const double *y, const double *x, double *dy);

static void
fall (int n, double *y, const double *x)
{
  do
    {
      y[n] *= x[n];
      n--;
    }
  while (n > 0);
}

#pragma tensor gradient(fall) of(y : dy) wrt(y : dy)
void fall_back (int n, const double *y, const double *x, double *dy);

static void
rise_unsigned (int n, double *y, const double *x)
{
  unsigned i = 0, m = n > 0 ? n : 0;
  do
    y[i] *= x[i];
  while (++i < m);
}

#pragma tensor gradient(rise_unsigned) of(y : dy) wrt(y : dy)
void rise_unsigned_back (int n, const double *y, const double *x, double *dy);

/* How many adjoints are wrong after BACK, the gradient of F.  */
static int
faults (void (*f) (int, double *, const double *),
        void (*back) (int, const double *, const double *, double *),
        const char *name)
{
  int wrong = 0;
  for (int n = -3; n < 5; n++)
    {
      double x[ROOM], y[ROOM], dy[ROOM];
      for (int e = 0; e < ROOM; e++)
        {
          x[e] = e + 3;
          y[e] = dy[e] = 1;
        }
      back (n, y + MIDDLE, x + MIDDLE, dy + MIDDLE);
      f (n, y + MIDDLE, x + MIDDLE);
      for (int e = 0; e < ROOM; e++)
        if (y[e] != dy[e])
          {
            printf ("%s, n = %d: %g at %d, not %g\n", name, n, dy[e],
                    e - MIDDLE, y[e]);
            wrong++;
          }
    }
  return wrong;
}

int
main (void)
{
  return faults (count, count_back, "count") + faults (step, step_back, "step")
           + faults (rise, rise_back, "rise") + faults (fall, fall_back, "fall")
           + faults (rise_unsigned, rise_unsigned_back, "rise_unsigned")
         != 0;
}
