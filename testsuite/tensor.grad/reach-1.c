/* Shows that gradients read and add to what the function reaches and to no
   element more: before where the pointer points to, up to a fence behind and
   before which there is no memory, nothing at all where no loop runs.  */

#include "check.h"

#include <sys/mman.h>
#include <unistd.h>

enum
{
  BEFORE = 2
};

static void
blend (int m, real *x, real *y)
{
  for (int i = 0; i < m; i++)
    x[i] = x[i] * x[i - 1];
  for (int i = 0; i < m; i++)
    y[i] = sin (x[i - BEFORE]) * x[i];
}

#pragma tensor gradient(blend) of(y: dy) wrt(x: dx)
void blend_gradient (int m, const real *x, const real *dy, real *dx);

static void
smooth (int m, real *x)
{
  for (int i = 0; i < m; i++)
    {
      real left = i > 0 ? x[i - 1] : 0;
      if (i + 1 < m)
        x[i] += left * x[i + 1];
      else
        x[i] *= 1 + left;
    }
}

#pragma tensor gradient(smooth) of(x: dx) wrt(x: dx)
void smooth_gradient (int m, const real *x, real *dx);

static void
distant (int m, int k, real *x, real *y)
{
  for (int j = 0; j < k; j++)
    for (int i = 0; i < m; i++)
      x[i + 5] *= 2 + x[i + 5];
  for (int i = 0; i < m; i++)
    if (k > 0)
      y[i] = x[i + 5] * x[i + 5];
    else
      y[i] = i;
}

#pragma tensor gradient(distant) of(y: dy) wrt(x: dx)
void distant_gradient (int m, int k, const real *x, const real *dy, real *dx);

static void
scale (int m, real *x, real *y)
{
  for (int i = 0; i < m; i++)
    y[i] += x[i] * sin (x[0]);
  for (int i = 0; i < m; i++)
    y[i] *= i > 2 ? x[i - 3] * x[i - 3] : 2;
  for (int i = 0; i < m; i++)
    x[i] = 0;
}

#pragma tensor gradient(scale) of(y: dy) wrt(x: dx) with(primal)
void scale_gradient (int m, real *x, real *y, const real *dy, real *dx);

enum
{
  SIDE = 3,
  STEP = 3,
  PICTURES = 2
};

/* The padding P reaches beyond pictures of M x M; how far the windows move is
   known at run time only, and so where rows begin.  */
static void
spaced (int m, int s, int p, real *restrict y, const real *restrict x,
        const real *restrict w)
{
  int k = (m + 2 * p - SIDE) / s + 1;
  for (int i = 0; i < k; i++)
    for (int j = 0; j < k; j++)
      {
        real sum = 0;
        for (int c = 0; c < PICTURES; c++)
          for (int a = 0; a < SIDE; a++)
            for (int b = 0; b < SIDE; b++)
              {
                int r = i * s + a - p, q = j * s + b - p;
                if (r >= 0 && r < m && q >= 0 && q < m)
                  sum += x[(c * m + r) * m + q] * w[(c * SIDE + a) * SIDE + b];
              }
        y[i * k + j] = sum * sum;
      }
}

#pragma tensor gradient(spaced) of(y: dy) wrt(x: dx)
void spaced_gradient (int m, int s, int p, const real *restrict dy,
                      const real *restrict x, const real *restrict w,
                      real *restrict dx);

static void
spaced_kernel (values at, real *out)
{
  if (n > 0)
    spaced (n, STEP, 1, out, at[0], at[1]);
}

static void
blend_kernel (values at, real *out)
{
  blend (n, at[0] + BEFORE, out);
}

static void
smooth_kernel (values at, real *out)
{
  smooth (n, at[0]);
  memcpy (out, at[0], sizeof at[0]);
}

static void
distant_kernel (values at, real *out)
{
  distant (n, 2, at[0], out);
}

static void
scale_kernel (values at, real *out)
{
  memset (out, 0, sizeof at[0]);
  scale (n, at[0], out);
}

/* N numbers with nothing behind (LAST) or before them, copied from FROM.  */
static real *
fenced (const real *from, int size, int last)
{
  size_t page = (size_t) sysconf (_SC_PAGESIZE);
  size_t bytes = (size_t) size * sizeof (real);
  char *base = mmap (NULL, 3 * page, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED || mprotect (base, page, PROT_NONE)
      || mprotect (base + 2 * page, page, PROT_NONE))
    abort ();
  real *made = (real *) (base + (last ? 2 * page - bytes : page));
  memcpy (made, from, bytes);
  return made;
}

/* SIZE elements between fences.  */
static void
check_fences (int size)
{
  for (int last = 0; last < 2; last++)
    {
      start (size);
      memset (a[3], 0, sizeof a[3]);
      memset (u + n, 0, sizeof u - (size_t) n * sizeof (real));
      real *x = fenced (a[0], n, last);
      real *dx = fenced (u, n, last);
      smooth_gradient (n, x, dx);
      memcpy (g[0], u, sizeof u);
      memcpy (g[0], dx, (size_t) n * sizeof (real));
      agree_from ("smooth", smooth_kernel, 0, 0);
      x = fenced (a[0], n, last);
      dx = fenced (g[1], n, last);
      scale_gradient (n, x, fenced (a[3], n, last), u, dx);
      memcpy (g[0], g[1], sizeof g[0]);
      memcpy (g[0], dx, (size_t) n * sizeof (real));
      agree ("scale", scale_kernel, 0);
      start (size);
      int all = n < 16 ? PICTURES * n * n : 0;
      dx = fenced (g[0], all, last);
      if (all > 0)
        spaced_gradient (n, STEP, 1, u, fenced (a[0], all, last), a[1], dx);
      memcpy (g[0], dx, (size_t) all * sizeof (real));
      if (all > 0)
        agree ("spaced", spaced_kernel, 0);
    }
}

int
main (void)
{
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    {
      start (sizes[s]);
      blend_gradient (n, a[0] + BEFORE, u, g[0] + BEFORE);
      agree ("blend", blend_kernel, 0);
      start (sizes[s]);
      distant_gradient (n, 2, a[0], u, g[0]);
      agree ("distant", distant_kernel, 0);
      distant_gradient (n, 0, NULL, u, NULL);
      check_fences (sizes[s]);
    }
  return faults != 0;
}
