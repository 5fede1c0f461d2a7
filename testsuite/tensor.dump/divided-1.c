/* A loop whose iterator is divided by a size is a loop over rows: the quotient
   is an iterator, and nothing divides or gathers in lanes.  */
/* { dg-tensor-opts "dump=reshape,common" } */
/* { dg-final { scan-tns-dump reshape "x\[^\n\]*= f32\\(q\[^\n\]*\\) \\* s\\\[i_0\\\];" } } */
/* { dg-final { scan-tns-dump reshape "guard n % max\\(size, 1\\) == 0;" } } */
/* { dg-final { scan-tns-dump-not common "gather" } } */

void
scale (int n, int size, const signed char *restrict q, const float *restrict s,
       float *restrict x)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    x[i] = q[i] * s[i / size];
}
