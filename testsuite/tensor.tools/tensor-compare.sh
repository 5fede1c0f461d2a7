# tensor-compare builds, runs and compares one program, and says so as text,
# JSON and a page; it fails where it should.
# one GCC
compare=${TENSOR_COMPARE:-$BUILD/tools/tensor-compare}
TENSORCC=${TENSORCC:-$BUILD/tools/tensorcc}
TENSOR_CC=${CC_UNDER_TEST:-$GCC}
TMPDIR=$(pwd)/folder
export TENSORCC TENSOR_CC TMPDIR
failed=0
mkdir -p folder

# $1: what; $2: the status to expect; $3: a pattern in the output; the rest:
# arguments.
check ()
{
  what=$1 status=$2 pattern=$3
  shift 3
  "$compare" "$@" >log 2>&1
  got=$?
  if test $got = "$status" && grep -e "$pattern" log >/dev/null; then
    echo "PASS: $what"
  else
    echo "FAIL: $what"
    sed 's/^/  /' log
    echo "  status $got"
    failed=1
  fi
}

cat >prog.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static float x[200000], y[200000], z[200000];
int
main (int argc, char **argv)
{
  float sum = 0;
  for (int t = 0; t < 20; t++)
    {
#pragma tensor name("steps")
      {
        for (int i = 0; i < 200000; i++)
          y[i] = x[i] + FACTOR * i;
        for (int i = 0; i < 200000; i++)
          z[i] = y[i] * y[i];
        for (int i = 0; i < 200000; i++)
          x[i] = z[i] + y[i];
      }
    }
  for (int i = 0; i < 200000; i += 1000)
    sum += x[i];
  printf ("sum %.4g, %s\n", sum, argc > 1 ? argv[1] : "no argument");
  fprintf (stderr, "%ld\n", (long) clock ());
  return 0;
}
END
cat >unlike.c <<'END'
#include <stdio.h>
int
main (void)
{
#ifdef __FAST_MATH__
  printf ("fast 1.0\n");
#else
  printf ("slow 1.0\n");
#endif
  return 0;
}
END
cat >differs.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int
main (void)
{
  printf ("%d\n", getenv ("TRM_PROFILE") != NULL);
  return 0;
}
END
cat >refuses.c <<'END'
#include <stdio.h>
int
main (void)
{
  puts ("1.0");
#ifdef __FAST_MATH__
  return 3;
#endif
  return 0;
}
END
echo 'int main (void) { return 3; }' >three.c
echo 'int main (void) { return x; }' >bad.c

check 'a table, arguments with blanks' 0 '^whole program' \
  --runs=3 prog.c '-DFACTOR= 1e-8f' -- 'an argument'
check 'outputs agree' 0 'all outputs agree' --runs=3 prog.c -DFACTOR=1e-8f
check 'JSON' 0 '"whole": {"times": {"plain": {"median_ns": [1-9]' \
  --runs=3 --json prog.c -DFACTOR=1e-8f
check 'the prediction beside what was measured' 0 \
  '"predicted": [0-9.]*, "measured": [0-9]' \
  --runs=3 --json prog.c -DFACTOR=1e-8f
check 'a page' 0 'whole program' \
  --runs=3 --html=page.html prog.c -DFACTOR=1e-8f
if grep '</html>' page.html >/dev/null \
  && ! grep -E 'https?://|<link|src=' page.html; then
  echo 'PASS: the page needs nothing else'
else
  echo 'FAIL: the page needs nothing else'
  failed=1
fi
check 'a difference under -ffast-math is told, no failure' 0 \
  "line 1: 'slow 1.0' became 'fast 1.0'" --runs=3 unlike.c
check 'a program that refuses -ffast-math has times' 0 \
  'the output of -O3 -ffast-math differs: it ended with status 3' \
  --runs=1 refuses.c
grep '^whole program' log >/dev/null \
  && echo 'PASS: its times are told' \
  || { echo 'FAIL: its times are told'; failed=1; }
check 'another output of the same program is a failure' 1 \
  "the output of original differs: line 1: '0' became '1'" --runs=3 differs.c
check 'a program that fails' 2 'plain ended with status 3' three.c
cat >slope.c <<'END'
#include <stdio.h>
#include <stdlib.h>
static double x[3000], dy[3000], dx[3000];
void
square (int n, const double *x, double *y)
{
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[i];
}
#pragma tensor gradient(square) of(y: dy) wrt(x: dx)
void square_gradient (int n, const double *x, const double *dy, double *dx);
int
main (void)
{
  for (int i = 0; i < 3000; i++)
    x[i] = dy[i] = i;
  square_gradient (3000, x, dy, dx);
  printf ("%g\n", dx[2999]);
  return 0;
}
END
check 'a program with gradients' 0 \
  'does not link without the plugin' --runs=1 slope.c
grep '^square_gradient' log >/dev/null && grep '^all outputs agree' log >/dev/null
test $? -eq 0 && echo 'PASS: its gradients have times, as written too' \
  || { echo 'FAIL: its gradients have times, as written too'; failed=1; }
check 'a program that does not compile' 2 'building plain failed' bad.c
check 'no file' 2 'no C file is named'
check 'a file that is not there' 2 'cannot read none.c' none.c
if test -z "$(ls folder)"; then
  echo 'PASS: nothing is left behind'
else
  echo 'FAIL: nothing is left behind'
  failed=1
fi
exit $failed
