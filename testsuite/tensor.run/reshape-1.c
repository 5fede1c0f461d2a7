/* A loop over all elements of an array that other loops take by rows: zeros
   before a product, a function of its elements behind it, a sum of two arrays
   before a norm of their rows, rows of rows, columns, numbers for sizes, a part
   of an array, loops that are called.  Short rows, long ones, whole vectors,
   sizes whose product only is positive.  */

#include "compare.h"

#define KERNEL(name)                                                           \
  static NOINLINE void name (int n, int m, int *restrict x, int *restrict y,   \
                             int *restrict z)

#define PRODUCT                                                                \
  {                                                                            \
    for (int k = 0; k < n * m; k++)                                            \
      y[k] = 0;                                                                \
    for (int i = 0; i < n; i++)                                                \
      for (int k = 0; k < 3; k++)                                              \
        for (int j = 0; j < m; j++)                                            \
          y[i * m + j] += x[i * 3 + k] * z[k * m + j];                         \
  }

#define BEHIND                                                                 \
  {                                                                            \
    for (int i = 0; i < n; i++)                                                \
      for (int j = 0; j < m; j++)                                              \
        {                                                                      \
          int s = 0;                                                           \
          for (int k = 0; k < n; k++)                                          \
            s += x[i * n + k] * z[k * m + j];                                  \
          y[i * m + j] = s;                                                    \
        }                                                                      \
    for (int k = 0; k < m * n; k++)                                            \
      y[k] = y[k] > 3 ? y[k] - 3 : 2 * y[k];                                   \
  }

#define BEFORE                                                                 \
  {                                                                            \
    for (int k = 0; k < n * m; k++)                                            \
      y[k] = x[k] + z[k];                                                      \
    for (int i = 0; i < n; i++)                                                \
      {                                                                        \
        int most = y[i * m];                                                   \
        int sum = 0;                                                           \
        for (int j = 0; j < m; j++)                                            \
          most = y[i * m + j] > most ? y[i * m + j] : most;                    \
        for (int j = 0; j < m; j++)                                            \
          sum += most - y[i * m + j];                                          \
        for (int j = 0; j < m; j++)                                            \
          z[i * m + j] = y[i * m + j] - sum;                                   \
      }                                                                        \
  }

#define ROWS                                                                   \
  {                                                                            \
    for (int b = 0; b < 2; b++)                                                \
      for (int i = 0; i < n; i++)                                              \
        for (int j = 0; j < m; j++)                                            \
          y[b * n * m + i * m + j] = x[(b * n + i) * m + j] + b;               \
    for (long k = 0; k < 2L * n * m; k++)                                      \
      z[k] = y[k] * 2 + (int) k;                                               \
    for (int r = 0; r < 2 * n; r++)                                            \
      for (int j = 0; j < m; j++)                                              \
        x[r * m + j] -= z[r * m + j];                                          \
  }

#define COLUMNS                                                                \
  {                                                                            \
    for (size_t k = 0; k < (size_t) n * (size_t) m; k++)                       \
      y[k] *= 3;                                                               \
    for (int j = 0; j < m; j++)                                                \
      z[j] = 0;                                                                \
    for (int i = 0; i < n; i++)                                                \
      for (int j = 0; j < m; j++)                                              \
        z[j] += y[i * m + j];                                                  \
  }

#define NUMBERS                                                                \
  {                                                                            \
    for (int k = 0; k < 5 * 320; k++)                                          \
      y[k] = x[k] * m;                                                         \
    for (int i = 0; i < 5; i++)                                                \
      for (int j = 0; j < 320; j++)                                            \
        z[i * 320 + j] = y[i * 320 + j] + n;                                   \
    for (int k = 0; k < 21; k++)                                               \
      y[k] = 7;                                                                \
    for (int i = 0; i < 7; i++)                                                \
      for (int j = 0; j < 3; j++)                                              \
        y[i * 3 + j] += x[j];                                                  \
  }

#define PART                                                                   \
  {                                                                            \
    for (int k = 0; k < n * m; k++)                                            \
      y[n * m + k] = x[k];                                                     \
    for (int i = 0; i < n; i++)                                                \
      for (int j = 0; j < m; j++)                                              \
        y[(i + n) * m + j] += z[j];                                            \
    for (int i = 0; i < n; i++)                                                \
      for (int j = 1; j < m - 1; j++)                                          \
        x[i * m + j] = y[(i + n) * m + j - 1] - y[(i + n) * m + j + 1];        \
  }

#define CALLS                                                                  \
  {                                                                            \
    clear (n *m, y);                                                           \
    add_rows (n, m, x, y);                                                     \
    clear (m, z);                                                              \
  }

static void
clear (int n, int *x)
{
  for (int k = 0; k < n; k++)
    x[k] = 0;
}

static void
add_rows (int n, int m, const int *x, int *y)
{
  for (int i = 0; i < n; i++)
    {
      int *row = y + i * m;
      for (int j = 0; j < m; j++)
        row[j] += x[j];
    }
}

KERNEL (plain_product){ PRODUCT }

KERNEL (product){
#pragma tensor
  PRODUCT
}

KERNEL (plain_behind){ BEHIND }

KERNEL (behind){
#pragma tensor
  BEHIND
}

KERNEL (plain_before){ BEFORE }

KERNEL (before){
#pragma tensor
  BEFORE
}

KERNEL (plain_rows){ ROWS }

KERNEL (rows){
#pragma tensor
  ROWS
}

KERNEL (plain_columns){ COLUMNS }

KERNEL (columns){
#pragma tensor
  COLUMNS
}

KERNEL (plain_numbers){ NUMBERS }

KERNEL (numbers){
#pragma tensor
  NUMBERS
}

KERNEL (plain_part){ PART }

KERNEL (part){
#pragma tensor
  PART
}

KERNEL (plain_calls){ CALLS }

KERNEL (calls)
{
#pragma tensor
  CALLS
}

static int x[2][2 * 35 * 300], y[2][2 * 35 * 300], z[2][2 * 35 * 300];

int
main (void)
{
  static const int widths[]
    = { 0, 1, 2, 3, 5, 16, 17, 33, 63, 64, 65, 80, 112, 255, 256, 257, 300 };
  for (size_t k = 0; k < LENGTH (widths); k++)
    for (int n = -2; n < 36; n += n < 5 ? 1 : 15)
      {
        int m = current[0] = n < -1 ? -widths[k] % 17 : widths[k];
        current[1] = n;
        FILL (x);
        FILL (y);
        FILL (z);
        BOTH (behind, n, m, x[W], y[W], z[W]);
        CHECK (y);
        BOTH (before, n, m, x[W], y[W], z[W]);
        CHECK (z);
        if (n >= 0)
          BOTH (columns, n, m, x[W], y[W], z[W]);
        BOTH (part, n, m, x[W], y[W], z[W]);
        CHECK (y);
        CHECK (x);
        BOTH (product, n, m, x[W], y[W], z[W]);
        CHECK (y);
        BOTH (numbers, n, m, x[W], y[W], z[W]);
        CHECK (y);
        CHECK (z);
        FILL (x);
        BOTH (rows, n, m, x[W], y[W], z[W]);
        CHECK (x);
        CHECK (y);
        CHECK (z);
        BOTH (calls, n, m, x[W], y[W], z[W]);
        CHECK (y);
        CHECK (z);
      }
  return 0;
}
