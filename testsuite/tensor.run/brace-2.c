/* A pragma behind labels, and under a condition with braces.  */

#include <stdlib.h>

#define N 37

static float x[N];

static void
add (int n, int times)
{
  if (times)
    {
#pragma tensor
      for (int i = 0; i < n; i++)
        x[i] += 1;
    }
  switch (times)
    {
    case 2:
#pragma tensor
      for (int i = 0; i < n; i++)
        x[i] += 10;
      break;
    default:
    out:
#pragma tensor
      for (int i = 0; i < n; i++)
        x[i] += 100;
    }
  if (times > 1000)
    goto out;
}

static void
expect (float value)
{
  for (int i = 0; i < N; i++)
    if (x[i] != value)
      abort ();
}

int
main (void)
{
  add (N, 0);
  expect (100);
  add (N, 2);
  expect (111);
  return 0;
}
