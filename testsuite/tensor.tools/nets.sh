# The examples of the library learn: a network of two layers its answers by
# heart, a convolutional one to read digits, a recurrent one and a GPT to write,
# with the same output on any number of threads.
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

LC_ALL=C
export LC_ALL
build net && OMP_NUM_THREADS=1 ./net >net.1 2>/dev/null
awk '/^after 500 steps/ { good = $NF < 1e-5 } END { exit !good }' net.1
verdict $? 'two layers learn 64 answers by heart'
OMP_NUM_THREADS=3 ./net >net.3 2>/dev/null && cmp net.1 net.3
verdict $? 'three threads learn the same as one'

build convnet && OMP_NUM_THREADS=1 ./convnet "$SOURCE/examples/digits.csv" \
  >convnet.1 2>/dev/null
tail -1 convnet.1
awk '/^epoch 10:/ { good = $(NF - 2) > 95 } END { exit !good }' convnet.1
verdict $? 'a convolutional network reads more than 95 % of the digits'
grep '<polyline' convnet.svg >/dev/null
verdict $? 'it draws the curve of its loss'
OMP_NUM_THREADS=3 ./convnet "$SOURCE/examples/digits.csv" >convnet.3 \
  2>/dev/null && cmp convnet.1 convnet.3
verdict $? 'three threads read the same as one'

# The example $1, which learns to write, for $2 steps: the loss on letters that
# it has not seen falls below $3.
writes ()
{
  build "$1" && OMP_NUM_THREADS=1 "./$1" "$2" 50 "$SOURCE/NEWS" >"$1.1" \
    2>/dev/null
  grep '^unseen letters' "$1.1"
  awk -v least="$3" '/^unseen letters: loss/ { good = $4 < least }
                     END { exit !good }' "$1.1"
  verdict $? "$1 learns to write"
  OMP_NUM_THREADS=3 "./$1" "$2" 50 "$SOURCE/NEWS" >"$1.3" 2>/dev/null \
    && cmp "$1.1" "$1.3"
  verdict $? "$1: three threads write the same as one"
}
writes letters 60 2.6
writes smallgpt 20 3.0
