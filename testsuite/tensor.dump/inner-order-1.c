/* A tile that sums over two loops has the one that moves its operands less
   inside, however the loops are written, and the user's order where they are
   alike or sums may not be reordered.  */
/* { dg-tensor-opts "dump=plan" } */
/* { dg-final { scan-tns-dump-times plan {dim g reduction\n +dim j reduction\n +dim i\.1 free} 2 } } */
/* { dg-final { scan-tns-dump-times plan {dim p reduction\n +dim q reduction\n +dim i\.1 free} 1 } } */
/* { dg-final { scan-tns-dump-times plan {dim b ordered\n +dim a ordered\n +dim i\.1 free} 1 } } */

enum
{
  GATES = 4,
  CELLS = 100
};

void
above (int n, float y[restrict n][CELLS], float z[restrict n][GATES][CELLS],
       float w[restrict GATES][CELLS][CELLS])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int g = 0; g < GATES; g++)
      for (int j = 0; j < CELLS; j++)
        for (int k = 0; k < CELLS; k++)
          y[i][k] += z[i][g][j] * w[g][j][k];
}

void
below (int n, float y[restrict n][CELLS], float z[restrict n][GATES][CELLS],
       float w[restrict GATES][CELLS][CELLS])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < CELLS; j++)
      for (int g = 0; g < GATES; g++)
        for (int k = 0; k < CELLS; k++)
          y[i][k] += z[i][g][j] * w[g][j][k];
}

void
alike (int n, float y[restrict n][CELLS], float z[restrict CELLS][GATES][n],
       float w[restrict CELLS][GATES][CELLS])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int p = 0; p < CELLS; p++)
      for (int q = 0; q < GATES; q++)
        for (int k = 0; k < CELLS; k++)
          y[i][k] += z[p][q][i] * w[p][q][k];
}

void
strict (int n, float y[restrict n][CELLS], float z[restrict n][GATES][CELLS],
        float w[restrict GATES][CELLS][CELLS])
{
#pragma tensor fp(strict)
  for (int i = 0; i < n; i++)
    for (int b = 0; b < CELLS; b++)
      for (int a = 0; a < GATES; a++)
        for (int k = 0; k < CELLS; k++)
          y[i][k] += z[i][a][b] * w[a][b][k];
}
