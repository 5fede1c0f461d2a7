/* Shows that members of unions in memory are read and written, where all of one
   type are one place.  */

#include "compare.h"

typedef struct entry
{
  union
  {
    unsigned short freq;
    unsigned short code;
  } a;
  union
  {
    int parent;
    float weight;
    int length;
  } b;
} entry;

#define TREE                                                                   \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      t[i].a.freq = x[i] & 255;                                                \
      t[i].b.parent = x[i] * 3;                                                \
    }                                                                          \
  for (int i = 1; i < n; i++)                                                  \
    {                                                                          \
      t[i - 1].a.code += t[i].a.freq;                                          \
      t[i].b.length -= t[i - 1].b.parent;                                      \
    }                                                                          \
  for (int i = 0; i < n; i++)                                                  \
    y[i] = t[i].a.code + t[i].a.freq * 2 + t[i].b.length;

static NOINLINE void
plain_tree (entry *t, const int *x, int *y, int n)
{
  TREE
}

static NOINLINE void
tree (entry *t, const int *x, int *y, int n)
{
#pragma tensor require(transform) noalias
  {
    TREE
  }
}

static entry t[2][MOST];
static int x[2][MOST], y[2][MOST];

int
main (void)
{
  FILL (x);
  EACH_SIZE (n)
  {
    BOTH (tree, t[W], x[W], y[W], n);
    CHECK (y);
  }
  return 0;
}
