/* Shows that members of structures which a table of pointers names are right
   wherever these lie: one after the other, with gaps, backwards, all in one
   place, one, none, tables from 1 on; members that are read, written and
   arrays.  */

#include "compare.h"

#define ITEMS 200

typedef struct
{
  int kind, spare;
  double weight;
  int part[4];
} item;

typedef struct
{
  int n;
  item **at;
} list;

static NOINLINE int
plain_count (const list *l)
{
  int count = 0;
  for (int i = 1; i <= l->n; i++)
    {
      const item *p = l->at[i];
      if (p->kind == 2)
        count++;
    }
  return count;
}

static NOINLINE int
count (const list *l)
{
  int count = 0;
#pragma tensor
  for (int i = 1; i <= l->n; i++)
    {
      const item *p = l->at[i];
      if (p->kind == 2)
        count++;
    }
  return count;
}

static NOINLINE void
plain_weigh (list *l, double by)
{
  for (int i = 1; i <= l->n; i++)
    {
      l->at[i]->weight = l->at[i]->weight * by + l->at[i]->part[1];
      for (int k = 0; k < 3; k++)
        l->at[i]->part[k] += l->at[i]->kind;
    }
}

static NOINLINE void
weigh (list *l, double by)
{
#pragma tensor
  for (int i = 1; i <= l->n; i++)
    {
      l->at[i]->weight = l->at[i]->weight * by + l->at[i]->part[1];
      for (int k = 0; k < 3; k++)
        l->at[i]->part[k] += l->at[i]->kind;
    }
}

/* Where the item I of N lies in a room of 2 * ITEMS, laid out in the WAY.  */
static int
place (int way, int i, int n)
{
  switch (way)
    {
    case 0:
      return i;
    case 1:
      return 2 * i;
    case 2:
      return n - i;
    case 3:
      return 7;
    default:
      return i < n / 2 ? i : i + 1;
    }
}

/* Fill the ROOM, and let L name N items of it in the WAY.  */
static void
lay_out (list *l, item *room, int n, int way)
{
  for (int k = 0; k < 2 * ITEMS; k++)
    {
      item filled = { k % 3, 0, k * 0.5, { k, 2 * k, 3 * k, 0 } };
      room[k] = filled;
    }
  l->n = n;
  l->at[0] = NULL;
  for (int i = 1; i <= n; i++)
    l->at[i] = &room[place (way, i, n)];
}

int
main (void)
{
  static item room[2][2 * ITEMS];
  static item *at[2][ITEMS + 1];
  static const int size[] = { 0, 1, 2, 3, 17, 64, ITEMS - 1 };
  list l[2] = { { 0, at[0] }, { 0, at[1] } };
  for (int way = 0; way < 5; way++)
    for (int k = 0; k < 7; k++)
      {
        lay_out (&l[0], room[0], size[k], way);
        lay_out (&l[1], room[1], size[k], way);
        if (plain_count (&l[0]) != count (&l[1]))
          return 1 + way;
        plain_weigh (&l[0], 0.25);
        weigh (&l[1], 0.25);
        if (memcmp (room[0], room[1], sizeof room[0]))
          return 11 + way;
      }
  return 0;
}
