/* Shows that rows of flat arrays may begin at 1, as Fortran's do, and be as
   long as they are apart: products, rank-1 updates, solves, and a scratch
   array of such rows.  */
/* { dg-no-verdicts "the pragmas come of macros" } */

#include "compare.h"

#define KERNELS(name, pragma)                                                  \
  static NOINLINE void name##product (const double *a, const double *b,        \
                                      double *c, int n, int m, int ld)         \
  {                                                                            \
    a -= 1 + ld;                                                               \
    b -= 1 + ld;                                                               \
    c -= 1 + ld;                                                               \
    pragma for (int j = 1; j <= n; j++)                                        \
    {                                                                          \
      for (int i = 1; i <= m; i++)                                             \
        c[i + j * ld] = 0;                                                     \
      for (int l = 1; l <= n; l++)                                             \
        {                                                                      \
          double t = b[l + j * ld];                                            \
          for (int i = 1; i <= m; i++)                                         \
            c[i + j * ld] += t * a[i + l * ld];                                \
        }                                                                      \
    }                                                                          \
  }                                                                            \
  static NOINLINE void name##dots (const double *a, const double *b,           \
                                   double *c, int n, int m, int ld)            \
  {                                                                            \
    a -= 1 + ld;                                                               \
    b -= 1 + ld;                                                               \
    c -= 1 + ld;                                                               \
    pragma for (int j = 1; j <= n; j++) for (int i = 1; i <= m; i++)           \
    {                                                                          \
      double t = 0;                                                            \
      for (int l = 1; l <= n; l++)                                             \
        t += a[l + i * ld] * b[l + j * ld];                                    \
      c[i + j * ld] = t + c[i + j * ld];                                       \
    }                                                                          \
  }                                                                            \
  static NOINLINE void name##rank1 (double *c, const double *x,                \
                                    const double *y, int n, int m, int ld)     \
  {                                                                            \
    c -= 1 + ld;                                                               \
    pragma for (int j = 1; j <= n; j++)                                        \
    {                                                                          \
      for (int i = 1; i <= m; i++)                                             \
        c[i + j * ld] += x[i - 1] * y[j - 1];                                  \
    }                                                                          \
  }                                                                            \
  static NOINLINE void name##solve (const double *a, double *b, int n, int m,  \
                                    int ld)                                    \
  {                                                                            \
    a -= 1 + ld;                                                               \
    b -= 1 + ld;                                                               \
    pragma for (int j = 1; j <= m; j++)                                        \
    {                                                                          \
      for (int k = n; k >= 1; k--)                                             \
        for (int i = 1; i <= k - 1; i++)                                       \
          b[i + j * ld] -= b[k + j * ld] * a[i + k * ld];                      \
    }                                                                          \
  }                                                                            \
  static NOINLINE void name##scratch (const double *a, double *c, int n,       \
                                      int m, int ld)                           \
  {                                                                            \
    a -= 1 + ld;                                                               \
    c -= 1 + ld;                                                               \
    pragma                                                                     \
    {                                                                          \
      double *t = malloc ((ld + ld * MOST + 1) * sizeof *t);                   \
      for (int j = 1; j <= n; j++)                                             \
        for (int i = 1; i <= m; i++)                                           \
          t[i + j * ld] = a[i + j * ld] + i;                                   \
      for (int i = 1; i <= m; i++)                                             \
        for (int j = n; j >= 1; j--)                                           \
          c[i + j * ld] = t[i + j * ld] + t[i + ld];                           \
      free (t);                                                                \
    }                                                                          \
  }

KERNELS (plain_, )
KERNELS (, _Pragma ("tensor"))

static double a[2][AREA], b[2][AREA], c[2][AREA];

int
main (void)
{
  EACH_SIZE (n)
  EACH_WIDTH (m)
  for (int gap = 0; gap < 2; gap++)
    {
      int ld = (n > m ? n : m) + gap;
      FILL (a);
      FILL (b);
      FILL (c);
      BOTH (product, a[W], b[W], c[W], n, m, ld);
      CHECK (c);
      BOTH (dots, a[W], b[W], c[W], n, m, ld);
      CHECK (c);
      BOTH (rank1, c[W], a[W], b[W], n, m, ld);
      CHECK (c);
      BOTH (scratch, a[W], c[W], n, m, ld);
      CHECK (c);
      FILL_BELOW (a, 2);
      FILL_BELOW (b, 2);
      BOTH (solve, a[W], b[W], n < 9 ? n : 9, m, ld);
      CHECK (b);
    }
  return 0;
}
