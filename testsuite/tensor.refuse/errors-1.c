/* errors: a function with errors, and what each region of others still gets.
   { dg-do compile }  */

static struct missing table[8]; /* { dg-error "incomplete" } */

int
before (int n, float *restrict x)
{
#pragma tensor /* { dg-missed "the function that it stands in has errors" } */
  for (int i = 0; i < n; i++)
    x[i] = missing; /* { dg-error "undeclared" } */
#pragma tensor /* { dg-missed "the function that it stands in has errors" } */
  for (int i = 0; i < n; i++)
    {
#pragma tensor /* { dg-missed "the function that it stands in has errors" } */
      for (int j = 0; j < n; j++)
        x[i] = j;
    }
  return n;
}

void
uses (int n, float *restrict x)
{
#pragma tensor /* { dg-missed "the function that it stands in has errors" } */
  for (int i = 0; i < n; i++)
    x[i] = table[i];
}

void
after (int n, float *restrict x)
{
#pragma tensor /* { dg-optimized "" } */
  for (int i = 0; i < n; i++)
    x[i] = 2 * i;
}

void
wishes (int n, float *restrict x)
{
#pragma tensor require(parallel) /* { dg-error "was not achieved" } */
  for (int i = 1; i < n; i++)
    x[i] = x[i - 1] + 1;
#pragma tensor /* { dg-optimized "" } */
  for (int i = 0; i < n; i++)
    x[i] = 2 * i;
}

void
inside (int n, float *restrict x)
{
  void nested (void)
  {
#pragma tensor require(parallel) /* { dg-error "was not achieved" } */
    for (int i = 1; i < 9; i++)
      x[i] = x[i - 1] + 1;
  }
  nested ();
#pragma tensor /* { dg-optimized "" } */
  for (int i = 0; i < n; i++)
    x[i] = 2 * i;
}
