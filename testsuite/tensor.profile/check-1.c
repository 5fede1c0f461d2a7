/* A planted wrong store through a flat pointer is named by TRM_MODE=check:
   line, array, subscripts, both values, distance; the program goes on with
   the values of the loops as written.  */
/* { dg-tensor-opts "break=simplify" } */
/* { dg-set-target-env-var TRM_MODE "check" } */
/* { dg-output "check-1.c:18: tensor: check of 'flat', call 1: y.2..3. is 23 fused, 22 as written, 524288 ulp apart; 56 of 77 elements differ\n" } */
/* { dg-output "\[^\n\]*call 2: y.2..3. is 23 fused, 22 as written, \[^\n\]*\n" } */
/* { dg-output "tensor: check: 2 calls of 1 regions compared, 2 differ\n$" } */

static float x[10 * 10], y[10 * 10];

static __attribute__ ((noinline)) void
flat (float *y, const float *x, int n, int m)
{
#pragma tensor check name("flat")
  for (int i = 2; i < n; i++)
    for (int j = 3; j < m; j++)
      y[i * m + j] = x[i * m + j] - 1;
}

int
main (void)
{
  for (int i = 0; i < 100; i++)
    x[i] = i;
  flat (y, x, 10, 10);
  flat (y, x, 10, 10);
  return y[23] == 22 && y[99] == 98 && y[22] == 0 ? 0 : 1;
}
