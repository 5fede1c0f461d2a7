/* TRM_PROFILE=table prints at exit a row for each region that was called, one
   for the time outside regions and one for all.  */
/* { dg-set-target-env-var TRM_PROFILE "table" } */
/* { dg-output "^Region +Where +Calls +Self +Self % +Total +Total % +Threads +Mean +GFLOP/s +GB/s +Fallbacks\n" } */
/* { dg-output "saxpy +table-1.c:16 +1000 +\[^\n\]*\[0-9.\]+ \[mnu\]s +\[0-9.\]+ +\[0-9.\]+ +0\n" } */
/* { dg-output "outside regions +\[0-9.\]+ \[mnu\]s +\[0-9.\]+\n" } */
/* { dg-output "all +\[0-9.\]+ \[mnu\]s +100.0\n$" } */

#define N 1000

static float x[N], y[N];

static __attribute__ ((noinline)) void
saxpy (float *restrict y, const float *restrict x, int n)
{
#pragma tensor name("saxpy")
  for (int i = 0; i < n; i++)
    y[i] += 2 * x[i];
}

static __attribute__ ((noinline)) void
never (float *restrict y, int n)
{
#pragma tensor name("never")
  for (int i = 0; i < n; i++)
    y[i] *= 2;
}

int
main (void)
{
  for (int k = 0; k < 1000; k++)
    saxpy (y, x, N);
  if (y[0] > 1)
    never (y, N);
  return 0;
}
