# Tensors that reside, through the plug-in, on a driver of CUDA that is none: a
# training program prints what it prints without the plug-in, and of its ten
# steps each copies the batch and the loss alone.
here=$SOURCE/testsuite/tensor.tools
plugin=${TENSOR_PLUGIN:-$BUILD/plugin/$GCC/tensor.so}
driver=$BUILD/check/cuda
runtime=$BUILD/libtensorrt-mini

verdict ()
{
  if test "$1" -eq 0; then
    echo "PASS: $2"
  else
    echo "FAIL: $2"
  fi
}

CXX=$(echo "$CC_UNDER_TEST" | sed 's/gcc\([^/]*\)$/g++\1/')
command -v "$CXX" >/dev/null || CXX=g++
export CXX
if ! test -f "$driver/libcuda.so.1" || ! command -v "$CXX" >/dev/null; then
  echo 'UNSUPPORTED: no driver to run kernels with'
  exit 0
fi

# Where the program runs, with the settings behind it.
on_device ()
{
  env LD_LIBRARY_PATH=$driver TRM_DEVICE=cuda XDG_CACHE_HOME=$PWD \
    TRM_PROFILE=transfers "$@" ./train >train.out 2>ledger
}

# TIMES copies of ARRAY in DIRECTION, and no others of it.
copies ()
{
  n=$(awk -v d=$1 -v a=$3 '$1 == d && $6 == a { n += $2 } END { print n + 0 }' \
    ledger)
  test "$n" -eq $2
  verdict $? "$3: $2 copies $1"
}

$CC_UNDER_TEST -O2 -ffp-contract=off "$here/reside-train.c" -o plain \
  && ./plain >plain.out
$CC_UNDER_TEST -O2 -g -fopenmp -ffp-contract=off "$here/reside-train.c" -o train \
  -DPLUGGED "-fplugin=$plugin" -fplugin-arg-tensor-report=missed \
  -fplugin-arg-tensor-cuda-arch=none "-I$SOURCE/libtensorrt-mini" \
  "-L$runtime" "-Wl,-rpath,$runtime" -ltensorrt-mini >log 2>&1 \
  && test ! -s log
verdict $? 'the program is compiled'
cat log

on_device && cmp plain.out train.out
verdict $? 'it prints what it should'
for array in w1 w2 v1 v2; do
  copies in 1 $array
done
copies in 10 x
copies in 10 t
for array in h dh dy each v1 v2; do
  copies out 0 $array
done
copies out 10 loss
copies out 1 w1
copies out 1 w2
grep '^in: 34 copies, .*; out: 12 copies' ledger >/dev/null
verdict $? 'and of nothing else'
line=$(grep -n 'w1\[3\]\[4\]' "$here/reside-train.c" | cut -d: -f1)
grep "w1 .*the host reads .* main (reside-train.c:$line)" ledger >/dev/null
verdict $? 'the ledger tells the line that forced a copy'

TRM_DEVICE=cpu ./train >cpu.out && cmp plain.out cpu.out
verdict $? 'on the CPU'
on_device FAKE_CUDA_MEMORY=20000 && cmp plain.out train.out
verdict $? 'with little memory of the device'
on_device FAKE_CUDA_MEMORY=1000 && cmp plain.out train.out
verdict $? 'with none'
for kernel in 1 3; do
  on_device FAKE_CUDA_FAIL=run:$kernel:700
  cmp plain.out train.out \
    || grep 'was on a CUDA device alone, which failed' ledger >/dev/null
  verdict $? "kernel $kernel fails"
done
