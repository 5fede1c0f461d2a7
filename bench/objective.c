/* Gradients of objectives in double precision: residuals of a bundle
   adjustment, log-likelihood of a Gaussian mixture, masses on springs in a time
   loop, a network of two layers.  Each is to take at most four times as long
   as the objective alone.  */

#include <math.h>
#include <stddef.h>

#include "bench.h"

enum
{
  CAMERAS = 48, /* of the bundle: with PARTS numbers each, POINTS, SEEN */
  PARTS = 9,
  POINTS = 4096,
  SEEN = 16384,
  SAMPLES = 2000, /* of the mixture: AXES numbers each, BELLS */
  AXES = 16,
  BELLS = 20,
  MASSES = 200, /* on springs, STEPS in time */
  STEPS = 1000,
  ROWS = 256, /* of the network: INPUTS numbers each, HIDDEN ones */
  INPUTS = 64,
  HIDDEN = 128
};

static int camera_of[SEEN], point_of[SEEN];

__attribute__ ((constructor)) static void
set_places (void)
{
  for (int i = 0; i < SEEN; i++)
    {
      camera_of[i] = (int) (i * 7919L % CAMERAS);
      point_of[i] = (int) (i * 104729L % POINTS);
    }
}

/* r: by how much each point, where its camera sees it, is off AT.  A camera:
   rotation (an axis times an angle), place, focal length, two distortions.  */
BENCH_ALONE static void
bundle (int n, const double (*restrict camera)[PARTS],
        const double (*restrict point)[3], const double (*restrict at)[2],
        const int *restrict c, const int *restrict p, double (*restrict r)[2])
{
#pragma tensor name("bundle")
  for (int i = 0; i < n; i++)
    {
      double x = point[p[i]][0], y = point[p[i]][1], z = point[p[i]][2];
      double a = camera[c[i]][0], b = camera[c[i]][1], d = camera[c[i]][2];
      double angle = sqrt (a * a + b * b + d * d + 1e-12);
      double turn = cos (angle), by = sin (angle) / angle;
      double along = (a * x + b * y + d * z) * (1 - turn) / (angle * angle);
      double u = x * turn + (b * z - d * y) * by + a * along + camera[c[i]][3];
      double v = y * turn + (d * x - a * z) * by + b * along + camera[c[i]][4];
      double w = z * turn + (a * y - b * x) * by + d * along + camera[c[i]][5];
      u /= w + 4;
      v /= w + 4;
      double far = u * u + v * v;
      double bend = camera[c[i]][6]
                    * (1 + far * (camera[c[i]][7] + far * camera[c[i]][8]));
      r[i][0] = bend * u - at[i][0];
      r[i][1] = bend * v - at[i][1];
    }
}

#pragma tensor gradient(bundle) of(r: dr) wrt(camera: dcamera, point: dpoint)
void bundle_gradient (int n, const double (*restrict camera)[PARTS],
                      const double (*restrict point)[3],
                      const double (*restrict at)[2], const int *restrict c,
                      const int *restrict p, const double (*restrict dr)[2],
                      double (*restrict dcamera)[PARTS],
                      double (*restrict dpoint)[3]);

/* l: minus the log-likelihood of the samples X under BELLS with axes of
   their own, weights as softmax of W.  */
BENCH_ALONE static void
mixture (int n, const double (*restrict x)[AXES], const double *restrict w,
         const double (*restrict m)[AXES], const double (*restrict s)[AXES],
         double *restrict l)
{
#pragma tensor name("mixture")
  {
    double all = 0;
    for (int k = 0; k < BELLS; k++)
      all += exp (w[k]);
    *l = n * log (all);
    for (int i = 0; i < n; i++)
      {
        double e[BELLS], most = -INFINITY, sum = 0;
        for (int k = 0; k < BELLS; k++)
          {
            e[k] = w[k];
            for (int j = 0; j < AXES; j++)
              {
                double z = (x[i][j] - m[k][j]) * exp (s[k][j]);
                e[k] += s[k][j] - 0.5 * z * z;
              }
            most = fmax (most, e[k]);
          }
        for (int k = 0; k < BELLS; k++)
          sum += exp (e[k] - most);
        *l -= most + log (sum);
      }
  }
}

#pragma tensor gradient(mixture) of(l: dl) wrt(w: dw, m: dm, s: ds)
void mixture_gradient (int n, const double (*restrict x)[AXES],
                       const double *restrict w,
                       const double (*restrict m)[AXES],
                       const double (*restrict s)[AXES],
                       const double *restrict dl, double *restrict dw,
                       double (*restrict dm)[AXES],
                       double (*restrict ds)[AXES]);

/* Masses at x with speeds v in a row, each held by springs that stiffen with
   their length to its neighbours: STEPS steps.  */
BENCH_ALONE static void
springs (int n, int steps, double *restrict x, double *restrict v,
         const double *restrict k)
{
#pragma tensor name("springs")
  for (int t = 0; t < steps; t++)
    {
      for (int i = 1; i < n - 1; i++)
        {
          double a = x[i + 1] - x[i], b = x[i] - x[i - 1];
          v[i] += 0.01 * (k[i] * (a + a * a * a) - k[i - 1] * (b + b * b * b));
        }
      for (int i = 1; i < n - 1; i++)
        x[i] += 0.01 * v[i];
    }
}

#pragma tensor gradient(springs) of(x: dx, v: dv) wrt(x: dx, v: dv, k: dk)
void springs_gradient (int n, int steps, const double *restrict x,
                       const double *restrict v, const double *restrict k,
                       double *restrict dx, double *restrict dv,
                       double *restrict dk);

/* y := v tanh (w x + b).  */
BENCH_ALONE static void
network (int n, const double (*restrict x)[INPUTS],
         const double (*restrict w)[INPUTS], const double *restrict b,
         const double (*restrict v)[HIDDEN], double (*restrict h)[HIDDEN],
         double (*restrict y)[INPUTS])
{
#pragma tensor name("network")
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < HIDDEN; j++)
        {
          double u = b[j];
          for (int k = 0; k < INPUTS; k++)
            u += x[i][k] * w[j][k];
          h[i][j] = tanh (u);
        }
      for (int k = 0; k < INPUTS; k++)
        {
          y[i][k] = 0;
          for (int j = 0; j < HIDDEN; j++)
            y[i][k] += h[i][j] * v[k][j];
        }
    }
}

#pragma tensor gradient(network) of(y: dy) wrt(w: dw, b: db, v: dv)
void network_gradient (int n, const double (*restrict x)[INPUTS],
                       const double (*restrict w)[INPUTS],
                       const double *restrict b,
                       const double (*restrict v)[HIDDEN],
                       const double (*restrict dy)[INPUTS],
                       double (*restrict dw)[INPUTS], double *restrict db,
                       double (*restrict dv)[HIDDEN]);

#ifdef BENCH_PLUGIN
#  define RUN(name) run_##name
#else
#  define RUN(name) NULL
#endif

#define P(k) ((void *) a[k])

#define ROW(name, given, taken)                                                \
  static void forward_##name (float *const *a)                                 \
  {                                                                            \
    name given;                                                                \
  }                                                                            \
  BENCH_MAYBE static void run_##name (float *const *a)                         \
  {                                                                            \
    name##_gradient taken;                                                     \
  }

ROW (bundle,
     (bench_hide (SEEN), P (0), P (1), P (2), camera_of, point_of, P (3)),
     (bench_hide (SEEN), P (0), P (1), P (2), camera_of, point_of, P (3), P (4),
      P (5)))
ROW (mixture, (bench_hide (SAMPLES), P (0), P (1), P (2), P (3), P (4)),
     (bench_hide (SAMPLES), P (0), P (1), P (2), P (3), P (4), P (5), P (6),
      P (7)))
ROW (springs, (bench_hide (MASSES), bench_hide (STEPS), P (0), P (1), P (2)),
     (bench_hide (MASSES), bench_hide (STEPS), P (0), P (1), P (2), P (3),
      P (4), P (5)))
ROW (network, (bench_hide (ROWS), P (0), P (1), P (2), P (3), P (4), P (5)),
     (bench_hide (ROWS), P (0), P (1), P (2), P (3), P (5), P (6), P (7),
      P (8)))

#define KERNEL(words, function)                                                \
  .name = "gradient of " words, .low = 0.2F, .high = 0.8F, .is_double = true,  \
  .run = RUN (function), .forward = forward_##function,                        \
  .goal = { { BENCH_FORWARD, 1, 0.25 }, { BENCH_FORWARD, 2, 0.25 } }

const bench_kernel bench_kernels[] = {
  { KERNEL ("bundle adjustment", bundle),
    .length = { CAMERAS * PARTS, POINTS * 3, SEEN * 2, SEEN * 2, CAMERAS *PARTS,
                POINTS * 3 } },
  { KERNEL ("Gaussian mixture", mixture),
    .length = { SAMPLES * AXES, BELLS, BELLS *AXES, BELLS *AXES, 1, BELLS,
                BELLS *AXES, BELLS *AXES } },
  { KERNEL ("springs, 1000 steps", springs),
    .length = { MASSES, MASSES, MASSES, MASSES, MASSES, MASSES } },
  { KERNEL ("two layers", network),
    .length
    = { ROWS * INPUTS, HIDDEN *INPUTS, HIDDEN, INPUTS *HIDDEN, ROWS *HIDDEN,
        ROWS *INPUTS, HIDDEN *INPUTS, HIDDEN, INPUTS *HIDDEN } },
  { .name = 0 },
};
