/* expression: a comparison of pointers, a bit field, a member of a union that is
   not like its first, members without alignment or with their bytes in the
   other order.  */

#include <stdlib.h>


struct flags
{
  unsigned low : 3;
  unsigned high : 5;
};

union word
{
  int i;
  float f;
};

struct packed
{
  char c;
  int i;
} __attribute__ ((packed));

struct turned
{
  int i;
} __attribute__ ((scalar_storage_order ("big-endian")));

static int x[8];

static void
f (int n, struct flags *p, union word *u, int *q)
{
#pragma tensor /* { dg-missed "not understood" } */
  for (int i = 0; i < n; i++)
    x[i] = x + i < q;
#pragma tensor /* { dg-missed "not understood" } */
  for (int i = 0; i < n; i++)
    p[i].low = x[i];
#pragma tensor /* { dg-missed "not understood" } */
  for (int i = 0; i < n; i++)
    u[i].f = x[i];
}

static int
g (int n, const struct packed *p, struct turned *t)
{
  int s = 0;
#pragma tensor /* { dg-missed "not understood" } */
  for (int i = 0; i < n; i++)
    s += p[i].i;
#pragma tensor /* { dg-missed "not understood" } */
  for (int i = 0; i < n; i++)
    t[i].i += 256;
  return s;
}

int
main (void)
{
  struct packed q[3] = { { 1, 2 }, { 3, 4 }, { 5, 6 } };
  struct turned t[3] = { { 1 }, { 2 }, { 3 } };
  if (g (3, q, t) != 12 || t[0].i != 257 || t[2].i != 259)
    abort ();
  struct flags p[8] = { { 0, 0 } };
  union word u[8];
  f (8, p, u, x + 3);
  if (p[2].low != 1 || p[3].low != 0 || u[2].f != 1)
    abort ();
  return 0;
}
