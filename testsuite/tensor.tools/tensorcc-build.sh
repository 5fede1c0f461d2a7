# tensorcc builds what gcc builds: objects, several files, C++ and assembler
# beside C, shared and static, by make, with GCC's exit status.
tensorcc=${TENSORCC:-$BUILD/tools/tensorcc}
TENSOR_CC=${CC_UNDER_TEST:-$GCC}
export TENSOR_CC
failed=0

# $1: what; the rest: a command that must succeed.
check ()
{
  what=$1
  shift
  if "$@" >log 2>&1; then
    echo "PASS: $what"
  else
    echo "FAIL: $what"
    sed 's/^/  /' log
    failed=1
  fi
}

cat >one.c <<'END'
#include <stdio.h>
#include <math.h>
extern float sum (int n, const float *x);
int
main (void)
{
  float x[100];
  for (int i = 0; i < 100; i++)
    x[i] = sqrtf (i * i);
  printf ("%g\n", sum (100, x));
  return sum (100, x) != 4950;
}
END
cat >'two parts.c' <<'END'
extern float sum (int n, const float *x);
float
sum (int n, const float *x)
{
  float s = 0;
#pragma tensor
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}
END
echo 'int answer (void) { return 42; }' >cpp.cc
printf '  .section .note.GNU-stack,"",@progbits\n' >asm.s
cp asm.s asm2.S
echo 'int main (void) { return unknown; }' >bad.c

check 'two files at once' "$tensorcc" -O2 one.c 'two parts.c' -o both
check 'the program runs' ./both
check 'one object' "$tensorcc" -O2 -c one.c
check 'another' "$tensorcc" -O2 -c 'two parts.c' -o two.o
check 'objects linked' "$tensorcc" one.o two.o -o linked
check 'they run' ./linked
printf -- '-O2 one.c "two parts.c" -o "from a file"\n' >words
check 'words from a file' "$tensorcc" @words
check 'they build a program that runs' './from a file'
check 'assembler text on standard output' \
  sh -c '"$0" -O2 -S "two parts.c" -o - | grep "^sum:"' "$tensorcc"
check 'preprocessed' "$tensorcc" -E 'two parts.c' -o two.i
check 'the pragma is still there' grep 'pragma tensor' two.i
for only in -M -MM '-E -dM'; do
  check "$only alone" "$tensorcc" $only 'two parts.c'
done
check 'dependences beside the object' \
  "$tensorcc" -MD -MF two.d -c 'two parts.c' -o two.o
check 'assembler text' "$tensorcc" -O2 -S 'two parts.c' -o two-text.s
if test -n "$($CC_UNDER_TEST -print-prog-name=cc1plus | grep /)"; then
  check 'C++ and assembler on the line' \
    "$tensorcc" -O2 one.c 'two parts.c' cpp.cc asm.s asm2.S -o mixed
  check 'they run' ./mixed
else
  echo 'UNSUPPORTED: C++ on the line (no compiler for it)'
fi
check 'a shared object' \
  "$tensorcc" -O2 -shared -fPIC 'two parts.c' -o libtwo.so
check 'a program with it' "$tensorcc" one.c -L. -ltwo -Wl,-rpath,. -o uses
check 'it runs' ./uses
check '-flto' "$tensorcc" -O2 -flto one.c 'two parts.c' -o lto
check 'it runs' ./lto
check '-static' "$tensorcc" -O2 -static one.c 'two parts.c' -o static
check 'it runs' ./static
check '-static-pie' \
  "$tensorcc" -O2 -fPIE -static-pie one.c 'two parts.c' -o static-pie
check 'it runs' ./static-pie
check 'the static program has the runtime' \
  sh -c 'TRM_PROFILE=table ./static 2>&1 | grep "outside regions"'
check 'the shared one too' \
  sh -c 'TRM_PROFILE=table ./both 2>&1 | grep "outside regions"'
check 'nothing is written unasked' \
  sh -c './both >out 2>err && test ! -s err && test "$(cat out)" = 4950'
check 'from standard input' \
  sh -c 'echo "int main (void) { return 0; }" | "$0" -x c - -o stdin && ./stdin' \
  "$tensorcc"

cat >makefile <<'END'
both-make: one.o two.o
	$(CC) $(CFLAGS) $^ -o $@
two.o: two\ parts.c
	$(CC) $(CFLAGS) -c "two parts.c" -o $@
END
rm -f one.o two.o
check 'make CC=tensorcc' make CC="'$tensorcc'" CFLAGS=-O2
check 'the result runs' ./both-make

"$tensorcc" bad.c 2>errors
ours=$?
$TENSOR_CC bad.c 2>errors
check "GCC's exit status" test $ours = $?
exit $failed
