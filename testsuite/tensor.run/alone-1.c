/* Loops inside one that is refused are regions of their own: below a loop
   whose steps grow, one that is left by break or return, one whose pointers
   turn; declarations among them live on.  What temp names is needed in the next
   iteration; what assume says holds where the pragma stands.  */

#include "compare.h"

static NOINLINE void
plain_butterfly (int *x, int n)
{
  for (int half = n / 2; half >= 1; half /= 2)
    for (int from = 0; from < n; from += 2 * half)
      for (int j = 0; j < half; j++)
        {
          int t = x[from + j];
          x[from + j] = t + x[from + half + j];
          x[from + half + j] = t - x[from + half + j];
        }
}

static NOINLINE int
plain_settle (int *u, int *v, int n, int most)
{
  int times;
  for (times = 0; times < most; times++)
    {
      int changed = 0;
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
          {
            v[i * n + j] = (u[(i - 1) * n + j] + u[(i + 1) * n + j]
                            + u[i * n + j - 1] + u[i * n + j + 1])
                           >> 2;
            changed += v[i * n + j] != u[i * n + j];
          }
      int *t = u;
      u = v;
      v = t;
      if (changed == 0)
        break;
    }
  return times;
}

static NOINLINE int
plain_eliminate (double *a, int n)
{
  for (int k = 0; k < n; k++)
    {
      int p = k;
      while (p < n && a[p * n + k] < 1)
        p++;
      if (p == n)
        return k;
      for (int j = 0; j < n; j++)
        a[k * n + j] += p == k ? 0 : a[p * n + j];
      double by = a[k * n + k];
      for (int i = k + 1; i < n; i++)
        {
          double f = a[i * n + k] / by;
          for (int j = k; j < n; j++)
            a[i * n + j] -= f * a[k * n + j];
        }
    }
  return n;
}

static NOINLINE int
plain_temporary (int *x, int *t, int n, int most)
{
  int sum = 0;
  for (int k = 0; k < most; k++)
    {
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
          t[i * n + j] = k == 0 ? x[j] : t[i * n + j] + x[i];
      if (t[n - 1] > 50)
        break;
      sum += t[n - 1];
    }
  return sum;
}

static NOINLINE void
butterfly (int *x, int n)
{
#pragma tensor /* { dg-missed "does not advance half by a constant" } */
  for (int half = n / 2; half >= 1; half /= 2)
    for (int from = 0; from < n; from += 2 * half) /* { dg-optimized "a region of its own" } */
      for (int j = 0; j < half; j++)
        {
          int t = x[from + j];
          x[from + j] = t + x[from + half + j];
          x[from + half + j] = t - x[from + half + j];
        }
}

static NOINLINE int
settle (int *u, int *v, int n, int most)
{
  int times;
#pragma tensor /* { dg-missed "the pointer u may change" } */
  for (times = 0; times < most; times++)
    {
      int changed = 0;
      for (int i = 1; i < n - 1; i++) /* { dg-optimized "a region of its own" } */
        for (int j = 1; j < n - 1; j++)
          {
            v[i * n + j] = (u[(i - 1) * n + j] + u[(i + 1) * n + j]
                            + u[i * n + j - 1] + u[i * n + j + 1])
                           >> 2;
            changed += v[i * n + j] != u[i * n + j];
          }
      int *t = u;
      u = v;
      v = t;
      if (changed == 0)
        break;
    }
  return times;
}

static NOINLINE int
eliminate (double *a, int n)
{
#pragma tensor name("eliminate") /* { dg-missed "is not known before" } */
  for (int k = 0; k < n; k++)
    {
      int p = k;
      while (p < n && a[p * n + k] < 1)
        p++;
      if (p == n)
        return k;
      for (int j = 0; j < n; j++)
        a[k * n + j] += p == k ? 0 : a[p * n + j];
      double by = a[k * n + k];
      for (int i = k + 1; i < n; i++) /* { dg-optimized "a region of its own" } */
        {
          double f = a[i * n + k] / by;
          for (int j = k; j < n; j++)
            a[i * n + j] -= f * a[k * n + j];
        }
    }
  return n;
}

static NOINLINE int
temporary (int *x, int *t, int n, int most)
{
  int sum = 0;
#pragma tensor temp(t) /* { dg-missed "break leaves the loop" } */
  for (int k = 0; k < most; k++)
    {
      for (int i = 0; i < n; i++) /* { dg-optimized "a region of its own" } */
        for (int j = 0; j < n; j++)
          t[i * n + j] = k == 0 ? x[j] : t[i * n + j] + x[i];
      if (t[n - 1] > 50)
        break;
      sum += t[n - 1];
    }
  return sum;
}

static NOINLINE void
plain_shrink (int *x, int n)
{
  int m = n;
  for (int k = 1; k < n; k *= 2)
    {
      for (int i = 0; i < m; i++)
        x[i] = x[i] * 3 + k;
      m -= 3;
    }
}

static NOINLINE void
shrink (int *x, int n)
{
  int m = n;
#pragma tensor assume(m == 96) /* { dg-missed "does not advance k by a constant" } */
  for (int k = 1; k < n; k *= 2)
    {
      for (int i = 0; i < m; i++) /* { dg-optimized "a region of its own" } */
        x[i] = x[i] * 3 + k;
      m -= 3;
    }
}

static int x[2][AREA], y[2][AREA];
static double a[2][AREA];

int
main (void)
{
  for (int n = 1; n <= 4096; n *= 2)
    {
      FILL (x);
      BOTH (butterfly, x[W], n);
      CHECK (x);
    }
  FILL (x);
  BOTH (shrink, x[W], 96);
  CHECK (x);
  EACH_SMALL (n)
    EACH_SMALL_TOO (most)
      {
        FILL (x);
        FILL (y);
        BOTH_EQUAL (settle, x[W], y[W], (int) n, (int) most);
        CHECK (x);
        CHECK (y);
        if (n == 0)
          continue;
        FILL (x);
        FILL (y);
        BOTH_EQUAL (temporary, x[W], y[W], (int) n, (int) most);
      }
  EACH_SIZE (n)
    {
      FILL (a);
      for (size_t k = 0; k < n; k++)
        a[0][k * n + k] = a[1][k * n + k] = 100;
      BOTH_EQUAL (eliminate, a[W], (int) n);
      CHECK_NEAR (a, 1e-6);
    }
  return 0;
}
