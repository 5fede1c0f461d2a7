/* Sums of how far bytes lie apart, along rows that fill vectors of bytes, are
   left to GCC, which has an instruction for them: the columns around are no
   lanes.  */
/* { dg-tensor-opts "dump=common" } */
/* { dg-final { scan-tns-dump-not common "abs\\(i32x" } } */
/* { dg-final { scan-tns-dump common "abs\\(i32\\(" } } */

#include <stdlib.h>

void
search (int m, int w, const unsigned char *restrict block,
        const unsigned char *restrict image, int *restrict apart)
{
#pragma tensor
  for (int dy = 0; dy < m; dy++)
    for (int dx = 0; dx < m; dx++)
      {
        int sum = 0;
        for (int y = 0; y < 16; y++)
          for (int x = 0; x < 16; x++)
            sum += abs (block[y * w + x] - image[(y + dy) * w + x + dx]);
        apart[dy * m + dx] = sum;
      }
}
