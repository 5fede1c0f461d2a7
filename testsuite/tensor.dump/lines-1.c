/* Rows of a temporary that vectors walk along begin where cache lines do: an
   odd number of lines each, where they are long, or their length is known and
   not whole lines.  */
/* { dg-tensor-opts "dump=loops" } */
/* { dg-final { scan-file %b.c.tensor "local f32 rows_1_1.36..\\(max\\(w - 4, 1\\) >= 64 \\? floordiv\\(max\\(w - 4, 1\\) \\+ 15, 32\\) \\* 32 \\+ 16 : max\\(w - 4, 1\\)\\).;" } } */
/* { dg-final { scan-file %b.c.tensor "local f32 rows_1_1.36..208.;" } } */
/* { dg-final { scan-file %b.c.tensor "local f32 rows_1_1.36..192.;" } } */

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

void
other (int h, float out[restrict h][200], float in[restrict h][200],
       float rows[restrict h][200])
{
#pragma tensor temp(rows)
  {
    for (int y = 0; y < h; y++)
      for (int x = 2; x < 198; x++)
        rows[y][x] = in[y][x - 2] + in[y][x] + in[y][x + 2];
    for (int y = 2; y < h - 2; y++)
      for (int x = 2; x < 198; x++)
        out[y][x] = rows[y - 2][x] + rows[y][x] + rows[y + 2][x];
  }
}

void
whole (int h, float out[restrict h][196], float in[restrict h][196],
       float rows[restrict h][196])
{
#pragma tensor temp(rows)
  {
    for (int y = 0; y < h; y++)
      for (int x = 2; x < 194; x++)
        rows[y][x] = in[y][x - 2] + in[y][x] + in[y][x + 2];
    for (int y = 2; y < h - 2; y++)
      for (int x = 2; x < 194; x++)
        out[y][x] = rows[y - 2][x] + rows[y][x] + rows[y + 2][x];
  }
}
