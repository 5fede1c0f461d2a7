/* Shows bounds, widths and pointers that are read in memory which a store of
   the region may reach, and does reach in some calls.  */

#include "compare.h"

struct image
{
  int w, h, stride;
  unsigned char *data;
};

struct pair
{
  int *n;
  int *x;
};

static int count;
static int *numbers;

static NOINLINE void
plain_invert (struct image *s)
{
  for (int y = 0; y < s->h; y++)
    for (int x = 0; x < s->w; x++)
      s->data[y * s->stride + x] = 255 - s->data[y * s->stride + x];
}

static NOINLINE void
plain_until (const int *n, int *x)
{
  for (int i = 0; i < *n; i++)
    x[i] = x[i] / 2 + 3;
}

static NOINLINE void
plain_global (const int *x)
{
  for (int i = 0; i < count; i++)
    numbers[i] += x[i];
}

static NOINLINE void
plain_through (struct pair *p, int m)
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < *p->n; j++)
      p->x[i * *p->n + j] = i + j;
}

static NOINLINE void
invert (struct image *s)
{
#pragma tensor
  for (int y = 0; y < s->h; y++)
    for (int x = 0; x < s->w; x++)
      s->data[y * s->stride + x] = 255 - s->data[y * s->stride + x];
}

static NOINLINE void
until (const int *n, int *x)
{
#pragma tensor
  for (int i = 0; i < *n; i++)
    x[i] = x[i] / 2 + 3;
}

static NOINLINE void
global (const int *x)
{
#pragma tensor
  for (int i = 0; i < count; i++)
    numbers[i] += x[i];
}

static NOINLINE void
through (struct pair *p, int m)
{
#pragma tensor
  for (int i = 0; i < m; i++)
    for (int j = 0; j < *p->n; j++)
      p->x[i * *p->n + j] = i + j;
}

static unsigned char bytes[2][AREA];
static int a[2][AREA], b[2][AREA];

/* An image whose last bytes are those of its own height.  */
static void
invert_itself (int from)
{
  struct image s[2];
  for (int k = 0; k < 2; k++)
    s[k] = (struct image){ 4, 2, 4, (unsigned char *) &s[k].h - from };
  plain_invert (&s[0]);
  invert (&s[1]);
  if (s[0].h != s[1].h || s[0].w != s[1].w)
    differ ("itself", from, s[0].h, s[1].h);
}

int
main (void)
{
  FILL_BELOW (bytes, 256);
  FILL_BELOW (a, 1000);
  FILL_BELOW (b, 9);
  EACH_SIZE (n)
  {
    struct image s[2];
    for (int k = 0; k < 2; k++)
      s[k] = (struct image){ n, n / 2, n + 1, bytes[k] };
    BOTH (invert, &s[W]);
    CHECK (bytes);
    int m = n;
    BOTH (until, &m, a[W]);
    a[0][n] = a[1][n] = 60;
    BOTH (until, &a[W][n], a[W]);
    a[0][0] = a[1][0] = 100;
    BOTH (until, a[W], a[W]);
    CHECK (a);
    count = n;
    numbers = a[0];
    plain_global (b[0]);
    numbers = a[1];
    global (b[0]);
    CHECK (a);
    b[0][AREA - 1] = b[1][AREA - 1] = n;
    struct pair p = { &b[0][AREA - 1], a[0] };
    plain_through (&p, n);
    p.x = a[1];
    through (&p, n);
    CHECK (a);
    for (int k = 0; k < 2; k++)
      {
        b[k][7] = 3;
        p = (struct pair){ &b[k][7], b[k] };
        (k ? through : plain_through) (&p, 8);
      }
    CHECK (b);
  }
  numbers = &count;
  count = 4;
  int two[] = { -3, 1, 1, 1 };
  global (two);
  if (count != 1)
    differ ("count", 0, 1, count);
  invert_itself (0);
  invert_itself (4);
  return 0;
}
