/* The clause profile: a second line tells the first, the fastest and the
   slowest call, and what calls took that fell back.  */
/* { dg-set-target-env-var TRM_PROFILE "table" } */
/* { dg-output "^Region \[^\n\]*\n" } */
/* { dg-output "add +finer-1.c:17 +101 \[^\n\]* 1\n" } */
/* { dg-output "  first call \[0-9.\]+ \[mnu\]?s, fastest \[0-9.\]+ \[mnu\]?s, slowest \[0-9.\]+ \[mnu\]?s, \[0-9.\]+ \[mnu\]?s in fallbacks\n" } */
/* { dg-output "outside regions +\[0-9.\]+ \[mnu\]s +\[0-9.\]+\n" } */
/* { dg-output "all +\[0-9.\]+ \[mnu\]s +100.0\n$" } */

#define N 1000

static float x[N + 1];

static __attribute__ ((noinline)) void
add (float *y, const float *x, int n)
{
#pragma tensor name("add") profile
  for (int i = 0; i < n; i++)
    y[i] = 2 * x[i];
}

int
main (void)
{
  static float y[N];
  for (int k = 0; k < 100; k++)
    add (y, x, N);
  add (x + 1, x, N);
  return 0;
}
