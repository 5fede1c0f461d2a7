# The ledger: formulas of the report are C, and come to what the loops do.
# one GCC
plugin=$BUILD/plugin/$GCC/tensor.so

verdict ()
{
  if test "$1" -eq 0; then
    echo "PASS: $2"
  else
    echo "FAIL: $2"
  fi
}

rm -f report

cat >regions.c <<'END'
struct part
{
  int n;
  float *data;
};

void
triangle (int n, int m, float x[restrict n][m], float y[restrict n][m])
{
#pragma tensor name("triangle")
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i && j < m; j++)
      x[i][j] += y[i][j] * 2;
}

void
field (int n, struct part *p, float *restrict y)
{
#pragma tensor name("field")
  for (int i = 0; i < p->n; i++)
    for (int k = i % 4; k < n; k++)
      y[i] += p->data[k];
}

void
quarters (int n, float *restrict x)
{
#pragma tensor name("quarters")
  for (int i = 0; i < n / 4; i++)
    x[4 * i] = x[4 * i + 1] + x[4 * i + 2] * x[4 * i + 3];
}

void
temporaries (int n, int m, float x[restrict n][m], float y[restrict n][m])
{
#pragma tensor name("temporaries")
  {
    float p[n][m], q[n][m], r[n][m];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        p[i][j] = x[i][j] * 2;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        q[i][j] = p[n - 1 - i][m - 1 - j] + p[i][j];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        r[i][j] = q[n - 1 - i][m - 1 - j] + q[i][j];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        y[i][j] = r[n - 1 - i][j] + 1;
  }
}

void
chain (int n, float *restrict x, float *restrict y, float *restrict t)
{
#pragma tensor name("chain") temp(t)
  {
    for (int i = 0; i < n; i++)
      t[i] = x[i] * x[i];
    for (int i = 0; i < n; i++)
      y[i] = t[i] + 1;
  }
}
END
$CC_UNDER_TEST -O2 -fopenmp -march=haswell "-fplugin=$plugin" \
  -fplugin-arg-tensor-report-json=report -c regions.c >log 2>&1
verdict $? 'the regions compile'

# Each formula of the report as a function NAME_KEY of the sizes.
awk '
  {
    match ($0, /"name": "[a-z]*"/)
    name = substr ($0, RSTART + 9, RLENGTH - 10)
    rest = $0
    while (match (rest, /"(flops|flops_after|bytes_before|bytes_after|peak_before|peak_after)": ("[^"]*"|[^,]*)/))
      {
        pair = substr (rest, RSTART + 1, RLENGTH - 1)
        rest = substr (rest, RSTART + RLENGTH)
        key = pair
        sub (/".*/, "", key)
        sub (/^[^:]*: /, "", pair)
        gsub (/"/, "", pair)
        printf "static double\n%s_%s (double n, double m, const struct part *p)\n", name, key
        printf "{\n  (void) n; (void) m; (void) p;\n  return %s;\n}\n", pair
      }
    printf "enum { %s_exact = %d };\n", name, /"exact": true/
  }' report >formulas.h
test "$(grep -c return formulas.h)" -eq 30
verdict $? 'the report has six sums of each of five regions'
test "$(grep -c '"exact": true' report)" -eq 3
verdict $? 'those of affine loops are exact'

cat >count.c <<'END'
#include <math.h>
#include <stdio.h>

struct part
{
  double n;
};

#include "formulas.h"

static int failed;

/* Tell of GOT in place of WANTED, once.  */
static void
expect (const char *what, double got, double wanted, int exact)
{
  if (exact ? got == wanted : got >= wanted)
    return;
  if (!failed)
    printf ("%s is %g in place of %g\n", what, got, wanted);
  failed = 1;
}

#define EXPECT(region, sum, wanted) \
  expect (#region "_" #sum, region##_##sum (n, m, &p), wanted, region##_exact)

static void
count (int n, int m)
{
  struct part p = { n };
  double inner = 0, some = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i && j < m; j++)
      inner++;
  for (int i = 0; i < n; i++)
    for (int k = i % 4; k < m; k++)
      some++;
  EXPECT (triangle, flops, 2 * inner);
  EXPECT (triangle, flops_after, 2 * inner);
  EXPECT (triangle, bytes_before, 12 * inner);
  EXPECT (triangle, bytes_after, 12 * inner);
  EXPECT (quarters, flops, 2. * (n / 4));
  EXPECT (quarters, bytes_before, 16. * (n / 4));
  EXPECT (temporaries, flops, 4. * n * m);
  EXPECT (temporaries, peak_before, 12. * n * m);
  if (n && m)
    EXPECT (temporaries, peak_after, 8. * n * m);
  EXPECT (chain, peak_before, 4. * n);
  EXPECT (chain, peak_after, 4);
  EXPECT (chain, bytes_before, 16. * n);
  EXPECT (chain, bytes_after, 8. * n);
  p.n = n;
  expect ("field_flops", field_flops (m, 0, &p), some, field_exact);
}

int
main (void)
{
  for (int n = 0; n < 40; n++)
    for (int m = 0; m < 40; m++)
      count (n, m);
  return failed;
}
END
$CC_UNDER_TEST -Wall -Werror -Wno-unused-function count.c -o count -lm
verdict $? 'the formulas are C'
./count
status=$?
test $status -eq 0 || cat formulas.h
verdict $status 'they come to what the loops do'
