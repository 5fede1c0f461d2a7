/* Loops too short for a vector leave the lanes to a loop around them; partial
   sums are as many as a latency needs: four of a short body, one of a long
   one; sixteen elements of a record are added up as vectors.  */
/* { dg-tensor-opts "dump=plan" } */
/* { dg-final { scan-tns-dump plan "lanes j in " } } */
/* { dg-final { scan-tns-dump plan "dim k reduction simd 8 accumulators 4" } } */
/* { dg-final { scan-tns-dump plan "dim m reduction simd 4 accumulators 1" } } */
/* { dg-final { scan-tns-dump plan "dim r reduction simd 8" } } */

void
window (int n, float a[n][n], float b[n][n])
{
#pragma tensor /* { dg-optimized "parallel over i, j, simd 8" } */
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      {
        float s = 0, w = 0;
        for (int p = -1; p <= 1; p++)
          for (int q = -1; q <= 1; q++)
            {
              float d = a[i + p][j + q] - a[i][j];
              float g = 1 / (1 + d * d);
              float h = g * g + d;
              float e = h * g + h * h;
              float f = e * h - g * d;
              s += f * a[i + p][j + q] + e;
              w += f * e + h;
            }
        b[i][j] = s / w;
      }
}

float
dot (int n, const float *restrict x, const float *restrict y)
{
  float s = 0;
#pragma tensor parallel(off) /* { dg-optimized "simd 8" } */
  for (int k = 0; k < n; k++)
    s += x[k] * y[k];
  return s;
}

double
column (int n, double a[n][n], const double *restrict x)
{
  double s = 0;
#pragma tensor parallel(off) /* { dg-optimized "simd 4" } */
  for (int m = 0; m < n; m++)
    {
      double t = a[0][m] * x[m] + a[m][0];
      s += (t + x[m]) * t + a[1][m] * t * t;
    }
  return s;
}

void
nearest (int n, int k, float (*restrict x)[16], float (*restrict c)[16],
         int *restrict label)
{
#pragma tensor parallel(off) /* { dg-optimized "simd 8" } */
  for (int i = 0; i < n; i++)
    {
      float best = 1e30f;
      int where = 0;
      for (int q = 0; q < k; q++)
        {
          float s = 0;
          for (int r = 0; r < 16; r++)
            s += (x[i][r] - c[q][r]) * (x[i][r] - c[q][r]);
          if (s < best)
            {
              best = s;
              where = q;
            }
        }
      label[i] = where;
    }
}
