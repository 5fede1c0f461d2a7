# README: its example compiles, and what it shows of the plugin, of the
# profile, of check and of tensor-compare is what they print now.
# one GCC
readme=$SOURCE/README.md
plugin=$BUILD/plugin/$GCC/tensor.so

verdict ()
{
  if test "$1" -eq 0; then
    echo "PASS: $2"
  else
    echo "FAIL: $2"
  fi
}

# Whether README has the line $1, with blanks in front.
shown ()
{
  sed 's/^ *//' "$readme" | grep -q -x -F -e "$1"
}

# The heads of columns in line $1, one blank between.
heads ()
{
  printf '%s\n' "$1" | sed 's/^ *//; s/  */ /g'
}

LC_ALL=C
export LC_ALL
awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' "$readme" >distances.c
test -s distances.c
verdict $? 'there is an example'
$CC_UNDER_TEST -O3 -march=skylake-avx512 -fopenmp "-fplugin=$plugin" \
  -S distances.c -o distances.s >log 2>&1
verdict $? 'it compiles'
test "$(grep -c . log)" -eq 4
verdict $? 'with one note'
while read -r line; do
  shown "$line"
  verdict $? "README has the line: $line"
done <log

# On this machine.
$CC_UNDER_TEST -O3 -march=native -fopenmp "-fplugin=$plugin" \
  -fplugin-arg-tensor-report=none distances.c -o distances -lm \
  -Wl,-u,trm_register "$BUILD/libtensorrt-mini/libtensorrt-mini.a" -ldl -lm
./distances >out
TRM_PROFILE=table ./distances 2>table >/dev/null
TRM_MODE=check ./distances 2>check >/dev/null
for file in out check; do
  shown "$(cat $file)"
  verdict $? "README has the line: $(cat $file)"
done
head=$(heads "$(head -1 table)")
sed 's/  */ /g; s/^ //' "$readme" | grep -q -x -F -e "$head"
verdict $? "README has the profile's head"
test "$(wc -l <table)" -eq "$(sed -n '/^ *Region  *Where/,/^ *all /p' "$readme" | wc -l)"
verdict $? 'the profile has as many lines as README shows'
"$BUILD/tools/tensor-compare" --runs=1 distances.c >compare 2>/dev/null
for pattern in '^ *-O3 -O3 -ffast-math' '^region '; do
  head=$(heads "$(grep -m 1 -e "$pattern" compare)")
  sed 's/  */ /g; s/^ //' "$readme" | grep -q -x -F -e "$head"
  verdict $? "README has the head: $head"
done

cat >prog.c <<'END'
int f (int n, const float *x)
{
  int i;
#pragma tensor
  for (i = 0; i < n; i++)
    if (x[i] > 1)
      break;
  return i;
}
END
$CC_UNDER_TEST -O2 -fno-diagnostics-show-caret "-fplugin=$plugin" -c prog.c \
  2>&1 | grep -v 'In function' >log
while read -r line; do
  shown "$line"
  verdict $? "README has the line: $line"
done <log
