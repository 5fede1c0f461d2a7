/* Nests that go through an array along rows and down columns, and sums beside
   what is stored, go through it once; not under fuse(none).  */
/* { dg-tensor-opts "dump=plan,scheduled" } */
/* { dg-final { scan-tns-dump-times plan "^order S2: j i" 1 } } */
/* { dg-final { scan-tns-dump-times plan "^fuse S1 S2 at i" 2 } } */
/* { dg-final { scan-tns-dump-times plan "^fuse S1 S2 at j" 2 } } */
/* { dg-final { scan-tns-dump-times plan "^reduce i.0 in S1" 1 } } */

void
both_ways (int n, double a[n][n], double *restrict x, double *restrict y,
           const double *restrict u, const double *restrict v)
{
#pragma tensor
  {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        x[i] += a[i][j] * u[j];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        y[i] += a[j][i] * v[j];
  }
}

void
square_sum (int n, double a[n][n], double *restrict s,
            const double *restrict u)
{
#pragma tensor
  {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        a[i][j] -= u[j];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        s[0] += a[i][j] * a[i][j];
  }
}

void
forth_and_back (int n, double a[n][n], double *restrict x, double *restrict y,
                const double *restrict u)
{
#pragma tensor
  {
    for (int i = 0; i < n; i++)
      {
        x[i] = 0;
        for (int j = 0; j < n; j++)
          x[i] += a[i][j] * u[j];
      }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        y[j] += a[i][j] * x[i];
  }
}

void
apart (int n, double a[n][n], double *restrict x, double *restrict y,
       const double *restrict u, const double *restrict v)
{
#pragma tensor fuse(none)
  {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        x[i] += a[i][j] * u[j];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        y[i] += a[j][i] * v[j];
  }
}
