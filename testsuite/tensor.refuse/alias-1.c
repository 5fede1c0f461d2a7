/* alias: what two pointers reach has no bound, so that no check at run time
   can tell whether they overlap.  What rows reach whose bounds are in a list
   is known where the list rises: these are read, and overlaps found.  */

#include <stdlib.h>

static int x[8], y[8];
static float order[] = { 3, 0, 7, 1, 1, 5, 2, 6 };

static __attribute__ ((noinline)) void
gather (int *to, const int *from, const float *index, int n)
{
#pragma tensor /* { dg-missed "may overlap and the extent of their accesses is not known; add restrict, or noalias" } */
  for (int i = 0; i < n; i++)
    to[i] = from[(int) index[i]];
}

static __attribute__ ((noinline)) void
count (int *of, const float *index, int *last, int n)
{
#pragma tensor /* { dg-missed "of and last may overlap" } */
  for (int i = 0; i < n; i++)
    {
      of[(int) index[i]] += 1;
      last[i] = 0;
    }
}

static __attribute__ ((noinline)) void
sixths (int *to, const int *from, const int *rows, int n)
{
#pragma tensor /* { dg-message "parallel over i" } */
  for (int i = 0; i < n; i++)
    for (int j = rows[i]; j < rows[i + 1]; j++)
      if (j % 8 == 6)
        to[i] += from[j];
}

int
main (void)
{
  for (int i = 0; i < 8; i++)
    y[i] = 10 * i;
  gather (x, y, order, 8);
  for (int i = 0; i < 8; i++)
    if (x[i] != 10 * (int) order[i])
      abort ();
  gather (y, y, order, 8);
  if (y[0] != 30 || y[1] != 30 || y[5] != 50)
    abort ();
  int last[8];
  count (x, order, last, 8);
  if (x[1] != 2 || x[4] != 10)
    abort ();
  static const int rows[] = { 0, 3, 7, 8 };
  sixths (x, x, rows, 3);
  if (x[1] != 2 + x[6])
    abort ();
  return 0;
}
