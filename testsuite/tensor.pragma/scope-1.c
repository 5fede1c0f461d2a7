/* Names in clauses must be in scope.  */

struct pair
{
  int n;
};

enum
{
  LIMIT = 4
};

void
f (int n, float *restrict x, struct pair *p)
{
#pragma tensor assume(m > 0) /* { dg-message "23: error: .m. is not in scope" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor assume(i > 0) /* { dg-message "23: error: .i. is not in scope" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor assume(f > 0) /* { dg-message "23: error: .f. is not the name of a value" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor assume(p->m > 0) /* { dg-error "has no member named .m" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor assume(n % 0 == 0) /* { dg-message "25: error: division by zero" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor assume(n / (LIMIT - 4) > 2) /* { dg-message "25: error: division by zero" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor assume(*n > 0) /* { dg-error "expected a name or a number" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
}
