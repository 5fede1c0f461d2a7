/* Shows that butterflies of an FFT, a DFT, polynomials and complex numbers
   mean the same.  */

#include "compare.h"

typedef struct complex_number
{
  float re, im;
} complex_number;

static NOINLINE void
plain_butterflies (float *re, float *im, const float *wr, const float *wi,
                   int half, int groups)
{
  for (int g = 0; g < groups; g++)
    for (int k = 0; k < half; k++)
      {
        int a = g * 2 * half + k;
        int b = a + half;
        float tr = wr[k] * re[b] - wi[k] * im[b];
        float ti = wr[k] * im[b] + wi[k] * re[b];
        re[b] = re[a] - tr;
        im[b] = im[a] - ti;
        re[a] += tr;
        im[a] += ti;
      }
}

static NOINLINE void
plain_multiply (const complex_number *a, const complex_number *b,
                complex_number *c, int n)
{
  for (int i = 0; i < n; i++)
    {
      c[i].re = a[i].re * b[i].re - a[i].im * b[i].im;
      c[i].im = a[i].re * b[i].im + a[i].im * b[i].re;
    }
}

static NOINLINE void
plain_interleaved (const float *a, float *power, int n)
{
  for (int i = 0; i < n; i++)
    power[i] = a[2 * i] * a[2 * i] + a[2 * i + 1] * a[2 * i + 1];
}

static NOINLINE void
plain_horner (const double *c, const double *x, double *y, int n, int degree)
{
  for (int i = 0; i < n; i++)
    {
      double s = 0;
      for (int k = degree; k >= 0; k--)
        s = s * x[i] + c[k];
      y[i] = s;
    }
}

static NOINLINE void
plain_polynomial_product (const int *a, const int *b, int *c, int n, int m)
{
  {
    for (int k = 0; k < n + m; k++)
      c[k] = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        c[i + j] += a[i] * b[j];
  }
}

static NOINLINE void
butterflies (float *re, float *im, const float *wr, const float *wi, int half,
             int groups)
{
#pragma tensor
  for (int g = 0; g < groups; g++)
    for (int k = 0; k < half; k++)
      {
        int a = g * 2 * half + k;
        int b = a + half;
        float tr = wr[k] * re[b] - wi[k] * im[b];
        float ti = wr[k] * im[b] + wi[k] * re[b];
        re[b] = re[a] - tr;
        im[b] = im[a] - ti;
        re[a] += tr;
        im[a] += ti;
      }
}

static NOINLINE void
multiply (const complex_number *a, const complex_number *b, complex_number *c,
          int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      c[i].re = a[i].re * b[i].re - a[i].im * b[i].im;
      c[i].im = a[i].re * b[i].im + a[i].im * b[i].re;
    }
}

static NOINLINE void
interleaved (const float *a, float *power, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    power[i] = a[2 * i] * a[2 * i] + a[2 * i + 1] * a[2 * i + 1];
}

static NOINLINE void
horner (const double *c, const double *x, double *y, int n, int degree)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      double s = 0;
      for (int k = degree; k >= 0; k--)
        s = s * x[i] + c[k];
      y[i] = s;
    }
}

static NOINLINE void
polynomial_product (const int *a, const int *b, int *c, int n, int m)
{
#pragma tensor
  {
    for (int k = 0; k < n + m; k++)
      c[k] = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        c[i + j] += a[i] * b[j];
  }
}

static float re[2][512], im[2][512], wr[2][128], wi[2][128];
static float a[2][256], b[2][256], c[2][256];
static double x[2][128], y[2][128], k[2][16];
static int p[2][128], q[2][128], r[2][256];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (re);
    FILL (im);
    FILL (wr);
    FILL (wi);
    for (int groups = 0; groups < 3; groups++)
      BOTH (butterflies, re[W], im[W], wr[W], wi[W], n, groups);
    CHECK (re);
    CHECK (im);
    FILL (a);
    FILL (b);
    FILL (c);
    BOTH (multiply, (void *) a[W], (void *) b[W], (void *) c[W], n);
    CHECK (c);
    BOTH (multiply, (void *) a[W], (void *) b[W], (void *) a[W], n);
    CHECK (a);
    BOTH (interleaved, a[W], b[W], n);
    CHECK (b);
    FILL_BELOW (x, 3);
    FILL (k);
    FILL (y);
    BOTH (horner, k[W], x[W], y[W], n, 9);
    CHECK (y);
    EACH_WIDTH (m)
    {
      FILL (p);
      FILL (q);
      FILL (r);
      BOTH (polynomial_product, p[W], q[W], r[W], n, m);
      CHECK (r);
    }
  }
  return 0;
}
