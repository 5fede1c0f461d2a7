# ./setup names and installs what is missing, as root and not, in a path with
# a space; what has not changed it does not do again.  The programs that it
# calls are stand-ins that write down their arguments.
mkdir -p 'a tree/build-aux' bin
cp "$SOURCE/setup" 'a tree'
cp "$SOURCE/build-aux/packages" 'a tree/build-aux'
touch 'a tree/configure.ac'
here=`pwd`

verdict ()
{
  if test "$1" -eq 0; then
    echo "PASS: $2"
  else
    echo "FAIL: $2"
    sed 's/^/  /' out
  fi
}

# A program called $1 that does $2.
stand_in ()
{
  printf '#! /bin/sh\n%s\n' "$2" >"bin/$1"
  chmod +x "bin/$1"
}

cat >configure <<'END'
#! /bin/sh
echo configured >>"$HERE/calls"
echo 'gcc-tensor 0: as configured'
touch Makefile
mkdir -p plugin tools libtensorrt-mini
touch tensor-opt
END
stand_in dpkg-query 'case " $MISSING " in *" $4 "*) echo unknown ;;
  *) echo "install ok installed" ;; esac'
stand_in apt-get 'echo "apt-get $*" >>"$HERE/calls"; exit $APT'
stand_in id 'echo $ID'
stand_in sudo 'exit 1'
stand_in autoreconf 'echo autoreconf >>"$HERE/calls"
  cp "$HERE/configure" configure; chmod +x configure'
stand_in make 'echo "make $*" >>"$HERE/calls"
  case "$*" in *demo*) echo "the examples" ;; *check*) exit $CHECK ;; esac'

# ./setup $1 as user $2 where $3 is missing.
setup ()
{
  rm -f calls
  HERE=$here ID=$2 MISSING=$3 APT=$APT CHECK=$CHECK PATH="$here/bin:$PATH" \
    sh 'a tree/setup' $1 >out 2>&1 </dev/null
}
APT=0
CHECK=0

setup build 1000 'libisl-dev gcc-12'
test $? -eq 1 && grep -q 'apt install gcc-12 libisl-dev *$' out \
  && test ! -f calls
verdict $? 'without root the missing packages are named'
setup build 0 'libisl-dev gcc-12'
test $? -eq 0 && grep -q '^apt-get update$' calls \
  && grep -q '^apt-get install -y [a-z-]* gcc-12 libisl-dev$' calls
verdict $? 'root installs them, and no others'
grep -q '== installing with apt, about .*: gcc-12 libisl-dev' out \
  && grep -q '== make, about [0-9]* s' out && grep -q 'done in [0-9]* s' out \
  && grep -q "log: $here/a tree/build/setup.log" out \
  && grep -q 'gcc-tensor 0: as configured' out
verdict $? 'it says what it does, for how long, and where the log is'
APT=1
setup build 0 libisl-dev
test $? -eq 1 && grep -q 'failed: apt could not install libisl-dev' out
verdict $? 'a package that is not to be had is a failure'
setup check 0 valgrind
test $? -eq 0 && grep -q 'not to be had, so some tests .*: valgrind' out \
  && grep -q 'make .* check$' calls
verdict $? 'an optional one is told, and the tests run'
APT=0
setup build 1000 valgrind
test $? -eq 0 && ! grep -q -e apt -e configured -e autoreconf calls \
  && ! grep -q valgrind out
verdict $? 'without root, with all packages, it builds what has changed'
setup demo 1000 ''
test $? -eq 0 && grep -q 'make .* demo$' calls && grep -q '^the examples$' out
verdict $? 'the demonstration is shown'
setup demo 1000 ''
test $? -eq 0 && ! grep -q 'make .* demo$' calls \
  && grep -q '== nothing has changed' out && grep -q '^the examples$' out
verdict $? 'it is shown again where nothing has changed'
setup 'demo --again' 1000 ''
test $? -eq 0 && grep -q 'make .* demo$' calls
verdict $? '--again runs it'
sleep 1
touch 'a tree/build/tensor-opt'
setup demo 1000 ''
test $? -eq 0 && grep -q 'make .* demo$' calls
verdict $? 'it runs again where the compiler is newer'
CHECK=1
sleep 1
touch 'a tree/configure.ac'
setup check 1000 ''
test $? -eq 1 && grep -q 'failed: make check' out
verdict $? 'a test that fails fails'
CHECK=0
setup check 1000 ''
test $? -eq 0 && grep -q 'make .* check$' calls
verdict $? 'and is run again'
setup nothing 0 ''
test $? -eq 2 && grep -q '^./setup demo ' out
verdict $? 'other words are answered with the usage'
