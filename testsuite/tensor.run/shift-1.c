/* Nests that a plan fuses with a shift: what reads the rows around its own
   comes so many rows later in the same loop, where the rows that it needs were
   just made; rows of arrays that live on, an array smoothed in place, one loop
   alone, a row made in advance.  */
/* { dg-tensor-opts "plan=%d/shift-1.plan" } */

#include "compare.h"

#define KERNEL(name)                                                           \
  static NOINLINE void name (int n, int m, float (*restrict x)[m],             \
                             float (*restrict y)[m], float (*restrict z)[m])

#define AROUND                                                                 \
  {                                                                            \
    for (int i = 0; i < n; i++)                                                \
      for (int j = 0; j < m; j++)                                              \
        y[i][j] = x[i][j] * 2 + 1;                                             \
    for (int i = 1; i < n - 1; i++)                                            \
      for (int j = 0; j < m; j++)                                              \
        z[i][j] = y[i - 1][j] + y[i][j] * 2 + y[i + 1][j];                     \
  }

#define SMOOTH                                                                 \
  {                                                                            \
    for (int i = 1; i < n - 1; i++)                                            \
      for (int j = 0; j < m; j++)                                              \
        y[i][j] = x[i - 1][j] + x[i][j] + x[i + 1][j];                         \
    for (int i = 1; i < n - 1; i++)                                            \
      for (int j = 0; j < m; j++)                                              \
        x[i][j] = y[i][j] - 1;                                                 \
  }

#define LINE                                                                   \
  {                                                                            \
    for (int i = 0; i < n; i++)                                                \
      y[0][i] = x[0][i] + 3;                                                   \
    for (int i = 2; i < n - 2; i++)                                            \
      z[0][i] = y[0][i - 2] - y[0][i + 2];                                     \
  }

#define AHEAD                                                                  \
  {                                                                            \
    for (int i = 0; i < n; i++)                                                \
      for (int j = 0; j < m; j++)                                              \
        y[i][j] = x[i][j] + z[i][j];                                           \
    for (int i = 3; i < n; i++)                                                \
      for (int j = 0; j < m; j++)                                              \
        z[i][j] = y[i - 3][j] * 2;                                             \
  }

KERNEL (plain_around){ AROUND }

KERNEL (around){
#pragma tensor name("around")
  AROUND
}

KERNEL (plain_smooth){ SMOOTH }

KERNEL (smooth){
#pragma tensor name("smooth")
  SMOOTH
}

KERNEL (plain_line){ LINE }

KERNEL (line){
#pragma tensor name("line")
  LINE
}

KERNEL (plain_ahead){ AHEAD }

KERNEL (ahead)
{
#pragma tensor name("ahead")
  AHEAD
}

static float x[2][AREA], y[2][AREA], z[2][AREA];

int
main (void)
{
  for (size_t k = 0; k < LENGTH (sizes); k++)
    for (size_t l = 0; l < LENGTH (small_sizes); l++)
      {
        int n = current[0] = sizes[k];
        int m = current[1] = small_sizes[l];
        FILL (x);
        FILL (y);
        FILL (z);
        BOTH (around, n, m, (void *) x[W], (void *) y[W], (void *) z[W]);
        CHECK (z);
        BOTH (smooth, n, m, (void *) x[W], (void *) y[W], (void *) z[W]);
        CHECK (x);
        CHECK (y);
        FILL (x);
        BOTH (line, n, m, (void *) x[W], (void *) y[W], (void *) z[W]);
        CHECK (y);
        CHECK (z);
        BOTH (ahead, n, m, (void *) x[W], (void *) y[W], (void *) z[W]);
        CHECK (y);
        CHECK (z);
      }
  return 0;
}
