/* Two names of one array overlap.  */

#include <stdlib.h>

#define N 100

static int cell[N];
extern int same[N] __attribute__ ((alias ("cell")));
extern int first[N] __asm__("shared");
int second[N] __asm__("shared");

static __attribute__ ((noinline)) void
follow (int n)
{
#pragma tensor
  for (int i = 1; i < n; i++)
    cell[i] = same[i - 1] + 1;
#pragma tensor
  for (int i = 1; i < n; i++)
    first[i] = second[i - 1] + 2;
}

int
main (void)
{
  follow (N);
  return cell[N - 1] == N - 1 && second[N - 1] == 2 * (N - 1) ? 0 : 1;
}
