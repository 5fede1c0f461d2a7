/* The clause profile in JSON: first_ns, least_ns and most_ns, for the regions
   that have it alone.  */
/* { dg-set-target-env-var TRM_PROFILE "json:finer-2.profile" } */
/* { dg-output "^$" } */
/* { dg-final { scan-file finer-2.profile "\"name\": \"finer\", \[^\n\]*\"calls\": 2, \[^\n\]*\"first_ns\": \[0-9\]+, \"least_ns\": \[0-9\]+, \"most_ns\": \[0-9\]+, \"fallback_ns\": 0" } } */
/* { dg-final { scan-file-not finer-2.profile "\"name\": \"plain\", \[^\n\]*first_ns" } } */

static float x[1000];

static __attribute__ ((noinline)) void
scale (float *x, int n)
{
#pragma tensor name("finer") profile
  for (int i = 0; i < n; i++)
    x[i] *= 2;
#pragma tensor name("plain")
  for (int i = 0; i < n; i++)
    x[i] *= 2;
}

int
main (void)
{
  scale (x, 1000);
  scale (x, 100);
  return 0;
}
