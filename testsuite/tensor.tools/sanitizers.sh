# Tests of the runtime under AddressSanitizer, UndefinedBehaviorSanitizer and
# ThreadSanitizer, and under valgrind where there are loops that it knows: they
# report nothing.  Thousands of changed files are among them.
# one GCC

# Whether $1 can be had here.
is_here ()
{
  case $1 in
    valgrind) command -v valgrind >/dev/null ;;
    *) echo 'int main (void) { return 0; }' >empty.c
      $CC_UNDER_TEST "-fsanitize=$1" empty.c -o empty >/dev/null 2>&1 ;;
  esac
}

for kind in address thread valgrind; do
  few=$(grep "/$kind/" "$BUILD/check/sanitized-few")
  if test -z "$few"; then
    echo "UNSUPPORTED: the runtime under $kind: the loops are not for it"
  elif is_here $kind; then
    (cd "$BUILD" && sh "$SOURCE/build-aux/run-sanitized" $few)
  else
    echo "UNSUPPORTED: the runtime under $kind"
  fi
done
