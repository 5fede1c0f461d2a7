/* Rows of a temporary that vectors walk along begin where cache lines do: an
   odd number of lines each, where they are long, or their length is known and
   not whole lines.  */
/* { dg-tensor-opts "dump=loops" } */
/* { dg-final { scan-file %b.c.tensor "local f32 rows_1_1\\[36\\]\\[\\(max\\(w - 4, 1\\) >= 64 \\? floordiv\\(max\\(w - 4, 1\\) \\+ 15, 32\\) \\* 32 \\+ 16 : max\\(w - 4, 1\\)\\)\\];" } } */
/* { dg-final { scan-file %b.c.tensor "local f32 rows_1_1\\[36\\]\\[208\\];" } } */
/* { dg-final { scan-file %b.c.tensor "local f32 rows_1_1\\[36\\]\\[192\\];" } } */

void
blur (int h, int w, float out[restrict h][w], float in[restrict h][w],
      float rows[restrict h][w])
{
#pragma tensor temp(rows)
  {
    for (int y = 0; y < h; y++)
      for (int x = 2; x < w - 2; x++)
        rows[y][x] = in[y][x - 2] + in[y][x] + in[y][x + 2];
    for (int y = 2; y < h - 2; y++)
      for (int x = 2; x < w - 2; x++)
        out[y][x] = rows[y - 2][x] + rows[y][x] + rows[y + 2][x];
  }
}

#define BLUR(NAME, W)                                                          \
  void NAME (int h, float out[restrict h][W], float in[restrict h][W],         \
             float rows[restrict h][W])                                        \
  {                                                                            \
    _Pragma ("tensor temp(rows)")                                              \
    {                                                                          \
      for (int y = 0; y < h; y++)                                              \
        for (int x = 2; x < W - 2; x++)                                        \
          rows[y][x] = in[y][x - 2] + in[y][x] + in[y][x + 2];                 \
      for (int y = 2; y < h - 2; y++)                                          \
        for (int x = 2; x < W - 2; x++)                                        \
          out[y][x] = rows[y - 2][x] + rows[y][x] + rows[y + 2][x];            \
    }                                                                          \
  }

BLUR (other, 200)
BLUR (whole, 196)
