# Data blocks on a driver of CUDA that is none: each part of data-blocks.c
# prints what it prints without the plug-in, on the device, on the CPU and
# without the runtime, at -O0 and -O2; and copies no more than it must.
here=$SOURCE/testsuite/tensor.tools
plugin=${TENSOR_PLUGIN:-$BUILD/plugin/$GCC/tensor.so}
driver=$BUILD/check/cuda
runtime=$BUILD/libtensorrt-mini
sources="$here/data-blocks.c $here/data-outside.c"
parts='steps host leaves nested calls pointers objects frees mixed forms
structures'

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

# PROGRAM, by -O$1, with the switches behind it.
build ()
{
  program=$1
  level=$2
  shift 2
  $CC_UNDER_TEST -O$level -fopenmp -ffp-contract=off $sources -o $program \
    "$@" >log 2>&1 && test ! -s log
  verdict $? "$program is compiled by -O$level"
  cat log
}

# PART of the program on the device.
on_device ()
{
  LD_LIBRARY_PATH=$driver TRM_DEVICE=cuda XDG_CACHE_HOME=$PWD \
    TRM_PROFILE=transfers ./device $1 >$1.device 2>$1.ledger
}

# Kernel $2 of PART fails, which is seen late: right, unless the device alone had
# something.
survives ()
{
  if LD_LIBRARY_PATH=$driver TRM_DEVICE=cuda XDG_CACHE_HOME=$PWD \
    FAKE_CUDA_FAIL=run:$2:700 ./device $1 >$1.failed 2>$1.errors; then
    cmp $1.plain $1.failed
  else
    grep 'was on a CUDA device alone, which failed' $1.errors >/dev/null
  fi
}

# Copies of PART at both levels: in, out.
copies ()
{
  part=$1
  grep "^in: $2 copies, .*; out: $3 copies" $part.ledger >/dev/null
  verdict $? "$part: $2 copies in, $3 out"
  grep "^in: $2 copies, .*; out: $3 copies" $part.ledger >/dev/null \
    || cat $part.ledger
}

# The kernels are the same in all builds: nvcc, where it is, takes them in the
# last that has no runtime.
for level in 0 2; do
  plugged="-fplugin=$plugin -fplugin-arg-tensor-report=missed -DPLUGGED"
  text=-fplugin-arg-tensor-cuda-arch=none
  $CC_UNDER_TEST -O$level -ffp-contract=off $sources -o plain
  case $level in
    0) build alone $level $plugged $text ;;
    *) build alone $level $plugged ;;
  esac
  build device $level $plugged $text "-L$runtime" "-Wl,-rpath,$runtime" \
    -Wl,--no-as-needed -ltensorrt-mini
  for part in $parts; do
    ./plain $part >$part.plain
    ./alone $part >$part.alone && cmp $part.plain $part.alone
    verdict $? "$part without the runtime, -O$level"
    TRM_DEVICE=cpu ./device $part >$part.cpu && cmp $part.plain $part.cpu
    verdict $? "$part on the CPU, -O$level"
    on_device $part && cmp $part.plain $part.device
    verdict $? "$part on the device, -O$level"
    survives $part 1 && survives $part 2 && survives $part 4
    verdict $? "$part where kernels fail, -O$level"
  done
  copies steps 1 2
  copies host 2 3
  copies nested 1 5
  copies objects 1 2
  copies frees 2 2
  copies structures 27 10
done
