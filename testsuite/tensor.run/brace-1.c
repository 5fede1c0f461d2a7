/* A pragma between a condition and its loop, without braces: the loop stays
   under the condition.  GCC 11 wants braces (tensor.pragma/brace-1.c).  */
/* { dg-require-effective-target gcc-12 } */

#include <stdlib.h>

#define N 37

static float x[N];

static void
set (int n, int condition, float value)
{
  if (condition)
#pragma tensor
    for (int i = 0; i < n; i++)
      x[i] = value;
  else
#pragma tensor
    for (int i = 0; i < n; i++)
      x[i] = -value;
}

static void
add (int n, int times)
{
  for (int k = 0; k < times; k++)
#pragma tensor
    for (int i = 0; i < n; i++)
      x[i] += 1;
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
  set (N, 1, 3);
  expect (3);
  set (N, 0, 3);
  expect (-3);
  add (N, 0);
  expect (97);
  add (N, 2);
  expect (109);
  return 0;
}
