/* What each iteration of a loop has of its own lies lane by lane where the
   loops inside must run in their order: the tape of a time loop; not where
   other loops touch it too.  */
/* { dg-tensor-opts "dump=plan,vectors" } */
/* { dg-final { scan-tns-dump-times plan "^lanes i in S1: 4$" 1 } } */
/* { dg-final { scan-tns-dump plan "^expand u_tape$" } } */
/* { dg-final { scan-tns-dump vectors "local f64 u_tape_1\\\[max\\(T, 1\\)\\\]\\\[\[0-9\]+\\\];" } } */

static void
steps (int n, int T, const double *x, const double *k, double *r)
{
  for (int i = 0; i < n; i++)
    {
      double u = x[i];
      for (int t = 0; t < T; t++)
        {
          double half = u + 0.05 * k[i] * (u - u * u);
          u += 0.1 * k[i] * (half - half * half);
        }
      r[i] = u;
    }
}

#pragma tensor gradient(steps) of(r: dr) wrt(x: dx, k: dk) /* { dg-optimized "parallel over i, simd 4" } */
void steps_gradient (int n, int T, const double *restrict x,
                     const double *restrict k, const double *restrict dr,
                     double *restrict dx, double *restrict dk);

void
soft (int n, int m, double *restrict da, const double *restrict a,
      const double *restrict w, const double *restrict g)
{
#pragma tensor /* { dg-message "note: " } */
  for (int j = 0; j < m; j++)
    {
      double row[64], sum = 0;
      for (int i = 0; i < n; i++)
        {
          row[i] = a[i] * w[i * m + j];
          sum += row[i];
        }
      for (int i = 0; i < n; i++)
        da[i] += g[j] * row[i] / sum;
    }
}
