# devices(all) on a driver of CUDA that has several and is none: a program prints
# what it prints without the plug-in, for any number of devices and iterations;
# which kernels are shared, and what becomes of failures.
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

# PROGRAM with the switches behind it.
build ()
{
  program=$1
  shift
  $CC_UNDER_TEST -fopenmp -ffp-contract=off "$here/devices-batch.c" -o $program \
    "$@" >log 2>&1
  verdict $? "$program is compiled"
}

# The program on N iterations, with settings, prints what it should.
is_right ()
{
  n=$1
  shift
  ./plain $n >plain.out
  env LD_LIBRARY_PATH=$driver TRM_DEVICE=cuda XDG_CACHE_HOME=$PWD "$@" \
    ./shared $n >out 2>err && cmp plain.out out
}

$CC_UNDER_TEST -O2 -ffp-contract=off "$here/devices-batch.c" -o plain -ldl
plugged="-fplugin=$plugin -fplugin-arg-tensor-cuda-arch=none"
build alone -O2 $plugged -ldl
./plain >plain.out && ./alone >out && cmp plain.out out
verdict $? 'without the runtime'

for level in 0 2; do
  build shared -O$level $plugged "-L$runtime" "-Wl,-rpath,$runtime" \
    -Wl,--no-as-needed -ltensorrt-mini -ldl
  test "$(grep -c 'shared by all devices' log)" = 4 \
    && grep 'for one device: iterations of the outermost loop depend' log \
      >/dev/null
  verdict $? "what devices share is told, -O$level"
  for devices in 1 2 3 16; do
    for n in 0 1 2 5 37; do
      is_right $n FAKE_CUDA_DEVICES=$devices || break
    done
    verdict $? "$devices devices, -O$level"
  done
done
is_right 37 FAKE_CUDA_DEVICES=3 FAKE_CUDA_SEED=5
verdict $? 'in any order of their streams'

LD_LIBRARY_PATH=$driver TRM_DEVICE=cuda XDG_CACHE_HOME=$PWD \
  FAKE_CUDA_DEVICES=2 ./shared 37 1 >out
sed -n 's/ .* \([0-9]*\) kernels/ \1/p' out | head -5 | tr '\n' ' ' >kernels
test "$(cat kernels)" = 'layer 2 inner 2 rows 2 turned 1 columns 2 '
verdict $? 'each has a part, where parts write apart'

for settings in TRM_DEVICE=cpu TRM_MODE=check FAKE_CUDA_MEMORY=5000 \
  FAKE_CUDA_MEMORY=100 FAKE_CUDA_POOLS=0; do
  is_right 37 FAKE_CUDA_DEVICES=2 $settings
  verdict $? "$settings"
done

failures=0
for what in run:1 run:2 run:4 run:6 cuLaunchKernel:2 cuLaunchKernel:5 copy:1 \
  copy:5 copy:6 cuMemcpyDtoHAsync:2 cuMemcpyDtoHAsync:3 cuMemcpyDtoHAsync:6 \
  cuStreamSynchronize:2 cuModuleLoadData:2 cuMemAllocAsync:5 \
  cuDevicePrimaryCtxRetain:2; do
  for error in 1 2 700; do
    is_right 37 FAKE_CUDA_DEVICES=2 FAKE_CUDA_FAIL=$what:$error \
      || { echo "  $what:$error"; failures=1; }
  done
done
verdict $failures 'failures leave the host as it was'
