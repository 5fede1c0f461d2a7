/* A loop over blocks jumps by a block, whatever its iterator counts: it gets no
   lanes.  */
/* { dg-tensor-opts "dump=plan" } */
/* { dg-final { scan-tns-dump-times plan "^lanes" 0 } } */
/* { dg-final { scan-tns-dump plan "^simd" } } */

void
cosines (const short x[restrict 512][512], const float t[restrict 8][8],
         float y[restrict 512][512])
{
#pragma tensor
  for (int i = 0; i < 512; i += 8)
    for (int j = 0; j < 512; j += 8)
      {
        float rows[8][8];
        for (int u = 0; u < 8; u++)
          for (int l = 0; l < 8; l++)
            {
              float s = 0;
              for (int k = 0; k < 8; k++)
                s += t[u][k] * x[i + k][j + l];
              rows[u][l] = s;
            }
        for (int u = 0; u < 8; u++)
          for (int v = 0; v < 8; v++)
            {
              float s = 0;
              for (int l = 0; l < 8; l++)
                s += rows[u][l] * t[v][l];
              y[i + u][j + v] = s;
            }
      }
}
