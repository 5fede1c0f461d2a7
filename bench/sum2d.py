"""A sum over an array of two dimensions, called from Python.

    python3 bench/sum2d.py TENSORCC OUTPUT SECONDS

The two loops as C, compiled by TENSORCC and called by ctypes with the array's
address, against: NumPy's sum; the same C as an extension module, by gcc -O3,
where Python's headers are there; Numba's, where it is installed.  On one
thread, in turns, for SECONDS a row; medians of a call, and how many times as
long as ctypes the others take.  To OUTPUT goes the same as JSON.  Where NumPy
is not installed it says so, and ends with 0.
"""

import ctypes
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import sysconfig
import time

try:
    import numpy
except ImportError:
    print("NumPy is not installed: no sum2d from Python")
    sys.exit(0)

LOOPS = """
double
sum2d (long n, long m, const double *x)
{
  double sum = 0;
#pragma tensor
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      sum += x[i * m + j];
  return sum;
}
"""

MODULE = "#include <Python.h>\n" + LOOPS + """
static PyObject *
sum_of (PyObject *self, PyObject *array)
{
  Py_buffer view;
  if (PyObject_GetBuffer (array, &view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT))
    return NULL;
  double sum = sum2d (view.shape[0], view.shape[1], view.buf);
  PyBuffer_Release (&view);
  return PyFloat_FromDouble (sum);
}
static PyMethodDef methods[] = { { "sum2d", sum_of, METH_O, 0 }, { 0 } };
static PyModuleDef module
  = { PyModuleDef_HEAD_INIT, "sum2d_extension", 0, -1, methods };
PyMODINIT_FUNC
PyInit_sum2d_extension (void)
{
  return PyModule_Create (&module);
}
"""


def build(command, text, made):
    """Compile TEXT by COMMAND to the shared object MADE; its path or None."""
    with open(made + ".c", "w") as file:
        file.write(text)
    made = os.path.abspath(made + ".so")
    line = command + ["-O3", "-march=native", "-shared", "-fPIC", "-o", made,
                      made[:-3] + ".c"]
    done = subprocess.run(line, capture_output=True)
    return made if done.returncode == 0 else None


def by_ctypes(tensorcc):
    """sum2d of an array, by ctypes."""
    made = build([tensorcc, "--tensor-report=none"], LOOPS, "sum2d")
    function = ctypes.CDLL(made).sum2d
    function.restype = ctypes.c_double
    function.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p]
    return lambda x: function(*x.shape, x.ctypes.data)


def by_extension():
    """The same as a module in C, or None."""
    include = sysconfig.get_paths()["include"]
    made = build(["gcc", "-Wno-unknown-pragmas", "-I" + include], MODULE,
                 "sum2d_extension")
    if not made:
        return None
    spec = importlib.util.spec_from_file_location("sum2d_extension", made)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.sum2d


def by_numba():
    """The same as Python, compiled by Numba, or None."""
    try:
        import numba
    except ImportError:
        return None

    @numba.njit(fastmath=True)
    def sum2d(x):
        total = 0.0
        for i in range(x.shape[0]):
            for j in range(x.shape[1]):
                total += x[i, j]
        return total
    return sum2d


def measure(ways, x, seconds):
    """The median of a call of each of WAYS with X, in turns, nanoseconds."""
    runs = {name: [] for name in ways}
    calls = max(1, 200000 // x.size)
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(runs["ctypes"]) < 5:
        for name, way in ways.items():
            begin = time.perf_counter_ns()
            for _ in range(calls):
                way(x)
            runs[name].append((time.perf_counter_ns() - begin) / calls)
    return {name: statistics.median(ns) for name, ns in runs.items()}


def main():
    tensorcc, output, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
    ways = {"ctypes": by_ctypes(tensorcc), "numpy": numpy.sum,
            "extension": by_extension(), "numba": by_numba()}
    missing = [name for name, way in ways.items() if not way]
    ways = {name: way for name, way in ways.items() if way}
    rows = []
    print("%-16s" % "sum2d" + "".join("%14s" % name for name in ways))
    for n in (10, 100, 1000):
        x = numpy.random.default_rng(1).random((n, n))
        for name, way in ways.items():
            if abs(way(x) - x.sum()) > 1e-9 * n * n:
                sys.exit("sum2d: %s gives another sum" % name)
        ns = measure(ways, x, seconds)
        print("%-16s" % ("%d x %d" % (n, n)) + "".join(
            "%11.2f us" % (ns[name] / 1000) if name == "ctypes"
            else "%13.2fx" % (ns[name] / ns["ctypes"]) for name in ways))
        rows.append({"name": "%d x %d" % (n, n), "ns": ns})
    if missing:
        print("not here: " + ", ".join(missing))
    with open(output, "w") as file:
        json.dump(rows, file)


main()
