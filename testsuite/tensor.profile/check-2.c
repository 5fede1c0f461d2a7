/* A planted wrong store through a field of a struct is named by
   TRM_MODE=check as the user spells it.  */
/* { dg-tensor-opts "break=simplify" } */
/* { dg-set-target-env-var TRM_MODE "check" } */
/* { dg-output "check-2.c:20: tensor: check of 'field:17', call 1: g->data.1..2. is 6 fused, 5 as written, 2097152 ulp apart; 72 of 88 elements differ\n" } */
/* { dg-output "tensor: check: 1 calls of 1 regions compared, 1 differ\n$" } */

struct grid
{
  int n, m;
  float *data;
};

static __attribute__ ((noinline)) void
field (struct grid *g)
{
#pragma tensor check
  for (int i = 1; i < g->n; i++)
    for (int j = 2; j < g->m; j++)
      g->data[i * g->m + j] = g->data[i * g->m + j] * 0.5f - 1;
}

static float x[10 * 10];

int
main (void)
{
  struct grid g = { 10, 10, x };
  for (int i = 0; i < 100; i++)
    x[i] = i;
  field (&g);
  return x[12] == 5 && x[11] == 11 && x[99] == 48.5f ? 0 : 1;
}
