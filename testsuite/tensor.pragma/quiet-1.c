/* Shows that GCC says nothing about subscripts in code that was written for all
   sizes, and about those of the user's what it says without the plug-in.  */
/* { dg-do compile } */
/* { dg-options "-O2 -ffast-math -march=skylake-avx512 -fopenmp -Wall -Wextra" } */

int
most (int n, int m, int a[restrict n][m])
{
  int most = 0;
#pragma tensor
  for (int j = 0; j < m; j++)
    {
      int s = 0;
      for (int i = 0; i < n; i++)
        s += a[i][j];
      most = s > most ? s : most;
    }
  return most;
}

int few[4];

int
beyond (void)
{
  return few[7]; /* { dg-warning "above array bounds" } */
}
