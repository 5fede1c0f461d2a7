/* Shows gradients of functions of tables of rows: one row, rows from the last
   to the first, a row beside any row, a tangent; tables whose rows lie
   unevenly, or otherwise than those of the adjoints, give up.  */

#include "check.h"

enum
{
  COLUMNS = 3,
  MOST_ROWS = 20
};

static real
table (int m, int c, real **x)
{
  real sum = 0;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < c; j++)
      sum += x[i][j] * x[i][0] * x[0][j] * x[i][c - 1];
  return sum;
}

#pragma tensor gradient(table) of(return ) wrt(x : dx)
int table_gradient (int m, int c, real **x, real **dx);

static void
square (int m, int c, real **x, real *y)
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < c; j++)
      y[i * c + j] = x[i][j] * x[i][j];
}

#pragma tensor tangent(square) of(y : dy) wrt(x : dx)
void square_tangent (int m, int c, real **x, real **dx, real *dy);

static real *rows[MOST_ROWS], *adjoints[MOST_ROWS];

/* ROWS get those in A, from the last to the first where DOWN.  */
static void
set_rows (real *a, real **to, int down)
{
  for (int i = 0; i < MOST_ROWS; i++)
    to[i] = a + COLUMNS * (down ? MOST_ROWS - 1 - i : i);
}

static void
table_kernel (values at, real *out)
{
  real *of[MOST_ROWS];
  set_rows (at[0], of, rows[0] != a[0]);
  *out = table (n, COLUMNS, of);
}

static void
square_kernel (values at, real *out)
{
  real *of[MOST_ROWS];
  set_rows (at[0], of, 0);
  square (n, COLUMNS, of, out);
}

/* The gradient of rows that lie one behind the other, or, DOWN, before.  */
static void
show_gradient (int size, int down)
{
  start (size);
  u[0] = 1;
  set_rows (a[0], rows, down);
  set_rows (g[0], adjoints, down);
  faults += table_gradient (n, COLUMNS, rows, adjoints) != 0;
  agree ("table", table_kernel, 0);
}

static void
show_tangent (int size)
{
  static real dy[ROOM];
  real got = 0;
  start (size);
  set_rows (a[0], rows, 0);
  set_rows (d[0], adjoints, 0);
  square_tangent (n, COLUMNS, rows, adjoints, dy);
  for (int e = 0; e < COLUMNS * n; e++)
    got += dy[e] * u[e];
  agree_slope ("square", square_kernel, 0, got);
}

/* Nothing is done where two rows of TABLE are exchanged.  */
static void
show_uneven (const char *name, real **of)
{
  start (MOST_ROWS / 2);
  set_rows (a[0], rows, 0);
  set_rows (g[0], adjoints, 0);
  real *second = of[1];
  of[1] = of[2];
  of[2] = second;
  int gave_up = table_gradient (n, COLUMNS, rows, adjoints);
  if (gave_up && g[0][0] == 0.25)
    return;
  printf ("%s: did not give up\n", name);
  faults++;
}

int
main (void)
{
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    {
      show_gradient (sizes[s], 0);
      show_gradient (sizes[s], 1);
      show_tangent (sizes[s]);
    }
  show_uneven ("rows", rows);
  show_uneven ("adjoints", adjoints);
  return faults != 0;
}
