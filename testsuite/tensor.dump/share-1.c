/* A dot shares tiles of its column with the division behind it, though that
   stores to an element of the rows that the dot reads.  */
/* { dg-tensor-opts "dump=plan" } */
/* { dg-final { scan-tns-dump plan "^share i in S5: 64$" } } */

void
factor (int n, double (*restrict a)[n], double *restrict d)
{
#pragma tensor
  for (int j = 0; j < n; j++)
    {
      double s = a[j][j];
      for (int k = 0; k < j; k++)
        s -= a[j][k] * a[j][k] * d[k];
      d[j] = s;
      for (int i = j + 1; i < n; i++)
        {
          double t = a[i][j];
          for (int k = 0; k < j; k++)
            t -= a[i][k] * a[j][k] * d[k];
          a[i][j] = t / d[j];
        }
    }
}
