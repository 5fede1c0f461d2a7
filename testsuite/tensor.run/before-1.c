/* Shows members that are read only under conditions, through pointers that are
   followed before the region, on all ways to it or on some.  */

#include "compare.h"

typedef struct
{
  int n;
  double *data;
} matrix;

static double a[2][AREA];
static int picked[MOST];

static NOINLINE double
plain_eliminate (matrix *m)
{
  int n = m->n;
  double sign = 1;
  for (int k = 0; k < n; k++)
    {
      int p = k;
      for (int i = k + 1; i < n; i++)
        if (m->data[i * n + k] > m->data[p * n + k])
          p = i;
      if (p != k)
        {
          sign = -sign;
          for (int j = 0; j < n; j++)
            {
              double t = m->data[k * n + j];
              m->data[k * n + j] = m->data[p * n + j];
              m->data[p * n + j] = t;
            }
        }
      for (int i = k + 1; i < n; i++)
        for (int j = k; j < n; j++)
          m->data[i * n + j] -= m->data[k * n + j];
    }
  return sign;
}

static NOINLINE double
plain_pick (const matrix *m, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    if (picked[i])
      sum += m->data[i];
  return sum;
}

static NOINLINE double
plain_some (const matrix *m, int n, int way)
{
  double sum = 0;
  switch (way)
    {
    case 0:
      sum = m->n;
      /* Fall through.  */
    default:
      for (int i = 0; i < n; i++)
        if (picked[i])
          sum += m->data[i];
    }
  return sum;
}

static NOINLINE double
eliminate (matrix *m)
{
  int n = m->n;
  double sign = 1;
#pragma tensor require(transform)
  for (int k = 0; k < n; k++)
    {
      int p = k;
      for (int i = k + 1; i < n; i++)
        if (m->data[i * n + k] > m->data[p * n + k])
          p = i;
      if (p != k)
        {
          sign = -sign;
          for (int j = 0; j < n; j++)
            {
              double t = m->data[k * n + j];
              m->data[k * n + j] = m->data[p * n + j];
              m->data[p * n + j] = t;
            }
        }
      for (int i = k + 1; i < n; i++)
        for (int j = k; j < n; j++)
          m->data[i * n + j] -= m->data[k * n + j];
    }
  return sign;
}

static NOINLINE double
pick (const matrix *m, int n)
{
  double sum = 0;
#pragma tensor /* { dg-missed "what m->data points to is not known" } */
  for (int i = 0; i < n; i++)
    if (picked[i])
      sum += m->data[i];
  return sum;
}

static NOINLINE double
some (const matrix *m, int n, int way)
{
  double sum = 0;
  switch (way)
    {
    case 0:
      sum = m->n;
      /* Fall through.  */
    default:
#pragma tensor /* { dg-missed "what m->data points to is not known" } */
      for (int i = 0; i < n; i++)
        if (picked[i])
          sum += m->data[i];
    }
  return sum;
}

int
main (void)
{
  for (size_t k = 0; k < LENGTH (sizes); k++)
    {
      int n = sizes[k];
      current[0] = n;
      memset (picked, 0, sizeof picked);
      BOTH_EQUAL (pick, NULL, n);
      BOTH_EQUAL (some, NULL, n, 1);
      for (int i = 0; i < n; i++)
        picked[i] = next () % 2;
      FILL (a);
      matrix m[2] = { { n, a[0] }, { n, a[1] } };
      BOTH_EQUAL (eliminate, &m[W]);
      CHECK (a);
      BOTH_EQUAL (pick, &m[W], n);
      BOTH_EQUAL (some, &m[W], n, 0);
    }
  return 0;
}
