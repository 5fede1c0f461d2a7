/* Shows that rows that go backwards mean the same where a few lanes are left:
   lags of a signal, and sums of products with a turned one, of floats, doubles
   and shorts; nothing is read in front of the first element.  */

#include "compare.h"

#include <sys/mman.h>
#include <unistd.h>

#define KERNELS(suffix, type)                                                  \
  static NOINLINE void plain_lags_##suffix (int n, int m, const type *x,       \
                                            type *y)                           \
  {                                                                            \
    LAGS (type)                                                                \
  }                                                                            \
  static NOINLINE void plain_turned_##suffix (int n, int m, const type *x,     \
                                              const type *h, type *y)          \
  {                                                                            \
    TURNED (type)                                                              \
  }

#define LAGS(type)                                                             \
  for (int l = 0; l < m; l++)                                                  \
    {                                                                          \
      type sum = 0;                                                            \
      for (int i = l; i < n; i++)                                              \
        sum += x[i] * x[i - l];                                                \
      y[l] = sum;                                                              \
    }

#define TURNED(type)                                                           \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      type sum = 0;                                                            \
      for (int k = 0; k < m; k++)                                              \
        if (i - k >= 0)                                                        \
          sum += h[k] * x[i - k];                                              \
      y[i] = sum;                                                              \
    }

KERNELS (f, float)
KERNELS (d, double)
KERNELS (s, short)

static NOINLINE void
lags_f (int n, int m, const float *x, float *y)
{
#pragma tensor
  LAGS (float)
}

static NOINLINE void
turned_f (int n, int m, const float *x, const float *h, float *y)
{
#pragma tensor
  TURNED (float)
}

static NOINLINE void
lags_d (int n, int m, const double *x, double *y)
{
#pragma tensor
  LAGS (double)
}

static NOINLINE void
turned_d (int n, int m, const double *x, const double *h, double *y)
{
#pragma tensor
  TURNED (double)
}

static NOINLINE void
lags_s (int n, int m, const short *x, short *y)
{
#pragma tensor
  LAGS (short)
}

static NOINLINE void
turned_s (int n, int m, const short *x, const short *h, short *y)
{
#pragma tensor
  TURNED (short)
}

static float hf[2][MOST], yf[2][MOST];
static double hd[2][MOST], yd[2][MOST];
static short hs[2][MOST], ys[2][MOST];

/* MOST elements of SIZE bytes right behind a page that may not be read.  */
static void *
behind_a_page (size_t size)
{
  size_t page = (size_t) sysconf (_SC_PAGESIZE);
  char *all = mmap (NULL, page + size * MOST, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED || mprotect (all, page, PROT_NONE))
    exit (1);
  return all + page;
}

#define TRY(suffix, n, m)                                                      \
  BOTH (lags_##suffix, n, m, x##suffix, y##suffix[W]);                         \
  CHECK (y##suffix);                                                           \
  BOTH (turned_##suffix, n, m, x##suffix, h##suffix[W], y##suffix[W]);         \
  CHECK (y##suffix);

int
main (void)
{
  float *xf = behind_a_page (sizeof *xf);
  double *xd = behind_a_page (sizeof *xd);
  short *xs = behind_a_page (sizeof *xs);
  for (int i = 0; i < MOST; i++)
    xs[i] = (short) (xf[i] = (float) (xd[i] = (int) (next () % 15) - 7));
  FILL (hf);
  FILL (hd);
  FILL (hs);
  for (size_t a = 0; a < LENGTH (sizes); a++)
    for (int m = 0; m <= 70 && m <= MOST; m += m < 20 ? 1 : 7)
      {
        int n = current[0] = sizes[a];
        current[1] = m;
        FILL (yf);
        FILL (yd);
        FILL (ys);
        TRY (f, n, m)
        TRY (d, n, m)
        TRY (s, n, m)
      }
  return 0;
}
