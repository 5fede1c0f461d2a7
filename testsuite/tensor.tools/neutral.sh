# A file without pragmas compiles to the same assembly with the plug-in loaded
# and without; g++ and the link-time optimizer are undisturbed.
plugin=$BUILD/plugin/$GCC/tensor.so
case $CC_UNDER_TEST in
  *gcc*) cxx=$(echo "$CC_UNDER_TEST" | sed 's/\(.*\)gcc/\1g++/') ;;
  *) cxx= ;;
esac

verdict ()
{
  if test "$1" -eq 0; then
    echo "PASS: $2"
  else
    echo "FAIL: $2"
  fi
}

cat >plain.c <<'END'
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct list
{
  struct list *next;
  double value[4];
};

static int table[64] = { 1, 2, 3 };

double
sum (const struct list *l, int n)
{
  double s = 0;
  for (; l; l = l->next)
    for (int i = 0; i < n && i < 4; i++)
      s += l->value[i] * sqrt (i);
  return s;
}

void
product (int n, float a[n][n], float b[n][n], float c[n][n])
{
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
#pragma GCC ivdep
      for (int j = 0; j < n; j++)
        c[i][j] += a[i][k] * b[k][j];
}

int
main (int argc, char **argv)
{
  int inner (int x) { return x + argc; }
  switch (argc)
    {
    case 1:
      table[argc] += inner (3);
    default:
      if (argc > 2)
        goto out;
      printf ("%s %d\n", argv[0], table[rand () % 64]);
    }
out:
  return ({ int k = inner (1); k > 9; });
}
END

# Debug information would quote the command line.
for options in -O0 -O2 '-O2 -g -gno-record-gcc-switches' '-O3 -march=native -fopenmp' -Os \
  '-O1 -fsanitize=undefined' '-O2 -fPIC' '-O2 -flto'
do
  $CC_UNDER_TEST $options -S plain.c -o without.s 2>without.log
  $CC_UNDER_TEST $options "-fplugin=$plugin" -S plain.c -o with.s 2>with.log
  case $options in
    *-flto*) test -s with.s ;;
    *) test -s with.s && cmp without.s with.s ;;
  esac
  verdict $? "$options: the same assembly"
  cmp without.log with.log
  verdict $? "$options: the same messages"
done

printf '#pragma unknown words\n#pragma tensorial\nint x;\n' >words.c
$CC_UNDER_TEST -Wall -c words.c 2>without.log
$CC_UNDER_TEST -Wall "-fplugin=$plugin" -c words.c 2>with.log
cmp without.log with.log
verdict $? 'pragmas of others are left to GCC'

# C++.
cat >unit.cc <<'END'
#include <vector>

template <class T>
static T
sum (const std::vector<T> &v)
{
  T s = 0;
  for (T x : v)
    s += x;
  return s;
}

int
main ()
{
  std::vector<int> v { 1, 2, 3 };
  try
    {
      return sum (v) - 6;
    }
  catch (...)
    {
      return 1;
    }
}
END
if test -n "$cxx" && command -v "$cxx" >/dev/null; then
  $cxx -O2 -S unit.cc -o without.s && $cxx -O2 "-fplugin=$plugin" \
    -fplugin-arg-tensor-report-json=cxx.json -S unit.cc -o with.s >cxx.log 2>&1
  verdict $? 'g++ compiles with the plug-in'
  cmp without.s with.s && test ! -s cxx.log && test ! -e cxx.json
  verdict $? 'to the same assembly, without a word'
else
  echo 'UNSUPPORTED: g++'
fi

# Link-time optimization: regions in two files, the plug-in also at the link.
cat >one.c <<'END'
extern float x[1000];
void
twice (int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    x[i] = x[i] * 2 + 1;
}
END
cat >two.c <<'END'
#include <stdio.h>
float x[1000];
extern void twice (int n);
int
main (void)
{
  double s = 0;
  for (int i = 0; i < 1000; i++)
    x[i] = i;
  twice (1000);
#pragma tensor
  for (int i = 0; i < 1000; i++)
    s += x[i];
  printf ("%g\n", s);
  return 0;
}
END
for options in '-O2 -flto' '-O2 -flto -fopenmp' '-O3 -flto -g -march=native'; do
  rm -f lto.json
  $CC_UNDER_TEST $options "-fplugin=$plugin" \
    -fplugin-arg-tensor-report-json=lto.json one.c two.c -o both -lm \
    >lto.log 2>&1
  verdict $? "$options: two files link"
  test "$(./both)" = 1e+06
  verdict $? "$options: the result is right"
  test "$(grep -c '"verdict": "done"' lto.json)" -eq 2
  verdict $? "$options: each region has one verdict"
  grep -v -e ': note: ' -e ': In function' -e '^ *[0-9]* |' -e '^ *|' lto.log
  test $? -ne 0
  verdict $? "$options: the linker says nothing"
done
