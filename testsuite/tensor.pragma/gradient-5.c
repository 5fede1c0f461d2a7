/* What cannot be differentiated in a function as a whole, and values that go on
   as bits: errors at their places.  What is rounded first, what is no input's
   and what only decides goes through.  */

#include <math.h>
#include <stdint.h>
#include <string.h>

double
kept (int n, const double *x)
{
  static double s; /* { dg-error "no gradient of .kept.: .s. keeps its value from call to call" } */
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}

double
again (int n, const double *x)
{
  double s = 0;
  int i = 0;
again: /* { dg-error "no gradient of .again.: it has .goto. and labels" } */
  if (i < n)
    {
      s += x[i++];
      goto again;
    }
  return s;
}

double
hidden (int n, const double *x)
{
  double s = 0;
  for (int i = 0; i < n; i++)
    {
      __asm__ ("" : "+x" (s)); /* { dg-error "no gradient of .hidden.: an asm statement cannot be moved" } */
      s += x[i];
    }
  return s;
}

double
several (int n, const double *x, ...) /* { dg-error "no gradient of .several.: it takes any number of arguments" } */
{
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}

double
flipped (int n, const double *x)
{
  double s = 0;
  for (int i = 0; i < n; i++)
    {
      union
      {
        double d;
        int64_t l;
      } u;
      u.d = x[i];
      u.l ^= 1; /* { dg-error "no gradient of flipped: a value taken from bits has no derivative" } */
      s += u.d * x[i];
    }
  return s;
}

float
root (int n, const float *x)
{
  float s = 0;
  for (int i = 0; i < n; i++)
    {
      int32_t b;
      float y;
      memcpy (&b, &x[i], sizeof b);
      b = 0x5f3759df - (b >> 1);
      memcpy (&y, &b, sizeof y); /* { dg-error "no gradient of root: a value taken from bits has no derivative that could be written down; #pragma tensor derivative" } */
      s += y;
    }
  return s;
}

float
logarithm (int n, const float *x)
{
  float s = 0;
  for (int i = 0; i < n; i++)
    {
      union
      {
        float f;
        int32_t i;
      } u;
      u.f = x[i];
      s += (float) u.i * 1.1920929e-7f - 126.942695f; /* { dg-error "no tangent of logarithm: a value taken from bits has no derivative" } */
    }
  return s;
}

float
whole (int n, const float *x, const uint16_t *h)
{
  float s = 0;
  for (int i = 0; i < n; i++)
    {
      union
      {
        float f;
        int32_t i;
      } w, power;
      int k = (int) x[i];
      w.i = h[i] << 16;
      power.i = (k + 127) << 23;
      s += power.f * (signbit (x[i]) ? w.f * x[i] : x[i] - k);
    }
  return s;
}

#pragma tensor gradient(kept) of(return) wrt(x: dx)
void kept_gradient (int n, const double *x, double *dx);
#pragma tensor gradient(again) of(return) wrt(x: dx)
void again_gradient (int n, const double *x, double *dx);
#pragma tensor gradient(hidden) of(return) wrt(x: dx)
void hidden_gradient (int n, const double *x, double *dx);
#pragma tensor gradient(several) of(return) wrt(x: dx)
void several_gradient (int n, const double *x, double *dx);
#pragma tensor gradient(flipped) of(return) wrt(x: dx)
void flipped_gradient (int n, const double *x, double *dx);
#pragma tensor gradient(root) of(return) wrt(x: dx)
void root_gradient (int n, const float *x, float *dx);
#pragma tensor tangent(logarithm) of(return: ds) wrt(x: dx)
void logarithm_tangent (int n, const float *x, const float *dx, float *ds);
#pragma tensor gradient(whole) of(return) wrt(x: dx)
void whole_gradient (int n, const float *x, const uint16_t *h, float *dx);

#pragma tensor gradient(late) of(return) wrt(x: dx)
void late_gradient (int n, const double *x, double *dx);

double
late (int n, const double *x)
{
  static int calls; /* { dg-error "no gradient of .late.: .calls. keeps its value from call to call" } */
  calls++;
  return n ? x[0] : calls;
}
