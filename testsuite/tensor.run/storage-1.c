/* Temporaries that live one after the other share their room; those that
   live together do not.  Sizes 0, 1, 2, primes.  */

#define MOST 67

typedef int cell;

static void
reversals (int n, int m, cell x[restrict n][m], cell y[restrict n][m])
{
#pragma tensor
  {
    cell p[n + 1][m + 1], q[n + 1][m + 1], r[n + 1][m + 1], s[n + 1][m + 1];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        p[i][j] = 3 * x[i][j] + 1;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        q[i][j] = p[n - 1 - i][m - 1 - j] + p[i][j];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        r[i][j] = q[n - 1 - i][j] * 5 + q[i][m - 1 - j];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        s[i][j] = r[n - 1 - i][m - 1 - j] - q[n - 1 - i][j];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        y[i][j] = s[n - 1 - i][m - 1 - j] + r[i][m - 1 - j];
  }
}

static void
as_written (int n, int m, cell x[restrict n][m], cell y[restrict n][m])
{
  cell p[n + 1][m + 1], q[n + 1][m + 1], r[n + 1][m + 1], s[n + 1][m + 1];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      p[i][j] = 3 * x[i][j] + 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      q[i][j] = p[n - 1 - i][m - 1 - j] + p[i][j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      r[i][j] = q[n - 1 - i][j] * 5 + q[i][m - 1 - j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      s[i][j] = r[n - 1 - i][m - 1 - j] - q[n - 1 - i][j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      y[i][j] = s[n - 1 - i][m - 1 - j] + r[i][m - 1 - j];
}

int
main (void)
{
  static const int size[] = { 0, 1, 2, 3, 17, 31, MOST };
  static cell x[MOST * MOST], got[MOST * MOST], wanted[MOST * MOST];
  for (int k = 0; k < MOST * MOST; k++)
    x[k] = k * 7919 % 1000;
  for (int a = 0; a < 7; a++)
    for (int b = 0; b < 7; b++)
      {
        reversals (size[a], size[b], (void *) x, (void *) got);
        as_written (size[a], size[b], (void *) x, (void *) wanted);
        for (int k = 0; k < size[a] * size[b]; k++)
          if (got[k] != wanted[k])
            return 1;
      }
  return 0;
}
