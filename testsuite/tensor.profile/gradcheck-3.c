/* TRM_GRADCHECK=1: floats, members of structures, a gather, a result, with the
   primal; only the gradient of the function named.  */
/* { dg-tensor-opts "check" } */
/* { dg-set-target-env-var TRM_GRADCHECK "1:loss" } */
/* { dg-output "gradcheck-3.c:30: tensor: gradcheck of 'back', call 1: dp->w.\[0-9\]. is \[^\n\]*: agrees\[^\n\]*\n" } */
/* { dg-output ".*: dp->bias.\[0-9\]. is \[^\n\]*\n" } */
/* { dg-output ".*: dx.\[0-9\]..\[0-9\]. is \[^\n\]*\n" } */
/* { dg-output ".*agrees with 'loss'\[^\n\]*\n" } */
/* { dg-output "tensor: gradcheck: 1 calls of 1 gradients checked, all agree\n$" } */

#include <math.h>

typedef struct net
{
  int n, m;
  float *w;
  float bias[4];
} net;

static float
loss (const net *p, const float *x, const int *to)
{
  float sum = 0;
  for (int i = 0; i < p->n; i++)
    for (int j = 0; j < p->m; j++)
      sum += tanhf (x[i * p->m + j] * p->w[to[i]] + p->bias[j % 4]);
  return sum;
}

#pragma tensor gradient(loss) of(return) wrt(p: dp, x: dx) with(primal)
float back (const net *p, const float *x, const int *to, net *dp, float *dx);

static void
twice (int n, const float *x, float *y)
{
  for (int i = 0; i < n; i++)
    y[i] = 2 * x[i];
}

#pragma tensor gradient(twice) of(y: dy) wrt(x: dx)
void twice_back (int n, const float *dy, float *dx);

int
main (void)
{
  static const int to[] = { 2, 0, 2 };
  static float w[3], dw[3], x[15], dx[15];
  net p = { 3, 5, w, { 0.1f, 0.2f, -0.3f, 0.4f } }, dp = { 3, 5, dw, { 0 } };
  for (int i = 0; i < 15; i++)
    x[i] = 0.1f * i - 0.7f;
  for (int i = 0; i < 3; i++)
    w[i] = 1 - 0.4f * i;
  float got = back (&p, x, to, &dp, dx);
  twice_back (3, x, dx);
  return !(fabsf (got - loss (&p, x, to)) < 1e-5f);
}
