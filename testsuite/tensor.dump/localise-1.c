/* Adjoints of what an iteration computes and uses at once are its variables:
   there is a tile of them, and no pass that sets them.  */
/* { dg-do compile } */
/* { dg-tensor-opts "dump=localise,loops" } */
/* { dg-final { scan-tns-dump-not localise "local f32 du\\\[" } } */
/* { dg-final { scan-tns-dump localise "local f32 du_1;\n *S1: du_1 = 0" } } */
/* { dg-final { scan-tns-dump-not loops "local f32 \[a-z0-9_\]*\\\[max.n" } } */

void
product (int n, float u[restrict n][n], float y[restrict n][n],
         float x[restrict n][n], float w[restrict n][n])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      {
        u[i][j] = 0;
        for (int k = 0; k < n; k++)
          u[i][j] += x[i][k] * w[j][k];
        y[i][j] = u[i][j] * u[i][j];
      }
}

#pragma tensor gradient(product) of(y: dy) wrt(x: dx, w: dw) given(u)
void product_gradient (int n, float u[restrict n][n], float dy[restrict n][n],
                       float x[restrict n][n], float w[restrict n][n],
                       float dx[restrict n][n], float dw[restrict n][n]);
