/* What moves with the channels of a convolution's gradients gets these last,
   so that they fill vectors; each row of the input is summed up by one
   iteration.  Where nothing is shifted, nothing is turned.  */
/* { dg-tensor-opts "dump=plan" } */
/* { dg-final { scan-tns-dump-times plan "^pack \[a-z\]+ in S\[12\]: turned c$" 2 } } */
/* { dg-final { scan-tns-dump plan "^pack dx in S1: turned c$" } } */
/* { dg-final { scan-tns-dump plan "^pack dw in S2: turned c$" } } */
/* { dg-final { scan-tns-dump plan "^parallel i in S1$" } } */
/* { dg-final { scan-tns-dump plan "^kernel S1: j:\[0-9\]+ c:\[0-9\]+$" } } */
/* { dg-final { scan-tns-dump plan "^kernel S2: o:\[0-9\]+ c:\[0-9\]+$" } } */

void
backward (int p, int e, float x[restrict p][e + 2][e + 2],
          float dx[restrict p][e + 2][e + 2], float w[restrict p][p][3][3],
          float dw[restrict p][p][3][3], float dy[restrict p][e][e])
{
#pragma tensor /* { dg-optimized "dx packed where there are rows enough" } */
  for (int o = 0; o < p; o++)
    for (int i = 0; i < e; i++)
      for (int j = 0; j < e; j++)
        for (int c = 0; c < p; c++)
          for (int k = 0; k < 3; k++)
            for (int l = 0; l < 3; l++)
              {
                dx[c][i + k][j + l] += dy[o][i][j] * w[o][c][k][l];
                dw[o][c][k][l] += dy[o][i][j] * x[c][i + k][j + l];
              }
}

void
pointwise (int p, int e, float dx[restrict p][e][e], float w[restrict p][p],
           float dy[restrict p][e][e])
{
#pragma tensor /* { dg-optimized "parallel over" } */
  for (int o = 0; o < p; o++)
    for (int i = 0; i < e; i++)
      for (int j = 0; j < e; j++)
        for (int c = 0; c < p; c++)
          dx[c][i][j] += dy[o][i][j] * w[o][c];
}
