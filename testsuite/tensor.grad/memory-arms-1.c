/* Shows gradients in bounded memory of functions that choose with ?: what they
   read, that read by index what they overwrite, and rows of a length that is in
   memory: in parts, or whole.  */

#include "check.h"

enum
{
  STEPS = 20
};

static int start_of[ROOM];

/* No time loop.  */
static void
clamp (int m, const real *restrict x, real *restrict y)
{
  for (int i = 0; i < m; i++)
    {
      real c = x[i] > .6 ? .6 : x[i] < .3 ? .3 : x[i];
      y[i] = c * c;
    }
}

#pragma tensor gradient(clamp) of(y : dy) wrt(x : dx) memory("64M")
void clamp_gradient (int m, const real *restrict x, const real *restrict dy,
                     real *restrict dx);

/* Nothing before the first element.  */
static void
eliminate (int m, const real *restrict x, real *restrict y)
{
  for (int i = 0; i < m; i++)
    y[i] = (y[i] - (i ? x[i] * y[i - 1] : 0)) * y[i];
}

#pragma tensor gradient(eliminate) of(y : dy) wrt(x : dx, y : dy) memory("1K")
void eliminate_gradient (int m, const real *restrict x, const real *restrict y,
                         real *restrict dx, real *restrict dy);

static void
choose (int m, int steps, const real *restrict x, real *restrict y)
{
  for (int t = 0; t < steps; t++)
    for (int i = 0; i < m; i++)
      y[i] = y[i] * (y[i] > .2 ? x[i] : y[i])
             + (i % 2 ? .3 * x[i] : i < m - 1 ? y[i + 1] * x[i + 1] : x[t]);
}

#pragma tensor gradient(choose) of(y : dy) wrt(x : dx, y : dy) memory("1K")
void choose_gradient (int m, int steps, const real *restrict x,
                      const real *restrict y, real *restrict dx,
                      real *restrict dy);

static void
gather (int m, int steps, const int *restrict at, const real *restrict x,
        real *restrict y)
{
  for (int t = 0; t < steps; t++)
    for (int i = 0; i < m; i++)
      {
        int j = at[i];
        y[i] = .3 * sin (y[i] * y[j]) + x[i];
      }
}

#pragma tensor gradient(gather) of(y : dy) wrt(x : dx, y : dy) memory("1K")
void gather_gradient (int m, int steps, const int *restrict at,
                      const real *restrict x, const real *restrict y,
                      real *restrict dx, real *restrict dy);

static void
relax (int m, int steps, const int *restrict p, const int *restrict at,
       const real *restrict x, real *restrict y)
{
  for (int t = 0; t < steps; t++)
    for (int i = 0; i < m; i++)
      for (int k = p[i]; k < p[i + 1]; k++)
        y[i] = .5 * y[i] + .2 * y[at[k]] * y[at[k]] * x[k];
}

#pragma tensor gradient(relax) of(y : dy) wrt(x : dx, y : dy) memory("4K")
void relax_gradient (int m, int steps, const int *restrict p,
                     const int *restrict at, const real *restrict x,
                     const real *restrict y, real *restrict dx,
                     real *restrict dy);

static void
clamp_kernel (values at, real *out)
{
  clamp (n, at[0], out);
}

static void
eliminate_kernel (values at, real *out)
{
  eliminate (n, at[0], at[1]);
  memcpy (out, at[1], (size_t) n * sizeof *out);
}

static void
choose_kernel (values at, real *out)
{
  choose (n, STEPS, at[0], at[1]);
  memcpy (out, at[1], (size_t) n * sizeof *out);
}

static void
gather_kernel (values at, real *out)
{
  gather (n, STEPS, index_of, at[0], at[1]);
  memcpy (out, at[1], (size_t) n * sizeof *out);
}

static void
relax_kernel (values at, real *out)
{
  relax (n, STEPS, start_of, index_of, at[0], at[1]);
  memcpy (out, at[1], (size_t) n * sizeof *out);
}

/* New values for size SIZE, and the adjoints of N results in g[1].  */
static void
start_again (int size)
{
  start (size);
  for (int e = 0; e < ROOM; e++)
    g[1][e] = e < n ? u[e] : 0;
  for (int i = 0; i <= n; i++)
    start_of[i] = i ? start_of[i - 1] + i % 4 : 0;
}

/* The gradient of F, called NAME, agrees in both arrays.  */
static void
agree_both (const char *name, kernel *f)
{
  agree (name, f, 0);
  agree_from (name, f, 1, 0);
}

int
main (void)
{
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++)
    {
      start_again (sizes[k]);
      clamp_gradient (n, a[0], g[1], g[0]);
      agree ("clamp", clamp_kernel, 0);
      start_again (sizes[k]);
      eliminate_gradient (n, a[0], a[1], g[0], g[1]);
      agree_both ("eliminate", eliminate_kernel);
      start_again (sizes[k]);
      choose_gradient (n, STEPS, a[0], a[1], g[0], g[1]);
      agree_both ("choose", choose_kernel);
      start_again (sizes[k]);
      gather_gradient (n, STEPS, index_of, a[0], a[1], g[0], g[1]);
      agree_both ("gather", gather_kernel);
      start_again (sizes[k]);
      relax_gradient (n, STEPS, start_of, index_of, a[0], a[1], g[0], g[1]);
      agree_both ("relax", relax_kernel);
    }
  if (faults)
    printf ("%d faults\n", faults);
  return faults != 0;
}
