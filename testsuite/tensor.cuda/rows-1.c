/* Shows that rows that a block's threads share mean the same but for rounding:
   softmax, norms, what attention does, and rows whose length changes.  */

#include "device.h"

KERNEL (
  softmax, (const float *x, float *y, int n, int m),
  for (int i = 0; i < n; i++) {
    const float *from = x + i * m;
    float *to = y + i * m;
    float most = -1e30f;
    for (int j = 0; j < m; j++)
      if (from[j] > most)
        most = from[j];
    float sum = 0;
    for (int j = 0; j < m; j++)
      {
        to[j] = expf (from[j] - most);
        sum += to[j];
      }
    for (int j = 0; j < m; j++)
      to[j] /= sum;
  })

KERNEL (
  layer_norm,
  (const float *x, const float *w, float *y, float *mean, float *rstd, int n,
   int m),
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++)
      s += x[i * m + j];
    s = s / m;
    float v = 0;
    for (int j = 0; j < m; j++)
      {
        float shift = x[i * m + j] - s;
        v += shift * shift;
      }
    float r = 1.0f / sqrtf (v / m + 1e-5f);
    for (int j = 0; j < m; j++)
      y[i * m + j] = r * (x[i * m + j] - s) * w[j];
    mean[i] = s;
    rstd[i] = r;
  })

KERNEL (
  backward,
  (int n, int m, const float dy[n][m], const float x[n][m], const float *w,
   const float *rstd, float dx[n][m], float *dw),
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++)
      s += dy[i][j] * w[j] * x[i][j];
    for (int j = 0; j < m; j++)
      {
        dx[i][j] += rstd[i] * (dy[i][j] * w[j] - x[i][j] * s);
        dw[j] += dy[i][j] * x[i][j];
      }
  })

KERNEL (
  attention,
  (int n, int e, const float q[n][e], const float k[n][e], const float v[n][e],
   float score[n][n], float out[n][e]),
  for (int i = 0; i < n; i++) {
    float most = -1e30f, sum = 0;
    for (int j = 0; j <= i; j++)
      {
        float s = 0;
        for (int c = 0; c < e; c++)
          s += q[i][c] * k[j][c];
        score[i][j] = s;
        most = s > most ? s : most;
      }
    for (int j = 0; j <= i; j++)
      {
        score[i][j] = expf (score[i][j] - most);
        sum += score[i][j];
      }
    for (int c = 0; c < e; c++)
      out[i][c] = 0;
    for (int j = 0; j <= i; j++)
      for (int c = 0; c < e; c++)
        out[i][c] += score[i][j] / sum * v[j][c];
  })

KERNEL (triangles, (int n, int m, float x[n][m], const float a[m][m]),
        for (int i = 0; i < n; i++) for (int k = 0; k < m; k++) for (int j = k;
                                                                     j < m; j++)
          x[i][j]
        = x[i][j] * 2 - a[k][j];)

KERNEL (eliminate, (int n, int m, float x[n][m], const float a[m][m]),
        for (int i = 0; i < n; i++) for (int k = 0; k < m;
                                         k++) for (int j = k + 1; j < m; j++)
          x[i][j]
        -= a[k][j] * x[i][k];)

static float x[2][AREA], y[2][AREA], u[2][AREA], v[2][AREA], o[2][AREA];
static float w[2][1600], r[2][MOST], s[2][MOST];

/* Rows of M.  */
static void
check_rows (int n, int m)
{
  FILL_REAL (x);
  FILL_REAL (w);
  FILL_REAL (y);
  BOTH (softmax, x[W], y[W], n, m);
  CHECK_NEAR (y, 1e-5);
  if (m > 0)
    BOTH (layer_norm, x[W], w[W], o[W], s[W], r[W], n, m);
  CHECK_NEAR (o, 1e-4);
  CHECK_NEAR (s, 1e-4);
  CHECK_NEAR (r, 1e-4);
  BOTH (backward, n, m, (void *) y[W], (void *) x[W], w[W], r[W], (void *) o[W],
        w[W] + m);
  CHECK_NEAR (o, 1e-4);
  CHECK_NEAR (w, 1e-4);
}

/* Triangles, exactly.  */
static void
check_triangles (int n, int m)
{
  FILL_BELOW (u, 2);
  FILL_BELOW (v, 2);
  BOTH (triangles, n, m, (void *) u[W], (void *) v[W]);
  FILL_WITH (v, next () % 16 == 0);
  BOTH (eliminate, n, m, (void *) u[W], (void *) v[W]);
  CHECK (u);
}

int
main (void)
{
  EACH_LENGTH (n)
  EACH_ROW (m)
  {
    check_rows ((int) n, (int) m);
    if (n < MOST && m < MOST)
      {
        FILL_REAL (u);
        FILL_REAL (v);
        BOTH (attention, (int) n, (int) m, (void *) x[W], (void *) u[W],
              (void *) v[W], (void *) y[W], (void *) o[W]);
        CHECK_NEAR (o, 1e-4);
        check_triangles (3, (int) m < 20 ? (int) m : 20);
      }
  }
  check_rows (2, 700);
  check_rows (3, 500);
  return 0;
}
