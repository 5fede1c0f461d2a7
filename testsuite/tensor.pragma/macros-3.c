/* A macro that is not called like a clause is expanded: what it becomes must
   be right, and the error points to where it is written.  */

#define WRONG tepm(x) /* { dg-error "unknown clause .tepm" } */
#define SIZE none /* { dg-error "expected a whole number" } */

void
f (int n, float *x)
{
#pragma tensor WRONG /* { dg-message "in expansion of macro .WRONG" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor tile(i: SIZE) /* { dg-message "in expansion of macro .SIZE" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
}
