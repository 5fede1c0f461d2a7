# tensorcc's command line: what stands before and after the user's words.
tensorcc=${TENSORCC:-$BUILD/tools/tensorcc}
TENSOR_CC=${CC_UNDER_TEST:-$GCC}
export TENSOR_CC
failed=0

# Whether the command for the words after $1 and $2 holds (+) or lacks (-)
# the pattern $2.
line_has ()
{
  sign=$1 pattern=$2 what=$3
  shift 3
  got=$("$tensorcc" --show "$@")
  case $sign$(printf '%s\n' "$got" | grep -c -e "$pattern") in
    +[1-9]* | -0) echo "PASS: $what" ;;
    *)
      echo "FAIL: $what"
      printf '  for %s\n  got %s\n' "$*" "$got"
      failed=1 ;;
  esac
}

line_has + '-fplugin=.*tensor\.so.* -fopenmp .*x\.c' 'plugin first' x.c
line_has + ' -fopenmp .* -fno-openmp' 'the user switches OpenMP off' \
  -fno-openmp -c x.c
line_has + 'x\.c .*-ltensorrt-mini.* -lm' 'libraries last' x.c
line_has + "'a b.c'" 'a name with a blank stays one word' 'a b.c'
line_has + "'-DX=\"it'\\\\''s\"'" 'quotes survive' '-DX="it'\''s"' x.c
line_has + '-ltensorrt-mini' 'objects are linked' x.o -o prog
line_has + '-ltensorrt-mini' 'shared objects too' -shared -fPIC x.c -o x.so
line_has + '-ltensorrt-mini' 'and with -flto' -flto x.c y.c
for stop in -c -S -E -M -MM -fsyntax-only -r -nostdlib -nodefaultlibs; do
  line_has - '-ltensorrt-mini' "no libraries with $stop" $stop x.c
done
line_has - '-ltensorrt-mini' 'nothing to link for -v' -v
line_has - '-ltensorrt-mini' 'nothing to link for a switch with a value' \
  -o prog -I include
line_has + '-fplugin-arg-tensor-report=none' 'own switches' \
  --tensor-report=none x.c
line_has - '--tensor-report' 'are taken out' --tensor-report=none x.c
TENSOR_OPTS='check fuse=none'
export TENSOR_OPTS
line_has + 'tensor\.so.* -fplugin-arg-tensor-check -fplugin-arg-tensor-fuse=none' \
  'TENSOR_OPTS, after the plugin' x.c
unset TENSOR_OPTS

"$tensorcc" --version | grep '^tensorcc .*gcc-tensor' >/dev/null \
  && echo 'PASS: --version' || { echo 'FAIL: --version'; failed=1; }

TENSOR_CC=no-such-gcc "$tensorcc" -c x.c 2>errors
test $? = 2 && grep 'cannot run no-such-gcc' errors >/dev/null \
  && echo 'PASS: a GCC that is not there' \
  || { echo 'FAIL: a GCC that is not there'; failed=1; }
exit $failed
