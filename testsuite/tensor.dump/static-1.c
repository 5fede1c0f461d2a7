/* Objects of static storage are reached by their names, in threads too: GCC
   sees what a constant table holds, here that one of nine products is left, by
   1.  */
/* { dg-do compile } */
/* { dg-additional-options "-O3" } */
/* { dg-final { scan-assembler-not "pmull" } } */

void
same (int n, unsigned char (*restrict y)[64], unsigned char (*restrict x)[64])
{
  static const int table[3][3] = { { 0, 0, 0 }, { 0, 1, 0 }, { 0, 0, 0 } };
#pragma tensor
  for (int i = 1; i < n; i++)
    for (int j = 1; j < 63; j++)
      {
        int s = 0;
        for (int k = -1; k <= 1; k++)
          for (int l = -1; l <= 1; l++)
            s += table[k + 1][l + 1] * x[i + k][j + l];
        y[i][j] = s >> 1;
      }
}
