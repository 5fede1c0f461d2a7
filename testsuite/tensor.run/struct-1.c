/* Shows that fields of structs as bases, bounds and scalars mean the same.  */

#include "compare.h"

typedef struct tensor
{
  int n, m;
  float *data;
  float scale;
  int shape[2];
  float inside[40];
} tensor;

static NOINLINE void
plain_scale (tensor *t)
{
  for (int i = 0; i < t->n * t->m; i++)
    t->data[i] *= t->scale;
}

static NOINLINE void
plain_add (tensor *t, const tensor *u)
{
  for (int i = 0; i < t->n; i++)
    for (int j = 0; j < t->m; j++)
      t->data[i * t->m + j] += u->data[i * u->m + j] * u->scale;
}

static NOINLINE void
plain_inner (tensor t)
{
  for (int i = 0; i < t.shape[0]; i++)
    {
      float *row = t.data + i * t.shape[1];
      for (int j = 0; j < t.shape[1]; j++)
        row[j] = row[j] + t.inside[j % 40];
    }
}

static NOINLINE float
plain_total (const tensor *t)
{
  float sum = 0;
  for (int i = 0; i < t->n; i++)
    for (int j = 0; j < t->m; j++)
      sum += t->data[i * t->m + j];
  return sum;
}

static NOINLINE void
scale (tensor *t)
{
#pragma tensor
  for (int i = 0; i < t->n * t->m; i++)
    t->data[i] *= t->scale;
}

static NOINLINE void
add (tensor *t, const tensor *u)
{
#pragma tensor
  for (int i = 0; i < t->n; i++)
    for (int j = 0; j < t->m; j++)
      t->data[i * t->m + j] += u->data[i * u->m + j] * u->scale;
}

static NOINLINE void
inner (tensor t)
{
#pragma tensor
  for (int i = 0; i < t.shape[0]; i++)
    {
      float *row = t.data + i * t.shape[1];
      for (int j = 0; j < t.shape[1]; j++)
        row[j] = row[j] + t.inside[j % 40];
    }
}

static NOINLINE float
total (const tensor *t)
{
  float sum = 0;
#pragma tensor
  for (int i = 0; i < t->n; i++)
    for (int j = 0; j < t->m; j++)
      sum += t->data[i * t->m + j];
  return sum;
}

static float a[2][AREA], b[2][AREA];

int
main (void)
{
  static tensor t[2], u[2];
  EACH_SIZE (n)
  EACH_WIDTH (m)
  {
    FILL (a);
    FILL (b);
    for (int k = 0; k < 2; k++)
      {
        t[k] = (tensor){ n, m, a[k], 2, { n, m }, { 0 } };
        u[k] = (tensor){ n, m, b[k], 3, { n, m }, { 0 } };
        for (int i = 0; i < 40; i++)
          t[k].inside[i] = u[k].inside[i] = i;
      }
    BOTH (scale, &t[W]);
    BOTH (add, &t[W], &u[W]);
    BOTH (inner, u[W]);
    CHECK (a);
    CHECK (b);
    BOTH_EQUAL (total, &t[W]);
    BOTH (add, &t[W], &t[W]);
    CHECK (a);
  }
  return 0;
}
