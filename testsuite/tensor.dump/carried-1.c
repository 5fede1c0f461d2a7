/* Sums over rows, of an element that stays the same, stay in lanes from row to
   row: nothing stands around the loop over a row.  */
/* { dg-tensor-opts "dump=sums" } */
/* { dg-final { scan-tns-dump sums "for i\[_0-9\]* = 0 to e \{\\s+for j\[_0-9\]* = 0 to e" } } */

void
taps (int p, int e, const float x[restrict p][e + 2][e + 2],
      const float y[restrict p][e][e], float w[restrict p][p][3][3])
{
#pragma tensor
  for (int o = 0; o < p; o++)
    for (int c = 0; c < p; c++)
      for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
          for (int i = 0; i < e; i++)
            for (int j = 0; j < e; j++)
              w[o][c][k][l] += y[o][i][j] * x[c][i + k][j + l];
}
