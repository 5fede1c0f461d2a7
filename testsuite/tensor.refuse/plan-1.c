/* plan: lines of a plan that no longer hold, and why.
   { dg-do compile }  */
/* { dg-tensor-opts "plan=%d/plan-1.plan" } */

void
f (int n, int m, float (*x)[m], float *restrict y)
{
#pragma tensor name("backward") /* { dg-error "the plan no longer holds: .order S1: j i. is not legal: x.i..j. written by S1 .line 11. is read by S1 .line 11. in a later iteration of i" } */
  for (int i = 1; i < n; i++)
    for (int j = 0; j < m - 1; j++)
      x[i][j] = x[i - 1][j + 1] + 1;
#pragma tensor name("renamed") /* { dg-error "the plan no longer holds: .tile k in S1: 8. does not apply to these loops" } */
  for (int i = 0; i < n; i++)
    y[i] = y[i] + 1;
#pragma tensor name("recurrence") /* { dg-error "the plan no longer holds: .parallel i in S1. is not legal: y.i. written by S1 .line 17." } */
  for (int i = 1; i < n; i++)
    y[i] = y[i - 1] + 1;
#pragma tensor name("two") /* { dg-error "the plan no longer holds: .fuse S1 S2 at i. is not legal: y.i. written by S1 .line 21. is read by S2 .line 23." } */
  {
    for (int i = 0; i < n; i++)
      y[i] = x[i][0];
    for (int i = 0; i < n; i++)
      x[i][0] = y[n - 1 - i];
  }
#pragma tensor name("words") /* { dg-error "the plan no longer holds: .paralel. in .paralel i in S1. is no step" } */
  for (int i = 0; i < n; i++)
    y[i] = y[i] + 1;
#pragma tensor name("later") /* { dg-error "the plan no longer holds: .waves. in .waves i j. is not there yet as a step of a plan" } */
  for (int i = 0; i < n; i++)
    y[i] = y[i] + 1;
#pragma tensor name("side by side") /* { dg-error "the plan no longer holds: .tasks S1 S2. does not apply" } */
  {
    for (int i = 1; i < n; i++)
      y[i] += y[i - 1];
    for (int i = 1; i < m; i++)
      x[0][i] += x[0][i - 1] + y[i];
  }
#pragma tensor name("other")
  for (int i = 0; i < n; i++)
    y[i] = y[i] + 1;
}
