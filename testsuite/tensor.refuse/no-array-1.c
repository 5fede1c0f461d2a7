/* no-array: numbers do not overlap; arrays, pointers and structures may.
   { dg-do compile }  */

struct pair
{
  float *a;
  float *b;
};

void
f (int n, float scale, float *x, int *y, struct pair *p)
{
#pragma tensor noalias(x, n) /* { dg-message "27: error: n is a number, which overlaps nothing" } */
  for (int i = 0; i < n; i++)
    x[i] = y[i];
#pragma tensor noalias(scale) /* { dg-error "scale is a number, which overlaps nothing" } */
  for (int i = 0; i < n; i++)
    x[i] = scale * y[i];
#pragma tensor noalias(x, y)
  for (int i = 0; i < n; i++)
    x[i] = y[i];
#pragma tensor noalias(p)
  for (int i = 0; i < n; i++)
    p->a[i] = p->b[i];
}
