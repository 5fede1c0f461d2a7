# Reports: JSON, emitted C, graphs, -fopt-info, report=; one verdict for each
# pragma at every level of optimization.
plugin=$BUILD/plugin/$GCC/tensor.so
here=$SOURCE/testsuite/tensor.tools

verdict ()
{
  if test "$1" -eq 0; then
    echo "PASS: $2"
  else
    echo "FAIL: $2"
  fi
}

# Compile $1 with options $2 and the plug-in's $3, KEY=VALUE each.
compile ()
{
  source=$1
  options=$2
  arguments=
  for option in $3; do
    arguments="$arguments -fplugin-arg-tensor-$option"
  done
  $CC_UNDER_TEST $options -fno-diagnostics-show-caret "-fplugin=$plugin" \
    $arguments -c "$source" -o regions.o >log 2>&1
}

cat >regions.c <<'END'
#include <math.h>

struct field
{
  int n;
  float *value;
};

void
done (int n, float *restrict x, float *restrict y)
{
#pragma tensor name("a \"name\" with \\ and \t")
  {
    for (int i = 0; i < n; i++)
      x[i] = expf (y[i]) / 3;
    for (int i = 0; i < n; i++)
      y[i] = x[i] * x[i];
  }
}

void
kept (int n, float *x)
{
#pragma tensor
  for (int i = 2; i < n; i++)
    x[i] += x[i - 2];
}

extern void print (float);

void
refused (int n, float *x)
{
#pragma tensor
  for (int i = 1; i < n; i++)
    print (x[i]);
}

void
guarded (struct field *f, const float *x, int n, int m)
{
#pragma tensor temp(x)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      f->value[i * m + j] += x[j];
}

double
sum (int n, int m, const double x[n][m])
{
  double s = 0;
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      s += x[i][j];
  return s;
}
END
lines=$(grep -n '^#pragma' regions.c | sed 's/:.*//' | tr '\n' ' ')
set -- $lines
first=$1 second=$2 third=$3

# One verdict for each pragma under the options $1.
count ()
{
  rm -f report
  compile regions.c "$1" report-json=report
  verdict $? "$1: compiles"
  told=$(sed -n 's/.*"line": \([0-9]*\), "name".*"verdict": ".*/\1/p' report \
    | sort -n | tr '\n' ' ')
  test "$told" = "$lines"
  verdict $? "$1: one verdict for each pragma"
}

for level in -O0 -O1 -O2 -O3 -Ofast -Os '-O2 -g' '-O2 -flto' '-O2 -fPIC' \
  '-O1 -fsanitize=address,undefined' '-O2 -march=native'; do
  count "$level"
  count "$level -fopenmp"
done

# JSON.
rm -f report
compile regions.c '-O2 -fopenmp' report-json=report
awk -f "$here/json-line.awk" report >keys
cat >expected <<'END'
file line name function verdict plan target reason left loops_before loops_after parallel_loops simd_loops contracted guards flops flops_after bytes_before bytes_after peak_before peak_after predicted exact milliseconds
END
test "$(sort -u keys)" = "$(cat expected)"
verdict $? 'each line is one JSON object with the keys that it must have'
test "$(wc -l <keys)" -eq 5
verdict $? 'one for each region'
sort -u keys | diff - expected
compile regions.c '-O2' report-json=report
test "$(awk -f "$here/json-line.awk" report | wc -l)" -eq 10
verdict $? 'lines are appended'

has ()
{
  grep -q -e "$1" report
  verdict $? "the report has $1"
}
rm -f report
compile regions.c '-O2 -fopenmp' report-json=report
has "\"line\": $first, "'"name": "a \\"name\\" with \\\\ and \\t", "function": "done", "verdict": "done", "plan": null, "target": "cpu", "reason": null, "left": \[\], "loops_before": 2, "loops_after": [0-9]*, "parallel_loops": 1, "simd_loops": 1,'
has '"function": "kept", "verdict": "done", "plan": "kept",.*"loops_before": 1, "loops_after": 1, "parallel_loops": 0, "simd_loops": 0, "contracted": 0, "guards": 0'
has '"function": "refused", "verdict": "refused", "plan": null, "target": "cpu", "reason": {"why": "call", "words": "the call of print [^"]*", "file": "regions.c", "line": '"$((third + 2)), \"column\": 5}"
has '"function": "guarded", "verdict": "done", .*"guards": [1-9].*"exact": true'
has '"function": "sum", "verdict": "done", .*"exact": true, "milliseconds": [0-9.]*}$'
! grep -q '" :' report
verdict $? 'no blank stands before a colon'

# What stays in place of a region that was refused, of which parts were taken.
cat >left.c <<'END'
extern int print (const char *);
void
f (int n, float *restrict x, float *restrict y, float *restrict z)
{
#pragma tensor
  {
    for (int i = 0; i < n; i++)
      x[i] = y[i] + 1;
    for (int i = 0; i < n; i++)
      z[i] = x[i] * 2;
    print ("half");
    for (int i = 0; i < n; i++)
      y[i] = x[i] * 2;
    float e = 3;
    z[0] = e;
  }
#pragma tensor
  for (int t = 0; t < n; t++)
    {
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
          x[i * n + j] += 1;
      for (int i = 0; i < n; i++)
        print ("one");
      if (x[t] > 3)
        break;
    }
#pragma tensor
  for (int i = 0; i < n; i++)
    print ("none");
}
END
# The lines and reasons of what is left of the region at line $1.
left_of ()
{
  grep "\"line\": $1, .*\"verdict\"" report | sed 's/.*"left": \[//; s/\].*//' \
    | grep -o '"why": "[^"]*"\|"line": [0-9]*' | sed 's/.*: //' | tr '\n' ' '
}
rm -f report
compile left.c '-O2 -fopenmp' report-json=report
test "$(left_of 5)" = '"call" 11 "straight" 14 "straight" 15 '
verdict $? 'a report lists the statements between the loops that were taken'
test "$(grep -c '"inside": 5, "taken": "done"' report)" -eq 2 \
  && grep -q 'left.c:7:5: note: fused 2 loops into 1' log
verdict $? 'loops on one side of a call are one region'
test "$(left_of 17)" = '"call" 24 "control" 25 '
verdict $? 'and the loops inside that were not'
test "$(left_of 28)" = ''
verdict $? 'and none where nothing was taken'
grep -q 'left.c:25:10: note: left in place: a statement in it leaves' log \
  && test "$(grep -c 'left in place' log)" -eq 1
verdict $? 'what the verdict has not told of is said, too'

# The counts of constant sizes are numbers, of others formulas in C.
cat >ledger.c <<'END'
void
f (float *restrict x, const float *restrict y, int n)
{
#pragma tensor
  for (int i = 0; i < 100; i++)
    x[i] = y[i] * 2 + 1;
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 10; j++)
      x[i * 10 + j] = y[j] * 2;
}
END
rm -f report
compile ledger.c -O2 report-json=report
has '"line": 4,.*"flops": 200, "flops_after": 200, "bytes_before": 800, "bytes_after": 800, .*"exact": true'
has '"line": 7,.*"flops": "[^"]*n[^"]*", .*"bytes_before": "[^"]*n[^"]*",.*"exact": true'

# Emitted C.
rm -f emitted.c
compile regions.c '-O2 -fopenmp -march=native' emit-c=emitted.c
test -s emitted.c
verdict $? 'C is emitted'
for options in -O0 '-O2 -Wall -Wextra -Wno-unknown-pragmas -Werror -std=c99' \
  '-O2 -fopenmp -Wall -Wextra -Werror -std=c99 -pedantic' \
  '-O2 -fopenmp -Wall -Wextra -Werror -std=gnu11'; do
  $CC_UNDER_TEST $options -c emitted.c -o emitted.o >log 2>&1
  status=$?
  test $status -eq 0 || cat log
  verdict $status "the emitted C compiles: $options"
done
if command -v clang >/dev/null; then
  clang -std=c99 -fsyntax-only emitted.c
  verdict $? 'the emitted C compiles: clang'
fi
grep -q '#pragma omp parallel for' emitted.c
verdict $? 'the emitted C has pragmas of OpenMP'

# Graphs.
rm -f groups.dot groups.json
compile regions.c '-O2 -fopenmp' graph=groups
test "$(grep -c '^digraph ' groups.dot)" -ge 3 \
  && test "$(grep -c '^digraph ' groups.dot)" -eq "$(grep -c '^}' groups.dot)"
verdict $? 'the graphs are digraphs that end'
awk '/^digraph/ { split ("", seen) } /->/ { n++; if (seen[$0]++) exit 1 }
  END { if (!n) exit 1 }' groups.dot
verdict $? 'an arrow stands once'
if command -v dot >/dev/null; then
  dot -Tsvg groups.dot >groups.svg
  verdict $? 'dot draws them'
fi
test -s groups.json \
  && ! awk -f "$here/json-line.awk" groups.json | grep -q '^bad'
verdict $? 'the graphs as JSON are an object a line'

# Regions that stand in one line.
cat >macro.c <<'END'
#define SWEEP(op)                                                            \
  _Pragma ("tensor") for (int i = 1; i < n; i++) x[i] op x[i - 1] + y[i];    \
  _Pragma ("tensor") for (int i = 0; i < n; i++) y[i] op 2 * x[i];
void
f (int n, float *restrict x, float *restrict y)
{
  SWEEP (=)
  SWEEP (+=)
}
END
rm -f macro.emitted.c lines.dot lines.json
compile macro.c '-O2 -fopenmp' 'emit-c=macro.emitted.c graph=lines'
test "$(grep -c '^f_[0-9_]*_tensor (' macro.emitted.c)" -eq 4 \
  && $CC_UNDER_TEST -c macro.emitted.c -o macro.emitted.o
verdict $? 'regions of one line are functions of their own'
grep -qF '"S1: x[i] = x[i - 1] + y[i]"' lines.json
verdict $? 'statements of graphs are C'
cat lines.json lines.dot | grep -q -e '+ -\|f32'
test $? -ne 0
verdict $? 'and no words of the IR'

# What is said, and where.
compile regions.c '-O2 -fopenmp' report=all
test "$(grep -c 'note: \(fused\|parallel\|kept\|simd\)' log)" -eq 4 \
  && test "$(grep -c 'warning: not transformed' log)" -eq 1
verdict $? 'report=all tells of all'
compile regions.c '-O2 -fopenmp' report=missed
! grep -q 'note: \(fused\|parallel\|kept\|simd\)' log \
  && grep -q "regions.c:$third:9: warning: not transformed: the call of print" log
verdict $? 'report=missed tells of what is not done'
compile regions.c '-O2 -fopenmp' report=none
test ! -s log
verdict $? 'report=none tells of nothing'
compile regions.c '-O2 -fopenmp -Werror' report=all
verdict $? '-Werror makes no error of it'
rm -f info
compile regions.c '-O2 -fopenmp -fopt-info-optimized=info' report=none
grep -q "regions.c:$first:9: optimized: fused 2 loops into 1" info
verdict $? '-fopt-info tells of what is done'
compile regions.c '-O2 -fopenmp -fopt-info-missed=info' report=none
grep -q "regions.c:$third:9: missed: not transformed: the call of" info \
  && grep -q "regions.c:$second:9: missed: kept as written" info
verdict $? '-fopt-info-missed tells of what is not'
compile regions.c '-O2' 'report-json=/nowhere/at/all'
test $? -ne 0 && grep -q 'error: cannot write to .*/nowhere/at/all' log
verdict $? 'a report that cannot be written is an error'
