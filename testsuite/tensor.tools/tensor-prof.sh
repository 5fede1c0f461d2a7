# tensor-prof: its outputs for a program that is not changed for it, several
# runs, what changed between two profiles, a region as a program of its own, and
# what it says when it fails.
# one GCC
prof=${PROF:-$BUILD/tools/tensor-prof}
tensorcc=${TENSORCC:-$BUILD/tools/tensorcc}
TENSOR_CC=${CC_UNDER_TEST:-$GCC}
export TENSOR_CC
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

# Whether the command behind $2 $3 exits with the status $1 and tells the
# pattern $2; $3 says what that shows.
ends ()
{
  status=$1 pattern=$2 what=$3
  shift 3
  "$prof" "$@" >told 2>&1
  got=$?
  if test $got = "$status" && grep -e "$pattern" told >/dev/null; then
    echo "PASS: $what"
  else
    echo "FAIL: $what"
    echo "  exit status $got, not $status, or no $pattern"
    sed 's/^/  /' told
    failed=1
  fi
}

# Whether $1 is JSON, where something here can tell.
is_json ()
{
  if command -v python3 >/dev/null; then
    python3 -m json.tool "$1" >/dev/null
  else
    test -s "$1"
  fi
}

cat >program.c <<'END'
#include <stdio.h>
#include <stdlib.h>

static float x[20000], y[20000];

static __attribute__ ((noinline)) void
scale (int n)
{
#pragma tensor name("scale")
  for (int i = 0; i < n; i++)
    y[i] = 2 * x[i];
}

static __attribute__ ((noinline)) void
add (int n)
{
#pragma tensor name("add <3")
  for (int i = 0; i < n; i++)
    y[i] += x[i] * x[i];
}

int
main (int argc, char **argv)
{
  int turns = argc > 1 ? atoi (argv[1]) : 50;
  for (int i = 0; i < turns; i++)
    {
      scale (20000);
      if (i % 5 == 0)
        add (20000);
    }
  printf ("%g\n", y[7]);
  return argc > 2 ? atoi (argv[2]) : 0;
}
END
"$tensorcc" --tensor-report=none -O2 program.c -o program
verdict $? 'a program'
printf 'int main (void) { return 0; }\n' >plain.c
$TENSOR_CC plain.c -o plain
verdict $? 'one without the runtime'

ends 0 '^scale *program.c:9 *50 ' 'the table' ./program
grep '^Region .* Roof % .*Bound by$' told >/dev/null
verdict $? 'with what the machine reaches'
ends 3 '^all ' 'its status is the program'"'"'s' --table ./program 10 3
ends 0 '^scale *program.c:9 *10 ' 'the same from the switch' -- ./program 10
mkdir folder
ends 0 '^0$' 'outputs in files, and no table' --html=page.html \
  --trace=folder/trace.json --json=all.json --dot=calls.dot \
  --samples=samples ./program
! grep '^Region' told >/dev/null
verdict $? 'the table is not told then'
is_json folder/trace.json && grep '"ph": "X".*"name": "scale"' \
  folder/trace.json >/dev/null
verdict $? 'a trace'
is_json all.json && grep '"name": "scale".*"calls": 50' all.json >/dev/null
verdict $? 'JSON'
grep '^digraph' calls.dot >/dev/null && grep 'add <3' calls.dot >/dev/null
verdict $? 'a graph'
grep '</html>' page.html >/dev/null && grep 'add .u003c3' page.html >/dev/null
verdict $? 'a page'
test "$(grep -c '"ph": "X"' folder/trace.json)" -eq 60
verdict $? 'a trace has each call'
ends 0 'medians of 3 runs' 'several runs' --runs=3 --json=three.json ./program
is_json three.json && grep '"name": "scale".*"self_min_ns"' three.json >/dev/null
verdict $? 'as JSON'
ends 0 '^add ' 'rows in another order' --sort=calls --by=name ./program

# Where samples were, by line: a region, and a loop without a pragma.
cat >hot.c <<'END'
#include <stdio.h>

static float x[20000], y[20000];

static __attribute__ ((noinline)) void
scale (int n)
{
#pragma tensor name("scale")
  for (int i = 0; i < n; i++)
    y[i] = 2 * x[i] / (1 + x[i] * y[i]);
}

static __attribute__ ((noinline)) void
smooth (int n)
{
  for (int i = 1; i < n; i++)
    y[i] = y[i - 1] * 0.5f + x[i];
}

int
main (void)
{
  for (int i = 0; i < 10000; i++)
    {
      for (int k = 0; k < 4; k++)
        scale (20000);
      smooth (20000);
    }
  printf ("%g\n", y[7]);
  return 0;
}
END
for version in 4 5; do
  "$tensorcc" --tensor-report=none -O1 -gdwarf-$version hot.c -o hot
  ends 0 '^note: smooth has .* most at hot.c:1[67], and is in no region$' \
    "a hot loop without a pragma, version $version" --json=hot.json --table \
    ./hot
  grep -E '^ .* hot.c:1[67]  *smooth$' told >/dev/null
  verdict $? 'by line'
  grep -E '^ .* hot.c:(8|9|10)  *scale.*, in scale$' told >/dev/null
  verdict $? 'a line of a region'
done
"$tensorcc" --tensor-report=none -O1 hot.c -o hot
ends 0 'smooth in the program$' 'the same without lines' ./hot
grep -E '^ .* hot.c:8  *scale.*, in scale$' told >/dev/null
verdict $? 'a region has its own line'
is_json hot.json && grep '"file": "hot.c", "line": 1[67], "region": -1' hot.json \
  >/dev/null
verdict $? 'lines as JSON'

# Who holds memory, by line.
cat >held.c <<'END'
#include <tensorrt-mini.h>

int
main (void)
{
  int64_t extent = 250000;
  trm_tensor *a = trm_zeros (TRM_F32, 1, &extent);
  trm_tensor *b = trm_add (a, a);
  trm_drop (a);
  trm_drop (b);
  return 0;
}
END
"$tensorcc" --tensor-report=none -O1 -g held.c -o held
"$prof" --memory=held.text --json=held.json ./held >told 2>&1 && test ! -s told
verdict $? 'memory in a file'
grep '^memory at its most 1.9 MiB' held.text >/dev/null \
  && grep ' 976.6 KiB .* 0 B .* 1  held.c:7 in main$' held.text >/dev/null \
  && grep ' 976.6 KiB .* 0 B .* 1  held.c:8 in main$' held.text >/dev/null
verdict $? 'by line'
is_json held.json && grep '"file": "held.c", "line": 7, "temporaries": false,' \
  held.json >/dev/null
verdict $? 'as JSON'

# What changed: from texts, so that times are known.
profile ()
{
  echo "{\"runs\": 5, \"wall_ns\": $1, \"wall_spread_ns\": 1000,"
  echo ' "regions": ['
  echo "{\"name\": \"same\", \"file\": \"a.c\", \"line\": $2,"
  echo " \"self_ns\": 500000, \"self_spread_ns\": 100},"
  echo "{\"name\": \"noisy\", \"file\": \"a.c\", \"line\": 9,"
  echo " \"self_ns\": $3, \"self_spread_ns\": 90000},"
  echo "{\"name\": \"$4\", \"file\": \"a.c\", \"line\": 20,"
  echo " \"self_ns\": $5, \"self_spread_ns\": 100}]}"
}
profile 2000000 1 400000 work 900000 >a.json
profile 1500000 5 500000 work 300000 >b.json
profile 1500000 5 500000 other 300000 >c.json
ends 0 '^work .* 900 us *300 us .*0.33x  faster$' 'what became faster' \
  diff a.json b.json
grep '^same *a.c:5 .*1.00x  $' told >/dev/null
verdict $? 'a region that has moved is the same'
grep '^noisy .*1.25x  $' told >/dev/null
verdict $? 'a change below the noise is none'
head -2 told | grep '^work' >/dev/null
verdict $? 'the largest change stands first'
ends 0 '^work .*gone$' 'what is gone' diff a.json c.json
grep '^other .*new$' told >/dev/null
verdict $? 'what is new'
ends 0 'does not tell its noise' 'a single run has no spread' \
  diff all.json all.json

# A region as a program of its own: as GCC compiles it and as the plugin does,
# with the numbers of the run, and with others.
cat >sizes.c <<'END'
#include <stdlib.h>
#include "rows.h"

static __attribute__ ((noinline)) void
product (int n, int m, float *restrict c, const float *restrict a)
{
#pragma tensor name("product")
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        float sum = 0;
        for (int k = 0; k < ROWS; k++)
          sum += a[i * ROWS + k] * a[j * ROWS + k];
        c[i * m + j] = sum;
      }
}

static __attribute__ ((noinline)) void
pick (int n, int from, const int *restrict at, const float *x,
      float *restrict y)
{
#pragma tensor name("pick") require(transform)
  for (int i = 0; i < n; i++)
    y[i + from] += x[at[i]] * x[i];
}

int
main (void)
{
  static float a[64 * ROWS], c[64 * 64];
  static int at[64];
  for (int i = 0; i < 20; i++)
    product (60, 50, c, a);
  product (4, 5, c, a);
  pick (33, 7, at, a, c);
  return 0;
}
END
mkdir include
echo '#define ROWS 40' >include/rows.h
"$tensorcc" --tensor-report=none -O2 -Iinclude sizes.c -o sizes
verdict $? 'a program with a folder of headers'
"$prof" --json=sizes.json ./sizes && is_json sizes.json
verdict $? 'its profile'
ends 0 'product n=60 m=50 .* 20 ' 'rows by shape' --by=shape ./sizes
ends 2 'name the command that compiled it' 'a file that needs more words' \
  extract product sizes.json

# Extract the region behind the first words of "$@" to $1.c, and run it.
extracted ()
{
  file=$1 what=$2
  shift 2
  "$prof" extract "$@" -- "$tensorcc" -O2 -Iinclude -c sizes.c -o sizes.o \
    >$file.c 2>told && test ! -s told && test ! -e sizes.o
  verdict $? "$what"
  cat told
  $TENSOR_CC -O1 -Wall -Werror -Wno-unknown-pragmas $file.c -o $file.plain -lm \
    && ./$file.plain >$file.out \
    && "$tensorcc" --tensor-report-json=$file.json -O1 $file.c -o $file.fast \
    2>told && ./$file.fast >>$file.out
  verdict $? 'it compiles and runs, with the plugin, too'
  grep '"verdict": "done"' $file.json >/dev/null
  verdict $? 'which takes its loops'
  test "$(grep -c ': median [0-9.e+-]* us, .*, .* GB/s$' $file.out)" -eq 2
  verdict $? 'and tells its time'
  line=$(sed -n 's/^     \(.* bench\.c -lm .*a\.out\)  \*\/$/\1/p' $file.c)
  test "$line" = "$tensorcc -O2 bench.c -lm && ./a.out"
  verdict $? 'and the command that compiles it as the file was'
  (mkdir $file.folder && cp $file.c $file.folder/bench.c && cd $file.folder \
    && sh -c "$line" 2>/dev/null | grep ': median ' >/dev/null)
  verdict $? 'which does'
}
extracted longest 'the calls that took longest' product sizes.json
grep '^product n=60 m=50: ' longest.out >/dev/null
verdict $? 'have the sizes of the run'
grep '20 calls with these sizes' longest.c >/dev/null
verdict $? 'and say how many there were'
extracted second 'the others' --shape=2 sizes.c:7 sizes.json
grep '^product n=4 m=5: ' second.out >/dev/null
verdict $? 'have theirs'
extracted gather 'subscripts from an array, numbers that are no sizes' \
  pick sizes.json
grep '^pick n=33 from=7 places=[0-9]*: ' gather.out >/dev/null
verdict $? 'are told'
$TENSOR_CC -O1 -DGIVEN_n=9 -DPLACES=5000 gather.c -o gather.other -lm \
  && ./gather.other | grep '^pick n=9 from=7 places=5000: ' >/dev/null
verdict $? 'or said'
"$prof" extract product sizes.json -- "$tensorcc" -DTWO='a b' -DA '-I inc' \
  -march=native -include rows.h -Iinclude -MMD -MF deps '-ffast-math' \
  '-frandom-seed=a b' sizes.c -shared -osizes.so >words.c 2>told
grep "^     $tensorcc -march=native -ffast-math '-frandom-seed=a b' bench" \
  words.c >/dev/null
verdict $? 'words that say where something is are left out, others quoted'
ends 2 'knows 2 shapes' 'one shape too many' extract --shape=3 product sizes.json
ends 2 'has no region nothing' 'no such region' extract nothing sizes.json
ends 2 'that can run alone' 'another file' extract product sizes.json -- \
  "$tensorcc" program.c
ends 2 'takes a region and a file' 'no profile to extract from' extract product

ends 2 'wrote no profile' 'a program without the runtime' ./plain
ends 2 'cannot run ./nothing' 'no such program' ./nothing
ends 2 'no program is named' 'no program'
ends 2 '[-]-tree is not known' 'a switch that is not known' --tree ./program
ends 2 'has a comma' 'a file that TRM_PROFILE cannot name' --json=a,b ./program
ends 2 'holds no profile' 'a file without a profile' diff program.c a.json
ends 2 'takes two files' 'one file' diff a.json
ends 0 '^usage: tensor-prof' '--help' --help
ends 0 'gcc-tensor' '--version' --version
exit $failed
