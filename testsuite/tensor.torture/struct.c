/* Fields of structs are sizes, bases and sums.  */

#include "../tensor.run/compare.h"

struct image
{
  int height, width;
  long *pixel;
  long sum;
};

static NOINLINE void
plain_accumulate (struct image *p, const struct image *q)
{
  for (int i = 0; i < p->height; i++)
    for (int j = 0; j < p->width; j++)
      {
        p->pixel[i * p->width + j] += q->pixel[i * p->width + j];
        p->sum += p->pixel[i * p->width + j];
      }
}

static NOINLINE void
accumulate (struct image *p, const struct image *q)
{
#pragma tensor
  for (int i = 0; i < p->height; i++)
    for (int j = 0; j < p->width; j++)
      {
        p->pixel[i * p->width + j] += q->pixel[i * p->width + j];
        p->sum += p->pixel[i * p->width + j];
      }
}

static long x[2][33 * 33], y[2][33 * 33];

int
main (void)
{
  EACH_SMALL (n)
  EACH_SMALL_TOO (m)
  {
    struct image p[2], q[2];
    FILL (x);
    FILL (y);
    for (int k = 0; k < 2; k++)
      {
        p[k] = (struct image){ (int) n, (int) m, x[k], 7 };
        q[k] = (struct image){ (int) n, (int) m, y[k], 0 };
      }
    BOTH (accumulate, &p[W], &q[W]);
    BOTH (accumulate, &p[W], &p[W]);
    CHECK (x);
    if (p[0].sum != p[1].sum)
      differ ("sum", 0, p[0].sum, p[1].sum);
  }
  return 0;
}
