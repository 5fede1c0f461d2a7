/* Index arrays are looked through load by load: pairs whose first and second
   elements reach into different arrays, as numbers 0 and 1 of a line and as
   columns, also under a condition on data.  */
/* { dg-set-target-env-var TRM_PROFILE "json:guard-3.profile" } */
/* { dg-output "^$" } */
/* { dg-final { scan-file guard-3.profile "\"name\": \"line\",\[^\n\]*\"calls\": 3,\[^\n\]*\"fallbacks\": 1." } } */
/* { dg-final { scan-file guard-3.profile "\"name\": \"columns\",\[^\n\]*\"calls\": 3,\[^\n\]*\"fallbacks\": 1." } } */

#include <stdlib.h>
#include <string.h>

#define N 40
#define W 16

static float v[40 * W], w[40 * W];
static int line[2 * N], columns[N][2];

/* The rows of TO from those of FROM, by pairs.  */
static void
plain (float *to, const float *from, const int *pair)
{
  for (int i = 0; i < N; i++)
    for (int k = 0; k < W; k++)
      {
        to[pair[2 * i + 1] * W + k] += from[pair[2 * i] * W + k];
        if (from[k] > 0.5f)
          to[pair[2 * i + 1] * W + k] *= from[pair[2 * i] * W + k];
      }
}

static __attribute__ ((noinline)) void
by_line (float *to, const float *from, const int *pair)
{
#pragma tensor name("line") interchange(k, i)
  for (int i = 0; i < N; i++)
    for (int k = 0; k < W; k++)
      {
        to[pair[2 * i + 1] * W + k] += from[pair[2 * i] * W + k];
        if (from[k] > 0.5f)
          to[pair[2 * i + 1] * W + k] *= from[pair[2 * i] * W + k];
      }
}

static __attribute__ ((noinline)) void
by_columns (float *to, const float *from, int (*pair)[2])
{
#pragma tensor name("columns") interchange(k, i)
  for (int i = 0; i < N; i++)
    for (int k = 0; k < W; k++)
      {
        to[pair[i][1] * W + k] += from[pair[i][0] * W + k];
        if (from[k] > 0.5f)
          to[pair[i][1] * W + k] *= from[pair[i][0] * W + k];
      }
}

/* Both on v + TO, v + FROM do what the plain loops do.  */
static void
try (int to, int from)
{
  for (int which = 0; which < 2; which++)
    {
      for (int i = 0; i < 40 * W; i++)
        v[i] = w[i] = i % 9 / 8.0f;
      plain (w + to * W, w + from * W, line);
      if (which)
        by_columns (v + to * W, v + from * W, columns);
      else
        by_line (v + to * W, v + from * W, line);
      if (memcmp (v, w, sizeof v))
        abort ();
    }
}

int
main (void)
{
  for (int i = 0; i < N; i++)
    {
      columns[i][0] = line[2 * i] = i * 7 % 30;
      columns[i][1] = line[2 * i + 1] = i * 3 % 10;
    }
  try (0, 10);
  try (30, 0);
  try (29, 0);
  return 0;
}
