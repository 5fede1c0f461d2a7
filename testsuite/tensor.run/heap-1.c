/* Shows regions that allocate and free: malloc, calloc, aligned_alloc, in
   loops, of structures, by a macro; where there is no memory, or a number of
   elements is negative, what the source does then.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NEW(type, n) ((type *) malloc ((n) * sizeof (type)))

typedef struct pair
{
  double a;
  double b;
} pair;

enum
{
  N = 300
};

static int is_closed;
static float x[N], y[N], want[N];

static void *
get (size_t bytes)
{
  void *memory = NULL;
  return !is_closed && !posix_memalign (&memory, 64, bytes) ? memory : NULL;
}

void *
malloc (size_t bytes)
{
  return get (bytes);
}

void *
aligned_alloc (size_t align, size_t bytes)
{
  return align <= 64 ? get (bytes) : NULL;
}

static int
smooth (int n, int m)
{
#pragma tensor require(transform)
  {
    float *t = malloc (n * sizeof *t);
    double *sums = calloc (m, sizeof *sums);
    if (!t || sums == NULL)
      {
        fprintf (stderr, "no memory for %d\n", n);
        return -1;
      }
    for (int i = 0; i < n; i++)
      t[i] = x[i] * 2;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        sums[j] += t[i] * j;
    for (int i = 1; i < n; i++)
      y[i] = t[i] + t[i - 1] + (float) sums[i % 3];
    free (t);
    free (sums);
  }
  return 0;
}

static void
pairs (int n)
{
  pair *p;
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      pair *q = NEW (pair, 4), *r = q;
      float *w = (float *) aligned_alloc (64, 16 * sizeof (float));
      p = q + 1;
      for (int k = 0; k < 4; k++)
        {
          q[k].a = x[i] * k;
          q[k].b = x[i] + k;
        }
      for (int k = 0; k < 3; k++)
        w[k] = (float) (p[k].a * r[k].b);
      y[i] = w[0] + w[1] - w[2];
      if (w)
        free (w);
      free (q);
    }
}

/* What smooth gives, pairs with M 0.  */
static void
expect (int n, int m)
{
  for (int i = 1; i < n && m; i++)
    {
      double sum = 0;
      for (int k = 0; k < n; k++)
        sum += x[k] * 2 * (i % 3);
      want[i] = x[i] * 2 + x[i - 1] * 2 + (float) sum;
    }
  for (int i = 0; i < n && !m; i++)
    want[i] = x[i] * 1 * (x[i] + 0) + x[i] * 2 * (x[i] + 1)
              - x[i] * 3 * (x[i] + 2);
}

int
main (void)
{
  for (int i = 0; i < N; i++)
    x[i] = (float) (i % 16);
  if (smooth (N, 3))
    return 1;
  expect (N, 3);
  if (memcmp (y, want, sizeof y))
    return 2;
  pairs (N);
  expect (N, 0);
  if (memcmp (y, want, sizeof y))
    return 3;
  memset (y, 0, sizeof y);
  is_closed = 1;
  if (smooth (N, 3) != -1 || y[2])
    return 4;
  is_closed = 0;
  if (smooth (-3, 3) != -1 || smooth (0, 3) || y[2])
    return 5;
  return 0;
}
