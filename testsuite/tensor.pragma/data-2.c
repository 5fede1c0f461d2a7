/* #pragma tensor data: where it may stand.  */

void
f (int n, float *x, int *k)
{
#pragma tensor data x[0:n]
  for (int i = 0; i < n; i++)
    {
    again:
      x[i] += 1;
      if (x[i] < 5)
        goto again;
      switch (k[i])
        {
        case 4:
          continue;
        default:
          goto out;
        }
    }
out:
  x[0] = 0;
}

void
g (int n, float *x)
{
#pragma tensor data x[0:n] /* { dg-message "9: error: \[^\n\]*before something that is neither a loop nor a block" } */
  if (n-- > 0)
    x[n] = n;
  goto inside;
#pragma tensor data x[0:n] /* { dg-error "before a block that is jumped into" } */
  {
    x[2] = 3;
  inside:
    x[3] = 4;
  }
  switch (n)
    {
#pragma tensor data x[0:n] /* { dg-error "before a block that is jumped into" } */
      {
      case 4:
        x[4] = 5;
      }
    }
}

void
lengths (int n, int m, float x[n][m], float y[10], float z[], float w[m])
{
  m++;
#pragma tensor data x, y
  {
    x[0][0] = y[0];
  }
#pragma tensor data z /* { dg-message "21: error: .z. is a pointer: write how many elements" } */
  {
  }
#pragma tensor data y w /* { dg-message "23: error: .m. is changed: write how many elements, .w\\\[0:n\\\]." } */
  {
  }
}

void
h (int n, float *x)
{
  x[1] = 2;
#pragma tensor data x[0:n] /* { dg-error "before nothing" } */
}

#pragma tensor data x /* { dg-error "outside of a function" } */
