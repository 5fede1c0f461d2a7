/* device: what no device can do, or what has nothing for it to do, stays on the
   CPU, and the note says why.  */

static float table[100][7];

void
f (int n, float *restrict x, const float *restrict y, long double *w,
   long *restrict at)
{
#pragma tensor target(cuda) /* { dg-message "note: \[^\n\]*for the CPU alone: long double is not known to devices" } */
  for (int i = 0; i < n; i++)
    w[i] = w[i] * 2;
#pragma tensor target(auto) /* { dg-message "note: \[^\n\]*for the CPU alone: there is nothing for threads to share" } */
  for (int i = 1; i < n; i++)
    x[i] += x[i - 1] * x[i - 1];
#pragma tensor target(cuda) /* { dg-message "note: \[^\n\]*for the CPU alone: how much of y is touched is not known" } */
  for (int i = 0; i < n; i++)
    {
      x[i] = y[at[i]];
      at[i] = i;
    }
#pragma tensor target(cuda) /* { dg-message "note: \[^\n\]*1 kernel for CUDA" } */
  for (int i = 0; i < n; i++)
    x[i] = y[i];
#pragma tensor target(cuda) /* { dg-message "note: \[^\n\]*1 kernel for CUDA" } */
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < 7; j++)
        table[i][j] = y[j];
      x[i] -= table[i][at[i]];
    }
}

static void
square (int n, float *y, const float *x)
{
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[i];
}

#pragma tensor gradient(square) of(y: dy) wrt(x: dx) target(cuda) /* { dg-message "note: \[^\n\]*1 kernel for CUDA" } */
void square_gradient (int n, float *dy, const float *x, float *dx);
