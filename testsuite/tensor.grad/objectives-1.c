/* Shows that gradients of objectives in double precision are right to 1e-10:
   of a bundle adjustment, of a mixture of bells, of masses on springs over
   1,000 steps, with everything taped and with states that are kept, of a
   network; each of two spellings.  The reference is a complex step in long
   double; the bound is relative to each derivative itself, which is no more
   than what the adjoints of absolute values are.  */

#include <complex.h>
#include <stdio.h>
#include <string.h>
#include <tgmath.h>

enum
{
  CAMERAS = 3,
  POINTS = 7,
  SEEN = 20,
  SAMPLES = 19,
  AXES = 3,
  BELLS = 5,
  MASSES = 11,
  STEPS = 1000,
  ROWS = 9,
  INPUTS = 5,
  HIDDEN = 6,
  OUTPUTS = 4,
  ROOM = 200,
  ARRAYS = 3
};

typedef double real;
typedef long double complex exact;

#define number        real
#define NAME(f)       f
#define GREATER(a, b) fmax (a, b)
#include "objectives.h"

#undef number
#undef NAME
#undef GREATER
#define number        exact
#define NAME(f)       exact_##f
#define GREATER(a, b) (creal (a) > creal (b) ? (a) : (b))
#include "objectives.h"

static int camera_of[SEEN], point_of[SEEN];
static real data[ROOM];
static real u[ROOM];

#pragma tensor gradient(bundle) of(r: dr) wrt(camera: dc, point: dp)
void bundle_gradient (int m, const real (*camera)[9], const real (*point)[3],
                      const real (*at)[2], const int *c, const int *p,
                      const real (*dr)[2], real (*dc)[9], real (*dp)[3]);

#pragma tensor gradient(bundle_by_matrix) of(r: dr) wrt(camera: dc, point: dp)
void bundle_by_matrix_gradient (int m, const real *camera, const real *point,
                                const real *at, const int *c, const int *p,
                                const real *dr, real *dc, real *dp);

#pragma tensor gradient(mixture) of(l: dl) wrt(w: dw, mean: dm, s: ds)
void mixture_gradient (int m, const real (*x)[AXES], const real *w,
                       const real (*mean)[AXES], const real (*s)[AXES],
                       const real *dl, real *dw, real (*dm)[AXES],
                       real (*ds)[AXES]);

#pragma tensor gradient(mixture_by_parts) of(l: dl) wrt(w: dw, mean: dm, s: ds)
void mixture_by_parts_gradient (int m, const real *x, const real *w,
                                const real *mean, const real *s, const real *dl,
                                real *dw, real *dm, real *ds);

#define SPRINGS(name)                                                          \
  void name (int m, int steps, const real *x, const real *v, const real *k,    \
             real *dx, real *dv, real *dk);

#pragma tensor gradient(springs) of(x: dx, v: dv) wrt(x: dx, v: dv, k: dk)
SPRINGS (springs_gradient)
#pragma tensor gradient(springs) of(x: dx, v: dv) wrt(x: dx, v: dv, k: dk) \
  checkpoint(17)
SPRINGS (springs_states)
#pragma tensor gradient(springs_by_force) of(x: dx, v: dv) \
  wrt(x: dx, v: dv, k: dk)
SPRINGS (springs_by_force_gradient)
#pragma tensor gradient(springs_by_force) of(x: dx, v: dv) \
  wrt(x: dx, v: dv, k: dk) memory("16K")
SPRINGS (springs_by_force_bytes)

#pragma tensor gradient(network) of(y: dy) wrt(w: dw, b: db, v: dv)
void network_gradient (int m, const real (*x)[INPUTS], const real (*w)[INPUTS],
                       const real *b, const real (*v)[HIDDEN],
                       const real (*dy)[OUTPUTS], real (*dw)[INPUTS], real *db,
                       real (*dv)[HIDDEN]);

#pragma tensor gradient(network_by_layers) of(y: dy) wrt(w: dw, b: db, v: dv)
void network_by_layers_gradient (int m, const real *x, const real *w,
                                 const real *b, const real *v, const real *dy,
                                 real *dw, real *db, real *dv);

/* What is differentiated: arrays a, results in out; and its gradient, to g.  */
typedef void function (exact a[ARRAYS][ROOM], exact *out);
typedef void gradient (real a[ARRAYS][ROOM], real g[ARRAYS][ROOM]);

/* length: of the arrays; results: how many  */
typedef struct objective
{
  const char *name;
  int length[ARRAYS];
  int results;
  function *of;
  gradient *by;
} objective;

static void
of_bundle (exact a[ARRAYS][ROOM], exact *out)
{
  exact_bundle (SEEN, (void *) a[0], (void *) a[1], (void *) data, camera_of,
                point_of, (void *) out);
}

static void
by_bundle (real a[ARRAYS][ROOM], real g[ARRAYS][ROOM])
{
  bundle_gradient (SEEN, (void *) a[0], (void *) a[1], (void *) data, camera_of,
                   point_of, (void *) u, (void *) g[0], (void *) g[1]);
}

static void
of_bundle_by_matrix (exact a[ARRAYS][ROOM], exact *out)
{
  exact_bundle_by_matrix (SEEN, a[0], a[1], data, camera_of, point_of, out);
}

static void
by_bundle_by_matrix (real a[ARRAYS][ROOM], real g[ARRAYS][ROOM])
{
  bundle_by_matrix_gradient (SEEN, a[0], a[1], data, camera_of, point_of, u,
                             g[0], g[1]);
}

static void
of_mixture (exact a[ARRAYS][ROOM], exact *out)
{
  exact_mixture (SAMPLES, (void *) data, a[0], (void *) a[1], (void *) a[2],
                 out);
}

static void
by_mixture (real a[ARRAYS][ROOM], real g[ARRAYS][ROOM])
{
  mixture_gradient (SAMPLES, (void *) data, a[0], (void *) a[1], (void *) a[2],
                    u, g[0], (void *) g[1], (void *) g[2]);
}

static void
of_mixture_by_parts (exact a[ARRAYS][ROOM], exact *out)
{
  exact_mixture_by_parts (SAMPLES, data, a[0], a[1], a[2], out);
}

static void
by_mixture_by_parts (real a[ARRAYS][ROOM], real g[ARRAYS][ROOM])
{
  mixture_by_parts_gradient (SAMPLES, data, a[0], a[1], a[2], u, g[0], g[1],
                             g[2]);
}

static void
of_springs (exact a[ARRAYS][ROOM], exact *out)
{
  exact_springs (MASSES, STEPS, a[0], a[1], a[2]);
  memcpy (out, a[0], MASSES * sizeof *out);
  memcpy (out + MASSES, a[1], MASSES * sizeof *out);
}

static void
of_springs_by_force (exact a[ARRAYS][ROOM], exact *out)
{
  exact_springs_by_force (MASSES, STEPS, a[0], a[1], a[2]);
  memcpy (out, a[0], MASSES * sizeof *out);
  memcpy (out + MASSES, a[1], MASSES * sizeof *out);
}

#define BY_SPRINGS(name)                                                       \
  static void by_##name (real a[ARRAYS][ROOM], real g[ARRAYS][ROOM])           \
  {                                                                            \
    memcpy (g[0], u, MASSES * sizeof *u);                                      \
    memcpy (g[1], u + MASSES, MASSES * sizeof *u);                             \
    name (MASSES, STEPS, a[0], a[1], a[2], g[0], g[1], g[2]);                  \
  }

BY_SPRINGS (springs_gradient)
BY_SPRINGS (springs_states)
BY_SPRINGS (springs_by_force_gradient)
BY_SPRINGS (springs_by_force_bytes)

static void
of_network (exact a[ARRAYS][ROOM], exact *out)
{
  exact_network (ROWS, (void *) data, (void *) a[0], a[1], (void *) a[2],
                 (void *) out);
}

static void
by_network (real a[ARRAYS][ROOM], real g[ARRAYS][ROOM])
{
  network_gradient (ROWS, (void *) data, (void *) a[0], a[1], (void *) a[2],
                    (void *) u, (void *) g[0], g[1], (void *) g[2]);
}

static void
of_network_by_layers (exact a[ARRAYS][ROOM], exact *out)
{
  exact_network_by_layers (ROWS, data, a[0], a[1], a[2], out);
}

static void
by_network_by_layers (real a[ARRAYS][ROOM], real g[ARRAYS][ROOM])
{
  network_by_layers_gradient (ROWS, data, a[0], a[1], a[2], u, g[0], g[1],
                              g[2]);
}

#define OF_BUNDLE  { CAMERAS * 9, POINTS * 3 }, SEEN * 2
#define OF_MIXTURE { BELLS, BELLS * AXES, BELLS * AXES }, 1
#define OF_SPRINGS { MASSES, MASSES, MASSES - 1 }, 2 * MASSES
#define OF_NETWORK { HIDDEN * INPUTS, HIDDEN, OUTPUTS * HIDDEN }, ROWS *OUTPUTS

static const objective objectives[] = {
  { "bundle", OF_BUNDLE, of_bundle, by_bundle },
  { "bundle by matrix", OF_BUNDLE, of_bundle_by_matrix, by_bundle_by_matrix },
  { "mixture", OF_MIXTURE, of_mixture, by_mixture },
  { "mixture by parts", OF_MIXTURE, of_mixture_by_parts, by_mixture_by_parts },
  { "springs", OF_SPRINGS, of_springs, by_springs_gradient },
  { "springs, 17 states", OF_SPRINGS, of_springs, by_springs_states },
  { "springs by force", OF_SPRINGS, of_springs_by_force,
    by_springs_by_force_gradient },
  { "springs by force, 16 K", OF_SPRINGS, of_springs_by_force,
    by_springs_by_force_bytes },
  { "network", OF_NETWORK, of_network, by_network },
  { "network by layers", OF_NETWORK, of_network_by_layers,
    by_network_by_layers },
};

static real a[ARRAYS][ROOM], g[ARRAYS][ROOM];
static const long double STEP = 1e-60L;

/* The derivative by element AT of array K of what O's results add up to.  */
static long double
derivative (const objective *o, int k, int at)
{
  static exact moved[ARRAYS][ROOM], out[ROOM];
  long double sum = 0;
  for (int l = 0; l < ARRAYS; l++)
    for (int e = 0; e < ROOM; e++)
      moved[l][e] = a[l][e];
  moved[k][at] += STEP * I;
  o->of (moved, out);
  for (int e = 0; e < o->results; e++)
    sum += u[e] * cimag (out[e]);
  return sum / STEP;
}

/* How many elements of O's gradient are wrong.  */
static int
check (const objective *o)
{
  int faults = 0;
  memset (g, 0, sizeof g);
  o->by (a, g);
  for (int k = 0; k < ARRAYS; k++)
    for (int e = 0; e < o->length[k]; e++)
      {
        long double right = derivative (o, k, e);
        if (fabs (g[k][e] - right) <= 1e-10L * fabs (right))
          continue;
        printf ("%s, %d, %d: %.17g, not %.17Lg\n", o->name, k, e, g[k][e],
                right);
        faults++;
      }
  return faults;
}

/* The next number from 0.2 to 0.8.  */
static real
next (void)
{
  static unsigned state = 1;
  state = state * 1103515245u + 12345u;
  return 0.2 + 0.6 * (state >> 8 & 0xffff) / 65536;
}

int
main (void)
{
  int faults = 0;
  for (int e = 0; e < ROOM; e++)
    {
      for (int k = 0; k < ARRAYS; k++)
        a[k][e] = next ();
      data[e] = next ();
      u[e] = next ();
    }
  for (int i = 0; i < SEEN; i++)
    {
      camera_of[i] = i * 5 % CAMERAS;
      point_of[i] = i * 11 % POINTS;
    }
  for (unsigned k = 0; k < sizeof objectives / sizeof *objectives; k++)
    faults += check (&objectives[k]);
  return faults != 0;
}
