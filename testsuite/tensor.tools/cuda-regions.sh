# Regions with target(cuda): the programs of testsuite/tensor.cuda, whose kernels
# a driver runs that is none, each access looked at.  They leave what the plain
# loops leave, on the device, and on the CPU where that fails at each place; what
# is told of them; the kernels of all, compiled by nvcc and NVRTC where they are.
here=$SOURCE/testsuite/cuda
programs=$SOURCE/testsuite/tensor.cuda
plugin=$BUILD/plugin/$GCC/tensor.so
drivers=$BUILD/check/cuda
failed=0

verdict ()
{
  if test "$1" -eq 0; then
    echo "PASS: $2"
  else
    echo "FAIL: $2"
    failed=1
    test ! -f log || sed 40q log
  fi
}

CXX=$(echo "$CC_UNDER_TEST" | sed 's/gcc\([^/]*\)$/g++\1/')
command -v "$CXX" >/dev/null || CXX=g++
if ! command -v "$CXX" >/dev/null; then
  echo 'UNSUPPORTED: no g++ for kernels'
  exit 0
fi
if ! test -f "$drivers/libcuda.so.1"; then
  echo 'UNSUPPORTED: the driver that is none was not built'
  exit 0
fi

# Kernels of one text are compiled once, for all compilers and whenever this is
# run, as long as what runs them is the same.
key=$(cat "$here"/cuda_cpu* "$here/build-cpu" "$SOURCE/lowering/cuda-prelude.h" \
  | cksum | tr ' ' -)
cache=$drivers/cache-$key
mkdir -p "$cache"
cat >build <<END
#!/bin/sh
unset CHECKS
CXX='$CXX' exec sh '$here/build-cpu' "\$1" "\$2"
END

# Compile program $1 with the options that follow.
compile ()
{
  name=$1
  shift
  $CC_UNDER_TEST -fplugin="$plugin" -fno-diagnostics-show-caret \
    -fplugin-arg-tensor-report-json=$name.json -Wall -Wno-unknown-pragmas \
    -I"$SOURCE/libtensorrt-mini" "$@" "$programs/$name.c" -o $name.exe \
    -Wl,--no-as-needed "$BUILD/libtensorrt-mini/libtensorrt-mini.so" \
    "-Wl,-rpath,$BUILD/libtensorrt-mini" -fopenmp -lm >log 2>&1
}

# Run program $1 on the driver with the settings that follow.
run ()
{
  name=$1
  shift
  env OMP_NUM_THREADS=2 FAKE_NVRTC_BUILD="$PWD/build" LD_LIBRARY_PATH="$drivers" \
    XDG_CACHE_HOME="$cache" TRM_DEVICE=cuda TRM_VERBOSE=1 "$@" ./$name.exe \
    >log 2>&1
}

# Run program $1 with the settings that follow: right, though on the CPU.
fails ()
{
  run "$@" && grep 'ran on the CPU' log >/dev/null
}

# How many of the lines of log that tell how often a region was called tell of
# calls, none of which fell back.
on_device ()
{
  sed -n "s/.*was called \([0-9]*\) times, 0 fell.*/\1/p" log | grep -c -v '^0$'
}

# What does regions again where a device fails late.
$CC_UNDER_TEST -std=gnu11 -O1 -shared -fPIC -Wno-unknown-pragmas \
  -I"$SOURCE/libtensorrt-mini" "$here/again.c" -o again.so >log 2>&1
verdict $? 'what does regions again is compiled'

# Run program $1 with nothing else.
again ()
{
  LD_PRELOAD=$PWD/again.so ./$1.exe >log 2>&1 \
    && grep '^[1-9][0-9]* runs were done again' log >/dev/null \
    && ! grep 'cannot be done' log >/dev/null
}

# Each program by this GCC at -O2 or at -O0, by the other the other way.
turn=$(echo "$GCC" | sed 's/[^0-9]//g')
for source in "$programs"/*.c; do
  name=$(basename "$source" .c)
  turn=$((turn + 1))
  options='-O2 -fopenmp -march=native'
  test $((turn % 2)) = 0 || options=-O0
  compile $name $options
  verdict $? "$name: compiled with $options"
  regions=$(grep -c '"verdict": "done"' $name.json)
  devices=$(grep -c '"target": "cuda"' $name.json)
  test "$regions" -gt 0 && test "$regions" = "$devices"
  verdict $? "$name: each of $regions regions has kernels"
  run $name FAKE_CUDA_SEED=1
  verdict $? "$name: right on the device"
  test "$(on_device)" -ge "$((regions - 1))" \
    && ! grep -e 'ran on the CPU' -e ' RACE' log >/dev/null
  verdict $? "$name: the device took its regions"
  fails $name TRM_DEVICE=cpu && fails $name FAKE_CUDA_FAIL=cuInit:1+:100 \
    && fails $name FAKE_CUDA_FAIL=run:3+:700 \
    && fails $name FAKE_CUDA_FAIL=cuLaunchKernel:2:1,cuMemcpyHtoDAsync:3:1
  verdict $? "$name: right where the device fails"
  again $name
  verdict $? "$name: right where regions are done again"
done

# Two versions that are compared.
compile chain-1 -O2 -fplugin-arg-tensor-check && run chain-1 TRM_MODE=check
verdict $? 'chain-1: both versions compared'

# What is told; the kernels as files.
mkdir kept
for source in "$programs"/*.c; do
  name=$(basename "$source" .c)
  (cd kept && $CC_UNDER_TEST -fplugin="$plugin" -O2 -fopenmp -save-temps \
    -fno-diagnostics-show-caret -c "$source" -o $name.o) >log 2>&1
  test "$(grep -c 'note: .*kernels* for CUDA' log)" -gt 0 \
    && test "$(grep -c 'note: .*kernels* for CUDA' log)" \
      = "$(ls kept/$name.*.cu | wc -l)"
  verdict $? "$name: a note and a file for each region"
done

# Gradients, whose blocks have blocks in them.
(cd kept && $CC_UNDER_TEST -fplugin="$plugin" -O2 -fopenmp -save-temps \
  -fplugin-arg-tensor-target=cuda -fplugin-arg-tensor-report=none \
  -c "$SOURCE/testsuite/tensor.grad/lanes-own-1.c" -o lanes-own-1.o) >log 2>&1 \
  && sh "$here/build-cpu" kept/lanes-own-1.rows_gradient.cu rows.so >log 2>&1
verdict $? 'lanes-own-1: g++ takes the kernels of a gradient'

# Without its waits a block is found out, and the CPU does the work.
cat >without <<END
#!/bin/sh
grep triangles "\$1" >/dev/null || exit 1
unset CHECKS
sed '/^      *__syncthreads/d' "\$1" >without.cu
CXX='$CXX' exec sh '$here/build-cpu' without.cu "\$2"
END
compile rows-1 -O2 -fopenmp
mkdir other
run rows-1 FAKE_NVRTC_BUILD="$PWD/without" XDG_CACHE_HOME="$PWD/other"
verdict $? 'rows-1 without waits: right'
grep "triangles.*ran on the CPU.*a kernel failed" log >/dev/null
verdict $? 'rows-1 without waits: found out'

# All kernels for nvcc and NVRTC; one file by itself.  What they have taken is
# not tried again.
cat kept/*.cu >all.cu
taken=$cache/taken-$(cksum <all.cu | tr ' ' -)
nvcc=$(command -v nvcc || command -v /usr/local/cuda/bin/nvcc)
if test -f "$taken"; then
  cat "$taken"
  exit $failed
elif test -n "$nvcc"; then
  arches='80 90'
  ! "$nvcc" --list-gpu-arch | grep compute_100 >/dev/null || arches='80 90 100'
  codes=
  for arch in $arches; do
    codes="$codes -gencode arch=compute_$arch,code=sm_$arch"
  done
  "$nvcc" -std=c++17 -Werror all-warnings -fatbin -t 2 $codes all.cu \
    -o all.fatbin >log 2>&1 && test ! -s log && test -s all.fatbin
  verdict $? "nvcc takes the kernels for $arches" | tee told
  alone=$(ls kept/rows-1.softmax*.cu | head -1)
  "$nvcc" -std=c++17 -Werror all-warnings -cubin -arch=sm_90 "$alone" \
    -o alone.cubin >log 2>&1 && test ! -s log
  verdict $? 'nvcc takes the kernels of a region alone' | tee -a told
else
  echo 'UNSUPPORTED: no nvcc'
fi

nvrtc=$(ls "${nvcc%/bin/nvcc}"/lib64/libnvrtc.so.* 2>/dev/null \
  | grep -v 'alt' | head -1)
if test -n "$nvcc" && test -n "$nvrtc"; then
  $CC_UNDER_TEST -std=gnu11 -O1 "$here/nvrtc.c" -o nvrtc -ldl \
    && ./nvrtc "$nvrtc" all.cu sm_80 sm_90 >log 2>&1 && test ! -s log
  verdict $? 'NVRTC takes the kernels' | tee -a told
  test "$(grep -c ^PASS told)" = 3 && cp told "$taken"
else
  echo 'UNSUPPORTED: no NVRTC'
fi
test ! -f told || ! grep ^FAIL told >/dev/null || failed=1
exit $failed
