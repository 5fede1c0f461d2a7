/* Shows that adjoints that go out may lie where values or adjoints that come
   in lie, and where others that go out lie.  */

#include "check.h"

static void
weigh (int m, const real *x, const real *w, real *y)
{
  for (int i = 0; i < m; i++)
    {
      y[i] = 0;
      for (int j = 0; j < m; j++)
        y[i] += x[j] * w[i * m + j] * x[i];
    }
}

#pragma tensor gradient(weigh) of(y: dy) wrt(x: dx, w: dw)
void weigh_gradient (int m, const real *x, const real *w, const real *dy,
                     real *dx, real *dw);

static void
scale (int m, real p, const real *x, real *y)
{
  for (int i = 0; i < m; i++)
    y[i] = p * x[i];
}

#pragma tensor gradient(scale) of(y: dy) wrt(x: dx, p: dp)
void scale_gradient (int m, real p, const real *x, const real *dy, real *dx,
                     real *dp);

typedef struct pair
{
  real x, y[2];
} pair;

static void
steer (int m, const pair *p, real *y)
{
  for (int i = 0; i < m; i++)
    for (int k = 0; k < 2; k++)
      y[i] = i * p->x * p->y[k];
}

#pragma tensor gradient(steer) of(y: dy) wrt(p: dp)
void steer_gradient (int m, const pair *p, const real *dy, pair *dp);

/* GOT, which held BASE, has gained what WANT, which held 0.25, has.  */
static void
same (const char *name, const real *got, const real *base, const real *want,
      int m)
{
  for (int e = 0; e < m; e++)
    if (fabs (got[e] - base[e] - (want[e] - 0.25)) > 1e-12)
      {
        printf ("%s, n = %d, element %d\n", name, n, e);
        faults++;
        return;
      }
}

/* The adjoint of a number lies among those of an array.  */
static void
check_number (void)
{
  real sum = 0;
  scale_gradient (n, 0.5, a[0], u, g[0], g[0] + n / 2);
  for (int i = 0; i < n; i++)
    sum += a[0][i] * u[i];
  for (int i = 0; i < n; i++)
    faults += fabs (g[0][i] - 0.25 - 0.5 * u[i] - (i == n / 2 ? sum : 0)) > 1e-12;
}

/* The adjoint of a record lies where the record does.  */
static void
check_record (void)
{
  pair p = { 0.5, { 0.75, 0.25 } };
  real sum = 0;
  steer_gradient (n, &p, u, &p);
  for (int i = 0; i < n; i++)
    sum += i * u[i];
  faults += fabs (p.x - 0.5 - 0.25 * sum) > 1e-12;
  faults += fabs (p.y[1] - 0.25 - 0.5 * sum) > 1e-12 || p.y[0] != 0.75;
}

int
main (void)
{
  static real x[ROOM], y[ROOM], w[ROOM];
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    {
      start (sizes[s]);
      weigh_gradient (n, a[0], a[1], u, g[0], g[1]);
      memcpy (x, a[0], sizeof x);
      weigh_gradient (n, x, a[1], u, x, g[2]);
      same ("values", x, a[0], g[0], n);
      memcpy (y, u, sizeof y);
      weigh_gradient (n, a[0], a[1], y, y, g[3]);
      same ("adjoints that come in", y, u, g[0], n);
      memcpy (w, a[1], sizeof w);
      weigh_gradient (n, a[0], w, u, g[2], w);
      same ("weights", w, a[1], g[1], n * n);
      start (sizes[s]);
      check_number ();
      check_record ();
    }
  return faults != 0;
}
