/* Threads do not share rows that are added to those that memory names, one by
   one among other statements.  */
/* { dg-tensor-opts "dump=plan" } */
/* { dg-final { scan-tns-dump-not plan "^parallel" } } */
/* { dg-final { scan-tns-dump-times plan "^simd j" 1 } } */

void
gather_means (int n, int d, float (*restrict mean)[d], int *restrict count,
              float (*restrict x)[d], const int *restrict label)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      count[label[i]]++;
      for (int j = 0; j < d; j++)
        mean[label[i]][j] += x[i][j];
    }
}
