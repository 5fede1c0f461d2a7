/* A median of nine bytes, put in order by exchanges in an array of the
   iteration's own, has its lanes along the row: each lane's elements lie beside
   those of the next one, and are not picked one by one.  */
/* { dg-tensor-opts "machine=avx512 dump=updates,plan" } */
/* { dg-final { scan-tns-dump plan "lanes x in S1\[_0\]*: 64" } } */
/* { dg-final { scan-file %b.c.tensor "v.i_1. = min.v.i_1., v.j_1.." } } */

void
median (int h, int w, const unsigned char *restrict s,
        unsigned char *restrict d)
{
#pragma tensor
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++)
      {
        unsigned char v[9];
        for (int i = 0; i < 3; i++)
          for (int j = 0; j < 3; j++)
            v[i * 3 + j] = s[(y + i - 1) * w + x + j - 1];
        for (int i = 0; i < 5; i++)
          for (int j = i + 1; j < 9; j++)
            if (v[j] < v[i])
              {
                unsigned char t = v[i];
                v[i] = v[j];
                v[j] = t;
              }
        d[y * w + x] = v[4];
      }
}
