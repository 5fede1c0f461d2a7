# Random operations of the library are NumPy's: shapes, strides, broadcasts,
# index arrays, reductions, products (numpy-cases.py).  TENSOR_CASES='COUNT SEED'
# says how many.
# one GCC

cases=${TENSOR_CASES:-500 1}
python=
for name in python3 /usr/bin/python3; do
  test -n "$python" || ! $name -c 'import numpy' >/dev/null 2>&1 \
    || python=$name
done
if test -z "$python"; then
  echo 'UNSUPPORTED: random operations are those of NumPy: it is not here'
  exit 0
fi
TENSORRT_MINI=$BUILD/libtensorrt-mini/libtensorrt-mini.so.0
PYTHONPATH=$SOURCE/libtensorrt-mini
PYTHONDONTWRITEBYTECODE=1
export TENSORRT_MINI PYTHONPATH PYTHONDONTWRITEBYTECODE
if $python "$SOURCE/testsuite/tensor.tools/numpy-cases.py" $cases; then
  echo "PASS: ${cases% *} random operations are those of NumPy"
else
  echo "FAIL: ${cases% *} random operations are those of NumPy"
  exit 1
fi
