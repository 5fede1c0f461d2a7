/* Windows that move by a number known at run time have versions for 1 and 2,
   forward and in gradients; rows of a leading dimension have none.  */
/* { dg-tensor-opts "dump=extract" } */
/* { dg-final { scan-tns-dump-times extract "guard s == 1;" 2 } } */
/* { dg-final { scan-tns-dump-times extract "guard s == 2;" 2 } } */
/* { dg-final { scan-tns-dump-not extract "guard lda" } } */

#define POOL                                                                   \
  for (int i = 0; i < h; i++)                                                  \
    for (int j = 0; j < l; j++)                                                \
      {                                                                        \
        double sum = 0;                                                        \
        for (int u = 0; u < k; u++)                                            \
          for (int v = 0; v < k; v++)                                          \
            sum += x[(i * s + u) * m + j * s + v];                             \
        y[i * l + j] = sum;                                                    \
      }

void
pool (int h, int l, int m, int k, int s, const double *restrict x,
      double *restrict y)
{
#pragma tensor /* { dg-message "a version for s = 2; a version for s = 1" } */
  POOL
}

static void
mean (int h, int l, int m, int k, int s, const double *restrict x,
      double *restrict y)
{
  POOL
}

#pragma tensor gradient(mean) of(y: dy) wrt(x: dx) /* { dg-message "a version for s = 1: tapes 0 bytes, adjoints 0 bytes" } */
void mean_gradient (int h, int l, int m, int k, int s,
                    const double *restrict x, double *restrict dy,
                    double *restrict dx);

void
scale (int n, int m, int lda, const double *restrict x, double *restrict y)
{
#pragma tensor /* { dg-message "note: " } */
  for (int c = 0; c < 3; c++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        y[(c * n + i) * lda + j] += x[i * lda + j];
}
