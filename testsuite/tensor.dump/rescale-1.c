/* The sum of a softmax leaves the product that reads its rows, and the sweep
   over them goes.  */
/* { dg-tensor-opts "dump=plan,scheduled" } */
/* { dg-final { scan-tns-dump plan "^factor S4\nfactor S6$" } } */
/* { dg-final { scan-tns-dump-not scheduled "S4:" } } */

#include <math.h>

void
rows (int n, int d, float x[restrict n][n], float v[restrict n][d],
      float s[restrict n][n], float o[restrict n][d])
{
#pragma tensor name("rows") temp(s)
  {
    for (int i = 0; i < n; i++)
      {
        float sum = 0;
        for (int j = 0; j < n; j++)
          {
            s[i][j] = expf (x[i][j]);
            sum += s[i][j];
          }
        for (int j = 0; j < n; j++)
          s[i][j] /= sum;
      }
    for (int i = 0; i < n; i++)
      for (int c = 0; c < d; c++)
        {
          o[i][c] = 0;
          for (int j = 0; j < n; j++)
            o[i][c] += s[i][j] * v[j][c];
        }
  }
}
