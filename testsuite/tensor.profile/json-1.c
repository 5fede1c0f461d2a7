/* TRM_PROFILE=json:FILE counts calls, and the operations and bytes that the
   compiler counted, for the sizes of each call; nothing is printed.  */
/* { dg-set-target-env-var TRM_PROFILE "json:json-1.profile" } */
/* { dg-output "^$" } */
/* { dg-final { scan-file json-1.profile "\"name\": \"scale\", \"file\": \"\[^\"\]*json-1.c\", \"function\": \"scale\", \"line\": 17, \"calls\": 2, " } } */
/* { dg-final { scan-file json-1.profile "\"flops\": 1100, \"bytes\": 8800, \"fallbacks\": 0" } } */
/* { dg-final { scan-file json-1.profile "\"mode\": \"fused\"" } } */
/* { dg-final { scan-file json-1.profile "\"outside_ns\": \[0-9\]+" } } */

#define N 1000

static float x[N];

static __attribute__ ((noinline)) void
scale (float *x, int n)
{
#pragma tensor name("scale")
  for (int i = 0; i < n; i++)
    x[i] *= 2;
}

int
main (void)
{
  scale (x, N);
  scale (x, 100);
  return 0;
}
