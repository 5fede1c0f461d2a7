# What the runtime declares of CUDA's driver is what cuda.h says, where there is
# one; and the library needs none of CUDA's to be linked.
# one GCC

verdict ()
{
  if test "$1" -eq 0; then
    echo "PASS: $2"
  else
    echo "FAIL: $2"
  fi
}

runtime=$SOURCE/libtensorrt-mini
include=
for folder in ${CUDA_HOME:+"$CUDA_HOME/include"} /usr/local/cuda/include \
  /usr/include; do
  test -n "$include" || ! test -f "$folder/cuda.h" || include=$folder
done

# The test with the constants of ours, and file $1 of rows.
compiles ()
{
  {
    sed '/^#include "cuda-calls.def"/,$d' "$SOURCE/testsuite/cuda/declared.c"
    grep '^#define TRM_CU_[A-Z_]*  *[0-9(]' "$runtime/cuda-driver.h"
    cat "$1"
    sed '1,/^#include "cuda-calls.def"/d' "$SOURCE/testsuite/cuda/declared.c"
  } >declared.c
  $CC_UNDER_TEST -std=gnu11 -Wno-unknown-pragmas "-I$include" -c declared.c \
    >declared.log 2>&1
}

if test -z "$include"; then
  echo 'UNSUPPORTED: cuda.h is not installed'
else
  compiles "$runtime/cuda-calls.def"
  status=$?
  verdict $status 'what is declared of the driver is what cuda.h says'
  test $status = 0 || cat declared.log
  sed 's/(unsigned flags)/(long flags)/' "$runtime/cuda-calls.def" >wrong.def
  compiles wrong.def
  test $? != 0
  verdict $? 'another declaration is found out'
fi

! readelf -d "$BUILD/libtensorrt-mini/libtensorrt-mini.so" \
  | grep -e 'NEEDED.*cuda' -e 'NEEDED.*nvrtc' >/dev/null
verdict $? 'the library is linked with nothing of CUDA'
