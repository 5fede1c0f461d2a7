/* Bytes that are transposed one by one have several copies of the loop's body;
   other loops that vectors leave have not.  */
/* { dg-tensor-opts "dump=vectors" } */
/* { dg-additional-options "-O3" } */
/* { dg-final { scan-tns-dump-times vectors {unroll\(8\)} 1 } } */

void
transpose (int n, unsigned char (*restrict a)[n], unsigned char (*restrict b)[n])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[j][i] = b[i][j];
}

void
pick (int n, unsigned char *restrict a, const unsigned char *restrict b)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    a[i] = b[3 * i];
}
