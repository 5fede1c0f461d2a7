/* { dg-tensor-opts "parallel-threshold=1" } */

/* Shows gradients of greatest and least values: the element that was taken
   gains, of equal ones the one that the function takes, where none was the
   first value; nothing of the others is kept.  A sum that is taken is made once
   more; one that goes on from iteration to iteration cannot be.
   So with windows of few elements where they share some, and where a condition
   on numbers decides whether any is taken.  */

/* { dg-final { scan-json "\"function\": \"first_gradient\",\[^\\n\]*\"tape_bytes\": 0," } } */
/* { dg-final { scan-json "\"function\": \"nearest_gradient\",\[^\\n\]*\"tape_bytes\": \[0-9\]+," } } */
/* { dg-final { scan-json "\"function\": \"pooled_gradient\",\[^\\n\]*\"tape_bytes\": 0," } } */
/* { dg-final { scan-json "\"function\": \"whole_gradient\",\[^\\n\]*\"tape_bytes\": 0," } } */

#include "check.h"

static void
first (int m, int c, const real *s, const real x[m][c], real y[m])
{
  for (int i = 0; i < m; i++)
    {
      real most = s[i];
      for (int j = 0; j < c; j++)
        if (x[i][j] > most)
          most = x[i][j];
      y[i] = 2 * most;
    }
}

#pragma tensor gradient(first) of(y: dy) wrt(s: ds, x: dx)
void first_gradient (int m, int c, const real *s, const real x[m][c],
                     const real dy[m], real *ds, real dx[m][c]);

static void
least (int m, int c, const real x[m][c], real y[c])
{
  for (int j = 0; j < c; j++)
    y[j] = 1;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < c; j++)
      y[j] = fmin (y[j], x[i][j]);
}

#pragma tensor gradient(least) of(y: dy) wrt(x: dx)
void least_gradient (int m, int c, const real x[m][c], const real dy[c],
                     real dx[m][c]);

static void
kept (int m, int c, const int *at, const real *w, const real x[m][c], real y[m],
      int place[m])
{
  for (int i = 0; i < m; i++)
    {
      real most = -1;
      place[i] = -1;
      for (int j = 0; j < c; j++)
        {
          real v = x[i][j] * w[at[j]];
          if (at[j] != 1 && v > most)
            {
              most = v;
              place[i] = j;
            }
        }
      y[i] = most;
    }
}

#pragma tensor gradient(kept) of(y: dy) wrt(w: dw, x: dx)
void kept_gradient (int m, int c, const int *at, const real *w,
                    const real x[m][c], const real dy[m], real *dw,
                    real dx[m][c]);

static void
whole (int m, int c, const real x[m][c], real *y)
{
  real most = 0;
  for (int i = m - 1; i >= 0; i--)
    for (int j = i; j < c; j++)
      most = x[i][j] > most ? x[i][j] : most;
  *y = most;
}

#pragma tensor gradient(whole) of(y: dy) wrt(x: dx)
void whole_gradient (int m, int c, const real x[m][c], const real *dy,
                     real dx[m][c]);

static void
last (int m, int c, const real x[m][c], real y[m])
{
  for (int i = 0; i < m; i++)
    {
      real most = 0, least = 1;
      for (int j = 0; j < c; j++)
        if (x[i][j] >= most)
          most = x[i][j];
      for (int j = 0; j < c; j++)
        least = fmin (x[i][j], least);
      y[i] = most - 4 * least;
    }
}

#pragma tensor gradient(last) of(y: dy) wrt(x: dx)
void last_gradient (int m, int c, const real x[m][c], const real dy[m],
                    real dx[m][c]);

static void
nearest (int m, int c, const real x[m][c], const real centre[m][c], real *y)
{
  real sum = 0;
  for (int i = 0; i < m; i++)
    {
      real best = 1e30;
      for (int k = 0; k < m; k++)
        {
          real s = 0;
          for (int j = 0; j < c; j++)
            {
              real t = x[i][j] - centre[k][j];
              s += t * t;
            }
          best = s < best ? s : best;
        }
      sum += best;
    }
  *y = sum;
}

#pragma tensor gradient(nearest) of(y: dy) wrt(x: dx)
void nearest_gradient (int m, int c, const real x[m][c],
                       const real centre[m][c], const real *dy, real dx[m][c]);

static void
summit (int m, int c, const real x[m][c], real y[m])
{
  for (int i = 0; i < m; i++)
    {
      real most = 0, height = 0;
      for (int j = 0; j < c; j++)
        {
          height += x[i][j] - 0.5;
          most = height > most ? height : most;
        }
      y[i] = most;
    }
}

#pragma tensor gradient(summit) of(y: dy) wrt(x: dx)
void summit_gradient (int m, int c, const real x[m][c], const real dy[m],
                      real dx[m][c]);

static void
pooled (int m, int c, const real x[m][c], real y[m])
{
  for (int i = 0; i < m; i++)
    {
      y[i] = 0;
      for (int j = 0; j < (c - 1) / 2; j++)
        {
          real most = -1;
          for (int k = 0; k < 3; k++)
            most = fmax (most, x[i][2 * j + k]);
          y[i] += most;
        }
    }
}

#pragma tensor gradient(pooled) of(y: dy) wrt(x: dx)
void pooled_gradient (int m, int c, const real x[m][c], const real dy[m],
                      real dx[m][c]);

static void
lower (int m, int c, const real *s, const real x[m][c], real y[m])
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < c; j++)
      if (s[i] > 0.5)
        {
          real v = x[i][0];
          if (x[i][j] < v)
            v = x[i][j];
          y[i] = v < 0.5 ? v : 0.5;
        }
}

#pragma tensor gradient(lower) of(y: dy) wrt(x: dx)
void lower_gradient (int m, int c, const real *s, const real x[m][c],
                     const real dy[m], real dx[m][c]);

enum
{
  MOST = 41
};

static real x[MOST * MOST], s[MOST], w[MOST], y[MOST], dy[MOST];
static real dx[MOST * MOST], more[MOST], want[MOST * MOST], also[MOST];

/* New numbers, of which many are equal; adjoints of 0.25.  */
static void
fill (int m, int c)
{
  start (m);
  for (int e = 0; e < MOST; e++)
    {
      s[e] = (int) (5 * next ()) * 0.25;
      w[e] = (int) (5 * next ()) * 0.5;
      dy[e] = next ();
      index_of[e] = (int) (100 * next ()) % 7;
      also[e] = more[e] = 0.25;
    }
  for (int e = 0; e < MOST * MOST; e++)
    {
      x[e] = (int) (9 * next ()) * 0.125;
      want[e] = dx[e] = 0.25;
    }
}

/* All adjoints are what they should be.  */
static void
compare (const char *name, int m, int c)
{
  for (int e = 0; e < MOST * MOST; e++)
    if (dx[e] != want[e] || (e < MOST && more[e] != also[e]))
      {
        printf ("%s, %d x %d: element %d\n", name, m, c, e);
        faults++;
        return;
      }
}

static void
check_first (int m, int c)
{
  fill (m, c);
  first_gradient (m, c, s, (void *) x, dy, more, (void *) dx);
  for (int i = 0; i < m; i++)
    {
      int at = -1;
      for (int j = 0; j < c; j++)
        if (x[i * c + j] > (at < 0 ? s[i] : x[i * c + at]))
          at = j;
      *(at < 0 ? &also[i] : &want[i * c + at]) += dy[i] * 2;
    }
  compare ("first", m, c);
}

static void
check_least (int m, int c)
{
  fill (m, c);
#ifndef __FAST_MATH__
  x[0] = NAN;
#endif
  least_gradient (m, c, (void *) x, dy, (void *) dx);
  for (int j = 0; j < c; j++)
    {
      int at = -1;
      for (int i = 0; i < m; i++)
        if (x[i * c + j] < (at < 0 ? 1 : x[at * c + j]))
          at = i;
      if (at >= 0)
        want[at * c + j] += dy[j];
    }
  compare ("least", m, c);
}

static void
check_kept (int m, int c)
{
  fill (m, c);
  kept_gradient (m, c, index_of, w, (void *) x, dy, more, (void *) dx);
  for (int i = 0; i < m; i++)
    {
      int at = -1;
      real most = -1;
      for (int j = 0; j < c; j++)
        if (index_of[j] != 1 && x[i * c + j] * w[index_of[j]] > most)
          {
            most = x[i * c + j] * w[index_of[j]];
            at = j;
          }
      if (at < 0)
        continue;
      want[i * c + at] += dy[i] * w[index_of[at]];
      also[index_of[at]] += dy[i] * x[i * c + at];
    }
  compare ("kept", m, c);
}

static void
check_whole (int m, int c)
{
  int at = -1;
  fill (m, c);
  whole_gradient (m, c, (void *) x, dy, (void *) dx);
  for (int i = m - 1; i >= 0; i--)
    for (int j = i; j < c; j++)
      if (x[i * c + j] > (at < 0 ? 0 : x[at]))
        at = i * c + j;
  if (at >= 0)
    want[at] += dy[0];
  compare ("whole", m, c);
}

static void
check_last (int m, int c)
{
  fill (m, c);
  last_gradient (m, c, (void *) x, dy, (void *) dx);
  for (int i = 0; i < m; i++)
    {
      int most = -1;
      int least = -1;
      for (int j = i * c; j < i * c + c; j++)
        {
          if (x[j] >= (most < 0 ? 0 : x[most]))
            most = j;
          if (x[j] <= (least < 0 ? 1 : x[least]))
            least = j;
        }
      if (least >= 0)
        want[least] -= dy[i] * 4;
      if (most >= 0)
        want[most] += dy[i];
    }
  compare ("last", m, c);
}

/* Row AT of the centres, whose numbers are those of x turned around.  */
static real
centre_of (int m, int c, int at, int j)
{
  return x[m * c - 1 - (at * c + j)];
}

static void
check_nearest (int m, int c)
{
  static real centre[MOST * MOST];
  fill (m, c);
  for (int e = 0; e < m * c; e++)
    centre[e] = centre_of (m, c, 0, e);
  nearest_gradient (m, c, (void *) x, (void *) centre, dy, (void *) dx);
  for (int i = 0; i < m; i++)
    {
      int at = -1;
      real best = 1e30;
      for (int k = 0; k < m; k++)
        {
          real s = 0;
          for (int j = 0; j < c; j++)
            s += pow (x[i * c + j] - centre_of (m, c, k, j), 2);
          if (s < best)
            {
              best = s;
              at = k;
            }
        }
      for (int j = 0; j < c; j++)
        want[i * c + j]
          += dy[0] * (2 * (x[i * c + j] - centre_of (m, c, at, j)));
    }
  compare ("nearest", m, c);
}

static void
check_summit (int m, int c)
{
  fill (m, c);
  summit_gradient (m, c, (void *) x, dy, (void *) dx);
  for (int i = 0; i < m; i++)
    {
      int at = -1;
      real height = 0, most = 0;
      for (int j = 0; j < c; j++)
        {
          height += x[i * c + j] - 0.5;
          if (height > most)
            {
              most = height;
              at = j;
            }
        }
      for (int j = 0; j <= at; j++)
        want[i * c + j] += dy[i];
    }
  compare ("summit", m, c);
}

static void
check_pooled (int m, int c)
{
  fill (m, c);
  pooled_gradient (m, c, (void *) x, dy, (void *) dx);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < (c - 1) / 2; j++)
      {
        int at = i * c + 2 * j;
        for (int k = 1; k < 3; k++)
          if (x[i * c + 2 * j + k] > x[at])
            at = i * c + 2 * j + k;
        want[at] += dy[i];
      }
  compare ("pooled", m, c);
}

static void
check_lower (int m, int c)
{
  fill (m, c);
  lower_gradient (m, c, s, (void *) x, dy, (void *) dx);
  for (int i = 0; i < m && c > 0; i++)
    if (s[i] > 0.5)
      {
        int last = i * c + c - 1;
        int at = x[last] < x[i * c] ? last : i * c;
        if (x[at] < 0.5)
          want[at] += dy[i];
      }
  compare ("lower", m, c);
}

int
main (void)
{
  static const int shapes[][2]
    = { { 0, 3 }, { 3, 0 },  { 1, 1 },   { 1, 41 },
        { 2, 5 }, { 41, 1 }, { 17, 23 }, { 41, 41 } };
  for (unsigned k = 0; k < sizeof shapes / sizeof *shapes; k++)
    {
      check_first (shapes[k][0], shapes[k][1]);
      check_least (shapes[k][0], shapes[k][1]);
      check_kept (shapes[k][0], shapes[k][1]);
      check_whole (shapes[k][0], shapes[k][1]);
      check_last (shapes[k][0], shapes[k][1]);
      check_nearest (shapes[k][0], shapes[k][1]);
      check_pooled (shapes[k][0], shapes[k][1]);
      check_summit (shapes[k][0], shapes[k][1]);
      check_lower (shapes[k][0], shapes[k][1]);
    }
  return faults != 0;
}
