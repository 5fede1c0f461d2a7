/* require: threads where the command line has none.
   { dg-do compile }  */
/* { dg-additional-options "-fno-openmp" } */

void
f (int n, float *x)
{
#pragma tensor require(parallel) /* { dg-error "required parallel was not achieved: threads need -fopenmp" } */
  for (int i = 0; i < n; i++)
    x[i] = x[i] + 1;
}
