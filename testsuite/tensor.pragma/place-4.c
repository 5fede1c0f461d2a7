/* A pragma with no statement behind it.  */
/* { dg-tensor-opts "scop" } */

void
f (int n, float *x)
{
  for (int i = 0; i < n; i++)
    {
      x[i] = 1;
#pragma tensor /* { dg-error "#pragma tensor. before nothing" } */
    }
#pragma tensor /* { dg-error "#pragma tensor. before nothing" } */
}

void
g (void)
{
#pragma tensor /* { dg-error "#pragma tensor. before nothing" } */
}
