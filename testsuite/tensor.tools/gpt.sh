# The example gpt learns: after a few steps its loss has fallen, with the same
# bits on any number of threads; after more it is well below what knowing how
# often each letter stands gives, on letters that were not learnt too; each of
# its gradients is that of the loops as they stand in the function.
# one GCC
plugin=$BUILD/plugin/$GCC/tensor.so
text=$SOURCE/doc/gcc-tensor.texi

verdict ()
{
  if test "$1" -eq 0; then
    echo "PASS: $2"
  else
    echo "FAIL: $2"
  fi
}

LC_ALL=C
export LC_ALL
$CC_UNDER_TEST -O3 -march=native -fopenmp -w "-fplugin=$plugin" \
  -fplugin-arg-tensor-report=none -fplugin-arg-tensor-check \
  "$SOURCE/examples/gpt.c" -o gpt -Wl,-u,trm_register \
  "$BUILD/libtensorrt-mini/libtensorrt-mini.a" -ldl -lm >log 2>&1
verdict $? 'it compiles'
OMP_NUM_THREADS=1 ./gpt 15 40 "$text" >one 2>one.log
verdict $? 'it learns'
awk '/^step/ { loss = $4 } END { exit !(loss > 1 && loss < 4.2) }' one.log
verdict $? 'its loss falls'
OMP_NUM_THREADS=3 ./gpt 15 40 "$text" >three 2>/dev/null
cmp one three
verdict $? 'three threads give the same bits as one'
./gpt 130 0 "$text" >far 2>/dev/null
awk '/entropy/ { gsub (/[,;]/, ""); entropy = $7; loss = $9; unseen = $11 }
     END { exit !(entropy > 2 && entropy < 5 && loss > 0 && unseen > 0 \
                  && loss < entropy - 0.5 && unseen < entropy - 0.5) }' far
verdict $? 'it knows more than how often letters stand'
TRM_MODE=check ./gpt 1 0 "$text" 2>&1 >/dev/null | grep 'all agree'
verdict $? 'its gradients are those of the loops as written'
