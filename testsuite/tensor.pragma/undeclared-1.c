/* A function that is differentiated is declared somewhere in the file: behind
   the pragma, too, and without a body.  */

#pragma tensor gradient(later) of(return) wrt(x: dx)
void later_gradient (int n, const float *x, float *dx);

#pragma tensor gradient(latter) of(return) wrt(x: dx) /* { dg-message "25: error: .latter. is not declared in this file" } */
void latter_gradient (int n, const float *x, float *dx);

#pragma tensor tangent(nobody) of(y: dy) wrt(x: dx) /* { dg-message "24: error: .nobody. is not declared in this file" } */
void nobody_tangent (int n, const float *x, const float *dx, float *dy);

float later (int n, const float *x);

float before (int n, const float *x);

#pragma tensor gradient(before) of(return) wrt(x: dx)
void before_gradient (int n, const float *x, float *dx);

#pragma tensor gradient(behind) of(return) wrt(x: dx)
void behind_gradient (int n, const float *x, float *dx);

float
behind (int n, const float *x)
{
  float sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i];
  return sum;
}
