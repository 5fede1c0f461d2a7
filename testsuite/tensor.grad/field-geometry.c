/* { dg-no-verdicts "the pragmas come of macros" } */
/* Shows gradients of robotics, vision, graphics and images.  */

#include "field.h"

/* Points turned about an axis by its length.  */
static void
rotate (int n, const real *x, const real *w, const real *p, real *y)
{
  real angle = sqrt (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
  real c = cos (angle), s = sin (angle) / angle;
  real d = (1 - c) / (angle * angle);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++)
      {
        int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
        real along = w[0] * x[3 * i] + w[1] * x[3 * i + 1]
                     + w[2] * x[3 * i + 2];
        real across = w[k1] * x[3 * i + k2] - w[k2] * x[3 * i + k1];
        y[3 * i + k] = p[k] + c * x[3 * i + k] + s * across + d * along * w[k];
      }
}
FIELD (rotate)

/* Products of quaternions along a path, made one in length.  */
static void
attitude (int n, const real *x, const real *w, const real *p, real *y)
{
  real q[4] = { 1, 0, 0, 0 };
  for (int t = 0; t < n; t++)
    {
      real a = p[0] * x[3 * t], b = p[0] * x[3 * t + 1];
      real c = p[0] * x[3 * t + 2] * w[0];
      real r[4] = { q[0] - q[1] * a - q[2] * b - q[3] * c,
                    q[1] + q[0] * a + q[2] * c - q[3] * b,
                    q[2] + q[0] * b + q[3] * a - q[1] * c,
                    q[3] + q[0] * c + q[1] * b - q[2] * a };
      real size = sqrt (r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
      for (int k = 0; k < 4; k++)
        q[k] = r[k] / size;
    }
  for (int k = 0; k < 4; k++)
    y[k] = q[k];
}
FIELD (attitude)

/* Where cameras see points, lenses that bend, and how far that is off.  */
static void
bundle (int n, const real *x, const real *w, const real *p, real *y)
{
  for (int i = 0; i < n; i++)
    {
      int c = index_of[i] % 2;
      real u = x[3 * i] + w[5 * c] * x[3 * i + 1];
      real v = x[3 * i + 1] - w[5 * c + 1] * x[3 * i];
      real depth = 2 + x[3 * i + 2] + w[5 * c + 2];
      u /= depth;
      v /= depth;
      real r2 = u * u + v * v;
      real bend = 1 + r2 * (w[5 * c + 3] + r2 * w[5 * c + 4]);
      y[2 * i] = p[0] * bend * u - p[1];
      y[2 * i + 1] = p[0] * bend * v - p[2];
    }
}
FIELD (bundle)

/* A plane seen by a camera.  */
static void
homography (int n, const real *x, const real *w, const real *p, real *y)
{
  for (int i = 0; i < n; i++)
    {
      real z[3];
      for (int k = 0; k < 3; k++)
        z[k] = w[3 * k] * x[2 * i] + w[3 * k + 1] * x[2 * i + 1] + w[3 * k + 2];
      y[2 * i] = z[0] / z[2] * p[0];
      y[2 * i + 1] = z[1] / z[2] * p[1];
    }
}
FIELD (homography)

/* Where rays meet a ball; those that miss it see the sky.  */
static void
rays (int n, const real *x, const real *w, const real *p, real *y)
{
  for (int i = 0; i < n; i++)
    {
      real dx = x[2 * i] - 0.5, dy = x[2 * i + 1] - 0.5;
      real along = dx * w[0] + dy * w[1] + w[2];
      real centre = w[0] * w[0] + w[1] * w[1] + w[2] * w[2] - 0.05 * p[0];
      real inside = along * along - centre * (dx * dx + dy * dy + 1);
      if (inside > 0)
        y[i] = (along - sqrt (inside)) / (dx * dx + dy * dy + 1);
      else
        y[i] = 2 + p[1] * dy;
    }
}
FIELD (rays)

/* Light that is spread and mirrored.  */
static void
phong (int n, const real *x, const real *w, const real *p, real *y)
{
  for (int i = 0; i < n; i++)
    {
      real size = 0, spread = 0;
      for (int k = 0; k < 3; k++)
        size += x[3 * i + k] * x[3 * i + k];
      for (int k = 0; k < 3; k++)
        spread += x[3 * i + k] / sqrt (size) * w[k];
      spread = fmax (spread, 0);
      y[i] = p[0] + p[1] * spread + p[2] * pow (spread, 4 + p[3]);
    }
}
FIELD (phong)

/* A picture between its points, places from outside held at the border.  */
static void
bilinear (int n, const real *x, const real *w, const real *p, real *y)
{
  real t[MOST + 1][4];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 4; j++)
      {
        t[i][j] = x[4 * i + j];
        if (i == n - 1)
          t[n][j] = x[4 * i + j];
      }
  for (int i = 0; i < n; i++)
    {
      real at = w[i] * (n - 1), across = p[i] * 3;
      int row = (int) floor (at), column = (int) floor (across);
      real f = at - row, g = across - column;
      y[i] = (1 - f) * ((1 - g) * t[row][column] + g * t[row][column + 1])
             + f * ((1 - g) * t[row + 1][column] + g * t[row + 1][column + 1]);
    }
}
FIELD (bilinear)

/* Edges of a picture.  */
static void
edges (int n, const real *x, const real *w, const real *p, real *y)
{
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      {
        real across = 0, down = 0;
        for (int k = -1; k <= 1; k++)
          {
            int by = k == 0 ? 2 : 1;
            across += by * (x[(i + k) * n + j + 1] - x[(i + k) * n + j - 1]);
            down += by * (x[(i + 1) * n + j + k] - x[(i - 1) * n + j + k]);
          }
        y[i * n + j] = w[0] * sqrt (across * across + down * down + p[0]);
      }
}
FIELD (edges)

/* A picture blurred in both directions through scratch.  */
static void
blur (int n, const real *x, const real *w, const real *p, real *y)
{
  real t[MOST * MOST];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      {
        real s = p[0] * x[i * n + j];
        if (j > 0)
          s += w[0] * x[i * n + j - 1];
        if (j < n - 1)
          s += w[1] * x[i * n + j + 1];
        t[i * MOST + j] = s;
      }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      {
        real s = p[0] * t[i * MOST + j];
        if (i > 0)
          s += w[0] * t[(i - 1) * MOST + j];
        if (i < n - 1)
          s += w[1] * t[(i + 1) * MOST + j];
        y[i * n + j] = s * s;
      }
}
FIELD (blur)

/* An arm of links, where its hand is and how stretched.  */
static void
arm (int n, const real *x, const real *w, const real *p, real *y)
{
  real angle = 0, across = p[0], up = p[1];
  for (int i = 0; i < n; i++)
    {
      angle += x[i] - 0.5;
      across += w[i] * cos (angle);
      up += w[i] * sin (angle);
      y[i] = hypot (across, up);
    }
}
FIELD (arm)

/* Areas of triangles by corners that are shared.  */
static void
mesh (int n, const real *x, const real *w, const real *p, real *y)
{
  y[0] = 0;
  for (int i = 0; i < n; i++)
    {
      int a = index_of[i], b = (a + 1) % 17, c = (a + 5) % 17;
      real area = (x[2 * b] - x[2 * a]) * (x[2 * c + 1] - x[2 * a + 1])
                  - (x[2 * c] - x[2 * a]) * (x[2 * b + 1] - x[2 * a + 1]);
      y[0] += w[i] * sqrt (area * area + p[0] * p[0]);
    }
}
FIELD (mesh)

/* A curve of four points, by thirds.  */
static void
curve (int n, const real *x, const real *w, const real *p, real *y)
{
  for (int i = 0; i < n; i++)
    {
      real q[4];
      for (int k = 0; k < 4; k++)
        q[k] = x[k] * p[k];
      for (int round = 3; round > 0; round--)
        for (int k = 0; k < round; k++)
          q[k] += w[i] * (q[k + 1] - q[k]);
      y[i] = q[0];
    }
}
FIELD (curve)

int
main (void)
{
  CHECK (rotate)
  CHECK (attitude)
  CHECK (bundle)
  CHECK (homography)
  CHECK (rays)
  CHECK (phong)
  CHECK (bilinear)
  CHECK (edges)
  CHECK (blur)
  CHECK (arm)
  CHECK (mesh)
  CHECK (curve)
  return faults != 0;
}
