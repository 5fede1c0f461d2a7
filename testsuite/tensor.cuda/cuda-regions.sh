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
# run, as long as what runs them is the same; what all of them share was
# compiled with the driver.
CUDA_CPU=$drivers/cuda_cpu.o
export CUDA_CPU
key=$(cat "$here"/cuda_cpu* "$here/build-cpu" \
  "$SOURCE"/lowering/cuda-prelude*.h | cksum | tr ' ' -)
cache=$drivers/cache-$key
mkdir -p "$cache"
cat >build <<END
#!/bin/sh
unset CHECKS
CXX='$CXX' exec sh '$here/build-cpu' "\$@"
END

# Compile program $1 with the options that follow.
compile ()
{
  name=$1
  shift
  $CC_UNDER_TEST -fplugin="$plugin" -fno-diagnostics-show-caret \
    -fplugin-arg-tensor-cuda-arch=none \
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

# Where the text of kernels is kept: -save-temps (fatbin.sh) preprocesses apart,
# which moves the lines of macros, by which kernels are called; here the compiler
# proper alone is told of it, and all GCCs make the same kernels.
mkdir kept
cat >keep <<'END'
#!/bin/sh
case $1 in
  */cc1)
    COLLECT_GCC_OPTIONS="$COLLECT_GCC_OPTIONS '-save-temps'"
    export COLLECT_GCC_OPTIONS ;;
esac
exec "$@"
END
chmod +x keep
keep='-wrapper ./keep -dumpdir kept/'

# Each program by this GCC at -O2 or at -O0, by the other the other way.  Kernels
# are the same, and what fails is the runtime's: that is tried by the newest.  The
# others begin at the end: at one time each finds what the other has compiled.
newest=$(ls "$BUILD/plugin" | grep '^gcc-' | sort -t - -k 2 -n | tail -1)
number=$(echo "$GCC" | sed 's/[^0-9]//g')
backwards=
test "$GCC" = "$newest" || backwards=-r
names=$(cd "$programs" && ls *.c | sed 's/\.c$//')
for name in $(echo "$names" | sort $backwards); do
  turn=$((number + $(echo "$names" | grep -n -x "$name" | cut -d: -f1)))
  options='-O2 -fopenmp -march=native'
  test $((turn % 2)) = 0 || options=-O0
  compile $name $options $keep
  verdict $? "$name: compiled with $options"
  told=$(grep -c 'note: .*kernels* for CUDA' log)
  test "$told" -gt 0 && test "$told" = "$(ls kept/$name.*.cu | wc -l)"
  verdict $? "$name: a note and a file for each region"
  regions=$(grep -c '"verdict": "done"' $name.json)
  devices=$(grep -c '"target": "cuda"' $name.json)
  test "$regions" -gt 0 && test "$regions" = "$devices"
  verdict $? "$name: each of $regions regions has kernels"
  run $name FAKE_CUDA_SEED=1
  verdict $? "$name: right on the device"
  test "$(on_device)" -ge "$((regions - 1))" \
    && ! grep -e 'ran on the CPU' -e ' RACE' log >/dev/null
  verdict $? "$name: the device took its regions"
  test "$GCC" = "$newest" || continue
  fails $name TRM_DEVICE=cpu && fails $name FAKE_CUDA_FAIL=cuInit:1+:100 \
    && fails $name FAKE_CUDA_FAIL=run:3+:700 \
    && fails $name FAKE_CUDA_FAIL=cuLaunchKernel:2:1,cuMemcpyHtoDAsync:3:1
  verdict $? "$name: right where the device fails"
  again $name
  verdict $? "$name: right where regions are done again"
done

# What is rounded on the device, where its program is.
run precision-2 \
  && test "$(grep -c '^rounded to ' log)" = 3 && run precision-2 TRM_DEVICE=cpu \
  && ! grep '^rounded to ' log >/dev/null
verdict $? 'precision-2: rounded on the device alone'

# Two versions that are compared.
compile chain-1 -O2 -fplugin-arg-tensor-check && run chain-1 TRM_MODE=check
verdict $? 'chain-1: both versions compared'
compile precision-2 -O2 -fplugin-arg-tensor-check \
  && run precision-2 TRM_MODE=check && grep 'all agree' log >/dev/null
verdict $? 'precision-2: both versions compared, but for rounding'

# What follows is of the text of kernels.
test "$GCC" = "$newest" || exit $failed

# With -g kernels name the lines of the program; without -g they name none.
mkdir lines
cat >lines/plain.c <<END
void
spread (long n, const float *restrict x, float *restrict y)
{
#pragma tensor target(cuda)
  for (long i = 0; i < n; i++)
    y[2 * i] = x[i] * 2;
}
END
(cd lines && $CC_UNDER_TEST -fplugin="$plugin" -g -O2 -save-temps \
  -fplugin-arg-tensor-cuda-arch=none -fplugin-arg-tensor-report=none \
  -c plain.c -o plain.o) >log 2>&1
grep '^#line 6 "plain.c"' lines/plain.spread*.cu >/dev/null \
  && ! grep '^#line' kept/rows-2.softmax*.cu >/dev/null \
  && sh "$here/build-cpu" lines/plain.spread*.cu lines.so >log 2>&1
verdict $? 'with -g: lines of the program'

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
mkdir other
run rows-1 FAKE_NVRTC_BUILD="$PWD/without" XDG_CACHE_HOME="$PWD/other"
verdict $? 'rows-1 without waits: right'
grep 'ran on the CPU.*a kernel failed' log >/dev/null
verdict $? 'rows-1 without waits: found out'

# Without its waits for copies, or where one is not waited for, a product is
# found out.
for less in '/tns_wait</d' 's/tns_wait<2>/tns_wait<3>/'; do
  cat >without <<END
#!/bin/sh
grep 'tns_wait<2> ();' "\$1" >/dev/null || exit 1
unset CHECKS
sed '$less' "\$1" >without.cu
CXX='$CXX' exec sh '$here/build-cpu' without.cu "\$2"
END
  rm -rf other
  mkdir other
  run tiles-1 FAKE_NVRTC_BUILD="$PWD/without" XDG_CACHE_HOME="$PWD/other" \
    && grep 'ran on the CPU.*a kernel failed' log >/dev/null
  verdict $? "tiles-1 with $less: right, and found out"
done

# A product for warpgroups, which other devices, and drivers without maps, do by
# another kernel; without what its threads say to each other it is found out.
cat >group.c <<END
#include "device.h"
typedef unsigned short bf16;
static inline float
wide (bf16 x)
{
  unsigned word = (unsigned) x << 16;
  float value;
  __builtin_memcpy (&value, &word, sizeof value);
  return value;
}
KERNEL_IN (
  bf16, product, (int n, int m, int k, const bf16 *a, const bf16 *b, float *c),
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {
    float s = 0;
    for (int l = 0; l < k; l++)
      s += wide (a[i * k + l]) * wide (b[l * m + j]);
    c[i * m + j] = s;
  })
static bf16 a[2][256 * 328], b[2][328 * 5632];
static float c[2][256 * 5632];
int
main (void)
{
  FILL_WITH (a, (bf16) (next () % 2 ? 0x3f80 : 0xc000));
  FILL_WITH (b, (bf16) (next () % 2 ? 0x4040 : 0xbf00));
  BOTH (product, 256, 5632, 328, a[W], b[W], c[W]);
  CHECK (c);
  return 0;
}
END
own=$programs
programs=. compile group -O2 -fopenmp -march=native -I"$own" && run group \
  && grep 'ran on the device 1 times' log >/dev/null
verdict $? 'group: right'
run group FAKE_CUDA_MAJOR=8 && grep 'ran on the device 1 times' log >/dev/null
verdict $? 'group: right on a device without warpgroups'
run group FAKE_CUDA_FAIL=cuTensorMapEncodeTiled:1:1 \
  && grep 'ran on the device 1 times' log >/dev/null
verdict $? 'group: right by a driver that makes no map'
for less in '/tns_barrier_wait (&tns_full/d' \
  's/tns_barrier_wait (&tns_empty.*/;/' '/^ *tns_group_wait<1> ();/d' \
  '/^ *tns_group_fence ();$/d' 's/tns_group_commit ();//'; do
  cat >without <<END
#!/bin/sh
unset CHECKS
sed '$less' "\$1" >without.cu
shift
CXX='$CXX' exec sh '$here/build-cpu' without.cu "\$@"
END
  rm -rf other
  mkdir other
  run group FAKE_NVRTC_BUILD="$PWD/without" XDG_CACHE_HOME="$PWD/other" \
    && grep 'ran on the CPU.*a kernel failed' log >/dev/null
  verdict $? "group with $less: right, and found out"
done

# Without its waits a sweep reads what others have not filled in yet.
cat >without <<END
#!/bin/sh
grep tns_line "\$1" >/dev/null || exit 1
unset CHECKS
sed '/^      *__syncthreads/d' "\$1" >without.cu
CXX='$CXX' exec sh '$here/build-cpu' without.cu "\$2"
END
rm -rf other
mkdir other
run halo-1 FAKE_NVRTC_BUILD="$PWD/without" XDG_CACHE_HOME="$PWD/other" \
  && grep 'ran on the CPU.*a kernel failed' log >/dev/null
verdict $? 'halo-1 without waits: right, and found out'

# The PTX of region $1, of wide-1, rows-2, rows-3, scans-1 or halo-1, has all
# patterns that follow, and no kernel of it spills registers.
wide ()
{
  text=$(ls kept/wide-1."$1"*.cu kept/rows-[23]."$1"*.cu \
    kept/scans-1."$1"*.cu kept/halo-1."$1"*.cu 2>/dev/null | head -1)
  shift
  "$nvcc" -std=c++17 -arch=sm_90 -ptx "$text" -o wide.ptx >log 2>&1 \
    && "$nvcc" -std=c++17 -arch=sm_90 -cubin -Xptxas -v "$text" \
      -o wide.cubin >log 2>&1 || return 1
  for pattern; do
    grep "$pattern" wide.ptx >/dev/null || return 1
  done
  grep ' 0 bytes spill stores' log >/dev/null \
    && ! grep '[1-9][0-9]* bytes spill stores' log >/dev/null
}

# ptxas takes all kernels, as nvcc made them for the oldest device, for sm_$1
# without a word, and no product of them spills registers.
by_ptxas ()
{
  "${nvcc%/*}/ptxas" -v -arch=sm_$1 all.ptx -o all.cubin >ptxas 2>&1 \
    && test -s all.cubin
  compiled=$?
  grep -v -e '^ptxas info' -e ' bytes stack frame' ptxas >log
  test $compiled = 0 && test ! -s log
  verdict $? "ptxas takes the kernels for $1" | tee -a told
  sed -n "s/.*Function properties for //p; /[1-9][0-9]* bytes spill stores/p" \
    ptxas | sed -n '/ bytes/{x;p;d;};h' >spills
  cat $products | grep -o -w -F -f spills >log
  test "$(grep -c 'bytes spill stores' ptxas)" -gt 100 && test ! -s log
  verdict $? "no product spills registers for $1" | tee -a told
}

# The kernels of the files that follow, but for those that differ from one in
# front of them in their names alone.
once ()
{
  awk '
    /^extern "C" __global__/ { is_kernel = 1 }
    ! is_kernel { print; next }
    { kernel = kernel $0 "\n" }
    match ($0, /^[A-Za-z_0-9]+ \(/) { name = substr ($0, 1, RLENGTH - 2) }
    /^}/ {
      text = kernel
      gsub (name, "", text)
      if (! seen[text]++)
        printf "%s", kernel
      kernel = ""
      is_kernel = 0
    }' "$@"
}

# All kernels for nvcc and NVRTC, products first; one file by itself.  What they
# have taken is not tried again.  What is optimised is nvcc's; NVRTC does not
# optimise most.
products=$(ls kept/tiles-1.*.cu kept/stages-1.*.cu kept/precision-3.*.cu \
  kept/attention-1.*.cu)
once $products $(ls kept/*.cu | grep -v -x -F "$products") >all.cu
taken=$cache/taken-$(cksum <all.cu | tr ' ' -)
nvcc=$(command -v nvcc || command -v /usr/local/cuda/bin/nvcc)
if test -f "$taken"; then
  cat "$taken"
  exit $failed
elif test -n "$nvcc"; then
  "$nvcc" -std=c++17 -Werror all-warnings -ptx -arch=sm_80 all.cu -o all.ptx \
    >log 2>&1 && test ! -s log
  verdict $? 'nvcc takes the kernels' | tee -a told
  by_ptxas 80
  by_ptxas 90
  "$nvcc" -std=c++17 -ptx -arch=sm_90 kept/precision-1.nn_bf16*.cu -o nn.ptx \
    >log 2>&1 && test "$(grep -c 'mma.sync.*m16n8k16.*bf16' nn.ptx)" -ge 80 \
    && test "$(grep -c 'ldmatrix.*x4' nn.ptx)" -ge 24 \
    && test "$(grep -c 'ld.global.v4' nn.ptx)" -ge 24
  verdict $? 'a product in bf16 uses tensor cores, by whole fours' | tee -a told
  "$nvcc" -std=c++17 -ptx -arch=sm_80 kept/stages-1.plain_rounded*.cu -o nn.ptx \
    >log 2>&1 && test "$(grep -c 'cp.async.cg.*, 16;' nn.ptx)" -ge 12 \
    && grep 'cp.async.wait_group 2' nn.ptx >/dev/null \
    && "$nvcc" -std=c++17 -ptx -arch=sm_75 kept/stages-1.plain_rounded*.cu \
      -o older.ptx >log 2>&1 && ! grep 'cp.async' older.ptx >/dev/null
  verdict $? 'a product in bf16 is copied by itself, on sm_80' | tee -a told
  if "$nvcc" -arch=sm_90a --dryrun -cubin all.cu >log 2>&1; then
    cat kept/groups-1.*.cu >groups.cu
    "$nvcc" -std=c++17 -Werror all-warnings -ptx -arch=sm_90a groups.cu \
      -o groups.ptx >log 2>&1 && test ! -s log \
      && "${nvcc%/*}/ptxas" -v -arch=sm_90a groups.ptx -o groups.cubin \
        >ptxas 2>&1 && ! grep -e serialized -e warning ptxas >log \
      && test "$(grep -c 'entry function.*_k[0-9]_group' ptxas)" = 4 \
      && ! grep '[1-9][0-9]* bytes spill stores' ptxas >log \
      && test "$(grep -c 'wgmma.mma_async.*m64n256k16' groups.ptx)" -ge 16 \
      && test "$(grep -c 'cp.async.bulk.tensor.2d' groups.ptx)" -ge 8
    verdict $? 'warpgroups multiply, without spills, and none waits' | tee -a told
  fi
  alone=$(ls kept/rows-1.softmax*.cu | head -1)
  "$nvcc" -std=c++17 -Werror all-warnings -cubin -arch=sm_90 "$alone" \
    -o alone.cubin >log 2>&1 && test ! -s log
  verdict $? 'nvcc takes the kernels of a region alone' | tee -a told
  wide scale 'ld\.global[a-z.]*\.v4' 'st\.global[a-z.]*\.v4'
  verdict $? 'a chain: 16 bytes at a time, without spills' | tee -a told
  wide softmax 'ld\.global[a-z.]*\.v4' 'st\.global[a-z.]*\.v4' shfl.sync
  verdict $? 'a row: 16 bytes at a time, shuffles, without spills' | tee -a told
  wide normal32 'ld\.global[a-z.]*\.v4' 'st\.global[a-z.]*\.v4' shfl.sync
  verdict $? 'short rows: 16 bytes at a time, shuffles, without spills' \
    | tee -a told
  wide prefix shfl.sync.up
  verdict $? 'a scan: shuffles, without spills' | tee -a told
  wide cube 'ld\.shared\.f64' 'bar\.sync'
  verdict $? 'a sweep: out of shared memory, without spills' | tee -a told
  "$nvcc" -std=c++17 -lineinfo -ptx -arch=sm_90 lines/plain.spread*.cu \
    -o lines.ptx >log 2>&1 && grep '\.file.*plain.c' lines.ptx >/dev/null
  verdict $? 'lines of the program for debuggers' | tee -a told
  cat kept/small-1.*.cu >small.cu
  "$nvcc" -std=c++17 -cubin -arch=sm_90 -Xptxas -v small.cu -o small.cubin \
    >log 2>&1 && test "$(grep -c ' 0 bytes stack frame' log)" -ge 4 \
    && ! grep '[1-9][0-9]* bytes stack frame' log >/dev/null
  verdict $? 'few elements: in registers' | tee -a told
else
  echo 'UNSUPPORTED: no nvcc'
fi

nvrtc=$(ls "${nvcc%/bin/nvcc}"/lib64/libnvrtc.so.* 2>/dev/null \
  | grep -v 'alt' | head -1)
if test -n "$nvcc" && test -n "$nvrtc"; then
  latest=$("$nvcc" --list-gpu-arch | grep -x -e compute_90 -e compute_100 \
    | tail -1)
  $CC_UNDER_TEST -std=gnu11 -O1 "$here/nvrtc.c" -o nvrtc -ldl \
    && ./nvrtc "$nvrtc" all.cu -G $latest >log 2>&1 && test ! -s log
  verdict $? 'NVRTC takes the kernels' | tee -a told
  cat kept/tiles-1.*.cu kept/rows-1.*.cu kept/scans-1.*.cu kept/halo-1.*.cu >few.cu
  ./nvrtc "$nvrtc" few.cu $latest >log 2>&1 && test ! -s log
  verdict $? 'NVRTC optimises kernels of each kind' | tee -a told
  ! grep ^FAIL told >/dev/null && cp told "$taken"
else
  echo 'UNSUPPORTED: no NVRTC'
fi
test ! -f told || ! grep ^FAIL told >/dev/null || failed=1
exit $failed
