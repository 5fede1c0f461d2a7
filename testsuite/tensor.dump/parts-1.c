/* The tails of rows that are changed in place are stored in parts: the next
   row's load would wait for a store under a mask.  A tail that is only stored
   keeps its mask.  */
/* { dg-do compile } */
/* { dg-additional-options "-O2 -mavx512f -mavx512vl -mavx512dq -mavx512bw -fno-openmp" } */
/* { dg-final { scan-assembler-times "vmovup\[sd\]\t%\[xyz\]mm\[0-9\]+, \[^\n\]*\{%k\[0-7\]\}" 1 } } */
/* { dg-final { scan-assembler-times "vmovap\[sd\]\t%\[xyz\]mm\[0-9\]+, \[^\n\]*\\)\{%k\[0-7\]\}" 0 } } */

void
in_place (int n, int m, float x[restrict n][m], float y[restrict n][m])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      float s = 1;
      for (int j = 0; j < m; j++)
        s += x[i][j];
      for (int j = 0; j < m; j++)
        x[i][j] *= s;
      for (int j = 0; j < m; j++)
        y[i][j] = s;
    }
}
