/* Misuse of what bounds the memory of gradients is an error at the word.  */

void
f (int n, float *x)
{
  for (int t = 0; t < n; t++)
    for (int i = 0; i < n; i++)
      x[i] = x[i] * x[i];
}

#pragma tensor gradient(f) of(x: dx) wrt(x: dx) checkpoint(0) /* { dg-message "60: error: expected a whole number greater than 0" } */
void g1 (int n, const float *x, float *dx);
#pragma tensor gradient(f) of(x: dx) wrt(x: dx) checkpoint /* { dg-message "103: error: expected" } */
void g2 (int n, const float *x, float *dx);
#pragma tensor gradient(f) of(x: dx) wrt(x: dx) memory(64) /* { dg-message "56: error: expected bytes in a string" } */
void g3 (int n, const float *x, float *dx);
#pragma tensor gradient(f) of(x: dx) wrt(x: dx) memory("64X") /* { dg-message "56: error: expected bytes in a string" } */
void g4 (int n, const float *x, float *dx);
#pragma tensor gradient(f) of(x: dx) wrt(x: dx) memory("0") /* { dg-message "56: error: expected bytes in a string" } */
void g5 (int n, const float *x, float *dx);
#pragma tensor gradient(f) of(x: dx) wrt(x: dx) memory("9999999999G") /* { dg-message "56: error: expected bytes in a string" } */
void g6 (int n, const float *x, float *dx);
#pragma tensor gradient(f) of(x: dx) wrt(x: dx) memory("1M") memory("2M") /* { dg-message "62: error: clause .memory. is given twice" } */
void g7 (int n, const float *x, float *dx);
#pragma tensor tangent(f) of(x: dx) wrt(x: dx) memory("1M") /* { dg-message "48: error: .memory. is for gradients" } */
void g8 (int n, const float *x, float *dx);

void
h (int n, float *x)
{
#pragma tensor checkpoint(3) /* { dg-message "16: error: .checkpoint. is for gradients" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
}
