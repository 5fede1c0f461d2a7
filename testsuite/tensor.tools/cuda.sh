# Kernels in CUDA C on the CPU: testsuite/cuda has texts, which compute what
# plain loops do in each order of threads and blocks, and texts that are wrong,
# each stopped with its line.  Where nvcc or NVRTC is here they take the texts
# without a word.
# one GCC
here=$SOURCE/testsuite/cuda
texts='chain rows sum product transpose tiles groups warp'
CC=$CC_UNDER_TEST
CXX=$(echo "$CC" | sed 's/gcc\([^/]*\)$/g++\1/')
command -v "$CXX" >/dev/null || CXX=g++
CUDA_CPU=$PWD/cuda_cpu.o
export CC CXX CUDA_CPU
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

if ! command -v "$CXX" >/dev/null; then
  echo 'UNSUPPORTED: no g++ for kernels'
  exit 0
fi

for program in kernels faults random; do
  $CC -std=gnu11 -O1 -Wall -Wextra -Werror "$here/$program.c" \
    "$here/launch.c" -o $program -ldl -lm || failed=1
done
for text in $texts faults random; do
  sh "$here/build-cpu" "$here/$text.cu" ./$text.so >log 2>&1 \
    && test ! -s log
  verdict $? "$text.cu is compiled"
  cat log
done
./kernels . || failed=1
./faults . "$here/faults.cu" || failed=1
./random . || failed=1

# Take the lines of the text $1 with the pattern $2 away: in one of the orders
# something is wrong, which $3 tells.
planted ()
{
  sed "/$2/s/.*//" "$here/$1.cu" >planted/$1.cu
  ! cmp -s planted/$1.cu "$here/$1.cu" \
    && sh "$here/build-cpu" planted/$1.cu planted/$1.so >told 2>&1 \
    && ! ./kernels planted $1 >>told && grep "$3" told >/dev/null
  verdict $? "$1.cu without $2 is found"
  grep "$3" told >/dev/null || cat told
}

mkdir planted
ordered='and nothing orders'
planted product __syncthreads "product.cu:[23][0-9]: thread.*$ordered"
planted transpose __syncthreads "transpose.cu:[12][0-9]: thread.*$ordered"
planted sum __threadfence "sum.cu:52: thread.*wrote at sum.cu:43.*$ordered"
planted tiles 'all have read' "tiles.cu:[0-9]*: thread.*$ordered"
planted tiles 'tns_wait<1>' 'tiles.cu:[0-9]*: thread.*has not waited for'
waited='a product reads which.*has not waited for'
planted groups 'all have copied' "groups.cu:[0-9]*: thread.*$waited"
planted groups 'the last step' "groups.cu:[0-9]*: thread.*$waited"
planted groups 'tns_wait<0>' 'thread.*reads.*a copy fills.*has not waited for'
planted groups tns_group_show 'a warpgroup.*reads.*groups.cu.*has not shown it'
planted groups tns_group_fence 'groups.cu:.*no wgmma.fence has given away'
planted groups tns_group_commit 'groups: wrong'
planted groups '[*] all [*]' 'groups: wrong'

# The same on other coroutines, with a clock that often begins anew, and without
# looking at accesses.
mkdir other
other=$PWD/other/cuda_cpu.o
RUN_FLAGS='-DTNS_CPU_UCONTEXT -DTNS_CPU_MOST_TIME=100' CUDA_CPU=$other \
  sh "$here/build-cpu" "$here/random.cu" other/random.so \
  && CHECKS= CUDA_CPU=$other \
    sh "$here/build-cpu" "$here/product.cu" other/product.so \
  && ./random other 60 && ./kernels other product
verdict $? 'other coroutines, another clock, no checks'

# What relies on shuffles to order memory is found where somebody asks.
mkdir strict
sh "$here/build-cpu" "$here/faults.cu" strict/faults.so \
  -DTNS_CPU_SHUFFLES_ORDER=0
./faults strict "$here/faults.cu" >told
grep -c '^FAIL' told | grep '^1$' >/dev/null \
  && grep '^shuffle_order: .*nothing orders' told >/dev/null
verdict $? 'shuffles that order nothing'

# What would add in any order, and what no text may say, does not compile.
cannot ()
{
  printf '%s\n' "extern \"C\" __global__ void f (float *x) { $1; }" >cannot.cu
  ! sh "$here/build-cpu" cannot.cu ./cannot.so >log 2>&1 \
    && grep "cannot.cu:1:.*error: $2" log >/dev/null
  verdict $? "$1 does not compile"
}
cannot 'atomicAdd (x, 1.0f)' 'use of deleted function'
cannot 'x = INFINITY' '.INFINITY. was not declared'

# A text for nvcc and NVRTC, with what stands in front of kernels.
{
  for part in prelude prelude-group; do
    echo "#line 1 \"cuda-$part.h\""
    cat "$SOURCE/lowering/cuda-$part.h"
  done
  for text in $texts; do
    echo "#line 1 \"$text.cu\""
    cat "$here/$text.cu"
  done
} >all.cu

devices='80 90'
codes=
nvcc=$(command -v nvcc || command -v /usr/local/cuda/bin/nvcc)
if test -n "$nvcc"; then
  "$nvcc" --list-gpu-arch | grep compute_100 >/dev/null && devices='80 90 100'
  devices="$devices 90a"
  for device in $devices; do
    codes="$codes -gencode arch=compute_$device,code=sm_$device"
  done
  "$nvcc" -Werror all-warnings -fatbin $codes all.cu -o all.fatbin >log 2>&1 \
    && test ! -s log && test -s all.fatbin
  verdict $? "nvcc takes the texts, for $devices"
  cat log
else
  echo 'UNSUPPORTED: no nvcc'
fi

nvrtc=$(ls "${nvcc%/bin/nvcc}"/lib64/libnvrtc.so.* 2>/dev/null \
  | grep -v 'alt' | head -1)
if test -n "$nvcc" && test -n "$nvrtc"; then
  $CC -std=gnu11 -O1 -Wall -Wextra -Werror "$here/nvrtc.c" -o nvrtc -ldl \
    && ./nvrtc "$nvrtc" all.cu $(printf 'sm_%s ' $devices) >log 2>&1 \
    && test ! -s log
  verdict $? "NVRTC takes the texts, for $devices"
  cat log
else
  echo 'UNSUPPORTED: no NVRTC'
fi
exit $failed
