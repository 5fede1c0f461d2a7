/* The two products of a gradient get nests of their own: nothing stands between
   them and the adjoint that they share.  */
/* { dg-tensor-opts "dump=plan" } */
/* { dg-final { scan-tns-dump plan "^split k in S1: S1 S2$" } } */
/* { dg-final { scan-tns-dump plan "^split i in S1: S1 S2$" } } */

static void
linear (int n, int p, int q, float y[restrict n][p], float x[restrict n][q],
        float w[restrict p][q])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < p; j++)
      {
        y[i][j] = 0;
        for (int k = 0; k < q; k++)
          y[i][j] += x[i][k] * w[j][k];
      }
}

#pragma tensor gradient(linear) of(y: dy) wrt(x: dx, w: dw)
void linear_gradient (int n, int p, int q, float dy[restrict n][p],
                      float x[restrict n][q], float w[restrict p][q],
                      float dx[restrict n][q], float dw[restrict p][q]);
