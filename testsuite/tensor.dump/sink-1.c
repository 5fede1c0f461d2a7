/* A product's cells are ended in the last block of its sum, where that is known
   or follows from the row, in a tile that it shares with another product.  */
/* { dg-tensor-opts "dump=plan" } */
/* { dg-final { scan-tns-dump plan "^plan fixed\n(.+\n)+sink S3 in S2: k.0\nfuse S2 S3 at i.1\nfuse S2 S3 at j\n" } } */
/* { dg-final { scan-tns-dump plan "^plan rows\n(.+\n)+sink S3 in S2: k.0\nfuse S2 S3 at i.1\nfuse S2 S3 at j\n" } } */
/* { dg-final { scan-tns-dump-not plan "^plan values\n(.+\n)+sink " } } */

#define LONG 1000

#define REGION(end)                                                            \
  {                                                                            \
    for (int i = 0; i < n; i++)                                                \
      for (int j = 0; j < m; j++)                                              \
        {                                                                      \
          c[i][j] = 0;                                                         \
          for (int k = 0; k < (end); k++)                                      \
            c[i][j] += a[i][k] * b[k][j];                                      \
          c[i][j] *= 2;                                                        \
        }                                                                      \
    for (int i = 0; i < n; i++)                                                \
      for (int j = 0; j < m; j++)                                              \
        for (int k = 0; k < m; k++)                                            \
          d[i][j] += c[i][k] * e[k][j];                                        \
  }

#define PARAMETERS                                                             \
  (int n, int m, int l, float a[restrict n][LONG], float b[restrict LONG][m],  \
   float c[restrict n][m], float d[restrict n][m], float e[restrict m][m])

void fixed PARAMETERS
{
#pragma tensor name("fixed")
  REGION (LONG)
}

void rows PARAMETERS
{
#pragma tensor name("rows")
  REGION (i + 1)
}

void values PARAMETERS
{
#pragma tensor name("values")
  REGION (l)
}
