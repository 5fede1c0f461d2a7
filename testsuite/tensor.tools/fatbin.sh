# Kernels compiled when the user compiles: one run of nvcc for all regions of a
# unit, whose image the program loads, so that nothing is compiled when it runs;
# and the text alone where there is no nvcc, or it fails.  nvcc is a script that
# makes what the fake driver runs; the one that is installed, if any, comes last.
plugin=${TENSOR_PLUGIN:-$BUILD/plugin/$GCC/tensor.so}
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

cat >regions.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>

#define N 1000

/* Two regions in one line, of the same name.  */
#define BOTH                                                                   \
  _Pragma ("tensor target(cuda)") for (int i = 0; i < n; i++)                  \
    x[i] = y[i] < 0 ? 0 : y[i] + 1;                                            \
  _Pragma ("tensor target(cuda)") for (int i = 0; i < n; i++)                  \
    y[i] = fmaxf (x[i], 2) * y[i];

__attribute__ ((noinline)) void
both (int n, float *restrict x, float *restrict y)
{
  BOTH
}

__attribute__ ((noinline)) void
rows (int n, float x[restrict n][n], float *restrict s)
{
#pragma tensor target(cuda) name("rows") fp(reassoc)
  for (int i = 0; i < n; i++)
    {
      s[i] = 0;
      for (int j = 0; j < n; j++)
        s[i] += x[i][j] < 0 ? 0 : x[i][j];
    }
}

/* How often NAME of the fake driver was called.  */
static long
count (const char *name)
{
  long (*counts) (const char *) = 0;
  void *driver = dlopen ("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  *(void **) &counts = driver ? dlsym (driver, "fake_cuda_count") : 0;
  return counts ? counts (name) : 0;
}

static float x[N], y[N], a[64][64], s[64];

int
main (void)
{
  int wrong = 0;
  for (int i = 0; i < N; i++)
    y[i] = i - 10;
  for (int i = 0; i < 64 * 64; i++)
    a[i / 64][i % 64] = i % 64 - 1;
  both (N, x, y);
  rows (64, a, s);
  for (int i = 0; i < N; i++)
    wrong += x[i] != (i < 10 ? 0 : i - 9)
             || y[i] != (x[i] < 2 ? 2 : x[i]) * (i - 10);
  for (int i = 0; i < 64; i++)
    wrong += s[i] != 62 * 63 / 2;
  printf ("%s, %ld loads, %s\n", wrong ? "wrong" : "right",
          count ("cuModuleLoadData"),
          count ("cuLaunchKernel") < 3 ? "cpu" : "device");
  return wrong != 0;
}
END

cat >plain.c <<'END'
void
twice (int n, float *restrict x)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    x[i] *= 2;
}
END

# nvcc: ./calls has what it is asked to compile, ./fails, if it is there, what it
# does instead.
mkdir bin
cat >bin/nvcc <<END
#!/bin/sh
if test "\$1" = --list-gpu-arch; then
  printf 'compute_%s\\n' 75 80 90 100
  exit 0
fi
echo "\$@" >>"$PWD/calls"
test ! -f "$PWD/fails" || . "$PWD/fails"
while test \$# -gt 0; do
  test "\$1" != -o || image=\$2
  text=\$1
  shift
done
cp "\$text" "$PWD/text.cu"
CC=\${CC_UNDER_TEST%% *} CHECKS= CUDA_CPU="$PWD/cuda_cpu.o" \\
  sh "$SOURCE/testsuite/cuda/build-cpu" "\$text" "\$TMPDIR/kernels.so" \\
  || exit 2
cp "\$TMPDIR/kernels.so" "\$image"
for kernel in both_18_k0 both_18_2_k0 rows_k0; do
  echo "ptxas info    : Compiling entry function '\$kernel' for 'sm_90'"
  echo '    0 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads'
  echo 'ptxas info    : Used 24 registers, used 1 barriers, 256 bytes smem'
done
END
chmod +x bin/nvcc
PATH=$PWD/bin:$PATH
CXX=$(echo "$CC_UNDER_TEST" | sed 's/gcc\([^/]*\)$/g++\1/')
command -v "$CXX" >/dev/null || CXX=g++
export PATH CC_UNDER_TEST CXX
if ! command -v "$CXX" >/dev/null; then
  echo 'UNSUPPORTED: no g++ for kernels'
  exit 0
fi
if ! test -f "$BUILD/check/cuda/libcuda.so.1"; then
  echo 'UNSUPPORTED: the driver that is none was not built'
  exit 0
fi

# Compile regions.c to ./regions with the options $@; the messages are in ./log.
build ()
{
  rm -f calls report regions
  $CC_UNDER_TEST "-fplugin=$plugin" -fplugin-arg-tensor-report-json=report \
    "-I$SOURCE/libtensorrt-mini" "$@" regions.c -o regions \
    -Wl,--no-as-needed "-L$BUILD/libtensorrt-mini" \
    "-Wl,-rpath,$BUILD/libtensorrt-mini" \
    -ltensorrt-mini -ldl -lm \
    >log 2>&1 || { cat log; return 1; }
}

# What ./regions prints with the fake driver, and the number of texts that were
# compiled meanwhile; $1 is said of it, $2 wanted.
runs ()
{
  rm -rf cache compiled
  LD_LIBRARY_PATH=$BUILD/check/cuda TRM_DEVICE=cuda XDG_CACHE_HOME=$PWD/cache \
    TRM_CUDA_CACHE= FAKE_NVRTC_LOG=$PWD/compiled ./regions >said 2>&1
  got="$(cat said), $(cat compiled 2>/dev/null | wc -l) compiled"
  test "$got" = "$2"
  verdict $? "$1"
  test "$got" = "$2" || echo "  $got, wanted $2"
}

image='right, 1 loads, device, 0 compiled'
text='right, 1 loads, device, 1 compiled'

for way in '-O0' '-O2' '-O2 -flto' '-O2 -flto -ffat-lto-objects' \
  '-O2 -fno-toplevel-reorder' '-O2 -fopenmp -g'; do
  if build $way; then
    runs "$way: the image is loaded" "$image"
    test "$(wc -l <calls)" = 1
    verdict $? "$way: nvcc was run once"
    readelf -SW regions | grep 'tns_gpu *PROGBITS.* A  *0  *0  *16$' >/dev/null
    verdict $? "$way: the section is read-only and aligned"
    ! grep -E '(warning|error):|when the program runs' log
    verdict $? "$way: nothing is told but verdicts"
  else
    verdict 1 "$way"
  fi
done

grep -c 'TNS_PRELUDE$' text.cu | grep '^2$' >/dev/null \
  && sed -n 's/^\([a-z0-9_]*_k0\) .*/\1/p' text.cu | sort | tr '\n' ' ' \
  | grep '^both_18_2_k0 both_18_k0 rows_k0 $' >/dev/null
verdict $? 'each kernel has a name of its own'

tail -1 report | grep '"target": "cuda".*"kernels": \[{"name": "rows_k0", "registers": 24, "shared": 256, "spills": 8}\]}' >/dev/null \
  && grep -c '"registers": 24' report | grep '^3$' >/dev/null
verdict $? 'the report has registers, shared bytes and spills'

grep -- '-std=c++17 -lineinfo -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 -gencode arch=compute_90,code=compute_90 -Xptxas -v' calls >/dev/null
verdict $? 'the usual devices, lines with -g'
build -O2 -ffp-contract=off -fplugin-arg-tensor-cuda-arch=sm_90a \
  && grep -- '-std=c++17 -fmad=false -gencode arch=compute_90a,code=sm_90a -gencode arch=compute_90a,code=compute_90a -Xptxas -v' calls >/dev/null
verdict $? 'the devices of the option, and no contraction'

build -O2 -save-temps && test "$(ls *.cu | tr '\n' ' ')" \
  = 'regions.both_18.cu regions.both_18_2.cu regions.rows.cu text.cu '
verdict $? '-save-temps keeps the text of each region'
mkdir saved && mv regions.*.cu saved

# Without nvcc, or with one that fails.
build -O2 -fplugin-arg-tensor-cuda-arch=none
runs 'none: the text is compiled once' "$text"
test ! -f calls && ! grep 'when the program runs' log >/dev/null \
  && ! readelf -SW regions | grep tns_gpu >/dev/null \
  && grep -c '"kernels": \[{"name": "[a-z_0-9]*"}\]}' report | grep '^3$' >/dev/null
verdict $? 'none: no nvcc is run, and nothing is told'

echo 'echo "nvcc fatal   : Unsupported gpu architecture"; exit 1' >fails
build -O2 -fplugin-arg-tensor-cuda-arch=sm_12
runs 'a device that nvcc does not know: the text' "$text"
test "$(grep -c 'note: kernels are compiled when the program runs: nvcc fatal' \
  log)" = 1
verdict $? 'one note says so'

echo 'echo "$TMPDIR/kernels.cu(3): error: x" >&2; exit 2' >fails
build -O2 -Werror
runs 'an error in the text: the text' "$text"
test "$(grep -c 'warning: kernels are compiled.* kernels.cu(3): error: x' log)" \
  = 1
verdict $? 'is a warning, which -Werror lets be one'
rm fails

# Nothing is looked for where there are no kernels: the object is the same.
rm -f calls
$CC_UNDER_TEST -O2 "-fplugin=$plugin" -c plain.c -o plain.o >/dev/null 2>&1 \
  && $CC_UNDER_TEST -O2 "-fplugin=$plugin" -fplugin-arg-tensor-cuda-arch=none \
    -c plain.c -o none.o >/dev/null 2>&1 \
  && cmp plain.o none.o && test ! -f calls
verdict $? 'a unit without kernels is compiled as ever'
! readelf -sW plain.o | grep 'tensor.unit' >/dev/null
verdict $? 'and has no unit of kernels'

# Two files whose regions have the same names, put together while linking.
rm -f report calls
sed 's/^both /other_both /; s/^rows /other_rows /; /^int$/,$d' regions.c \
  | sed '/^static float/d' >other.c
$CC_UNDER_TEST -O2 -flto "-fplugin=$plugin" -c other.c -o other.o >log 2>&1 \
  && build -O2 -flto other.o
runs '-flto: two files with kernels of the same names' "$image"
test "$(readelf -sW regions | grep -c 'OBJECT.*tensor.unit.image')" = 2
verdict $? '-flto: each of them has its image'

# An error of the user's behind a region: the report is whole.
{ cat regions.c; echo 'int f (void) { return y +; }'; } >wrong.c
rm -f report calls
$CC_UNDER_TEST -O2 "-fplugin=$plugin" -fplugin-arg-tensor-report-json=report \
  -c wrong.c -o wrong.o >/dev/null 2>&1
test "$(grep -c '"kernels": \[{"name": "[a-z_0-9]*"}\]}$' report)" = 3 \
  && test ! -f calls
verdict $? 'errors: the report is whole, no nvcc is run'

# nvcc itself.
rm bin/nvcc
nvcc=$(command -v nvcc || command -v /usr/local/cuda/bin/nvcc)
if test -n "$nvcc"; then
  build -O2 && ! grep 'when the program runs' log \
    && objcopy -O binary --only-section=.tns_gpu regions image \
    && od -An -tx1 -N4 image | grep '50 ed 55 ba' >/dev/null
  verdict $? 'nvcc makes a fat binary'
  grep -c '"kernels": \[{"name": "[a-z_0-9]*", "registers": [1-9]' report \
    | grep '^3$' >/dev/null && ! grep '"spills": [1-9]' report
  verdict $? 'and tells registers'
  runs 'a driver that refuses it: the text' 'right, 2 loads, device, 1 compiled'
  cp image first && build -O2 \
    && objcopy -O binary --only-section=.tns_gpu regions image \
    && cmp image first
  verdict $? 'the same each time'
  for file in saved/*.cu; do
    "$nvcc" -std=c++17 -Werror all-warnings -arch=sm_90 -cubin "$file" \
      -o saved/cubin >log 2>&1 && test ! -s log
    verdict $? "$(basename "$file") is compiled by itself"
  done
  build -O2 -fplugin-arg-tensor-cuda-arch=sm_12
  test "$(grep -c 'note: kernels are compiled.*nvcc fatal' log)" = 1
  verdict $? 'nvcc does not know a device: one note'
else
  build -O2
  test "$(grep -c 'note: kernels are compiled.*neither in PATH' log)" = 1
  verdict $? 'no nvcc: one note'
  echo 'UNSUPPORTED: no nvcc'
fi
exit $failed
