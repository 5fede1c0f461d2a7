/* Shows that what names a place in two ways means the same: a member of one
   element beside that of any, one row of a table beside any row.  */

#include "compare.h"

enum
{
  ROOM = 2 * MOST
};

typedef struct
{
  int x, y[4];
  int n;
} part;

typedef struct
{
  part in[3];
  part *q;
  int z;
} set;

static part p[2][ROOM], q[2][ROOM];
static set s[2][ROOM];
static int a[2][ROOM];
static int *table[ROOM];

static NOINLINE void
plain_member (part *v, int m)
{
  for (int i = 0; i < m; i++)
    {
      v[i].x = v->x + v->y[1] % 7;
      (*v).y[3] = v[i].y[2] + v[i].x - (v + i)->y[3] % 5;
    }
}

static NOINLINE void
plain_bound (part *v, int m, int from)
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < v->n; j++)
      {
        v[i + from].n = j % 4;
        v[i].x += j;
      }
}

static NOINLINE void
plain_nested (set *t, int m)
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < 3; j++)
      {
        t[i].in[j].x += t->in[2].x % 3 + t->z;
        t->q[j].x += t->q->x % 3 + t[0].q[2].y[j];
        t[i].z += t->in[j].y[1] - t[i].in[1].y[j];
      }
}

static NOINLINE void
plain_row (int **of, int m)
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < 2; j++)
      of[i][j] += of[0][j] % 9 - of[i / 2][1];
}

static NOINLINE void
member (part *v, int m)
{
#pragma tensor
  for (int i = 0; i < m; i++)
    {
      v[i].x = v->x + v->y[1] % 7;
      (*v).y[3] = v[i].y[2] + v[i].x - (v + i)->y[3] % 5;
    }
}

static NOINLINE void
bound (part *v, int m, int from)
{
#pragma tensor
  for (int i = 0; i < m; i++)
    for (int j = 0; j < v->n; j++)
      {
        v[i + from].n = j % 4;
        v[i].x += j;
      }
}

static NOINLINE void
nested (set *t, int m)
{
#pragma tensor
  for (int i = 0; i < m; i++)
    for (int j = 0; j < 3; j++)
      {
        t[i].in[j].x += t->in[2].x % 3 + t->z;
        t->q[j].x += t->q->x % 3 + t[0].q[2].y[j];
        t[i].z += t->in[j].y[1] - t[i].in[1].y[j];
      }
}

static NOINLINE void
row (int **of, int m)
{
#pragma tensor
  for (int i = 0; i < m; i++)
    for (int j = 0; j < 2; j++)
      of[i][j] += of[0][j] % 9 - of[i / 2][1];
}

/* TABLE has the rows of A[W], whose order is another for each TURN.  */
static int **
table_of (int *of, int turn)
{
  for (int i = 0; i < MOST; i++)
    table[i] = of + 2 * (turn == 1 ? MOST - 1 - i : turn == 2 ? i ^ 1 : i);
  return table;
}

int
main (void)
{
  for (size_t k = 0; k < LENGTH (sizes); k++)
    for (int turn = 0; turn < 3; turn++)
      {
        int n = sizes[k];
        current[0] = n;
        current[1] = turn;
        for (int w = 0; w < 2; w++)
          for (int i = 0; i < ROOM; i++)
            {
              part one = { i, { i % 5, 3, i, -i }, i % 6 };
              p[w][i] = q[w][i] = one;
              s[w][i] = (set){ { one, one, one }, q[w], i };
            }
        FILL (a);
        BOTH (member, p[W], n);
        BOTH (bound, p[W], n, turn);
        BOTH (nested, s[W], n);
        BOTH (row, table_of (a[W], turn), n - (n == MOST));
        CHECK (a);
        for (int i = 0; i < ROOM; i++)
          {
            s[1][i].q = s[0][i].q;
            if (memcmp (&p[0][i], &p[1][i], sizeof *p[0]))
              differ ("p", i, p[0][i].x, p[1][i].x);
            if (memcmp (&q[0][i], &q[1][i], sizeof *q[0]))
              differ ("q", i, q[0][i].x, q[1][i].x);
            if (memcmp (&s[0][i], &s[1][i], sizeof *s[0]))
              differ ("s", i, s[0][i].z, s[1][i].z);
          }
      }
  return 0;
}
