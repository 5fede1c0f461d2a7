/* Misuse of derivative is an error at the word or the parameter.  */

double f (double a, int k);
void g (int n, double **x);
void leave (int n, const double *x, double *y);
int whole (double a);

#pragma tensor derivative(f) wrt(a: da) /* { dg-message "27: error: a derivative needs .of." } */
void d1 (double a, int k, double t, double *da);
#pragma tensor derivative(f) of(return: t) /* { dg-message "27: error: a derivative needs .wrt." } */
void d2 (double a, int k, double t, double *da);
#pragma tensor derivative(h) of(return: t) wrt(a: da) /* { dg-message "27: error: .h. is no function that is declared here" } */
void d3 (double a, int k, double t, double *da);
#pragma tensor derivative(g) of(return: t) wrt(x: dx) /* { dg-message "27: error: .g. is no function of numbers and arrays that returns a floating number or writes one array" } */
void d4 (int n, double **x, double t, double *dx);
#pragma tensor derivative(whole) of(return: t) wrt(a: da) /* { dg-message "27: error: .whole. is no function of numbers and arrays that returns a floating" } */
void d5 (double a, double t, double *da);
#pragma tensor derivative(f) of(a: t) wrt(a: da) /* { dg-message "30: error: a derivative is .of .return: ...." } */
void d6 (double a, int k, double t, double *da);
#pragma tensor derivative(f) of(return: t) wrt(a: da) /* { dg-message "27: error: .d7. must return nothing" } */
double d7 (double a, int k, double t, double *da);
#pragma tensor derivative(f) of(return: t) wrt(a: db) /* { dg-message "48: error: the adjoint of .a. is no parameter of .d8." } */
void d8 (double a, int k, double t, double *da);
#pragma tensor derivative(f) of(return: t) wrt(a: da)
void d9 (double b, int k, double t, double *da); /* { dg-message "17: error: .b. is neither a number that .f. takes nor the adjoint" } */
#pragma tensor derivative(f) of(return: t) wrt(a: da)
void d10 (double a, int k, double t, float *da); /* { dg-message "45: error: .da. is neither a number that .f. takes nor the adjoint" } */
#pragma tensor derivative(f) of(return: t) wrt(k: dk)
void d11 (double a, int k, double t, int *dk); /* { dg-message "43: error: .dk. is neither a number that .f. takes nor the adjoint" } */
#pragma tensor derivative(f) of(return: t) wrt(a: da) given(k) /* { dg-message "55: error: .given. is for gradients" } */
void d12 (double a, int k, double t, double *da);
#pragma tensor derivative(f) of(return: t) wrt(a: da) /* { dg-message "9: error: .#pragma tensor derivative. before something that is no function" } */
int not_a_function;
#pragma tensor derivative(f) of(return: t) wrt(a: da)
#pragma tensor gradient(f) of(return: t) wrt(a: da) /* { dg-message "9: error: two .#pragma tensor gradient. before one prototype" } */
void d13 (double a, int k, double t, double *da);

#pragma tensor derivative(leave) of(return: t) wrt(x: dx) /* { dg-message "34: error: the derivative of a function that writes an array is .of. that array" } */
void d15 (int n, const double *x, double t, double *dx);
#pragma tensor derivative(leave) of(y: dy) wrt(x: dx)
void d16 (int n, double *x, const double *dy, double *dx); /* { dg-message "26: error: .x. is neither a number or a .const. array that .leave. takes nor" } */
#pragma tensor derivative(leave) of(y: dy) wrt(x: dx)
void d17 (int n, const double *dy, const double *dx); /* { dg-message "50: error: .dx. is neither a number or a .const. array" } */

#pragma tensor gradient(f) of(return: t) wrt(a: da) /* { dg-message "9: error: .#pragma tensor gradient. before something that is not the prototype" } */
void
d14 (double a, int k, double t, double *da)
{
  *da += t * k;
}
