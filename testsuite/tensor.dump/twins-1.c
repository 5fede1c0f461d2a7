/* A member of one element and that of any is one array, and so are one row of
   a table and any row; where the member bounds a loop that may store to it
   they stay apart.  */
/* { dg-tensor-opts "dump=extract" } */
/* { dg-final { scan-tns-dump extract {S2: p_y\[0\]\[3\] = p_y\[i\]\[2\] \+ p_x\[i\] \* p_y\[i\]\[3\];} } } */
/* { dg-final { scan-tns-dump extract {S1: p_x\[i\] = p_x\[0\] \* p_y\[0\]\[1\];} } } */
/* { dg-final { scan-tns-dump extract {= a\[j\] \+ a\[\(i \+ -1\) \* a_step \+ j\];} } } */
/* { dg-final { scan-tns-dump extract {overlap q_n q_n_1;} } } */

typedef struct
{
  double x, y[4];
} part;

typedef struct
{
  int n;
  double x;
} list;

void
members (int n, part *p)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      p[i].x = p->x * p->y[1];
      (*p).y[3] = p[i].y[2] + p[i].x * (p + i)->y[3];
    }
}

void
rows (int n, int m, double **a)
{
#pragma tensor
  for (int i = 1; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = a[0][j] + a[i - 1][j];
}

void
bound (int m, list *q)
{
#pragma tensor
  for (int i = 1; i < m; i++)
    for (int j = 0; j < q->n; j++)
      {
        q[i].n = j;
        q[i].x += j;
      }
}
