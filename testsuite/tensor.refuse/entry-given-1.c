/* entry: what is given is what the function left; elements that indices name may
   have been written since they were read.  */
/* { dg-do compile } */

#pragma tensor gradient(f) of(y: dy) wrt(x: dx, z: dz) given(x)
void f_gradient (int n, const double *restrict x, const double *restrict z,
                 const int *at, const double *restrict dy, double *restrict dx,
                 double *restrict dz);

void
f (int n, double *restrict y, double *restrict x, const double *restrict z,
   const int *at)
{
  for (int i = 0; i < n; i++)
    {
      x[i] = 2 * z[i]; /* { dg-error "no gradient of f: the gradient needs what x holds at the entry" } */
      y[i] = x[at[i]] * x[at[i]];
    }
}
