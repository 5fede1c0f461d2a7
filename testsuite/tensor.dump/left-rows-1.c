/* The columns of a register tile are ours, small integers or not: GCC has no
   vectors for a loop around another.  */
/* { dg-tensor-opts "dump=vectors" } */
/* { dg-final { scan-tns-dump vectors {S2: acc\S* \+= .*i32x8\(masked:i8x8|S2: acc\S* \+= .*i32x8\(b\S*:i8x8\)} } } */

void
quantised (int m, int n, int k, int zero, float scale,
           const signed char a[restrict m][k],
           const signed char b[restrict n][k], float c[restrict m][n])
{
#pragma tensor parallel(off)
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      {
        int acc = 0;
        for (int p = 0; p < k; p++)
          acc += (a[i][p] - zero) * b[j][p];
        c[i][j] = acc * scale;
      }
}
