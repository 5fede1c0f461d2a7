/* Loops that do little with each element: y + a x, a scaled copy, a sum of two
   arrays one of which is scaled, max (y, 0) in place, and a dot product.  The
   arrays begin 16 bytes behind a cache line, as those of malloc, or on one.
   Nothing is to be lost on any of them.  */

#include "bench.h"

#define FEW    1000
#define SOME   4096
#define MANY   65536
#define BEHIND 4

BENCH_ALONE static void
axpy (int n, float a, float *restrict y, const float *restrict x)
{
#pragma tensor name("axpy")
  for (int i = 0; i < n; i++)
    y[i] += a * x[i];
}

BENCH_ALONE static void
scale (int n, float a, float *restrict y, const float *restrict x)
{
#pragma tensor name("scale")
  for (int i = 0; i < n; i++)
    y[i] = a * x[i];
}

BENCH_ALONE static void
triad (int n, float a, float *restrict y, const float *restrict x,
       const float *restrict z)
{
#pragma tensor name("triad")
  for (int i = 0; i < n; i++)
    y[i] = z[i] + a * x[i];
}

BENCH_ALONE static void
relu (int n, float *restrict y)
{
#pragma tensor name("relu")
  for (int i = 0; i < n; i++)
    y[i] = y[i] > 0 ? y[i] : 0;
}

BENCH_ALONE static void
dot (int n, float *restrict sum, const float *restrict x,
     const float *restrict z)
{
  float s = 0;
#pragma tensor name("dot")
  for (int i = 0; i < n; i++)
    s += x[i] * z[i];
  *sum = s;
}

/* run_NAME: LOOP, over N elements of the arrays y, x and z that begin AT
   elements behind a line.  */
#define RUN(name, size, at, loop)                                              \
  static void run_##name (float *const *a)                                     \
  {                                                                            \
    int n = bench_hide (size);                                                 \
    float *y = a[0] + (at);                                                    \
    BENCH_MAYBE const float *x = a[1] + (at), *z = a[2] + (at);                \
    loop;                                                                      \
  }

RUN (axpy_few, FEW, BEHIND, axpy (n, 0.5f, y, x))
RUN (axpy_line, FEW, 0, axpy (n, 0.5f, y, x))
RUN (axpy_many, MANY, BEHIND, axpy (n, 0.5f, y, x))
RUN (scale_few, FEW, BEHIND, scale (n, 0.5f, y, x))
RUN (scale_some, SOME, BEHIND, scale (n, 0.5f, y, x))
RUN (triad_few, FEW, BEHIND, triad (n, 0.5f, y, x, z))
RUN (triad_some, SOME, BEHIND, triad (n, 0.5f, y, x, z))
RUN (relu_some, SOME, BEHIND, relu (n, y))
RUN (relu_line, SOME, 0, relu (n, y))
RUN (relu_many, MANY, BEHIND, relu (n, y))
RUN (dot_some, SOME, BEHIND, dot (n, y, x, z))

/* A row of the table: RUN, on arrays for N elements.  */
#define ROW(title, what, n)                                                    \
  {                                                                            \
    .name = (title), .length = { (n) + 16, (n) + 16, (n) + 16 }, .low = -1,    \
    .high = 1, .run = run_##what,                                              \
    .goal                                                                      \
      = { { BENCH_FAST, 1, 0.95 },                                             \
          { BENCH_FAST, 2, 0.95 } }                                            \
  }

const bench_kernel bench_kernels[] = {
  ROW ("axpy, 1000", axpy_few, FEW),
  ROW ("axpy, 1000, on a line", axpy_line, FEW),
  ROW ("axpy, 65536", axpy_many, MANY),
  ROW ("scale, 1000", scale_few, FEW),
  ROW ("scale, 4096", scale_some, SOME),
  ROW ("triad, 1000", triad_few, FEW),
  ROW ("triad, 4096", triad_some, SOME),
  ROW ("relu, 4096", relu_some, SOME),
  ROW ("relu, 4096, on a line", relu_line, SOME),
  ROW ("relu, 65536", relu_many, MANY),
  ROW ("dot, 4096", dot_some, SOME),
  { .name = 0 },
};
