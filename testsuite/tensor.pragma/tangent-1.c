/* Misuse of tangent is an error at the word.  */

void
f (int n, const float *x, float s, float *y)
{
  for (int i = 0; i < n; i++)
    y[i] = x[i] * s;
}

float
r (int n, const float *x)
{
  float s = 0;
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}

#pragma tensor tangent(f) wrt(x: dx) /* { dg-message "24: error: a tangent needs .of." } */
void g1 (int n, const float *x, float s, const float *dx, float *dy);
#pragma tensor tangent(f) of(y: dy) /* { dg-message "24: error: a tangent needs .wrt." } */
void g2 (int n, const float *x, float s, const float *dx, float *dy);
#pragma tensor tangent(f) of(y: dy) wrt(x: dx) given(y) /* { dg-message "48: error: .given. is for gradients" } */
void g3 (int n, const float *x, float s, const float *dx, float *dy);
#pragma tensor tangent(r) of(return: g) wrt(x: dx) /* { dg-message "38: error: .g. ends with the function" } */
void g4 (int n, const float *x, const float *dx, float g);
#pragma tensor tangent(f) of(y: dy) wrt(x: dx) /* { dg-message "44: error: .dx. of type .float. cannot hold derivatives of .x." } */
void g5 (int n, const float *x, float s, float dx, float *dy);
#pragma tensor tangent(f) of(y: dy) wrt(s: dt) /* { dg-message "44: error: .dt. is no parameter of .g6." } */
void g6 (int n, const float *x, float s, float ds, float *dy);
#pragma tensor tangent(f) of(y: dy) wrt(x: dx) /* { dg-message "9: error: the tangent of .f. lacks its parameter .s." } */
void g7 (int n, const float *x, const float *dx, float *dy);
#pragma tensor tangent(f) of(y: dy) wrt(x: dx) /* { dg-message "33: error: .dy. is .const. in .g9., which writes it" } */
void g9 (int n, const float *x, float s, const float *dx, const float *dy);
#pragma tensor tangent(f) of(y: dy) wrt(x: dx) /* { dg-message "9: error: .#pragma tensor tangent. before something that is not the prototype" } */
int not_a_function;
#pragma tensor gradient(f) of(y: dy) wrt(x: dx) directions(k) /* { dg-message "49: error: .directions. is for tangents" } */
void d1 (int k, int n, const float *x, float s, const float dy[k][n], float dx[k][n]);
#pragma tensor tangent(f) of(y: dy) wrt(x: dx) directions(k, l) /* { dg-message "48: error: .directions. takes one name" } */
void d2 (int k, int n, const float *x, float s, const float dx[k][n], float dy[k][n]);
#pragma tensor tangent(f) of(y: dy) wrt(x: dx) directions(l) /* { dg-message "59: error: .l. is no integer among the parameters of .d3." } */
void d3 (int k, int n, const float *x, float s, const float dx[k][n], float dy[k][n]);
#pragma tensor tangent(f) of(y: dy) wrt(x: dx) directions(k) /* { dg-message "30: error: .dy. of type .float \\*. has no rows for several directions" } */
void d4 (int k, int n, const float *x, float s, const float dx[k][n], float *dy);
#pragma tensor tangent(f) of(y: dy) wrt(s: ds) directions(k) /* { dg-message "41: error: .ds. of type .float. has no rows for several directions" } */
void d5 (int k, int n, const float *x, float s, float ds, float dy[k][n]);

void
h (int n, float *x)
{
#pragma tensor tangent(f) of(x: dx) wrt(x: dx) /* { dg-message "9: error: .#pragma tensor tangent. inside of a function" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
}
