/* Shows gradients whose last vectors are loaded and stored under masks around a
   loop, between pages without access: GCC made such an address of a counter that
   had moved on.  */

/* { dg-require-effective-target avx2 } */
/* { dg-additional-options "-march=haswell -D_GNU_SOURCE" } */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE 4096

static void
gates (int n, int p, double *restrict y, double *restrict z,
       const double *restrict h, const double *restrict u)
{
  for (int i = 0; i < n; i++)
    for (int g = 0; g < 4; g++)
      for (int j = 0; j < p; j++)
        {
          double sum = 0;
          for (int k = 0; k < p; k++)
            sum += h[i * p + k] * u[(g * p + j) * p + k];
          z[(i * 4 + g) * p + j] = sum;
        }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < p; j++)
      y[i * p + j] = z[(i * 4 + 0) * p + j] * z[(i * 4 + 1) * p + j]
                     * z[(i * 4 + 2) * p + j] * z[(i * 4 + 3) * p + j];
}

#pragma tensor gradient(gates) of(y : dy) wrt(h : dh) given(z)
void gates_h (int n, int p, const double *restrict z, const double *restrict dy,
              const double *restrict u, double *restrict dh);

/* N numbers that end where a page ends behind which there is none.  */
static double *
fenced (int n)
{
  size_t body = (n * sizeof (double) + PAGE - 1) / PAGE * PAGE;
  char *m
    = mmap (0, body + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (m == MAP_FAILED || mprotect (m + PAGE, body, PROT_READ | PROT_WRITE))
    exit (77);
  double *x = (double *) (m + PAGE + body) - n;
  for (int i = 0; i < n; i++)
    x[i] = i * 7919L % 1009 / 1009. - .5;
  return x;
}

/* The same by hand.  */
static void
by_hand (int n, int p, const double *z, const double *dy, const double *u,
         double *dh)
{
  for (int i = 0; i < n; i++)
    for (int g = 0; g < 4; g++)
      for (int j = 0; j < p; j++)
        {
          double dz = dy[i * p + j];
          for (int o = 0; o < 4; o++)
            dz *= o == g ? 1 : z[(i * 4 + o) * p + j];
          for (int k = 0; k < p; k++)
            dh[i * p + k] += dz * u[(g * p + j) * p + k];
        }
}

int
main (void)
{
  for (int n = 1; n < 10; n += 2)
    for (int p = 1; p < 40; p += 3)
      {
        double *z = fenced (4 * n * p), *dy = fenced (n * p);
        double *u = fenced (4 * p * p), *dh = fenced (n * p);
        double *h = fenced (n * p), *y = fenced (n * p), *want = fenced (n * p);
        gates (n, p, y, z, h, u);
        by_hand (n, p, z, dy, u, want);
        gates_h (n, p, z, dy, u, dh);
        for (int i = 0; i < n * p; i++)
          if (!(fabs (dh[i] - want[i]) < 1e-11))
            {
              printf ("%d %d: element %d\n", n, p, i);
              return 1;
            }
      }
  return 0;
}
