/* Shows the gradient of a sum that reads, by a remainder, what the loop changes
   from the other end: with GCC's isl the question where the values come from
   once ended the compiler.  */

#include <stdio.h>
#include <stdlib.h>

enum
{
  ROOM = 20,
  MOST = 12
};

typedef struct part
{
  float x;
  float y[3];
} part;

#define CLAMP(v, k) ((v) > (k) ? (k) : (v) < -(k) ? -(k) : (v))

static float
f (int n, unsigned long m, part *p)
{
  float s = 0;
  for (unsigned long i = 0; i < (n < MOST ? n : MOST); i++)
    {
      p[n - 1 - i].y[0] -= i & 31;
      s += CLAMP (p[i % 2].y[0], 4);
    }
  return s + m;
}

#pragma tensor gradient(f) of(return : ds) wrt(p : dp)
void f_gradient (int n, unsigned long m, const part *p, float ds, part *dp);

/* How often element K is read while it is not cut.  */
static int
count_reads (int n, int k)
{
  float y[ROOM];
  int reads = 0;
  for (int i = 0; i < n; i++)
    y[i] = i - 3;
  for (int i = 0; i < (n < MOST ? n : MOST); i++)
    {
      y[n - 1 - i] -= i & 31;
      reads += i % 2 == k && y[k] <= 4 && y[k] >= -4;
    }
  return reads;
}

int
main (void)
{
  for (int n = 2; n < ROOM; n++)
    {
      part p[ROOM] = { 0 }, dp[ROOM] = { 0 };
      for (int i = 0; i < n; i++)
        p[i].y[0] = i - 3;
      f_gradient (n, 7, p, 2, dp);
      for (int k = 0; k < n; k++)
        if (dp[k].y[0] != 2 * (k < 2 ? count_reads (n, k) : 0) || dp[k].x != 0)
          {
            printf ("n = %d, element %d: %g\n", n, k, dp[k].y[0]);
            return 1;
          }
    }
  part p[ROOM] = { 0 };
  return f (0, 7, p) != 7;
}
