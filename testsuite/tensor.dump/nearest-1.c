/* Lanes lie along records that are read once and compared with many others.  */
/* { dg-tensor-opts "dump=plan" } */
/* { dg-final { scan-tns-dump plan "^lanes i in S1: 8$" } } */

void
nearest (int *restrict label, const float *restrict x, const float *restrict c,
         int n, int k)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      float best = 1e30f;
      int at = 0;
      for (int q = 0; q < k; q++)
        {
          float s = 0;
          for (int j = 0; j < 8; j++)
            s += (x[i * 8 + j] - c[q * 8 + j]) * (x[i * 8 + j] - c[q * 8 + j]);
          if (s < best)
            {
              best = s;
              at = q;
            }
        }
      label[i] = at;
    }
}
