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
