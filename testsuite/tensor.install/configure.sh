# configure tells what it found, and names the Debian package of each part
# that is required and not there, all of them at once.
# one GCC
configure=$SOURCE/configure
here=$(pwd)

if test -f "$SOURCE/config.status"; then
  echo 'UNSUPPORTED: configure (the source tree is configured itself)'
  exit 0
fi

verdict ()
{
  if test "$1" -eq 0; then
    echo "PASS: $2"
  else
    echo "FAIL: $2"
    sed 's/^/  /' log
  fi
}

# configure in an empty folder, with these words before it.
configured ()
{
  rm -rf tree
  mkdir tree
  (cd tree && env "$@") >log 2>&1
}

# The programs of this machine, but for those whose names match $1.
without ()
{
  rm -rf bin
  mkdir bin
  for directory in /usr/local/bin /usr/bin /bin; do
    ls "$directory" | grep -v -E -e "$1" | sed "s|^|$directory/|" \
      | xargs ln -s -t bin 2>/dev/null
  done
}

without '^(.*gcc|cc|c[89]9|clang|tcc)(-.*)?$'
configured PATH="$here/bin" CC= sh "$configure"
test $? -eq 1 && grep -q 'a C compiler (Debian package gcc)' log \
  && grep -q '^on Debian: apt install gcc$' log
verdict $? 'without a C compiler its package is named'

cat >cc <<'END'
#! /bin/sh
grep -q -s -e 'isl/' -e cblas conftest.c && exit 1
exec "$COMPILER" "$@"
END
chmod +x cc
without '^(runtest|nvcc)$'
configured PATH="$here/bin" COMPILER="$CC_UNDER_TEST" CC="$here/cc" \
  CXX=false MAKE=false sh "$configure"
test $? -eq 1 && grep -q 'GNU make (Debian package make)' log \
  && grep -q 'a C++14 compiler (Debian package g++)' log \
  && grep -q 'isl (Debian package libisl-dev)' log \
  && grep -q '^on Debian: apt install make g++ libisl-dev$' log
verdict $? 'all that is missing is named at once'
cat >cc <<'END'
#! /bin/sh
grep -q -s -e cblas -e _ZGVbN4v conftest.c && exit 1
exec "$COMPILER" "$@"
END
configured PATH="$here/bin" COMPILER="$CC_UNDER_TEST" CC="$here/cc" \
  sh "$configure" --with-gcc="$CC_UNDER_TEST"
status=$?
test $status -eq 0 && test "$(grep -c '^  plugin for  *gcc-' log)" -eq 1 \
  && grep -q "^  isl  *libisl.*, the one that cc1 of $GCC loads$" log
verdict $? 'one GCC that is told, and the isl that it loads'
grep -q '^  OpenBLAS  *no (Debian package libopenblas-dev)$' log \
  && grep -q '^  libmvec  *no$' log \
  && grep -q '^  DejaGnu  *no (Debian package dejagnu)' log \
  && grep -q '^  CUDA ' log && grep -q '^  OpenMP  *yes$' log
verdict $? 'what may be absent is in the summary'

configured sh "$configure" --with-isl="$here/none"
test $? -eq 1 && grep -q "error: no isl/ctx.h in $here/none/include" log
verdict $? 'a folder that has no isl'
configured sh "$configure" --with-gcc=no-such-gcc
test $? -eq 1 && grep -q 'the compiler no-such-gcc (Debian package ' log
verdict $? 'a GCC that is not there'
