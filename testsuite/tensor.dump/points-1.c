/* Threads share the tiles of rows, not the rows of a tile, also where a sum
   goes through all rows.  */
/* { dg-tensor-opts "dump=plan" } */
/* { dg-final { scan-tns-dump plan "^dim i.0 reduction parallel$" } } */
/* { dg-final { scan-tns-dump-not plan "parallel i.1 in" } } */
/* { dg-final { scan-tns-dump-not plan "tile i.1 in" } } */

double
energy (int n, double a[n][n], const double *restrict p, double *restrict q)
{
  double t = 0;
#pragma tensor /* { dg-optimized "parallel over i, simd 4" } */
  for (int i = 0; i < n; i++)
    {
      double s = 0;
      for (int j = 0; j < n; j++)
        s += a[i][j] * p[j];
      q[i] = s;
      t += p[i] * s;
    }
  return t;
}
