/* Shows gradients of what names a place in two ways: a member of one element
   beside that of any, of structures in structures too, one row of a table
   beside any row.  */

#include "check.h"

typedef struct
{
  real x, y[4];
} part;

typedef struct
{
  part in[2];
  real z;
} pair;

static void
overwrite (int m, part *p, const part *q)
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < 3; j++)
      p[i / 4].x = 0.5 * i * q[i].x;
  p[0].x += q[0].y[2] * q->x;
}

#pragma tensor gradient(overwrite) of(p : dp) wrt(p : dp, q : dq) with(primal)
void overwrite_both (int m, part *p, const part *q, part *dp, part *dq);

static void
spread (int m, part *p)
{
  for (int i = 0; i < m; i++)
    {
      (*p).y[1] *= p[i].y[i % 4];
      p[i].x = p->x * p->y[1];
      p->y[3] = p[i].y[2] + p[i].x * (p + i)->y[3];
    }
}

#pragma tensor gradient(spread) of(p : dp) wrt(p : dp) with(primal)
void spread_both (int m, part *p, part *dp);

static real
nested (int m, const pair *s)
{
  real sum = 0;
  for (int i = 0; i < m; i++)
    for (int k = 0; k < 2; k++)
      sum += s[i].in[k].x * s->in[1].x * s->z * s[i].z * s->in[k].y[k]
             * s[i].in[1].y[k + 1];
  return sum;
}

#pragma tensor gradient(nested) of(return ) wrt(s : ds)
void nested_gradient (int m, const pair *s, pair *ds);

static real
table (int m, int c, real **x)
{
  real sum = 0;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < c; j++)
      sum += x[0][j] * x[i][j] * x[i][0];
  return sum;
}

#pragma tensor gradient(table) of(return ) wrt(x : dx)
void table_gradient (int m, int c, real **x, real **dx);

static void
overwrite_kernel (values at, real *out)
{
  overwrite (n, (void *) at[0], (void *) at[1]);
  memcpy (out, at[0], sizeof at[0]);
}

static void
spread_kernel (values at, real *out)
{
  spread (n, (void *) at[0]);
  memcpy (out, at[0], sizeof at[0]);
}

static void
nested_kernel (values at, real *out)
{
  *out = nested (n, (void *) at[0]);
}

/* ROWS get those of 3 in A.  */
static void
set_rows (real *a, real **rows)
{
  for (int i = 0; i < 20; i++)
    rows[i] = a + 3 * i;
}

static void
table_kernel (values at, real *out)
{
  real *rows[20];
  set_rows (at[0], rows);
  *out = table (n, 3, rows);
}

/* GOT is what F leaves in the place of array 0.  */
static void
same (const char *name, kernel *f, values before, const real *got)
{
  static real want[ROOM];
  f (before, want);
  for (int e = 0; e < ROOM; e++)
    if (fabs (got[e] - want[e]) > 1e-12)
      {
        printf ("%s, n = %d: element %d is not the function's\n", name, n, e);
        faults++;
        return;
      }
}

/* Seeds for the N elements of array 0 alone.  */
static void
seed (void)
{
  size_t used = (size_t) n * sizeof (part);
  memset ((char *) u + used, 0, sizeof u - used);
  memcpy (g[0], u, sizeof u);
}

int
main (void)
{
  static values x;
  real *rows[20], *adjoints[20];
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    {
      start (sizes[s]);
      memcpy (x, a, sizeof a);
      seed ();
      overwrite_both (n, (void *) x[0], (void *) x[1], (void *) g[0],
                      (void *) g[1]);
      agree_from ("overwrite", overwrite_kernel, 0, 0);
      agree ("overwrite", overwrite_kernel, 1);
      same ("overwrite", overwrite_kernel, a, x[0]);
      start (sizes[s]);
      memcpy (x, a, sizeof a);
      seed ();
      spread_both (n, (void *) x[0], (void *) g[0]);
      agree_from ("spread", spread_kernel, 0, 0);
      same ("spread", spread_kernel, a, x[0]);
      start (sizes[s]);
      u[0] = 1;
      nested_gradient (n, (void *) a[0], (void *) g[0]);
      agree ("nested", nested_kernel, 0);
      set_rows (a[0], rows);
      set_rows (g[0], adjoints);
      start (sizes[s]);
      u[0] = 1;
      table_gradient (n, 3, rows, adjoints);
      agree ("table", table_kernel, 0);
    }
  return faults != 0;
}
