/* Factorisations are cut into slabs, so that most of what is done are products
   in register tiles, whose sums stand in registers though their operands are of
   the same array, also where a scalar stands for an element, or for a factor that
   a slab keeps, and where they count down.  They are not where sums in a
   temporary keep statements together, nor where there are few rows.  */
/* { dg-tensor-opts "dump=plan" } */
/* { dg-final { scan-tns-dump-times plan "^slab k: 32$" 4 } } */
/* { dg-final { scan-tns-dump-times plan "^slab i: 32$" 3 } } */
/* { dg-final { scan-tns-dump plan "^distribute k in S1_1: S1_1 S2_3 / S1_2 S2_5 / S2_4 / S2_6$" } } */
/* { dg-final { scan-tns-dump plan "^kernel S2_6: i:6 j:16$" } } */
/* { dg-final { scan-tns-dump plan "dim k reduction summed a$" } } */
/* { dg-final { scan-tns-dump plan "^expand l" } } */
/* { dg-final { scan-tns-dump plan "^reverse k in S2_6$" } } */

extern float sqrtf (float);

void
steps (int n, float a[n][n])
{
#pragma tensor
  for (int k = 0; k < n; k++)
    {
      for (int i = k + 1; i < n; i++)
        a[i][k] /= a[k][k];
      for (int i = k + 1; i < n; i++)
        for (int j = k + 1; j < n; j++)
          a[i][j] -= a[i][k] * a[k][j];
    }
}

void
rows (int n, float a[n][n])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < i; j++)
        {
          for (int k = 0; k < j; k++)
            a[i][j] -= a[i][k] * a[k][j];
          a[i][j] /= a[j][j];
        }
      for (int j = i; j < n; j++)
        for (int k = 0; k < i; k++)
          a[i][j] -= a[i][k] * a[k][j];
    }
}

void
quotients (int n, float a[n][n])
{
#pragma tensor
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++)
      {
        float l = a[i][k] / a[k][k];
        a[i][k] = l;
        for (int j = k + 1; j < n; j++)
          a[i][j] -= l * a[k][j];
      }
}

void
factors (int n, float a[n][n])
{
#pragma tensor
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++)
      {
        float l = a[i][k] / a[k][k];
        for (int j = k; j < n; j++)
          a[i][j] -= l * a[k][j];
      }
}

void
down (int n, float a[n][n])
{
#pragma tensor
  for (int k = n - 1; k > 0; k--)
    for (int i = k - 1; i >= 0; i--)
      {
        a[i][k] /= a[k][k];
        for (int j = k - 1; j >= 0; j--)
          a[i][j] -= a[i][k] * a[k][j];
      }
}

void
halves (int n, float a[n][n])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      {
        float s = 0;
        for (int k = 0; k < j; k++)
          s += a[i][k] * a[j][k];
        if (i == j)
          a[i][i] = sqrtf (a[i][i] - s);
        else
          a[i][j] = (a[i][j] - s) / a[j][j];
      }
}

void
triangles (int n, float a[n][n], float l[n][n], float u[n][n])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      for (int j = i; j < n; j++)
        {
          float s = 0;
          for (int k = 0; k < i; k++)
            s += l[i][k] * u[k][j];
          u[i][j] = a[i][j] - s;
        }
      for (int j = i; j < n; j++)
        if (i == j)
          l[i][i] = 1;
        else
          {
            float s = 0;
            for (int k = 0; k < i; k++)
              s += l[j][k] * u[k][i];
            l[j][i] = (a[j][i] - s) / u[i][i];
          }
    }
}

void
together (int n, float a[n][n], float b[n])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      {
        float s = 0;
        for (int k = 0; k < j; k++)
          s += a[i][k] * a[j][k];
        b[j] = s;
        a[i][j] = (a[i][j] - s) / a[j][j];
      }
}

void
few (float a[48][48])
{
#pragma tensor
  for (int k = 0; k < 48; k++)
    for (int i = k + 1; i < 48; i++)
      {
        a[i][k] /= a[k][k];
        for (int j = k + 1; j < 48; j++)
          a[i][j] -= a[i][k] * a[k][j];
      }
}
