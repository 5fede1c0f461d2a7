# Lines of plans: each step that is printed can be left out, and then either
# the rest holds, and the program computes the same, or it is an error that
# names what is missing.
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

cat >lines.c <<'END'
#include <stdio.h>

#define N 37
#define M 41
#define K 800

static float x[N][M], y[N][M], t[N][M], u[4][N][M];
static float total[M], flat[N * M];

__attribute__ ((noinline)) static void
rows (void)
{
  float most;
  float sum;
#pragma tensor name("rows")
  for (int i = 0; i < N; i++)
    {
      most = x[i][0];
      for (int j = 1; j < M; j++)
        most = x[i][j] > most ? x[i][j] : most;
      sum = 0;
      for (int j = 0; j < M; j++)
        sum += most - x[i][j];
      for (int j = 0; j < M; j++)
        y[i][j] = sum + most;
    }
}

__attribute__ ((noinline)) static void
chain (void)
{
#pragma tensor name("chain") temp(t)
  {
    for (int i = 0; i < N; i++)
      for (int j = 0; j < M; j++)
        t[i][j] = x[i][j] * 2 + y[i][j];
    for (int i = 0; i < N; i++)
      for (int j = 0; j < M; j++)
        y[i][j] = t[i][j] * t[i][j] - x[i][j];
  }
}

__attribute__ ((noinline)) static void
batch (void)
{
#pragma tensor name("batch")
  for (int b = 0; b < 4; b++)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < M; j++)
        u[b][i][j] = x[i][j] + b * total[j];
}

__attribute__ ((noinline)) static void
triangle (int n)
{
#pragma tensor name("triangle")
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      y[i][j] += x[i][j] * 2;
}

__attribute__ ((noinline)) static void
columns (int n)
{
#pragma tensor name("columns")
  for (int i = 0; i < n; i++)
    for (int j = 0; j < M; j++)
      total[j] += x[i][j];
}

__attribute__ ((noinline)) static float
all (int n)
{
  float s = 0;
#pragma tensor name("all")
  for (int i = 0; i < n; i++)
    s += x[0][i];
  return s;
}

__attribute__ ((noinline)) static float
mean (int n, float by)
{
  float s = 0;
#pragma tensor name("mean")
  for (int i = 0; i < n; i++)
    s += x[0][i] / by;
  return s;
}

static float a[N][K], b[K][M], c[N][M];

__attribute__ ((noinline)) static void
product (int n)
{
#pragma tensor name("product")
  for (int i = 0; i < n; i++)
    for (int j = 0; j < M; j++)
      {
        c[i][j] = 0;
        for (int k = 0; k < K; k++)
          c[i][j] += a[i][k] * b[k][j];
        c[i][j] *= 2;
      }
}

__attribute__ ((noinline)) static float
last (int n)
{
  float s = 0;
#pragma tensor name("last")
  for (int i = 0; i < n; i++)
    {
      s = x[1][i] * 2;
      y[1][i] = s + 1;
    }
  return s;
}

__attribute__ ((noinline)) static void
all_rows (int n, int m, float *restrict p)
{
#pragma tensor name("all rows")
  {
    for (int k = 0; k < n * m; k++)
      p[k] = 2;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        p[i * m + j] += x[i][j];
  }
}

int
main (void)
{
  double sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      {
        x[i][j] = (float) ((i * 7 + j * 3) % 11);
        y[i][j] = (float) ((i + j) % 5);
      }
  rows ();
  chain ();
  batch ();
  triangle (N);
  columns (N);
  all_rows (N, M, flat);
  for (int k = 0; k < K; k++)
    {
      a[k % N][k] = (float) (k % 5);
      b[k][k % M] = (float) (k % 3);
    }
  product (N);
  sum += all (M) + 3 * last (M) + mean (M, 4);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      sum += y[i][j] * (i % 7 + 1) + c[i][j] * (j % 5)
             + u[i % 4][i][j] * (j % 3) + total[j]
             + flat[i * M + j] * (i % 3 + j % 5);
  printf ("%.1f\n", sum);
  return 0;
}
END

# Compile lines.c with the plug-in's options, as KEY=VALUE.
compile ()
{
  arguments=
  for option; do
    arguments="$arguments -fplugin-arg-tensor-$option"
  done
  $CC_UNDER_TEST -O0 -fopenmp -march=haswell -fno-diagnostics-show-caret \
    "-fplugin=$plugin" $arguments lines.c -o lines -dumpdir '' \
    -dumpbase lines >lines.log 2>&1
}

# refuse WHAT PATTERN: the plan on standard input is an error like this.
refuse ()
{
  cat >wrong.plan
  status=0
  compile plan=wrong.plan || status=1
  test "$status" -eq 1 && grep -q "error: the plan no longer holds: $2" lines.log
  verdict $? "$1 is refused"
}

$CC_UNDER_TEST -O1 -w lines.c -o written && ./written >expected
compile dump=plan
verdict $? 'the regions compile'
./lines | cmp -s - expected
verdict $? 'and compute the same'
for step in 'flatten i j in S1' 'reshape k in S1: m' 'private most at i in S1' \
  'contract t at i_j in S1' 'collapse b in S1: 2' 'balanced i in S1' 'reduce i in S1: 16' \
  'reduce i in S1: 64' 'factor S1'; do
  grep -q "^$step\$" lines.tensor
  verdict $? "the plans have a step $step"
done
sed '/^;;/,/^$/d' lines.tensor >lines.plan
compile dump=plan plan=lines.plan
sed '/^;;/,/^$/d' lines.tensor | cmp -s - lines.plan
verdict $? 'the printed plans, replayed, are printed again'

# The plans without the K-th line of each but those in BUT, "|plan NAME|...".
less ()
{
  awk -v k="$1" -v but="$2" '/^plan / { n = 0; whole = index (but, "|" $0 "|") }
    !NF || whole || n++ != k' lines.plan
}

# The plans that are errors in lines.log, as less wants them.
refused_plans ()
{
  sed -n 's/^lines.c:\([0-9]*\):.*error: the plan no longer holds: .*/\1/p' \
    lines.log | while read -r line; do
    sed -n "${line}s/.*name(\"\(.*\)\").*/plan \1/p" lines.c
  done | sed '1s/^/|/' | tr '\n' '|'
}

# Without one of its lines a plan holds, or is an error; all plans at a time,
# and again those that are none.
good=0
bad=0
errors=0
n=$(grep -c . lines.plan)
for k in $(seq 99); do
  less "$k" '' >less.plan
  less_lines=$((n - $(grep -c . less.plan)))
  test "$less_lines" -gt 0 || break
  if ! compile plan=less.plan; then
    less "$k" "$(refused_plans)" >less.plan
    held=$((n - $(grep -c . less.plan)))
    errors=$((errors + less_lines - held))
    less_lines=$held
    compile plan=less.plan
  fi && ./lines | cmp -s - expected \
    && good=$((good + less_lines)) || bad=$((bad + less_lines))
done
test "$bad" -eq 0 && test "$good" -ge 10 && test "$errors" -ge 3
verdict $? "less one line: $good hold, $errors are errors, $bad are neither"

refuse 'a loop that shares a scalar' '.parallel i in S1. is not legal: ' <<'END'
plan rows
parallel i in S1
END
refuse 'a copy that is read outside' '.private s at j in S1. does not' <<'END'
plan last
private s at j in S1
simd i in S1: 8
END
refuse 'a temporary where it does not end' '.contract t at j in S1. does' <<'END'
plan chain
fuse S1 S2 at i
contract t at j in S1
END
refuse 'copies without their line' 'without .expand s_1. ' <<'END'
plan last
private s at i in S1
split i in S1
END
refuse 'a loop of its own for what is not there' '.split i in S1: S9. does' <<'END'
plan last
private s at i in S1
split i in S1: S9
END
refuse 'copies of what has none' '.expand t. does not apply' <<'END'
plan chain
fuse S1 S2 at i
expand t
END
refuse 'storage of what is needed later, and nothing else' \
  '.contract y at i in S2. does not .*: y may be needed after the region' <<'END'
plan chain
contract y at i in S2
END
refuse 'a statement that is not there' '.*: there is no statement S9' <<'END'
plan chain
fuse S1 S9 at i
END
refuse 'a loop that is not there' '.*: k is no loop around S1; there are i, j' <<'END'
plan columns
tile k in S1: 4
END
refuse 'a size that is none' '.*: it takes a loop and a positive size' <<'END'
plan columns
tile i in S1: 99999999999999999999
END
refuse 'rows that are used as such' '.flatten i j in S1. does not' <<'END'
plan columns
flatten i j in S1
END
refuse 'rows that are no part of a loop' '.reshape k in S1: m m. does not' <<'END'
plan all rows
reshape k in S1: m m
END
refuse 'rows of a loop that stands elsewhere' '.reshape k in S2: m. does not' <<'END'
plan all rows
reshape k in S2: m
END
for line in 'prefetch y' 'prefetch x: 0' 'prefetch x: 8 9' 'prefetch nothing'; do
  printf 'plan batch\n%s\n' "$line" >prefetch.plan
  refuse "$line" ".$line. does not apply" <prefetch.plan
done
refuse 'a statement behind no loop' '.sink S3 in S1: k. does' <<'END'
plan product
sink S3 in S1: k
END
refuse 'a statement that its own loop reads' '.sink S1 in S2: k. does' <<'END'
plan product
sink S1 in S2: k
END
refuse 'a sum without a divisor' '.factor S1. does not' <<'END'
plan all
factor S1
END
refuse 'a space of too many loops' '.collapse b in S1: 3. does not' <<'END'
plan batch
parallel b in S1
collapse b in S1: 3
END
refuse 'balance of what no threads share' '.balanced i in S1. does not' <<'END'
plan triangle
balanced i in S1
END
refuse 'a sum in one chunk' '.reduce i in S1: 1. is not legal' <<'END'
plan all
reduce i in S1: 1
END
refuse 'a sum that threads share at once' '.parallel i in S1. is not' <<'END'
plan all
parallel i in S1
END

cat >other.plan <<'END'
plan last
private s at i in S1
split i in S1
expand s_1
plan all
reduce i in S1: 5
simd i in S1: 4
END
compile dump=plan plan=other.plan && ./lines | cmp -s - expected
verdict $? 'a scalar in a cell for each iteration is the same'
for step in 'expand s_1' 'reduce i in S1: 5'; do
  grep -q "^$step\$" lines.tensor
  verdict $? "and its plan has $step"
done

cat >other.plan <<'END'
plan all rows
reshape k in S1: n
END
compile dump=plan plan=other.plan && ./lines | cmp -s - expected
verdict $? 'rows of another length, which the user gives, are the same'
grep -q '^reshape k in S1: n$' lines.tensor
verdict $? 'and are told'
sed '/^block S2: k/a sink S3 in S2: k.0' lines.plan >other.plan
compile dump=plan plan=other.plan && ./lines | cmp -s - expected
verdict $? "a product's cells ended with its last block are the same"
sed '/^;;/,/^$/d' lines.tensor | cmp -s - other.plan
verdict $? 'and its plan is what was asked for'

# A section that nobody reads is an error.
cat >lines.c <<'END'
void
distances (float d[restrict 512][512], float a[restrict 512][64],
           float b[restrict 512][64])
{
#pragma tensor name("distances")
  for (int i = 0; i < 512; i++)
    for (int j = 0; j < 512; j++)
      for (int k = 0; k < 64; k++)
        d[i][j] += (a[i][k] - b[j][k]) * (a[i][k] - b[j][k]);
}

int
main (void)
{
  return 0;
}
END
compile dump=plan
sed '/^;;/,/^$/d' lines.tensor >lines.plan
compile plan=lines.plan && grep -q '^pack b in S1' lines.plan
verdict $? 'an operand is packed'
refuse 'a section for tiles of what is packed' 'the tiles of ' <<END
$(cat lines.plan)
plan distances_tiled
recompute S1 S1 at i: 32
END
