/* What the columns of a product in blocks go along is copied in panels, and what
   each tile of rows reads of their operand, along memory where nothing is
   computed of it; rows in each other's way are copied for fewer sweeps.
   Nothing is where there are few rows, or where the array is read twice.  */
/* { dg-tensor-opts "dump=plan,scheduled" } */
/* { dg-final { scan-tns-dump-times plan "^panel S1: j:512 sweeps 32$" 3 } } */
/* { dg-final { scan-tns-dump-times scheduled "local f32 b_panel..floordiv.n - 1, 6. . 1 >= 32 .. mod.m . 4, 256. == 0 && floordiv.n - 1, 6. . 1 >= 8 . 32 : 0...256..16.;" 3 } } */
/* { dg-final { scan-tns-dump-times scheduled "local f32 a_panel" 3 } } */
/* { dg-final { scan-tns-dump-times scheduled "a_panel.i\[^=\]*..k\[^=\]*. = a.i\[^=\]*..k\[^=\]*.;" 1 } } */
/* { dg-final { scan-tns-dump-times scheduled "a_panel\[^=\]* = a\[^\n\]* \\* s;" 1 } } */

void
plain (int n, int m, int l, float c[restrict n][m], const float a[n][l],
       const float b[l][m])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int k = 0; k < l; k++)
      for (int j = 0; j < m; j++)
        c[i][j] += a[i][k] * b[k][j];
}

void
scaled (int n, int m, int l, float s, float c[restrict n][m],
        const float a[n][l], const float b[l][m])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int k = 0; k < l; k++)
      for (int j = 0; j < m; j++)
        c[i][j] += s * a[i][k] * b[k][j];
}

void
turned (int n, int m, int l, float c[restrict n][m], const float a[l][n],
        const float b[l][m])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int k = 0; k < l; k++)
      for (int j = 0; j < m; j++)
        c[i][j] += a[k][i] * b[k][j];
}

void
few (int m, int l, float c[restrict 40][m], const float a[40][l],
     const float b[l][m])
{
#pragma tensor
  for (int i = 0; i < 40; i++)
    for (int k = 0; k < l; k++)
      for (int j = 0; j < m; j++)
        c[i][j] += a[i][k] * b[k][j];
}

void
squared (int n, float c[restrict n][n], const float a[n][n])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        c[i][j] += a[i][k] * a[k][j];
}
