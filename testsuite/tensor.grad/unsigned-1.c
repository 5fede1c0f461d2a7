/* Shows a gradient whose arrays' sizes are products of unsigned numbers, which
   may wrap around: that they do not is asked in floating numbers.  */

#include "check.h"

static void
table (unsigned m, unsigned c, real *restrict y, real *restrict x, real s)
{
  for (int t = 0; t < 3; t++)
    {
      y[0] = s * s;
      for (int i = 0; i < m && i < 11; i++)
        {
          x[i + i] = 2 * s;
          for (unsigned j = c; j--;)
            y[i * c + j] += j != 0 ? x[i * c + j] : x[i + j] * x[i + j];
        }
    }
}

#pragma tensor gradient(table) of(y: dy) wrt(x: dx, s: ds)
void table_gradient (unsigned m, unsigned c, const real *restrict x, real s,
                     const real *restrict dy, real *restrict dx, real *ds);

static void
kernel_table (values at, real *out)
{
  table ((unsigned) n, (unsigned) n, out, at[0], at[1][0]);
}

int
main (void)
{
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++)
    {
      start (sizes[k]);
      table_gradient ((unsigned) n, (unsigned) n, a[0], a[1][0], u, g[0], g[1]);
      agree ("table", kernel_table, 0);
      agree ("table", kernel_table, 1);
    }
  return faults != 0;
}
