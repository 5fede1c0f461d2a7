/* Misuse of gradient is an error at the word.  */

void
f (int n, const float *x, float *y)
{
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[i];
}

#pragma tensor gradient(f) wrt(x: dx) /* { dg-message "25: error: a gradient needs .of." } */
void g1 (int n, const float *x, const float *dy, float *dx);
#pragma tensor gradient(f) of(y: dy) /* { dg-message "25: error: a gradient needs .wrt." } */
void g2 (int n, const float *x, const float *dy, float *dx);
#pragma tensor gradient of(y: dy) wrt(x: dx) /* { dg-message "25: error: expected" } */
void g3 (int n, const float *x, const float *dy, float *dx);
#pragma tensor gradient(f) of(y) wrt(x: dx) /* { dg-message "32: error: expected" } */
void g4 (int n, const float *x, const float *dy, float *dx);
#pragma tensor gradient(f) of(y: dz) wrt(x: dx) /* { dg-message "34: error: .dz. is no parameter of .g5." } */
void g5 (int n, const float *x, const float *dy, float *dx);
#pragma tensor gradient(f) of(y: dy) wrt(x: dx) /* { dg-message "9: error: the gradient of .f. lacks its parameter .n." } */
void g6 (const float *x, const float *dy, float *dx);
#pragma tensor gradient(f) of(y: dy) wrt(x: dx) /* { dg-message "9: error: .#pragma tensor gradient. before something that is not the prototype" } */
int not_a_function;
#pragma tensor gradient(f) of(z: dy) wrt(x: dx) /* { dg-message "31: error: .z. is no parameter of .f." } */
void g7 (int n, const float *x, const float *dy, float *dx);
#pragma tensor gradient(f) of(return) wrt(x: dx) /* { dg-message "31: error: no .return. to differentiate" } */
void g8 (int n, const float *x, float *dx);
#pragma tensor gradient(f) of(y: dy) wrt(x: dx) /* { dg-message "9: error: .g9. must return nothing or an .int." } */
float g9 (int n, const float *x, const float *dy, float *dx);
#pragma tensor gradient(f) of(y: dy) wrt(x: dx) /* { dg-message "45: error: .dx. is .const. in .g14., which writes it" } */
void g14 (int n, const float *x, const float *dy, const float *dx);
#pragma tensor gradient(f) of(y: dy) wrt(x: dx) with(primal) /* { dg-message "9: error: with the primal .g10. must return what .f. returns, .void." } */
int g10 (int n, const float *x, float *y, const float *dy, float *dx);
#pragma tensor gradient(f) of(y: dy) wrt(x: dx) with(primal) /* { dg-message "9: error: .y. is .const. in .g11., but .f. writes it" } */
void g11 (int n, const float *x, const float *y, const float *dy, float *dx);
#pragma tensor gradient(f) of(y: dy) wrt(x: dx) with(primal) given(y) /* { dg-message "62: error: .given. contradicts .with.primal" } */
void g12 (int n, const float *x, float *y, const float *dy, float *dx);
#pragma tensor gradient(f) of(y: dy) wrt(x: dx)
void g15 (int n, const float *x, const float *dy, float *dx, float scale); /* { dg-message "68: error: .scale. is neither a parameter of .f. nor an adjoint that the pragma names" } */
#pragma tensor gradient(f) of(y: dy) wrt(x: dx)
void g16 (int n, const float *x, const float *dy, float *dx, const float *); /* { dg-message "62: error: a parameter of .g16. has no name" } */

void *
address (int n, float *x)
{
  for (int i = 0; i < n; i++)
    x[i] = x[i] * x[i];
  return x;
}

#pragma tensor gradient(address) of(x: dx) wrt(x: dx) with(primal) /* { dg-message "9: error: .address. returns .void .., which its gradient cannot hand on" } */
void *g13 (int n, float *x, float *dx);

void
h (int n, float *x)
{
#pragma tensor of(x: dx) /* { dg-message "16: error: .of. is for gradients" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor given(x) /* { dg-message "16: error: .given. is for gradients" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor store(x) /* { dg-message "16: error: .store. is for gradients" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor recompute(x) /* { dg-message "16: error: .recompute. is for gradients" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor with(primal) /* { dg-message "16: error: .with. is for gradients" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor gradient(f) of(x: dx) wrt(x: dx) /* { dg-message "9: error: .#pragma tensor gradient. inside of a function" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
}
