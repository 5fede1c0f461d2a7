/* Shows derivatives of gradients and tangents of arrays of structures: what a
   member of any of them gives to a derivative once more.  */

#include "check.h"

typedef struct body
{
  real mass, at[3];
} body;

static void
pull (int m, const body *b, real *f)
{
  for (int i = 0; i < m; i++)
    for (int k = 0; k < 3; k++)
      f[i] += b[i].mass * b[i].mass * b[i].at[k] * b[(i + 1) % m].at[k];
}

#pragma tensor gradient(pull) of(f: df) wrt(b: db)
void pull_back (int m, const body *b, const real *df, body *db);
#pragma tensor tangent(pull) of(f: df) wrt(b: db)
void pull_ahead (int m, const body *b, const body *db, real *df);

#pragma tensor tangent(pull_back) of(db: hv) wrt(b: v)
void back_ahead (int m, const body *b, const real *df, const body *v, body *hv);
#pragma tensor gradient(pull_back) of(db: v) wrt(b: hv)
void back_back (int m, const body *b, const real *df, const body *v, body *hv);
#pragma tensor gradient(pull_ahead) of(df: w) wrt(b: hv)
void ahead_back (int m, const body *b, const body *db, const real *w, body *hv);

/* The objective is U times the gradient.  */
static void
pull_kernel (values at, real *out)
{
  memset (out, 0, sizeof (real) * ROOM);
  pull_back (n, (const body *) at[0], at[1], (body *) out);
}

/* What u times the gradient has for a slope along d[0].  */
static void
check_tangent (void)
{
  static real hv[ROOM];
  real got = 0;
  memset (hv, 0, sizeof hv);
  back_ahead (n, (const body *) a[0], a[1], (const body *) d[0], (body *) hv);
  for (int e = 0; e < 4 * n; e++)
    got += hv[e] * u[e];
  agree_slope ("tangent", pull_kernel, 0, got);
}

int
main (void)
{
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++)
    {
      start (sizes[k]);
      check_tangent ();
      back_back (n, (const body *) a[0], a[1], (const body *) u,
                 (body *) g[0]);
      agree ("gradient", pull_kernel, 0);
      start (sizes[k]);
      ahead_back (n, (const body *) a[0], (const body *) u, a[1],
                  (body *) g[0]);
      agree ("gradient of the tangent", pull_kernel, 0);
    }
  return faults != 0;
}
