/* Functions whose gradients and tangents unit/gradient-test.c checks.  */

#ifndef TNS_UNIT_GRADIENT_ROWS_H
#define TNS_UNIT_GRADIENT_ROWS_H

/* shown  what the row shows
   head   declarations; n is an i64 VALUE
   body   statements
   wish   of driver/differentiate.h
   tapes  how many arrays are taped, -1: not asked  */
typedef struct row
{
  const char *shown;
  const char *head;
  const char *body;
  const char *wish;
  int tapes;
} row;

#define XY  "array f64 x[n]; array f64 y[n];"
#define OXY "of=y:dy wrt=x:dx absent=y"
#define MAP(e)                                                                 \
  {                                                                            \
    "map " e, XY, "for i = 0 to n { S1: y[i] = " e "; }", OXY, 0               \
  }
#define MAP2(e)                                                                \
  {                                                                            \
    "map of two " e, XY "array f64 z[n];",                                     \
      "for i = 0 to n { S1: y[i] = " e "; }",                                  \
      "of=y:dy wrt=x:dx wrt=z:dz absent=y", 0                                  \
  }

static const row rows[] = {
  { "steps whose places share a tape", XY "array f64 v[n];",
    "for i = 0 to n { S1: v[i] = x[i]; y[i] = x[i]; }"
    " for t = 0 to 3 { for i = 1 to n - 1 {"
    " S2: v[i] += (y[i + 1] - y[i]) * y[i - 1] * y[i - 1]; }"
    " for i = 1 to n - 1 { S3: y[i] += 0.1f64 * v[i] * y[i]; } }",
    OXY " absent=v", 2 },
  { "steps that read a row for each element", XY "array f64 v[n];",
    "for i = 0 to n { S1: y[i] = x[i]; }"
    " for t = 0 to 3 { for i = 0 to n { S2: v[i] = 0.0f64;"
    " for k = 0 to n { S3: v[i] += 0.1f64 * y[k] * y[i]; } }"
    " for i = 0 to n { S4: y[i] = sin(v[i]); } }",
    OXY " absent=v", 2 },
  { "a step that reads what it has written", XY "array f64 v[n];",
    "for i = 0 to n { S1: y[i] = x[i]; v[i] = x[i]; }"
    " for t = 0 to 3 { for i = 1 to n - 1 {"
    " S2: v[i] += y[i + 1] * y[i - 1];"
    " S3: y[i] += 0.1f64 * v[i] * y[i]; } }",
    OXY " absent=v", -1 },
  { "steps that take turns between two arrays",
    XY "array f64 u[n]; array f64 v[n];",
    "for i = 0 to n { S1: u[i] = x[i]; S2: v[i] = x[i]; }"
    " for t = 0 to n { if (mod(t, 2) == 0) { for i = 1 to n - 1"
    " { S3: v[i] = u[i - 1] * u[i + 1]; } } else { for i = 1 to n - 1"
    " { S4: u[i] = v[i - 1] * v[i + 1]; } } }"
    " if (mod(max(n, 0), 2) == 0) { for i = 0 to n { S5: y[i] = u[i]; } }"
    " else { for i = 0 to n { S6: y[i] = v[i]; } }",
    "of=y:dy wrt=x:dx absent=y absent=u absent=v", -1 },
  { "steps that take turns between three arrays",
    XY "array f64 u[n]; array f64 v[n]; array f64 w[n];",
    "for i = 0 to n { S1: u[i] = x[i]; S2: v[i] = x[i]; S7: w[i] = 0.0f64; }"
    " for t = 0 to n { if (mod(t, 3) == 0) { for i = 1 to n - 1"
    " { S3: w[i] = v[i] * v[i + 1] - u[i]; } } else {"
    " if (mod(t, 3) == 1) { for i = 1 to n - 1"
    " { S4: u[i] = w[i] * w[i + 1] - v[i]; } } else { for i = 1 to n - 1"
    " { S8: v[i] = u[i] * u[i + 1] - w[i]; } } } }"
    " for i = 0 to n { S5: y[i] = u[i] + 2.0f64 * v[i] + 3.0f64 * w[i]; }",
    "of=y:dy wrt=x:dx absent=y absent=u absent=v absent=w", -1 },
  MAP ("-x[i]"),
  MAP ("abs(x[i] - 1.0f64)"),
  MAP ("x[i] * x[i] * x[i]"),
  MAP ("x[i] * 0.25f64 * x[i] * -x[i] * x[i]"),
  MAP ("sin(x[i]) * x[i] * sin(x[i])"),
  MAP2 ("z[i] * x[i] * x[i] * z[i] * x[i]"),
  MAP ("3.0f64 / (1.0f64 + x[i])"),
  MAP ("sqrt(x[i])"),
  MAP ("cbrt(x[i])"),
  MAP ("exp(x[i])"),
  MAP ("exp2(x[i])"),
  MAP ("exp10(x[i])"),
  MAP ("expm1(x[i])"),
  MAP ("log(x[i])"),
  MAP ("log2(x[i])"),
  MAP ("log10(x[i])"),
  MAP ("log1p(x[i])"),
  MAP ("sin(x[i])"),
  MAP ("cos(x[i])"),
  MAP ("tan(0.5f64 * x[i])"),
  MAP ("asin(0.5f64 * x[i])"),
  MAP ("acos(0.5f64 * x[i])"),
  MAP ("atan(x[i])"),
  MAP ("sinh(x[i])"),
  MAP ("cosh(x[i])"),
  MAP ("tanh(x[i])"),
  MAP ("asinh(x[i])"),
  MAP ("acosh(1.1f64 + x[i])"),
  MAP ("atanh(0.5f64 * x[i])"),
  MAP ("erf(x[i])"),
  MAP ("erfc(x[i])"),
  MAP ("lgamma(x[i])"),
  MAP ("lgamma(0.1f64 - x[i])"),
  MAP ("floor(x[i]) * x[i]"),
  MAP ("(x[i] > 1.0f64 ? x[i] * x[i] : sin(x[i]))"),
  MAP ("fma(x[i], x[i], sin(x[i]))"),
  MAP ("f64(f32(x[i]) * 2.0f32) * 0.0f64 + x[i]"),
  MAP2 ("x[i] / z[i]"),
  MAP2 ("x[i] - 2.0f64 * z[i] * x[i]"),
  MAP2 ("pow(x[i], z[i])"),
  MAP2 ("atan2(x[i], z[i])"),
  MAP2 ("hypot(x[i], z[i])"),
  MAP2 ("fmod(x[i], 0.3f64 * z[i])"),
  MAP2 ("remainder(x[i], 0.3f64 * z[i])"),
  MAP ("tgamma(x[i])"),
  MAP ("tgamma(0.1f64 - x[i])"),
  MAP ("fused(x[i], x[i], sin(x[i]))"),
  MAP2 ("ldexp(x[i], -3.0f64) * z[i]"),
  MAP2 ("nextafter(x[i], 9.0f64) * z[i]"),
  MAP2 ("logb(x[i]) * z[i]"),
  MAP2 ("copysign(x[i], z[i])"),
  MAP2 ("fdim(x[i], z[i])"),
  MAP2 ("min(x[i], z[i] * z[i])"),
  MAP2 ("max(x[i] * x[i], z[i])"),
  MAP2 ("fmin(x[i], z[i])"),
  MAP2 ("fmax(x[i], z[i])"),
  { "a product of matrices",
    "array f64 x[n][n]; array f64 w[n][n]; array f64 y[n][n];",
    "for i = 0 to n { for j = 0 to n { S1: y[i][j] = 0.0f64;"
    " for k = 0 to n { S2: y[i][j] += x[i][k] * w[k][j]; } } }",
    "of=y:dy wrt=x:dx wrt=w:dw absent=y", 0 },
  { "cells in a loop", XY,
    "for i = 0 to n { local f64 u; local f64 v; S1: u = x[i] * x[i];"
    " S2: v = tanh(u); S3: u = u + v; S4: y[i] = u * v; }",
    OXY, 0 },
  { "row softmax, the maximum taken away",
    "array f64 x[n][n]; array f64 y[n][n];",
    "for i = 0 to n { local f64 m; local f64 s; S1: m = -1.0e30f64;"
    " for j = 0 to n { S2: m max= x[i][j]; } S3: s = 0.0f64;"
    " for j = 0 to n { S4: y[i][j] = exp(x[i][j] - m); S5: s += y[i][j]; }"
    " for j = 0 to n { S6: y[i][j] /= s; } }",
    OXY, -1 },
  { "rows made 0 in the mean and 1 in length",
    "array f64 x[n][n]; array f64 y[n][n]; array f64 g[n];",
    "for i = 0 to n { local f64 m; local f64 v; S1: m = 0.0f64;"
    " for j = 0 to n { S2: m += x[i][j]; } S3: m = m * 0.2f64; S4: v = 0.1f64;"
    " for j = 0 to n { S5: v += (x[i][j] - m) * (x[i][j] - m); }"
    " S6: v = 1.0f64 / sqrt(v);"
    " for j = 0 to n { S7: y[i][j] = g[j] * ((x[i][j] - m) * v); } }",
    "of=y:dy wrt=x:dx wrt=g:dg absent=y", 0 },
  { "powers by multiplication", XY "cell f64 p;",
    "S0: p = 1.0f64; for i = 0 to n { S1: p *= x[i]; }",
    "of=p:dp wrt=x:dx absent=p", 1 },
  { "the greatest element", XY "cell f64 m;",
    "S0: m = 0.0f64; for i = 0 to n { S1: m max= x[i]; }",
    "of=m:dm wrt=x:dx absent=m", 0 },
  { "each element by a factor, in place", XY,
    "for i = 0 to n { S1: x[i] *= 5.0f64; }", "of=x:dx wrt=x:dx", 0 },
  { "squares in place", XY, "for i = 0 to n { S1: x[i] = x[i] * x[i]; }",
    "of=x:dx wrt=x:dx", 0 },
  { "squares in place, three times", XY,
    "for t = 0 to 3 { for i = 0 to n { S1: x[i] = x[i] * x[i]; } }",
    "of=x:dx wrt=x:dx", 1 },
  { "squares in place, with respect to the first values only", XY,
    "for i = 0 to n { S1: x[i] = x[i] * x[i]; S2: y[i] = x[i]; }",
    "of=y:dy wrt=x:dx absent=y", 0 },
  { "squares in place, nine times, two states kept", XY,
    "for t = 0 to 9 { for i = 0 to n { S1: x[i] = sin(x[i] * x[i]); } }",
    "of=x:dx wrt=x:dx checkpoint=2", -1 },
  { "steps forced, little memory",
    "array f64 x[n]; array f64 g[n]; cell f64 y;",
    "S0: y = 0.0f64; for t = 0 to n { for i = 1 to n {"
    " S1: x[i] = sin(x[i] + g[t] * x[i - 1]); } S2: y += x[n - 1] * g[t]; }",
    "of=y:dy wrt=x:dx wrt=g:dg absent=y memory=600", -1 },
  { "a recurrence in place", XY,
    "for i = 1 to n { S1: x[i] = x[i] * x[i - 1]; }", "of=x:dx wrt=x:dx", -1 },
  { "a linear recurrence keeps nothing", XY,
    "for i = 1 to n { S1: x[i] = x[i] + 0.5f64 * x[i - 1]; }",
    "of=x:dx wrt=x:dx", 0 },
  { "a sum of products of neighbours", XY "cell f64 s;",
    "S0: s = 0.0f64; for i = 1 to n { S1: s += x[i] * x[i - 1]; }",
    "of=s:ds wrt=x:dx absent=s", 0 },
  { "functions that nobody looks into",
    "function f64 cube_a(2); function f64 cube(1) partial cube_a;"
    "function f64 mix_a(3); function f64 mix_b(3);"
    "function f64 mix(2) partial mix_a mix_b;" XY,
    "for i = 0 to n { local f64 u; S1: u = call cube(x[i]);"
    " S2: y[i] = call mix(u * x[i], sin(u)) + call mix(2.0f64, x[i]); }",
    OXY, 0 },
  { "a cell overwritten before the backward pass", XY,
    "local f64 u; for i = 0 to n { S1: u = x[i] * x[i]; S2: y[i] = u * u; }",
    OXY, 0 },
  { "a cell that iterations pass on", XY,
    "local f64 u; S0: u = 1.0f64;"
    "for i = 0 to n { S1: u = u * x[i]; S2: y[i] = u * u; }",
    OXY, 2 },
  { "some iterations only", XY,
    "for i = 0 to n { if (mod(i, 2) == 0) { S1: y[i] = x[i] * x[i]; }"
    " else { S2: y[i] = sin(x[i]); } }",
    OXY, 0 },
  { "a choice by data", XY,
    "for i = 0 to n { if (x[i] > 1.0f64) { S1: y[i] = x[i] * x[i]; }"
    " else { S2: y[i] = 3.0f64 * x[i]; } }",
    OXY, 0 },
  { "a choice by a value that is overwritten", XY,
    "local f64 c; S0: c = 0.9f64; for i = 0 to n { S1: y[i] = 0.0f64;"
    " if (x[i] > c) { S2: y[i] = c * x[i]; } S3: c = 0.5f64 * c + x[i]; }",
    OXY, -1 },
  { "backwards in steps of two", XY,
    "for i = n - 1 to -1 step -2 { S1: x[i] = x[i] * x[max(i - 1, 0)]; }",
    "of=x:dx wrt=x:dx", -1 },
  { "a triangle solved", "array f64 a[n][n]; array f64 x[n];",
    "for i = 0 to n { for j = 0 to i { S1: x[i] += -(a[i][j] * x[j]); }"
    " S2: x[i] /= a[i][i]; }",
    "of=x:dx wrt=x:dx wrt=a:da", -1 },
  { "rows by index", XY "array i32 idx[n];",
    "for i = 0 to n { S1: y[i] = x[i64(idx[i])] * x[i]; }", OXY, 0 },
  { "elements added by index", XY "array i32 idx[n];",
    "for i = 0 to n { S0: y[i] = 0.0f64; }"
    " for i = 0 to n { S1: y[i64(idx[i])] += sin(x[i]); }",
    OXY, 0 },
  { "elements overwritten by index", XY "array i32 idx[n];",
    "for i = 0 to n { S0: y[i] = x[i]; }"
    " for i = 0 to n { S1: y[i64(idx[i])] = sin(x[i]) * 2.0f64; }",
    OXY, 0 },
  { "an output that is read again", XY "array f64 z[n];",
    "for i = 0 to n { S1: y[i] = x[i] * x[i]; }"
    " for i = 0 to n { S2: z[i] = y[i] * y[i]; }",
    "of=y:dy of=z:dz wrt=x:dx absent=y absent=z", 0 },
  { "the same, given", XY "array f64 z[n];",
    "for i = 0 to n { S1: y[i] = x[i] * x[i]; }"
    " for i = 0 to n { S2: z[i] = y[i] * y[i]; }",
    "of=z:dz wrt=x:dx absent=z given=y", 0 },
  { "two steps of heat on a line", XY,
    "for t = 0 to 2 { for i = 1 to n - 1 {"
    " S1: y[i] = x[i - 1] * x[i] + x[i + 1]; }"
    " for i = 1 to n - 1 { S2: x[i] = y[i]; } }",
    "of=x:dx wrt=x:dx absent=y", -1 },
  { "an array in a loop", XY "array f64 w[n];",
    "for i = 0 to n { local f64 q[n]; for j = 0 to n {"
    " S1: q[j] = x[j] * w[i]; } S2: y[i] = 0.0f64;"
    " for j = 0 to n { S3: y[i] += sin(q[j]) * q[j]; } }",
    "of=y:dy wrt=x:dx wrt=w:dw absent=y", 0 },
  { "an output that is added to", XY,
    "for i = 0 to n { S1: y[i] += x[i] * x[i]; }", "of=y:dy wrt=x:dx", 0 },
  { "an output of which some is set", XY,
    "for i = 0 to n { if (x[i] > 1.0f64) { S1: y[i] = x[i] * x[i]; } }",
    "of=y:dy wrt=x:dx", 0 },
  { "an output of which a running value decides what is added to", XY,
    "local f64 c; S0: c = 0.9f64; for i = 0 to n {"
    " if (x[i] > c) { S1: y[i] += c * x[i]; } S2: c = 0.5f64 * c + x[i]; }",
    "of=y:dy wrt=x:dx", -1 },
  { "an output that is added to in every other row, if there is a column",
    "array f64 x[n][n]; array f64 y[n];",
    "for i = 0 to n { if (mod(i, 2) == 0) { for j = n - 1 to 0 step -1 {"
    " S1: y[i] += x[i][j] * x[i][j]; } } else { S2: y[i] *= 2.0f64; } }",
    "of=y:dy wrt=x:dx", -1 },
  { "an output that is set again to what does not vary", XY,
    "for i = 0 to n { S1: y[i] = x[i] * x[i]; }"
    " for i = 0 to n { if (mod(i, 3) == 1) { S2: y[i] = 2.5f64; } }",
    OXY, 0 },
  { "a choice within a choice", XY,
    "for i = 0 to n { S1: y[i] = (x[i] > 0.9f64 ?"
    " abs((x[i] > 1.3f64 ? x[i] * x[i] : -x[i])) : max(x[i], 0.6f64)); }",
    OXY, 0 },
  { "taps of a filter", "array f64 x[n + 3]; array f64 w[3]; array f64 y[n];",
    "for i = 0 to n { S1: y[i] = 0.0f64; for k = 0 to 3 {"
    " S2: y[i] += x[i + k] * w[k]; } }",
    "of=y:dy wrt=x:dx wrt=w:dw absent=y", 0 },
};

#endif
