/* The same through a file of preprocessed text.  */
/* { dg-options "-save-temps" } */
/* { dg-tensor-opts "report=none" } */

#define name nothing
#define fp
#define strict 0
#define off 0
#define parallel(x) oops
#define SIZE 8

void
f (int n, float *restrict x, float *restrict y)
{
#pragma tensor name("f") fp(strict) parallel(off) tile(i: SIZE)
  for (int i = 0; i < n; i++)
    y[i] = x[i];
}
