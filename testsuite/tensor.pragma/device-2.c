/* device: sums into an array whose box the host alone can find, in a gradient for
   a device.  */

enum
{
  MOST = 40
};

extern double sqrt (double);

/* A matrix of three columns made triangular by reflections, in place.  */
void
reflect (int n, const double *x, double *y)
{
  double a[MOST][3];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 3; j++)
      a[i][j] = x[3 * i + j];
  int m = n < 4 ? 0 : 3;
  for (int k = 0; k < m; k++)
    {
      double s = 0, v[MOST];
      for (int i = k; i < n; i++)
        s += a[i][k] * a[i][k];
      s = sqrt (s);
      for (int i = k; i < n; i++)
        v[i] = a[i][k];
      v[k] += a[k][k] > 0 ? s : -s;
      double all = 0;
      for (int i = k; i < n; i++)
        all += v[i] * v[i];
      for (int j = k; j < 3; j++)
        {
          double d = 0;
          for (int i = k; i < n; i++)
            d += v[i] * a[i][j];
          for (int i = k; i < n; i++)
            a[i][j] -= 2 * d / all * v[i];
        }
    }
  for (int k = 0; k < m; k++)
    for (int j = k; j < 3; j++)
      y[3 * k + j] = a[k][j];
}

#pragma tensor gradient(reflect) of(y: dy) wrt(x: dx) target(cuda) /* { dg-message "kernels for CUDA" } */
void reflect_gradient (int n, const double *restrict x,
                       const double *restrict dy, double *restrict dx);
