/* A planted wrong store of a region that works in place is named by
   TRM_MODE=check: both versions begin with the same values.  */
/* { dg-tensor-opts "break=updates check" } */
/* { dg-set-target-env-var TRM_MODE "check" } */
/* { dg-output "check-3.c:16: tensor: check of 'twice:14', call 1: a.5. is 12 fused, -2 as written; 15 of 15 elements differ\n" } */
/* { dg-output "\[^\n\]*check-3.c:25: tensor: check of 'cell:23', call 1: total is -20 fused, 40 as written; 1 of 1 elements differ\n" } */
/* { dg-output "tensor: check: 2 calls of 2 regions compared, 2 differ\n$" } */

static int a[20];

static __attribute__ ((noinline)) void
twice (int *a, int n)
{
#pragma tensor
  for (int i = 5; i < n; i++)
    a[i] = a[i] - (i + 2);
}

static __attribute__ ((noinline)) int
cell (const int *a, int n)
{
  int total = 10;
#pragma tensor
  for (int i = 5; i < n; i++)
    total -= a[i];
  return total;
}

int
main (void)
{
  for (int i = 0; i < 20; i++)
    a[i] = i;
  twice (a, 20);
  if (a[4] != 4 || a[5] != -2 || a[19] != -2)
    return 1;
  return cell (a, 20) == 40 ? 0 : 1;
}
