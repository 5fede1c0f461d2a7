/* What goes into all lanes is packed where each element of it is in a line of
   its own: the weights of a convolution's gradient, whose channels are too few
   for vectors; not where the innermost loop goes along them.  */
/* { dg-tensor-opts "dump=plan" } */
/* { dg-final { scan-tns-dump-times plan "^pack " 1 } } */
/* { dg-final { scan-tns-dump plan "^pack w in S1: k l o c$" } } */
/* { dg-final { scan-tns-dump-times plan "^kernel S1: c:\[0-9\]+ j:\[0-9\]+$" 2 } } */

void
backward (int e, float dx[restrict 12][e + 2][e + 2],
          float w[restrict 12][12][3][3], float dy[restrict 12][e][e])
{
#pragma tensor /* { dg-optimized "w packed where there are rows enough" } */
  for (int o = 0; o < 12; o++)
    for (int i = 0; i < e; i++)
      for (int j = 0; j < e; j++)
        for (int c = 0; c < 12; c++)
          for (int k = 0; k < 3; k++)
            for (int l = 0; l < 3; l++)
              dx[c][i + k][j + l] += dy[o][i][j] * w[o][c][k][l];
}

void
forward (int e, float x[restrict 12][e + 2][e + 2],
         float w[restrict 12][12][3][3], float y[restrict 12][e][e])
{
#pragma tensor /* { dg-optimized "parallel over" } */
  for (int o = 0; o < 12; o++)
    for (int i = 0; i < e; i++)
      for (int j = 0; j < e; j++)
        for (int c = 0; c < 12; c++)
          for (int k = 0; k < 3; k++)
            for (int l = 0; l < 3; l++)
              y[o][i][j] += x[c][i + k][j + l] * w[o][c][k][l];
}
