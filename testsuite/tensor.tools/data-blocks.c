/* Data blocks, one part a name: what a program prints is the same with the
   plug-in and without, on a device and without one.  tensor.tools/data.sh also
   looks at what was copied.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  N = 1000
};

float outside (float *x, int n);
void outside_regions (float *x, int n);
float outside_pairs (float *x, int n);

/* Numbers that tell where they stand.  */
static float *
numbers (int seed)
{
  float *x = malloc (N * sizeof *x);
  for (int i = 0; i < N; i++)
    x[i] = (float) ((i * 7 + seed) % 64);
  return x;
}

/* Print what X holds.  */
static void
show (const char *what, const float *x)
{
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += x[i] * (i % 13 + 1);
  printf ("%s %.9g %g %g\n", what, sum, x[0], x[N - 1]);
}

/* Y = 2 X + 1; no other access.  */
static void
twice (int n, const float *restrict x, float *restrict y)
{
#pragma tensor target(cuda)
  for (int i = 0; i < n; i++)
    y[i] = x[i] * 0.5f + 1;
}

/* The same, and the host looks at what the region wrote.  */
static float
twice_and_look (int n, const float *restrict x, float *restrict y)
{
#pragma tensor target(cuda)
  for (int i = 0; i < n; i++)
    y[i] = x[i] * 0.5f + 1;
  return y[n / 2];
}

/* The same, in a block of its own.  */
static float
twice_in_block (int n, const float *restrict x, float *restrict y)
{
  float last = 0;
#pragma tensor data present(x [0:n], y [0:n])
  {
#pragma tensor target(cuda)
    for (int i = 0; i < n; i++)
      y[i] = x[i] * 0.5f + 1;
    last = y[n - 1];
  }
  return last;
}

/* A time loop of two regions.  */
static void
steps (float *restrict a, float *restrict b)
{
#pragma tensor data a[0 : N] copyout(b [0:N])
  for (int t = 0; t < 6; t++)
    {
#pragma tensor target(cuda)
      for (int i = 0; i < N; i++)
        b[i] = 0.5f * a[i] + 3;
#pragma tensor target(cuda)
      for (int i = 0; i < N; i++)
        a[i] = b[i] - 1;
    }
}

/* The host reads in the middle, in one of six steps; and writes.  */
static void
host_reads (float *restrict a, float *restrict b)
{
  float sum = 0;
#pragma tensor data a[0 : N] b[0 : N]
  {
    for (int t = 0; t < 6; t++)
      {
        twice (N, a, b);
        twice (N, b, a);
        if (t == 2)
          for (int i = 0; i < N; i++)
            sum += b[i];
      }
    a[5] = sum;
    twice (N, a, b);
  }
  printf ("sum %g\n", sum);
}

/* Out of the block from its middle, in each way.  */
static float
leaves (int how, float *restrict a, float *restrict b)
{
  for (int t = 0; t < 3; t++)
    {
#pragma tensor data copyin(a [0:N]) copyout(b [0:N])
      {
        twice (N, a, b);
        if (how == 0)
          return b[7];
        if (how == 1)
          break;
        if (how == 2)
          goto out;
        if (how == 3)
          continue;
        twice (N, a, b);
      }
    }
  return -1;
out:
  return b[3];
}

/* Blocks in blocks, here and in what is called.  */
static void
nested (float *restrict a, float *restrict b)
{
  float last = 0;
#pragma tensor data a[0 : N], b[0 : N]
  {
    for (int t = 0; t < 4; t++)
      {
#pragma tensor data present(a [0:N], b [0:N])
        {
          twice (N, a, b);
          twice (N, b, a);
        }
        last += twice_in_block (N, a, b);
      }
  }
  printf ("last %g\n", last);
}

/* Without a block of its own it calls one of those in an expression.  */
static float
sum_of_looks (float *restrict a, float *restrict b)
{
  float sum = b[3] + twice_and_look (N, a, b) * 2;
  for (int t = 0; twice_and_look (N, b, a) > sum + a[t] && t < 3; t++)
    sum += a[t];
  return sum;
}

/* Functions of which nothing is known, or which look at what they wrote.  */
static void
calls (float *restrict a, float *restrict b)
{
  float seen = 0;
#pragma tensor data a[0 : N] b[0 : N]
  {
    twice (N, a, b);
    seen += outside (b, N);
    twice (N, b, a);
    outside_regions (a, N);
    twice (N, a, b);
    seen += twice_and_look (N, b, a) * 2 + a[1];
    for (int t = 0; t < 3; t++)
      {
        a[t] += outside_pairs (a, N);
        twice (N, a, b);
      }
    b[2] = twice_and_look (N, a, b) + outside (b, N);
    twice (N, a, b);
    float last = twice_and_look (N, b, a);
    seen += last + sum_of_looks (b, a);
  }
  printf ("seen %g\n", seen);
}

/* Pointers change places; the host reads through them, and through others.  */
static void
pointers (float *a, float *b)
{
  float sum = 0;
  float *first = a;
  float *second = b;
#pragma tensor data first[0 : N], second[0 : N]
  {
    for (int t = 0; t < 5; t++)
      {
        twice (N, first, second);
        float *other = first;
        first = second;
        second = other;
        sum += first[t] + *(a + t);
        const float *at = b + N;
        while (at > b + N - 3)
          sum += *--at;
      }
    memset (second, 0, 10 * sizeof *second);
    twice (N, second, first);
  }
  printf ("sum %g\n", sum);
}

/* Arrays of known length; a part of one.  */
static float whole[N], part[2 * N];
static void
objects (float *restrict a)
{
  float own[N];
  memcpy (own, a, sizeof own);
#pragma tensor data own, whole copyout(part [N / 2:N])
  {
#pragma tensor target(cuda)
    for (int i = 0; i < N; i++)
      whole[i] = own[i] + 2;
#pragma tensor target(cuda)
    for (int i = 0; i < N; i++)
      part[i + N / 2] = whole[i] * 3;
    part[N] += 1;
    own[4] = whole[3];
  }
  show ("own", own);
  show ("whole", whole);
  show ("part", part + N / 2);
}

/* What is freed is not copied, and its place may be another array's.  */
static void
frees (float *restrict a)
{
  float *b = numbers (5);
  float *c;
#pragma tensor data a[0 : N] copyin(b [0:N])
  {
    twice (N, a, b);
    twice (N, b, a);
    free (b);
    c = numbers (6);
    twice (N, a, c);
  }
  show ("c", c);
  free (c);
}

/* The same, of arrays that may overlap: then it runs as written.  */
static void
twice_apart (int n, const float *x, float *y)
{
#pragma tensor target(cuda)
  for (int i = 0; i < n; i++)
    y[i] = x[i] * 0.5f + 1;
}

/* Regions that are not for the device, and one whose arrays overlap.  */
static void
mixed (float *a, float *b)
{
#pragma tensor data a[0 : N], b[0 : N]
  {
    twice (N, a, b);
#pragma tensor
    for (int i = 0; i < N; i++)
      a[i] = b[i] + a[i];
    twice (N, a, b);
#pragma tensor target(cuda)
    for (int i = 0; i < N / 2; i++)
      a[i + 1] = b[i] + 1;
    float *p = a + 1;
#pragma tensor target(cuda)
    for (int i = 0; i < N - 1; i++)
      a[i] = p[i] * 0.5f;
#pragma omp parallel for
    for (int i = 0; i < N; i++)
      b[i] += a[i];
    twice (N, b, a);
    twice_apart (N - 1, a + 1, a);
    twice_apart (N, a, b);
  }
}

/* Rows of variable length, and members; what runs on the device stands in
   conditions, in a switch and inside of expressions.  */
struct pair
{
  float x, y;
};

static int
grow (int n, int m, float p[n][m])
{
#pragma tensor target(cuda)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      p[i][j] = p[i][j] * 2 + 1;
  return n;
}

static float
forms (int n, int m, float p[n][m], struct pair *q)
{
  float v[n][m];
  float s = 0;
  memcpy (v, p, sizeof v);
#pragma tensor data p, v copyin(q [0:n])
  {
    grow (n, m, p);
    for (int t = 0; grow (n, m, v) > t && t < 3; t++)
      s += v[t][1] + (t ? p[1][t] : q[t].y);
    s += ({
           grow (n, m, p);
           p[2][2];
         })
         + q[1].x;
    switch (n)
      {
      case N / 5:
        grow (n, m, p);
        s += v[1][1];
        break;
      default:
        s -= p[0][0];
      }
    int rows = grow (n, m, v) + (int) v[0][0];
    s += rows;
    do
      grow (n, m, p);
    while (p[0][1] < 2000);
    if (s > 3)
      {
        s += p[0][0];
        goto out;
      }
  }
out:
  return s + v[2][3];
}

/* A structure, kept while what is called reads and writes members of it and
   arrays of its own between regions, and calls a gradient.  */
struct state
{
  int steps;
  float rate;
  float w[N];
  float slope[N];
};
static struct state state;

static float
miss (int n, const float *restrict w, const float *restrict x)
{
  float sum = 0;
#pragma tensor target(cuda)
  for (int i = 0; i < n; i++)
    sum += 0.5f * (w[i] - x[i]) * (w[i] - x[i]);
  return sum;
}

#ifdef PLUGGED
#  pragma tensor gradient(miss) of(return ) wrt(w : dw) target(cuda)
#endif
static void miss_gradient (int n, const float *restrict w,
                           const float *restrict x, float *restrict dw);
#ifndef PLUGGED
static void
miss_gradient (int n, const float *restrict w, const float *restrict x,
               float *restrict dw)
{
  for (int i = 0; i < n; i++)
    dw[i] += w[i] - x[i];
}
#endif

static void
step (int n, const float *restrict slope, float *restrict w, float rate)
{
#pragma tensor target(cuda)
  for (int i = 0; i < n; i++)
    w[i] -= rate * slope[i];
}

static void
clear (int n, float *restrict x)
{
#pragma tensor target(cuda)
  for (int i = 0; i < n; i++)
    x[i] = 0;
}

static float
learn (int t, struct state *s)
{
  static float batch[N];
  for (int i = 0; i < N; i++)
    batch[i] = (float) ((i * 5 + t) % 16);
  if (t == 3)
    s->steps++;
  float loss = miss (N, s->w, batch);
  clear (N, s->slope);
  miss_gradient (N, s->w, batch, s->slope);
  if (t == 3)
    s->rate = state.rate / 2;
  step (N, s->slope, s->w, t < 3 ? 0.5f : 0.25f);
  return loss;
}

static void
structures (const float *restrict a)
{
  float loss[6];
  memcpy (state.w, a, sizeof state.w);
  state.rate = 0.5f;
#pragma tensor data state
  {
    for (int t = 0; t < 6; t++)
      {
        loss[t] = learn (t, &state);
        if (t == 4)
          loss[t] += state.w[7];
      }
    state.slope[3] += (float) state.steps;
  }
  for (int t = 0; t < 6; t++)
    printf ("loss %.4g\n", loss[t]);
  show ("w", state.w);
  show ("slope", state.slope);
  printf ("steps %d rate %g\n", state.steps, state.rate);
}

int
main (int argc, char **argv)
{
  const char *name = argc > 1 ? argv[1] : "";
  float *a = numbers (1);
  float *b = numbers (2);
  if (!strcmp (name, "steps"))
    steps (a, b);
  else if (!strcmp (name, "host"))
    host_reads (a, b);
  else if (!strcmp (name, "nested"))
    nested (a, b);
  else if (!strcmp (name, "calls"))
    calls (a, b);
  else if (!strcmp (name, "pointers"))
    pointers (a, b);
  else if (!strcmp (name, "objects"))
    objects (a);
  else if (!strcmp (name, "frees"))
    frees (a);
  else if (!strcmp (name, "mixed"))
    mixed (a, b);
  else if (!strcmp (name, "structures"))
    structures (a);
  else if (!strcmp (name, "forms"))
    printf ("s %g\n", forms (N / 5, 5, (float (*)[5]) a, (struct pair *) b));
  else
    for (int how = 0; how < 5; how++)
      printf ("left %g\n", leaves (how, a, b));
  show ("a", a);
  show ("b", b);
  free (a);
  free (b);
  return 0;
}
