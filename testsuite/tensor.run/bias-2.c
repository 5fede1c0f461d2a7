/* Shows that sums of a bias around products of weights mean the same in loops of
   their own: where the bias may be missing, and where the products read it.  */

#include "compare.h"

#define BACKWARD                                                               \
  for (int o = 0; o < k; o++)                                                  \
    for (int t = 0; t < n; t++)                                                \
      {                                                                        \
        float d = dy[t * k + o];                                               \
        if (db != NULL)                                                        \
          db[o] += d;                                                          \
        for (int i = 0; i < m; i++)                                            \
          dw[o * m + i] += x[t * m + i] * d;                                   \
      }

#define RUNNING                                                                \
  for (int o = 0; o < k; o++)                                                  \
    for (int t = 0; t < n; t++)                                                \
      {                                                                        \
        db[o] += dy[t * k + o];                                                \
        for (int i = 0; i < m; i++)                                            \
          dw[o * m + i] += x[t * m + i] * db[o];                               \
      }

static NOINLINE void
plain_backward (int n, int m, int k, const float *dy, const float *x, float *dw,
                float *db)
{
  BACKWARD
}

static NOINLINE void
backward (int n, int m, int k, const float *dy, const float *x, float *dw,
          float *db)
{
#pragma tensor
  BACKWARD
}

static NOINLINE void
plain_running (int n, int m, int k, const float *dy, const float *x, float *dw,
               float *db)
{
  RUNNING
}

static NOINLINE void
running (int n, int m, int k, const float *dy, const float *x, float *dw,
         float *db)
{
#pragma tensor
  RUNNING
}

static float dy[2][AREA], x[2][AREA], dw[2][AREA], db[2][MOST];

int
main (void)
{
  FILL (dy);
  FILL (x);
  for (size_t a = 0; a < LENGTH (small_sizes); a++)
    for (size_t b = 0; b < LENGTH (small_sizes); b++)
      for (int k = 0; k < 50; k += 16)
        {
          int n = current[0] = small_sizes[a], m = current[1] = small_sizes[b];
          FILL (dw);
          FILL (db);
          BOTH (backward, n, m, k, dy[W], x[W], dw[W], db[W]);
          BOTH (backward, n, m, k, dy[W], x[W], dw[W], NULL);
          CHECK (dw);
          CHECK (db);
          BOTH (running, n, m, k, dy[W], x[W], dw[W], db[W]);
          CHECK (dw);
          CHECK (db);
        }
  return 0;
}
