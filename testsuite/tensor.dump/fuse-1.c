/* Ten element-wise loops become one; nine temporaries registers.  */
/* { dg-tensor-opts "dump=plan,scheduled" } */
/* { dg-final { scan-json "\"loops_before\": 10," } } */
/* { dg-final { scan-json "\"contracted\": 9," } } */
/* { dg-final { scan-tns-dump-times plan "^fuse " 9 } } */
/* { dg-final { scan-tns-dump-times plan "^ *dim i" 2 } } */
/* { dg-final { scan-tns-dump-times plan "^ *leaf S" 10 } } */
/* { dg-final { scan-tns-dump-not scheduled "local\[^;\n\]*\\\[" } } */

#define N 1000

void
ten (int n, const float *restrict x, float *restrict y)
{
  float a[N], b[N], c[N], d[N], e[N], f[N], g[N], h[N], k[N];
#pragma tensor temp(a, b, c, d, e, f, g, h, k) /* { dg-optimized "fused 10 loops into 1; 9 arrays became registers; parallel over i, simd 8" } */
  {
    for (int i = 0; i < n; i++)
      a[i] = x[i] + 1;
    for (int i = 0; i < n; i++)
      b[i] = a[i] * 2;
    for (int i = 0; i < n; i++)
      c[i] = b[i] - x[i];
    for (int i = 0; i < n; i++)
      d[i] = c[i] * c[i];
    for (int i = 0; i < n; i++)
      e[i] = d[i] + a[i];
    for (int i = 0; i < n; i++)
      f[i] = e[i] * 0.5f;
    for (int i = 0; i < n; i++)
      g[i] = f[i] > 0 ? f[i] : 0;
    for (int i = 0; i < n; i++)
      h[i] = g[i] + b[i];
    for (int i = 0; i < n; i++)
      k[i] = h[i] * h[i];
    for (int i = 0; i < n; i++)
      y[i] = k[i] + 3;
  }
}
