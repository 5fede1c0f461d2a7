/* Functions of some field, each of three arrays x, w, p with results in y, and
   their gradients with respect to all three.

     static void
     name (int n, const real *x, const real *w, const real *p, real *y)
     { ... }
     FIELD (name)

   Each is compared with differences (check.h) for all sizes, at most 17.  */

#ifndef FIELD_H
#define FIELD_H

#include "check.h"

enum
{
  MOST = 17
};

#define GRADIENT(words) _Pragma (#words)

typedef void field (int, const real *, const real *, const real *, real *);
typedef void field_gradient (int, const real *, const real *, const real *,
                             const real *, real *, real *, real *);

/* The gradient of NAME, and a kernel for check.h.  */
#define FIELD(name)                                                            \
  GRADIENT (tensor gradient (name) of (y : dy) wrt (x : dx, w : dw, p : dp))   \
  void name##_gradient (int n, const real *x, const real *w, const real *p,    \
                        const real *dy, real *dx, real *dw, real *dp);         \
  static void name##_kernel (values at, real *out)                             \
  {                                                                            \
    name (n, at[0], at[1], at[2], out);                                        \
  }

/* GRADIENT agrees with differences of F, and leaves its values.  */
static inline void
check_field (const char *name, kernel *f, field_gradient *gradient)
{
  static values before;
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    {
      start (sizes[s]);
      memcpy (before, a, sizeof a);
      gradient (n, a[0], a[1], a[2], u, g[0], g[1], g[2]);
      for (int k = 0; k < 3; k++)
        agree (name, f, k);
      if (memcmp (before, a, sizeof a))
        {
          printf ("%s changed its values\n", name);
          faults++;
        }
    }
}

#define CHECK(name) check_field (#name, name##_kernel, name##_gradient);

#endif
