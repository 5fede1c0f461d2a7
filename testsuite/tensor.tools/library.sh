# The manual's chapter of the library: its examples print what stands beside
# them, and it names each function that the headers declare.
# one GCC
manual=$SOURCE/doc/tensors.texi
plugin=${TENSOR_PLUGIN:-$BUILD/plugin/$GCC/tensor.so}

verdict ()
{
  if test "$1" -eq 0; then
    echo "PASS: $2"
  else
    echo "FAIL: $2"
  fi
}

# Each example behind "@c prints: LINE|LINE" as example-N.c, what it prints in
# example-N.lines.
awk '
  /^@c prints: / { sub (/^@c prints: /, ""); lines = $0; next }
  /^@example/ && lines != "" {
    n++
    gsub (/\|/, "\n", lines)
    print lines >("example-" n ".lines")
    file = "example-" n ".c"
    lines = ""
    next
  }
  /^@end example/ { file = ""; next }
  file != "" { gsub (/@\{/, "{"); gsub (/@\}/, "}"); gsub (/@@/, "@")
               print >file }' "$manual"

n=1
while test -f example-$n.c; do
  $CC_UNDER_TEST -O2 -fopenmp "-fplugin=$plugin" \
    -fplugin-arg-tensor-report=missed "-I$SOURCE/libtensorrt-mini" \
    example-$n.c -o example-$n "-L$BUILD/libtensorrt-mini" \
    "-Wl,-rpath,$BUILD/libtensorrt-mini" -ltensorrt-mini -lm \
    >example-$n.log 2>&1 && ./example-$n >example-$n.out 2>&1
  test ! -s example-$n.log && cmp -s example-$n.lines example-$n.out
  verdict $? "example $n of the library"
  test ! -s example-$n.log || cat example-$n.log
  cmp -s example-$n.lines example-$n.out || cat example-$n.out
  n=$((n + 1))
done
test $n -gt 6
verdict $? "the chapter has examples: $((n - 1))"

# The functions that the public headers declare.
headers=$(sed -n '/^runtime_headers/,/[^\\]$/p' \
  "$SOURCE/libtensorrt-mini/local.mk" | grep -o 'libtensorrt-mini/[-a-z]*\.h')
missing=
for header in $headers; do
  for name in $(tr '\n' ' ' <"$SOURCE/$header" | sed 's/;/;\n/g' \
    | sed -n 's/.*extern [^(]*\<\(trm_[a-z0-9_]*\) (.*/\1/p'); do
    grep -q "@code{$name}" "$manual" "$SOURCE/doc/gcc-tensor.texi" \
      || missing="$missing $name"
  done
done
test -z "$missing"
verdict $? "the manual names each function of the library$missing"
