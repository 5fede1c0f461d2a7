# The examples of the library learn: a network of two layers its answers by
# heart, a convolutional one to read digits, one with pruned weights too, a
# recurrent one and a GPT to write, with the same output on any number of
# threads.  A terminal sees a bar.
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

# Compile the example $1.
build ()
{
  $CC_UNDER_TEST -O2 -fopenmp "-fplugin=$plugin" \
    -fplugin-arg-tensor-report=missed "-I$SOURCE/libtensorrt-mini" \
    "$SOURCE/examples/$1.c" -o "$1" "-L$BUILD/libtensorrt-mini" \
    "-Wl,-rpath,$BUILD/libtensorrt-mini" -ltensorrt-mini -lm >"$1.log" 2>&1
}

# The bar of the example that was built as $1 and run with $2 goes to a terminal,
# and not to the file $1.err.
has_bar ()
{
  ! grep '#' "$1.err" >/dev/null
  verdict $? "$1 draws no bar into a file"
  if command -v script >/dev/null; then
    script -qec "./$1 $2" "$1.tty" </dev/null >/dev/null 2>&1
    grep '|################|' "$1.tty" >/dev/null
    verdict $? "$1 draws a bar on a terminal"
  else
    echo "UNSUPPORTED: $1 draws a bar on a terminal: no script"
  fi
}

LC_ALL=C
export LC_ALL
build net && OMP_NUM_THREADS=1 ./net >net.1 2>net.err
awk '/^after 500 steps/ { good = $NF < 1e-5 } END { exit !good }' net.1
verdict $? 'two layers learn 64 answers by heart'
OMP_NUM_THREADS=3 ./net >net.3 2>/dev/null && cmp net.1 net.3
verdict $? 'three threads learn the same as one'
has_bar net 20

build convnet && OMP_NUM_THREADS=1 ./convnet "$SOURCE/examples/digits.csv" \
  >convnet.1 2>convnet.err
tail -1 convnet.1
awk '/^epoch 10:/ { good = $(NF - 2) > 95 } END { exit !good }' convnet.1
verdict $? 'a convolutional network reads more than 95 % of the digits'
grep '<polyline' convnet.svg >/dev/null
verdict $? 'it draws the curve of its loss'
OMP_NUM_THREADS=3 ./convnet "$SOURCE/examples/digits.csv" >convnet.3 \
  2>/dev/null && cmp convnet.1 convnet.3
verdict $? 'three threads read the same as one'
has_bar convnet "'$SOURCE/examples/digits.csv'"

build pruned && ./pruned "$SOURCE/examples/digits.csv" >pruned.out 2>&1
cat pruned.out
awk '/ pruned: / { n++; good += $4 > 95 } END { exit n != 3 || good != 3 }' \
  pruned.out
verdict $? 'with none, half and nine tenths pruned it reads more than 95 %'

# The example $1, which learns to write, for $2 steps: the loss on letters that
# it has not seen falls below $3.
writes ()
{
  build "$1" && OMP_NUM_THREADS=1 "./$1" "$2" 50 "$SOURCE/NEWS" >"$1.1" \
    2>"$1.err"
  grep '^unseen letters' "$1.1"
  awk -v least="$3" '/^unseen letters: loss/ { good = $4 < least }
                     END { exit !good }' "$1.1"
  verdict $? "$1 learns to write"
  OMP_NUM_THREADS=3 "./$1" "$2" 50 "$SOURCE/NEWS" >"$1.3" 2>/dev/null \
    && cmp "$1.1" "$1.3"
  verdict $? "$1: three threads write the same as one"
  has_bar "$1" "10 1 '$SOURCE/NEWS'"
}
writes letters 60 2.6
writes smallgpt 20 3.0
