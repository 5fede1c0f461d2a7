/* Nests that threads cannot share inside run side by side where nothing of
   one depends on another; short ones and dependent ones do not.  */
/* { dg-tensor-opts "dump=plan,scheduled" } */
/* { dg-final { scan-file tasks-1.c.tensor "plan two\ntasks S1 S2\ncarry i in S1\ncarry i in S2\n;; tree\n" } } */
/* { dg-final { scan-file tasks-1.c.tensor "plan three\ntasks S1 S2 S3\ncarry i in S1\ncarry i in S2\ncarry i in S3\n;; tree\n" } } */
/* { dg-final { scan-file tasks-1.c.tensor "plan dependent\ncarry i in S1\ncarry i in S2\n;; tree\n" } } */
/* { dg-final { scan-file tasks-1.c.tensor "plan one cell\ncarry i in S1\ncarry i in S2\n;; tree\n" } } */
/* { dg-final { scan-file tasks-1.c.tensor "plan short\ncarry i in S1\ncarry i in S2\n;; tree\n" } } */
/* { dg-final { scan-file tasks-1.c.tensor "plan off\ncarry i in S1\ncarry i in S2\n;; tree\n" } } */
/* { dg-final { scan-file tasks-1.c.tensor "for task = 0 to 2 parallel when\\(max\\(n - 1, 0\\) \\* 7 >= 72000 && max\\(m - 1, 0\\) \\* 7 >= 72000\\)" } } */

void
f (int n, int m, float *restrict x, float *restrict y, float *restrict z)
{
#pragma tensor name("two") /* { dg-optimized "parallel over nests" } */
  {
    for (int i = 1; i < n; i++)
      x[i] = x[i - 1] * 0.5f + z[i];
    for (int i = 1; i < m; i++)
      y[i] = y[i - 1] * 0.25f + z[i];
  }
#pragma tensor name("three")
  {
    for (int i = 1; i < n; i++)
      x[i] = x[i - 1] * 2;
    for (int i = 1; i < n; i++)
      y[i] = y[i - 1] * 3;
    for (int i = 1; i < n; i++)
      z[i] = z[i - 1] * 4;
  }
#pragma tensor name("dependent")
  {
    for (int i = 1; i < n; i++)
      x[i] = x[i - 1] * 2;
    for (int i = 1; i < n; i++)
      y[i] = y[i - 1] * x[n - i];
  }
#pragma tensor name("one cell")
  {
    for (int i = 1; i < n; i++)
      x[i] = x[i - 1] * 2 + x[0];
    for (int i = 1; i < n; i++)
      x[i] = y[i - 1] + x[i - 1];
  }
#pragma tensor name("short")
  {
    for (int i = 1; i < 100; i++)
      x[i] = x[i - 1] * 2;
    for (int i = 1; i < 100; i++)
      y[i] = y[i - 1] * 3;
  }
#pragma tensor name("off") parallel(off)
  {
    for (int i = 1; i < n; i++)
      x[i] = x[i - 1] * 2;
    for (int i = 1; i < n; i++)
      y[i] = y[i - 1] * 3;
  }
}
