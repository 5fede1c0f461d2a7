/* Divisors leave sums in the plan, and what is new lets neighbours be one
   loop; none leaves under fp(strict).  */
/* { dg-tensor-opts "dump=plan" } */
/* { dg-final { scan-tns-dump plan "^factor S1\nfactor S2\nfuse S1 S2 at i" } } */
/* { dg-final { scan-tns-dump-not plan "factor S3" } } */

void
moments (int n, const float *x, float *r)
{
  float s = 0;
  float q = 0;
#pragma tensor name("moments")
  {
    for (int i = 0; i < n; i++)
      s += x[i] / n;
    for (int i = 0; i < n; i++)
      q += x[i] * x[i] / n;
  }
  r[0] = s;
  r[1] = q;
}

float
strict (int n, const float *x)
{
  float s = 0;
#pragma tensor fp(strict)
  for (int i = 0; i < n; i++)
    s += x[i] / n;
  return s;
}
