/* Shows that what a region leaves in a variable arrives where only a
   declaration reads it: in the same block, in a block of a later loop, in the
   size of an array.  */

#include "compare.h"

static const int limit[8] = { 1, 9, 2, 8, 40, 3, 5, 7 };

static NOINLINE int
plain (const int *in, int n)
{
  int most, count, best = -1;
  most = count = 0;
  for (int i = 0; i < n; i++)
    {
      if (in[i] == 3)
        continue;
      count++;
      if (most < in[i])
        most = in[i];
    }
  for (int i = 0; i < 8; i++)
    if (limit[i] > 2)
      {
        int const cost = limit[i] * count + most;
        if (best < cost)
          best = cost;
      }
  return best;
}

static NOINLINE int
in_block (const int *in, int n)
{
  int most, count, best = -1;
  most = count = 0;
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      if (in[i] == 3)
        continue;
      count++;
      if (most < in[i])
        most = in[i];
    }
  for (int i = 0; i < 8; i++)
    if (limit[i] > 2)
      {
        int const cost = limit[i] * count + most;
        if (best < cost)
          best = cost;
      }
  return best;
}

static NOINLINE int
in_size (const int *in, int n)
{
  int count, most;
  most = count = 0;
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      if (in[i] == 3)
        continue;
      count++;
      if (most < in[i])
        most = in[i];
    }
  char room[count + 1];
  int top = most;
  return sizeof room - 1 + 40 * count + top;
}

int
main (void)
{
  int in[64];
  for (int i = 0; i < 64; i++)
    in[i] = (i * 37 + 5) % 11;
  for (int n = 0; n <= 64; n++)
    {
      int count = 0, most = 0;
      for (int i = 0; i < n; i++)
        if (in[i] != 3)
          {
            count++;
            most = most < in[i] ? in[i] : most;
          }
      if (in_block (in, n) != plain (in, n))
        return 1;
      if (in_size (in, n) != 41 * count + most)
        return 2;
    }
  return 0;
}
