/* A member that is named as one element's and as any element's: its adjoint
   would have two names.  */

typedef struct part
{
  double x, y;
} part;

static void
f (int n, int m, part *p, const part *q)
{
  for (int i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      p[i / 4].x = 6;
  p[0].x += q[0].y; /* { dg-error "p->x, a member of one element here" } */
}

#pragma tensor gradient(f) of(p: dp) wrt(p: dp, q: dq) with(primal)
void f_gradient (int n, int m, part *p, const part *q, part *dp, part *dq);
