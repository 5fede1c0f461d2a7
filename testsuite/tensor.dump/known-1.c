/* Neighbours that a table of constants names are read as if they were spelled
   out, also where the table is a variable that nobody changes; their small
   arrays are variables.  What the function changes is loaded from memory.  */
/* { dg-tensor-opts "dump=cut" } */
/* { dg-final { scan-file %b.c.tensor "for x_1 = 1 to m - 1 simd.4." } } */
/* { dg-final { scan-file %b.c.tensor "S2_3: part_4_1 = f.3..y_1..x_1 . 1.;" } } */
/* { dg-final { scan-file %b.c.tensor "around_1 = i32.a.i_1 - 1..j_1 - 1.. . i32.a.i_1 - 1..j_1.." } } */
/* { dg-final { scan-file %b.c.tensor "y.i_1. .= x.i_1 - i64.k.0...;" } } */

#include <stdint.h>

static const int ex[5] = { 0, 1, 0, -1, 0 };
static const int ey[5] = { 0, 0, 1, 0, -1 };

void
flow (int n, int m, double (*restrict f)[n][m], double (*restrict g)[n][m])
{
#pragma tensor parallel(off)
  for (int y = 0; y < n; y++)
    for (int x = 0; x < m; x++)
      {
        double sum = 0, part[5];
        for (int q = 0; q < 5; q++)
          {
            int from = (x - ex[q] + m) % m;
            part[q] = f[q][(y - ey[q] + n) % n][from];
            sum += part[q];
          }
        for (int q = 0; q < 5; q++)
          g[q][y][x] = part[q] + (sum - 5 * part[q]) / 2;
      }
}

void
live (int n, int m, const uint8_t *restrict a, uint8_t *restrict b)
{
  int dy[8] = { -1, -1, -1, 0, 0, 1, 1, 1 };
  static int dx[] = { -1, 0, 1, -1, 1, -1, 0, 1 };
#pragma tensor parallel(off)  /* { dg-message "note: transformed" } */
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      {
        int around = 0;
        for (int k = 0; k < 8; k++)
          around += a[(i + dy[k]) * m + j + dx[k]];
        b[i * m + j] = around == 3;
      }
}

void
changed (int n, const float *restrict x, float *restrict y, int by)
{
  int k[2] = { 1, 2 };
  k[0] += by;
#pragma tensor parallel(off)
  for (int i = 2; i < n; i++)
    for (int q = 0; q < 2; q++)
      y[i] += x[i - k[q]];
}
