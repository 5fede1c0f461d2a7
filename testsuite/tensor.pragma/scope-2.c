/* Conditions over sizes of every kind, no error and no warning.  */
/* { dg-options "-Wall -Wextra -Wconversion" } */
/* { dg-tensor-opts "report=none" } */

struct pair
{
  int n;
};

enum
{
  LIMIT = 4
};

void
f (int n, unsigned long m, float *restrict x, struct pair *p, struct pair q)
{
#pragma tensor assume(n > 0, m % 16 == 0 && m < 5000000000, n >= LIMIT)
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor assume(p->n >= q.n, (n > 3 ? n : 3) == n, !(n & 1), -n < 0)
  for (int i = 0; i < n; i++)
    x[i] = (float) (p->n + q.n) + (float) m;
}
