/* Misuse of clear is an error at the word.  */

void
f (int n, const float *x, float *y, float *z)
{
  for (int i = 0; i < n; i++)
    {
      y[i] = x[i] * x[i];
      z[i] += x[i];
    }
}

#pragma tensor gradient(f) of(y: dy) wrt(x: dx) clear(dx)
void g0 (int n, const float *x, float *z, const float *dy, float *dx);
#pragma tensor gradient(f) of(y: dy) wrt(x: dx) clear(x) /* { dg-message "55: error: .x. is no adjoint that goes out by .wrt." } */
void g1 (int n, const float *x, float *z, const float *dy, float *dx);
#pragma tensor gradient(f) of(y: dy) wrt(x: dx) clear(dy) /* { dg-message "55: error: .dy. is not to be cleared: it comes in by .of." } */
void g2 (int n, const float *x, float *z, const float *dy, float *dx);
#pragma tensor gradient(f) of(z: dz) wrt(x: dx, z: dz) clear(dz, dx) /* { dg-message "62: error: .dz. is not to be cleared: it comes in by .of." } */
void g3 (int n, const float *x, float *z, float *dz, float *dx);
#pragma tensor gradient(f) of(y: dy) wrt(x: dx) clear(dw) /* { dg-message "55: error: .dw. is no parameter of .g4." } */
void g4 (int n, const float *x, float *z, const float *dy, float *dx);
#pragma tensor tangent(f) of(y: dy) wrt(x: dx) clear(dx) /* { dg-message "48: error: .clear. is for gradients" } */
void g5 (int n, const float *x, float *z, float *dy, const float *dx);

void
h (int n, float *x)
{
#pragma tensor clear(x) /* { dg-message "16: error: .clear. is for gradients" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
}
