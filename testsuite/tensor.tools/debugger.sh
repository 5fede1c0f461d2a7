# Under TRM_MODE=original a debugger stops in the user's loop and prints x[i],
# of code compiled with check: at -O0 and at -Og.
failed=0

verdict ()
{
  if test "$1" -eq 0; then
    echo "PASS: $2"
  else
    echo "FAIL: $2"
    failed=1
  fi
}

if ! command -v gdb >/dev/null; then
  echo 'UNSUPPORTED: gdb'
  exit 0
fi

cat >loop.c <<'END'
#include <stdio.h>

static float x[50];

static __attribute__ ((noinline)) void
walk (float *x, int n)
{
#pragma tensor check
  for (int i = 0; i < n; i++)
    x[i] = x[i] * 2 - 1;
}

int
main (void)
{
  for (int i = 0; i < 50; i++)
    x[i] = i;
  walk (x, 50);
  printf ("%g\n", x[49]);
  return 0;
}
END

cat >commands <<'END'
set debuginfod enabled off
set confirm off
set width 0
break loop.c:10 if i == 7
run
print i
print x[i]
print x[i - 1]
backtrace 1
delete
finish
print x[7]
continue
END

# The debugger's answers for a program compiled with the options $1.
answers ()
{
  $CC_UNDER_TEST $1 -g "-fplugin=$BUILD/plugin/$GCC/tensor.so" \
    -fplugin-arg-tensor-report=none -I"$SOURCE/libtensorrt-mini" loop.c \
    -Wl,-u,trm_register "$BUILD/libtensorrt-mini/libtensorrt-mini.a" -lgomp \
    -ldl -lm -o loop || return
  TRM_MODE=original gdb -nx -batch -x commands ./loop 2>&1
}

# Answers of the options $1 must hold line $2.
expect ()
{
  grep -q -e "$2" answers
  verdict $? "$1: $3"
}

for options in -O0 '-O0 -fopenmp' '-Og -fopenmp'; do
  answers "$options" >answers
  expect "$options" '^Breakpoint 1[.0-9]*, walk (.*loop\.c:10$' \
    'the debugger stops in the loop as written'
  expect "$options" '^\$1 = 7$' 'it prints i'
  expect "$options" '^\$2 = 7$' 'it prints x[i]'
  expect "$options" '^\$3 = 11$' 'it prints x[i - 1], which is done'
  expect "$options" '^#0 .* walk (x=.*n=.*50) at .*loop\.c:10$' \
    'it shows the call'
  expect "$options" '^\$4 = 13$' 'it prints x after the loop'
  expect "$options" '^97$' 'the program ends'
  test $failed -eq 0 || cat answers
done
exit 0
