# emit-c: gradients as one would write them oneself.  As they were derived they
# are told where each part comes from, count and name things as the user does,
# and give what the gradients give; all that is printed compiles without a
# warning.
# one GCC
plugin=$BUILD/plugin/$GCC/tensor.so
failed=0

verdict ()
{
  if test "$1" -eq 0; then
    echo "PASS: $2"
  else
    echo "FAIL: $2"
    failed=1
  fi
}

cat >functions.c <<'END'
#include <math.h>

void softmax (int n, int m, const float *x, float *y)
{
  for (int i = 0; i < n; i++)
    {
      float top = x[i * m];
      for (int j = 1; j < m; j++)
        top = fmaxf (top, x[i * m + j]);
      float sum = 0;
      for (int j = 0; j < m; j++)
        {
          y[i * m + j] = expf (x[i * m + j] - top);
          sum += y[i * m + j];
        }
      for (int j = 0; j < m; j++)
        y[i * m + j] /= sum;
    }
}
#pragma tensor gradient(softmax) of(y: dy) wrt(x: dx)
void softmax_gradient (int n, int m, const float *x, const float *dy, float *dx);
void norm (int n, int m, const float *x, const float *w, const float *b, float *y)
{
  for (int i = 0; i < n; i++)
    {
      const float *row = x + i * m;
      float mean = 0;
      for (int j = 0; j < m; j++)
        mean += row[j];
      mean /= m;
      float var = 0;
      for (int j = 0; j < m; j++)
        var += (row[j] - mean) * (row[j] - mean);
      var /= m;
      float rstd = 1 / sqrtf (var + 1e-5f);
      for (int j = 0; j < m; j++)
        y[i * m + j] = (row[j] - mean) * rstd * w[j] + b[j];
    }
}
#pragma tensor gradient(norm) of(y: dy) wrt(x: dx, w: dw, b: db)
void norm_gradient (int n, int m, const float *x, const float *w, const float *dy, float *dx, float *dw, float *db);
void layer (int n, int m, int p, const float *x, const float *w, const float *b, float *y)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < p; j++)
      {
        float u = b[j];
        for (int k = 0; k < m; k++)
          u += x[i * m + k] * w[k * p + j];
        y[i * p + j] = 0.5f * u * (1 + tanhf (0.79788456f * (u + 0.044715f * u * u * u)));
      }
}
#pragma tensor gradient(layer) of(y: dy) wrt(x: dx, w: dw, b: db)
void layer_gradient (int n, int m, int p, const float *x, const float *w, const float *b, const float *dy, float *dx, float *dw, float *db);
void attend (int t, int e, const float q[t][e], const float k[t][e], const float v[t][e], float o[t][e])
{
  for (int i = 0; i < t; i++)
    {
      float s[t];
      float top = -INFINITY, sum = 0;
      for (int j = 0; j <= i; j++)
        {
          s[j] = 0;
          for (int c = 0; c < e; c++)
            s[j] += q[i][c] * k[j][c];
          if (s[j] > top)
            top = s[j];
        }
      for (int j = 0; j <= i; j++)
        {
          s[j] = expf (s[j] - top);
          sum += s[j];
        }
      for (int c = 0; c < e; c++)
        {
          o[i][c] = 0;
          for (int j = 0; j <= i; j++)
            o[i][c] += s[j] / sum * v[j][c];
        }
    }
}
#pragma tensor gradient(attend) of(o: dout) wrt(q: dq, k: dk, v: dv)
void attend_gradient (int t, int e, const float q[t][e], const float k[t][e], const float v[t][e], const float dout[t][e], float dq[t][e], float dk[t][e], float dv[t][e]);
static float sigmoid (float x) { return 1 / (1 + expf (-x)); }
void cell (int n, const float *gates, const float *c, float *cn, float *h)
{
  for (int i = 0; i < n; i++)
    {
      float in = sigmoid (gates[i]), forget = sigmoid (gates[n + i]);
      float out = sigmoid (gates[2 * n + i]), cand = tanhf (gates[3 * n + i]);
      cn[i] = forget * c[i] + in * cand;
      h[i] = out * tanhf (cn[i]);
    }
}
#pragma tensor gradient(cell) of(h: dh, cn: dcn) wrt(gates: dgates, c: dc)
void cell_gradient (int n, const float *gates, const float *c, const float *dh, const float *dcn, float *dgates, float *dc);
void recur (int n, const double *a, const double *x, double *y)
{
  double s = 0;
  for (int i = 0; i < n; i++)
    {
      s = *a * sin (s) + x[i];
      y[i] = s;
    }
}
#pragma tensor gradient(recur) of(y: dy) wrt(x: dx, a: da)
void recur_gradient (int n, const double *a, const double *x, const double *dy, double *dx, double *da);
void solve (int n, const double l[n][n], const double *b, double *x)
{
  for (int i = 0; i < n; i++)
    {
      double s = b[i];
      for (int j = 0; j < i; j++)
        s -= l[i][j] * x[j];
      x[i] = s / l[i][i];
    }
}
#pragma tensor gradient(solve) of(x: dx) wrt(l: dl, b: db)
void solve_gradient (int n, const double l[n][n], const double *b, const double *dx, double dl[n][n], double *db);
void residual (int n, const double *cams, const double *pts, const int *ci, const int *pi, const double *obs, double *err)
{
  for (int k = 0; k < n; k++)
    {
      const double *cam = cams + 7 * ci[k], *p = pts + 3 * pi[k];
      double x = p[0] - cam[0], y = p[1] - cam[1], z = p[2] - cam[2];
      double u = x / z, v = y / z;
      double r2 = u * u + v * v;
      double d = 1 + cam[4] * r2 + cam[5] * r2 * r2;
      err[2 * k] = cam[3] * d * u - obs[2 * k];
      err[2 * k + 1] = cam[3] * d * v - obs[2 * k + 1];
    }
}
#pragma tensor gradient(residual) of(err: derr) wrt(cams: dcams, pts: dpts)
void residual_gradient (int n, const double *cams, const double *pts, const int *ci, const int *pi, const double *obs, const double *derr, double *dcams, double *dpts);
void conv (int h, int w, int k, const float x[h + k][w + k], const float f[k][k], float y[h][w])
{
  for (int i = 0; i < h; i++)
    for (int j = 0; j < w; j++)
      {
        float s = 0;
        for (int a = 0; a < k; a++)
          for (int b = 0; b < k; b++)
            s += x[i + a][j + b] * f[a][b];
        y[i][j] = s;
      }
}
#pragma tensor gradient(conv) of(y: dy) wrt(x: dx, f: df)
void conv_gradient (int h, int w, int k, const float x[h + k][w + k], const float f[k][k], const float dy[h][w], float dx[h + k][w + k], float df[k][k]);
void pool (int h, int w, const float x[2 * h][2 * w], float y[h][w])
{
  for (int i = 0; i < h; i++)
    for (int j = 0; j < w; j++)
      {
        float m = x[2 * i][2 * j];
        for (int a = 0; a < 2; a++)
          for (int b = 0; b < 2; b++)
            if (x[2 * i + a][2 * j + b] > m)
              m = x[2 * i + a][2 * j + b];
        y[i][j] = m;
      }
}
#pragma tensor gradient(pool) of(y: dy) wrt(x: dx)
void pool_gradient (int h, int w, const float x[2 * h][2 * w], const float dy[h][w], float dx[2 * h][2 * w]);

double sum (int n, const double *x)
{
  double s = 0;
  for (int i = 0; i < n; i++)
    s += sin (x[i]);
  return s;
}
#pragma tensor tangent(sum) of(return: ds) wrt(x: dx)
void sum_tangent (int n, const double *x, const double *dx, double *ds);

void pairs (int n, const double *x, double *y)
{
  for (int i = 0; i < n; i++)
    {
      double o = 0;
      for (int j = 0; j < n; j++)
        o += x[i] * x[j];
      y[i] = tanh (o) * o;
    }
}
#pragma tensor gradient(pairs) of(y: dy) wrt(x: dx)
void pairs_gradient (int n, const double *x, const double *dy, double *dx);
END

cat >main.c <<'END'
#include <math.h>
#include <stdio.h>

enum
{
  N = 6,
  ROOM = 200
};

#define CHECK(name, type, out, parameters, values)                             \
  extern void name##_gradient parameters;                                      \
  extern void name##_gradient_plain parameters;                                \
  static int name##_differs (void)                                             \
  {                                                                            \
    static type a[4][ROOM], d[3][ROOM], g[2][3][ROOM];                         \
    static const int at[] = { 2, 0, 1, 2, 2, 1 }, to[] = { 1, 1, 0, 2, 0, 1 }; \
    int faults = 0;                                                            \
    (void) at, (void) to;                                                      \
    for (int e = 0; e < ROOM; e++)                                             \
      {                                                                        \
        for (int k = 0; k < 4; k++)                                            \
          a[k][e] = (type) ((e * 31 + k * 17) % 23 + 5) / 16;                  \
        for (int k = 0; k < 3; k++)                                            \
          {                                                                    \
            d[k][e] = (type) ((e * 13 + k * 7) % 19 - 9) / 8;                  \
            g[0][k][e] = g[1][k][e] = (type) 0.25;                             \
          }                                                                    \
      }                                                                        \
    for (int way = 0; way < 2; way++)                                          \
      {                                                                        \
        type *g0 = g[way][0], *g1 = g[way][1], *g2 = g[way][2];                \
        (void) g1, (void) g2;                                                  \
        (way ? name##_gradient_plain : name##_gradient) values;                \
      }                                                                        \
    for (int k = 0; k < out; k++)                                              \
      for (int e = 0; e < ROOM; e++)                                           \
        faults += !(fabs ((double) (g[0][k][e] - g[1][k][e]))                  \
                    <= (sizeof (type) == 4 ? 1e-4 : 1e-12)                     \
                         * (1 + fabs ((double) g[0][k][e])));                  \
    if (faults)                                                                \
      printf ("%s: %d elements differ\n", #name, faults);                      \
    return faults;                                                             \
  }

typedef float f;
typedef double r;

CHECK (softmax, f, 1, (long, long, const f *, const f *, f *),
       (N, N, a[0], d[0], g0))
CHECK (norm, f, 3,
       (long, long, const f *, const f *, const f *, f *, f *, f *),
       (N, N, a[0], a[1], d[0], g0, g1, g2))
CHECK (layer, f, 3,
       (long, long, long, const f *, const f *, const f *, const f *, f *, f *,
        f *),
       (N, N, N, a[0], a[1], a[2], d[0], g0, g1, g2))
CHECK (attend, f, 3,
       (long, long, const f *, const f *, const f *, const f *, f *, f *, f *),
       (N, N, a[0], a[1], a[2], d[0], g0, g1, g2))
CHECK (cell, f, 2, (long, const f *, const f *, const f *, const f *, f *, f *),
       (N, a[0], a[1], d[0], d[1], g0, g1))
CHECK (recur, r, 2, (long, const r *, const r *, const r *, r *, r *),
       (N, a[0], a[1], d[0], g0, g1))
CHECK (solve, r, 2, (long, const r *, const r *, const r *, r *, r *),
       (N, a[0], a[1], d[0], g0, g1))
CHECK (residual, r, 2,
       (long, const r *, const r *, const int *, const int *, const r *,
        const r *, r *, r *),
       (N, a[0], a[1], at, to, a[2], d[0], g0, g1))
CHECK (conv, f, 2,
       (long, long, long, const f *, const f *, const f *, f *, f *),
       (N, N, 3, a[0], a[1], d[0], g0, g1))
CHECK (pool, f, 1, (long, long, const f *, const f *, f *),
       (N, N, a[0], d[0], g0))
CHECK (pairs, r, 1, (long, const r *, const r *, r *), (N, a[0], d[0], g0))

int
main (void)
{
  return softmax_differs () + norm_differs () + layer_differs ()
           + attend_differs () + cell_differs () + recur_differs ()
           + solve_differs () + residual_differs () + conv_differs ()
           + pool_differs () + pairs_differs ()
         != 0;
}
END

$CC_UNDER_TEST -O0 -fopenmp -march=haswell "-fplugin=$plugin" \
  -fplugin-arg-tensor-emit-c=emitted.c -c functions.c >log 2>&1
verdict $? "the functions compile"
$CC_UNDER_TEST -O1 -fopenmp -Wall -Wextra -Wpedantic -Wshadow -Werror \
  -c emitted.c
verdict $? "what is emitted compiles without a warning"
$CC_UNDER_TEST -O1 -w -fopenmp main.c functions.o emitted.o -lm -o program \
  && ./program
verdict $? "gradients as they were derived give what gradients give"

# The functions as they were derived.
sed -n '/_plain (/,/^}/p' emitted.c >plain.c

# Whether plain.c has the line $1.
has ()
{
  grep -Fqe "$1" plain.c
  verdict $? "a line is $1"
}

has '/* Adjoint of line 114: s -= l[i][j] * x[j];  */'
has 'for (long i = n - 1; i >= 0; i--)'
has 'dl[i * n + j] -= ds * x[j];'
has 'dx_1[j] -= ds * l[i * n + j];'
has 'for (long j = 0; j <= i; j++)'
has 'float sum = 0.0f;'
has 'softmax_gradient_plain (long n, long m, const float *restrict x,'
has 'do_1 += dy[i] * tanh (o);'
has '/* Tangent of line 169: s += sin (x[i]);  */'
! grep -q '\[.*tensor_max' plain.c
verdict $? "no row of a used element is asked whether it is one"
awk '$1 == "/*" { next } /= 0[.]0f?;$/ { cell = $2; next } $1 == cell && $2 == "+=" { exit 1 }
     { cell = "" }' plain.c
verdict $? "no cell is cleared before the first thing is added"
! grep -q '.\{80\}' plain.c
verdict $? "no line is long"
! grep -q '_[0-9]_[0-9]' plain.c
verdict $? "no name has two numbers behind it"
awk '/_plain \(/ { from = NR } /^}/ && NR - from > 90 { exit 1 }' plain.c
verdict $? "no function is long"
exit $failed
