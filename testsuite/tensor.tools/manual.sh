# The manual: its examples compile with the verdict that stands beside them,
# and it names what the sources know.
# one GCC
manual=$SOURCE/doc/gcc-tensor.texi
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

# Each example behind "@c compile: WORDS" as example-N.c, WORDS in
# example-N.words.
awk '
  /^@c compile: / { sub (/^@c compile: /, ""); words = $0; next }
  /^@example/ && words != "" {
    n++
    print words >("example-" n ".words")
    file = "example-" n ".c"
    words = ""
    next
  }
  /^@end example/ { file = ""; next }
  file != "" { gsub (/@\{/, "{"); gsub (/@\}/, "}"); gsub (/@@/, "@")
               print >file }' "$manual"

# The verdicts and reasons of the regions of example $1, then how GCC ended.
compile ()
{
  rm -f report
  $CC_UNDER_TEST -O2 -march=native -fopenmp "-fplugin=$plugin" \
    "-fplugin-arg-tensor-report-json=report" "-I$SOURCE/libtensorrt-mini" \
    -c "$1.c" -o "$1.o" >"$1.log" 2>&1 || echo error
  test ! -f report || sed \
    's/.*"verdict": "\([a-z]*\)".*"reason": \(null\|{"why": "\([^"]*\)\).*/\1 \3/' \
    report
}

n=1
while test -f example-$n.c; do
  got=$(compile example-$n | tr '\n' ' ' | sed 's/ *$//; s/  */ /g')
  told=$(cat example-$n.words)
  case $got in
    "$told"*) verdict 0 "example $n of the manual: $told" ;;
    *)
      verdict 1 "example $n of the manual: $told"
      echo "  got $got"
      cat example-$n.c example-$n.log ;;
  esac
  n=$((n + 1))
done
test $n -gt 20
verdict $? "the manual has examples: $((n - 1))"

# The nodes of the manual whose names are separated by | in $1.
nodes ()
{
  awk -v wanted="$1" '
    BEGIN { n = split (wanted, name, "|") }
    /^@node / { inside = 0
                for (i = 1; i <= n; i++) inside += $0 == "@node " name[i] }
    inside' "$manual"
}

# Each word that is read has a line in a table of the nodes $2; $1 says what
# the words are.
all_named ()
{
  what=$1
  count=0
  missing=
  nodes "$2" >nodes.texi
  while read -r word; do
    count=$((count + 1))
    grep -q -e "^@itemx* $word\([=({[ ].*\)*\$" nodes.texi \
      || missing="$missing $word"
  done
  test $count -gt 0 && test -z "$missing"
  verdict $? "the manual names all $what${missing:+; not}$missing"
}

reasons=$(sed -n '/^@node Reasons/,$s/^@node //p' "$manual" | tr '\n' '|')
sed -n 's/^TNS_OPTION ([A-Z_]*, "\([^"]*\)".*/\1/p' \
  "$SOURCE/plugin/option.def" | all_named options 'Options'
sed -n 's/^TNS_CLAUSE ([A-Z_]*, "\([^"]*\)".*/\1/p' \
  "$SOURCE/pragmas/clause.def" | all_named clauses 'Clauses'
sed -n 's/^TNS_DIRECTIVE ([A-Z_]*, "\([^"]*\)".*/#pragma tensor \1/p' \
  "$SOURCE/pragmas/clause.def" | all_named directives 'Directives'
sed -n 's/^TNS_WHY ([A-Z_]*, TNS_[RF][A-Z]*, "\([^"]*\)".*/\1/p' \
  "$SOURCE/base/why.def" | all_named reasons "$reasons"
sed -n 's/.*getenv ("\([A-Z_]*\)").*/\1/p' "$SOURCE"/libtensorrt-mini/*.c \
  "$SOURCE"/tools/*.c | sort -u \
  | all_named 'variables of C programs' 'Run time|tensor-compare'
grep -o '\$[{]*TENSOR_[A-Z]*' "$SOURCE/tools/tensorcc.in" | tr -d '${' \
  | sort -u | all_named 'variables of tensorcc' 'tensorcc'
grep -o 'tell (ctx, "[a-z]*"\|dumps (ctx, "[a-z]*"' \
  "$SOURCE/driver/pipeline.c" | sed 's/.*"\(.*\)"/\1/' | sort -u \
  | all_named stages 'Dumps'
sed -n 's/.*{ "\([a-z]*\) ", replay_.*/\1/p
  s/.*}, *{ "\([a-z]*\) ", replay_.*/\1/p' "$SOURCE/schedule/replay.c" \
  | sort -u | all_named 'steps of plans' 'Plans'
compile example-1 >/dev/null
grep -o '"[a-z_]*": ' report | tr -d '": ' | sort -u \
  | all_named 'keys of JSON' 'JSON'
for tool in "$BUILD/tools/tensorcc" "$BUILD/tools/tensor-compare" \
  "$BUILD/tensor-opt"; do
  "$tool" --help | grep -o -e '--[a-z][a-z]*' | sort -u \
    | grep -v -e '--tensor$' \
    | all_named "switches of $(basename "$tool")" "$(basename "$tool")"
done

# So do the manual pages.
page_names ()
{
  page=$1
  missing=
  while read -r word; do
    sed 's/\\-/-/g; s/\\f.//g' "$SOURCE/doc/$page" | grep -q -e "$word" \
      || missing="$missing $word"
  done
  test -z "$missing"
  verdict $? "$page names all${missing:+; not}$missing"
}

for tool in "$BUILD/tools/tensorcc" "$BUILD/tools/tensor-compare" \
  "$BUILD/tensor-opt"; do
  "$tool" --help | grep -o -e '--[a-z][a-z]*' | sort -u \
    | page_names "$(basename "$tool").1"
done
sed -n 's/^TNS_OPTION ([A-Z_]*, "\([^"]*\)".*/\1/p
  s/^TNS_CLAUSE ([A-Z_]*, "\([^"]*\)".*/\1/p' "$SOURCE/plugin/option.def" \
  "$SOURCE/pragmas/clause.def" | page_names tensor-gcc.7

if command -v makeinfo >/dev/null; then
  makeinfo --no-warn "$manual" -o manual.info && test -s manual.info
  verdict $? 'makeinfo makes the manual'
  makeinfo --html --no-split "$manual" -o manual.html && test -s manual.html
  verdict $? 'makeinfo makes a page'
else
  echo 'UNSUPPORTED: makeinfo'
fi
exit $failed
