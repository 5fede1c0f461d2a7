/* The report tells of the lanes that the code has, not of those planned: a
   mix of bytes is left to GCC's own vectors, and where nothing else was
   planned the loops are kept; who requires lanes gets ours.  */
/* { dg-final { scan-json "\"function\": \"alone\",.*\"plan\": \"kept\",.*\"parallel_loops\": 0, \"simd_loops\": 0," } } */
/* { dg-final { scan-json "\"function\": \"shared\",.*\"plan\": null,.*\"parallel_loops\": 1, \"simd_loops\": 0," } } */
/* { dg-final { scan-json "\"function\": \"required\",.*\"parallel_loops\": 0, \"simd_loops\": 1," } } */
/* { dg-final { scan-json "\"function\": \"named\",.*\"parallel_loops\": 0, \"simd_loops\": 1," } } */
/* { dg-final { scan-json "\"function\": \"numbers\",.*\"parallel_loops\": 0, \"simd_loops\": 1," } } */
/* { dg-final { scan-json "\"function\": \"copies\",.*\"loops_after\": 1, \"parallel_loops\": 1, \"simd_loops\": 1," } } */

void
alone (int n, int t, unsigned char *restrict o, const unsigned char *restrict a)
{
#pragma tensor parallel(off) /* { dg-optimized "kept as written" } */
  for (int i = 0; i < n; i++)
    o[i] = (a[i] * 77 + t * 150) >> 8;
}

void
shared (int n, int t, unsigned char *restrict o,
        const unsigned char *restrict a)
{
#pragma tensor /* { dg-optimized "parallel over i" } */
  for (int i = 0; i < n; i++)
    o[i] = (a[i] * 77 + t * 150) >> 8;
}

void
required (int n, int t, unsigned char *restrict o,
          const unsigned char *restrict a)
{
#pragma tensor require(simd) parallel(off) /* { dg-optimized "simd 8" } */
  for (int i = 0; i < n; i++)
    o[i] = (a[i] * 77 + t * 150) >> 8;
}

void
named (int n, int t, unsigned char *restrict o, const unsigned char *restrict a)
{
#pragma tensor simd(i) parallel(off) /* { dg-optimized "simd 8" } */
  for (int i = 0; i < n; i++)
    o[i] = (a[i] * 77 + t * 150) >> 8;
}

void
numbers (int n, float *restrict o, const float *restrict a)
{
#pragma tensor parallel(off) /* { dg-optimized "simd 8" } */
  for (int i = 0; i < n; i++)
    o[i] = a[i] * 77 + 1;
}

float
copies (int n, const float *restrict a)
{
  float s = 0;
#pragma tensor /* { dg-optimized "parallel over i, simd 8" } */
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
}
