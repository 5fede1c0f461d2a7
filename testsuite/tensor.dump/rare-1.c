/* The gradient for arrays that overlap hardly ever runs: few passes look at
   it.  */
/* { dg-additional-options "-O2 -fdump-tree-dom2=rare-1.dom2" } */
/* { dg-final { scan-file-not rare-1.dom2 "Function scale_gradient.tensor.0 " } } */
/* { dg-final { scan-file rare-1.dom2 "Function scale " } } */

void
scale (int n, const float *x, float *y)
{
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[i];
}

#pragma tensor gradient(scale) of(y: dy) wrt(x: dx)
void scale_gradient (int n, const float *x, const float *dy, float *dx);
