# make install puts everything under a prefix, a program is compiled with what
# is there, and make uninstall leaves nothing.

here=`pwd`
unset MAKEFLAGS MAKELEVEL MFLAGS
verdict ()
{
  if test "$1" -eq 0; then echo "PASS: $2"; else echo "FAIL: $2"; fi
}

prefix="$here/a prefix"
make -C "$BUILD" install prefix="$prefix" >install.log 2>&1
verdict $? "make install"

cat >prog.c <<END
void
scale (float *restrict x, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    x[i] = 2 * x[i];
}

int
main (void)
{
  float x[100] = { 1, 2, 3 };
  scale (x, 100);
  return x[2] != 6;
}
END

plugin="$prefix/lib/gcc-tensor/$GCC/tensor.so"
"$CC_UNDER_TEST" -O2 "-fplugin=$plugin" prog.c -o plain >plain.log 2>&1 \
  && ./plain
verdict $? "a program without the runtime"

TENSOR_CC=$GCC "$prefix/bin/tensorcc" -O2 prog.c -o wrapped \
  >wrapped.log 2>&1 && ./wrapped
verdict $? "tensorcc as installed"

status=0
for tool in "$prefix/bin"/*; do
  "$tool" --version >version.log 2>&1 \
    && grep "^${tool##*/} (gcc-tensor) [0-9]" version.log >/dev/null \
    && "$tool" --help >help.log 2>&1 && test -s help.log \
    && test -f "$prefix/share/man/man1/${tool##*/}.1" || status=1
done
verdict $status "every program tells its version, and has a manual page"

cat >squares.c <<'END'
void
squares (int n, const float *x, float *y)
{
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[i];
}

#pragma tensor gradient(squares) of(y: dy) wrt(x: dx)
void squares_gradient (int n, const float *x, const float *dy, float *dx);
END
TENSOR_CC=$GCC "$prefix/bin/tensor-gradcheck" squares.c >gradcheck.log 2>&1
verdict $? "tensor-gradcheck as installed"

PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
export PKG_CONFIG_PATH
if command -v pkg-config >/dev/null; then
  pkg-config --cflags --libs tensorrt-mini >pc.log 2>&1
  verdict $? "pkg-config tensorrt-mini"
else
  echo "UNSUPPORTED: pkg-config tensorrt-mini"
fi

if command -v pkg-config >/dev/null; then
  eval "'$CC_UNDER_TEST'" -O2 -fopenmp "'-fplugin=$plugin'" prog.c -o linked \
    "'-Wl,-rpath,$prefix/lib'" `pkg-config --cflags --libs tensorrt-mini` \
    >linked.log 2>&1 \
    && TRM_PROFILE=table ./linked 2>&1 | grep "^scale:4 .* 1 " >/dev/null
  verdict $? "a program linked as pkg-config says has counters"
fi

# The library of tensors: from C++, by CMake, from Python, and where neither a
# compiler nor the plugin can be found.
cat >sum.cc <<'END'
#include <tensorrt-mini.h>

int
main ()
{
  trm_tensor *x = trm_full (TRM_F32, TRM_SHAPE (3, 4), 2);
  trm_tensor *s = trm_sum (x, TRM_AXES (0, 1), false);
  double sum = trm_get (s, TRM_SCALAR);
  trm_drop (s);
  trm_drop (x);
  return sum != 24;
}
END
g++ -Wall -Wextra -Werror "-I$prefix/include" sum.cc -o sum "-L$prefix/lib" \
  "-Wl,-rpath,$prefix/lib" -ltensorrt-mini >sum.log 2>&1 && ./sum
verdict $? "a program in C++ uses tensors"

if command -v cmake >/dev/null; then
  cat >CMakeLists.txt <<'END'
cmake_minimum_required (VERSION 3.18)
project (sum CXX)
find_package (tensorrt-mini 0.1 REQUIRED)
add_executable (sum-cmake sum.cc)
target_link_libraries (sum-cmake tensorrt-mini::tensorrt-mini)
END
  mkdir -p cmake-build
  { cmake -S . -B cmake-build "-DCMAKE_PREFIX_PATH=$prefix" \
      && cmake --build cmake-build && cmake-build/sum-cmake; } >cmake.log 2>&1
  verdict $? "CMake finds the library"
else
  echo "UNSUPPORTED: CMake finds the library"
fi

env -i PATH=/nonexistent ./sum
verdict $? "a program runs where no compiler is found"

cat >sum.py <<'END'
import numpy, tensorrt_mini as trm
x = numpy.arange (6, dtype=numpy.float32).reshape (2, 3)
t = trm.Tensor (x)
y = numpy.asarray (trm.call ("trm_t", t))
assert y.shape == (3, 2) and (y == x.T).all ()
y[0, 1] = 9
assert x[1, 0] == 9, "no copy"
s = numpy.asarray (trm.call ("trm_sum", t, [1], False))
assert (s == x.sum (1)).all ()
assert numpy.from_dlpack (trm.call ("trm_exp", t)).shape == (2, 3)
try:
    trm.call ("trm_add", t, trm.Tensor (numpy.zeros (2, numpy.float32)))
    assert False
except trm.Error as error:
    assert "cannot be broadcast" in str (error)
END
python=
for name in python3 /usr/bin/python3; do
  test -n "$python" || ! $name -c 'import numpy; numpy.from_dlpack' \
    >/dev/null 2>&1 || python=$name
done
if test -n "$python"; then
  TENSORRT_MINI="$prefix/lib/libtensorrt-mini.so.0" \
    PYTHONPATH="$prefix/share/gcc-tensor" $python sum.py >python.log 2>&1
  verdict $? "NumPy's arrays go in and out without a copy"
  cat python.log
else
  echo "UNSUPPORTED: NumPy's arrays go in and out without a copy"
fi
"$prefix/bin/tensor-timeit" -t .05 -s 'double x = 2' 'x = sqrt (x)' \
  >timeit.log 2>&1 && grep '^statement: .* a call' timeit.log >/dev/null
verdict $? "tensor-timeit as installed"

# By name: where this GCC looks for plugins, below a folder of ours.
own=`$CC_UNDER_TEST -print-file-name=plugin`
make -C "$BUILD" install DESTDIR="$here/by name" prefix=/usr TNS_BY_NAME=$GCC \
  >named.log 2>&1 && test -f "$here/by name$own/tensor.so"
verdict $? "make install puts the plugin where GCC looks"
"$CC_UNDER_TEST" -O2 "-iplugindir=$here/by name$own" -fplugin=tensor \
  -fplugin-arg-tensor-report=all prog.c -o named >named.log 2>&1 && ./named \
  && grep "prog.c:4:9: note: " named.log >/dev/null
verdict $? "-fplugin=tensor finds it by its name"
make -C "$BUILD" uninstall DESTDIR="$here/by name" prefix=/usr \
  TNS_BY_NAME=$GCC >named.log 2>&1
left=`find "$here/by name" ! -type d`
test -z "$left"
verdict $? "make uninstall leaves nothing there $left"

make -C "$BUILD" uninstall prefix="$prefix" >uninstall.log 2>&1
verdict $? "make uninstall"
left=`find "$prefix" ! -type d; find "$prefix" -name '*tensor*' -type d`
test -z "$left"
verdict $? "make uninstall leaves nothing $left"
