/* Shows a time loop over rows without gaps that is gone over in parts: what
   keeps its states and works on them is planned, and right.  */

#include "check.h"

enum
{
  SIDE = 32
};

static void
march (int m, real (*p)[SIDE], const real *q)
{
  for (int t = 0; t < 4; t++)
    for (int i = 0; i < m; i++)
      for (int j = 0; j < SIDE; j++)
        p[i][j] = sin (p[i][j]) * q[i];
}

#pragma tensor gradient(march) of(p: dp) wrt(q: dq) checkpoint(2)              \
  require(transform)
void march_back (int m, const real (*p)[SIDE], const real *q,
                 const real (*dp)[SIDE], real *dq);

static void
march_kernel (values at, real *out)
{
  memcpy (out, at[0], sizeof at[0]);
  march (n, (real (*)[SIDE]) out, at[1]);
}

int
main (void)
{
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++)
    {
      start (sizes[k]);
      march_back (n, (const real (*)[SIDE]) a[0], a[1],
                  (const real (*)[SIDE]) u, g[1]);
      agree ("march", march_kernel, 1);
    }
  return faults != 0;
}
