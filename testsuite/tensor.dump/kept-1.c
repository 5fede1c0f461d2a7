/* Rows that three sums of each of four others share are loaded once for all of
   them: no product in the loop reads memory.  */
/* { dg-do compile } */
/* { dg-additional-options "-O3 -mavx512f -mfma -fno-openmp" } */
/* { dg-final { scan-assembler "vfmadd\[0-9\]+ps\t%zmm\[0-9\]+, %zmm\[0-9\]+, %zmm\[0-9\]+" } } */
/* { dg-final { scan-assembler-not "vfmadd\[0-9\]+ps\t\[^\n\]*\\), %zmm" } } */

void
taps (int m, int n, float a[restrict 4][m][n], float x[restrict m][n + 2],
      float w[restrict 4][3])
{
#pragma tensor /* { dg-optimized "simd 16" } */
  for (int o = 0; o < 4; o++)
    for (int l = 0; l < 3; l++)
      for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
          w[o][l] += a[o][i][j] * x[i][j + l];
}
