/* Two products that only read one matrix both keep loops of their own; two
   products of that matrix with vectors share its rows.  */
/* { dg-tensor-opts "dump=plan" } */
/* { dg-final { scan-tns-dump-not plan "fuse S1 S2 at j" } } */
/* { dg-final { scan-tns-dump plan "^fuse S1 S2 at i" } } */

void
products (int n, float x[restrict n][n], float y[restrict n][n],
          float z[restrict n][n], float u[restrict n][n],
          float v[restrict n][n])
{
#pragma tensor name("products")
  {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
          u[i][j] += x[i][k] * y[k][j];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
          v[i][j] += x[i][k] * z[k][j];
  }
}

void
vectors (int n, int m, float x[restrict n][m], float y[restrict m],
         float z[restrict m], float u[restrict n], float v[restrict n])
{
#pragma tensor name("vectors")
  {
    for (int i = 0; i < n; i++)
      for (int k = 0; k < m; k++)
        u[i] += x[i][k] * y[k];
    for (int i = 0; i < n; i++)
      for (int k = 0; k < m; k++)
        v[i] += x[i][k] * z[k];
  }
}
