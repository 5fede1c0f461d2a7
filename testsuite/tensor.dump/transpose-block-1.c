/* What is transposed in blocks of a line's length or less stays in these.  */
/* { dg-tensor-opts "dump=plan" } */
/* { dg-final { scan-tns-dump-times plan "^transpose" 1 } } */

void
blocks (short a[restrict 512][512], short b[restrict 512][512])
{
#pragma tensor parallel(off) /* { dg-optimized "kept as written" } */
  for (int i = 0; i < 512; i += 16)
    for (int j = 0; j < 512; j += 16)
      for (int k = i; k < i + 16; k++)
        for (int l = j; l < j + 16; l++)
          b[l][k] = a[k][l];
}

void
whole (short a[restrict 512][512], short b[restrict 512][512])
{
#pragma tensor parallel(off)
  for (int i = 0; i < 512; i++)
    for (int j = 0; j < 512; j++)
      b[j][i] = a[i][j];
}
