/* Rows that are changed in place and are shorter than a vector have vectors of
   16 bytes.  */
/* { dg-tensor-opts "dump=vectors" } */
/* { dg-additional-options "-O3 -mavx512f -mavx512dq -mavx512vl -mavx512bw" } */
/* { dg-final { scan-tns-dump vectors "y.i_1..c - 4.:f32x4 = " } } */
/* { dg-final { scan-tns-dump-not vectors "z.i_1..c - 4.:f32x4 = " } } */

void
add (int n, int c, float (*restrict y)[c], float (*restrict x)[c],
     const int *restrict at)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int k = 0; k < c; k++)
      y[i][k] += x[at[i]][k];
}

void
copy (int n, int c, float (*restrict z)[c], float (*restrict x)[c],
      const int *restrict at)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int k = 0; k < c; k++)
      z[i][k] = x[at[i]][k];
}
