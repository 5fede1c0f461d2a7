/* Products that share loops get nests of their own, in tiles of the outermost
   loop where one makes what the others use; two sums of the same operands
   share their loops.  */
/* { dg-tensor-opts "dump=plan" } */
/* { dg-final { scan-tns-dump plan "^split k in S1: S1 S2$" } } */
/* { dg-final { scan-tns-dump plan "^split i in S1: S1 S2$" } } */
/* { dg-final { scan-tns-dump plan "^tile i in S1: 84$" } } */
/* { dg-final { scan-tns-dump plan "^split i.1 in S2: S2 S4 S5$" } } */
/* { dg-final { scan-tns-dump-times plan "^split k in S1" 2 } } */

void
gradients (float dx[restrict 256][256], float dw[restrict 256][256],
           float dy[restrict 256][256], float w[restrict 256][256],
           float x[restrict 256][256])
{
#pragma tensor name("gradients")
  for (int i = 0; i < 256; i++)
    for (int j = 0; j < 256; j++)
      for (int k = 0; k < 256; k++)
        {
          dx[i][k] += dy[i][j] * w[k][j];
          dw[k][j] += dy[i][j] * x[i][k];
        }
}

void
layer (float dx[restrict 256][256], float dw[restrict 256][256],
       float dy[restrict 256][256], float w[restrict 256][256],
       float x[restrict 256][256])
{
#pragma tensor name("layer")
  for (int i = 0; i < 256; i++)
    for (int j = 0; j < 256; j++)
      {
        float s = 0;
        for (int k = 0; k < 256; k++)
          s += x[i][k] * w[j][k];
        float g = s > 0 ? dy[i][j] : 0;
        for (int k = 0; k < 256; k++)
          {
            dx[i][k] += g * w[j][k];
            dw[j][k] += g * x[i][k];
          }
      }
}

void
moments (float c[restrict 256][256], float d[restrict 256][256],
         float a[restrict 256][256], float b[restrict 256][256])
{
#pragma tensor name("moments")
  for (int i = 0; i < 256; i++)
    for (int j = 0; j < 256; j++)
      for (int k = 0; k < 256; k++)
        {
          c[i][j] += a[i][k] * b[j][k];
          d[i][j] += a[i][k] * a[i][k] * b[j][k];
        }
}
