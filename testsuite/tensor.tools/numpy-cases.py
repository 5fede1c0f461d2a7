"""Random operations on random arrays, by the library and by NumPy.

    numpy-cases.py COUNT SEED [CASE]

Each case follows from SEED and its number: arrays of up to five axes, some of
them empty, as views with steps, turned, backwards and broadcast; what NumPy
refuses the library must refuse.  Types are given before the operation, by the
library's rule (trm-tensor.h), since NumPy has another.  Whole numbers must be
the same; floating ones may differ by a few units of the last place for each
term of a sum.

Prints the cases that differ, and how many of each kind there were.
"""

import collections
import ctypes
import random
import sys
import warnings

import numpy
import tensorrt_mini as trm

TYPES = [numpy.dtype (t) for t in ("?", "u1", "i1", "i4", "i8", "f2", "f4",
                                   "f8")]
WHOLE = TYPES[1:5]
FLOATING = TYPES[5:]
refused = (ValueError, IndexError, TypeError, DeprecationWarning)


class Wrong (Exception):
    """The library gave something else."""


def numbers (r, shape, type):
    """An array of small numbers of SHAPE and TYPE, in order."""
    count = int (numpy.prod (shape, dtype=int))
    if type == TYPES[0]:
        flat = [r.random () < 0.5 for _ in range (count)]
    elif type in WHOLE:
        low = 0 if type == TYPES[1] else -9
        flat = [r.randint (low, 9) for _ in range (count)]
    else:
        flat = [r.randint (-16, 16) / 8 for _ in range (count)]
    return numpy.array (flat, type).reshape (shape)


def view (r, shape, type):
    """An array of SHAPE and TYPE somewhere in a larger one."""
    order = list (range (len (shape)))
    r.shuffle (order)
    whole, cut = [], []
    for k in order:
        step = r.choice ([1, 1, 1, 2, 3, -1, -2])
        before, extent = r.randint (0, 2), shape[k]
        length = before + abs (step) * max (extent - 1, 0) + 1
        first = before if step > 0 else length - 1
        whole.append (length)
        cut.append ([first + step * i for i in range (extent)])
    array = numbers (r, whole, type)
    for k, places in enumerate (cut):
        step = places[1] - places[0] if len (places) > 1 else 1
        if places:
            end = places[-1] + (1 if step > 0 else -1)
            places = slice (places[0], end if end >= 0 else None, step)
        else:
            places = slice (0, 0)
        array = array[(slice (None),) * k + (places,)]
    back = sorted (range (len (order)), key=lambda k: order[k])
    array = array.transpose (back)
    return array


def any_shape (r, most=4):
    least = 0 if r.random () < 0.1 else 1
    return tuple (r.randint (least, 5) for _ in range (r.randint (0, most)))


def any_view (r, types=TYPES, most=4):
    array = view (r, any_shape (r, most), r.choice (types))
    if array.ndim and r.random () < 0.15:
        wide = (r.randint (1, 3),) + array.shape
        array = numpy.broadcast_to (array, wide)
    return array


def partner (r, shape):
    """A shape that mostly goes with SHAPE."""
    other = [1 if r.random () < 0.3 else n for n in shape]
    other = other[r.randint (0, len (other)):] if r.random () < 0.4 else other
    if r.random () < 0.2:
        other = [r.randint (1, 3)] + other
    if other and r.random () < 0.1:
        other[r.randrange (len (other))] += 1
    return tuple (other)


def check (made, wanted, terms=1):
    """Whether the tensor MADE is WANTED, of TERMS terms each."""
    array = numpy.asarray (made)
    wanted = numpy.asarray (wanted)
    if array.shape != wanted.shape or array.dtype != wanted.dtype:
        raise Wrong ("%s %s, not %s %s" % (array.dtype, array.shape,
                                           wanted.dtype, wanted.shape))
    if wanted.dtype not in FLOATING:
        same = array == wanted
    else:
        unit = 4 * terms * numpy.finfo (wanted.dtype).eps
        a, b = array.astype (float), wanted.astype (float)
        with numpy.errstate (invalid="ignore"):
            near = abs (a - b) <= unit * numpy.maximum (1, abs (b))
        same = near | (a == b) | (numpy.isnan (a) & numpy.isnan (b))
    if not same.all ():
        raise Wrong ("%s, not %s" % (array, wanted))


def compare (run, refer, terms=1):
    """RUN gives what REFER gives, or both refuse."""
    try:
        with numpy.errstate (all="ignore"):
            wanted = refer ()
    except refused:
        wanted = None
    try:
        made = run ()
    except trm.Error as error:
        if wanted is not None:
            raise Wrong ("refused: %s" % error)
        return
    if wanted is None:
        raise Wrong ("NumPy refuses")
    check (made, wanted, terms)


def later (a, b):
    """The type of an operation on types A and B."""
    if {a, b} == {TYPES[1], TYPES[2]}:
        return TYPES[3]
    return max (a, b, key=TYPES.index)


def floating (type):
    return type if type in FLOATING else TYPES[6]


UNARY = {"neg": numpy.negative, "abs": numpy.abs, "square": numpy.square,
         "exp": numpy.exp, "sin": numpy.sin, "cos": numpy.cos,
         "tanh": numpy.tanh, "sqrt": numpy.sqrt, "log": numpy.log,
         "reciprocal": lambda x: 1 / x,
         "relu": lambda x: numpy.maximum (x, 0),
         "sigmoid": lambda x: 1 / (1 + numpy.exp (-x))}


def unary (r):
    name = r.choice (sorted (UNARY))
    real = name not in ("neg", "abs", "square", "relu")
    x = any_view (r, TYPES[1:])
    type = floating (x.dtype) if real else x.dtype
    inner = numpy.float32 if type == TYPES[5] else type
    compare (lambda: trm.call ("trm_" + name, trm.Tensor (x)),
             lambda: UNARY[name] (x.astype (inner)).astype (type))


BINARY = {"add": numpy.add, "sub": numpy.subtract, "mul": numpy.multiply,
          "div": numpy.divide, "maximum": numpy.maximum,
          "minimum": numpy.minimum, "equal": numpy.equal, "less": numpy.less,
          "less_equal": numpy.less_equal}


def binary (r):
    name = r.choice (sorted (BINARY))
    x = any_view (r, TYPES[1:])
    y = view (r, partner (r, x.shape), r.choice (TYPES[1:]))
    type = later (x.dtype, y.dtype)
    type = floating (type) if name == "div" else type
    inner = numpy.dtype ("f4") if type == TYPES[5] else type

    def refer ():
        z = BINARY[name] (x.astype (inner), y.astype (inner))
        return z if z.dtype == TYPES[0] else z.astype (type)
    compare (lambda: trm.call ("trm_" + name, trm.Tensor (x), trm.Tensor (y)),
             refer)


def where (r):
    c = view (r, any_shape (r), TYPES[0])
    x = view (r, partner (r, c.shape), r.choice (TYPES[1:]))
    y = view (r, partner (r, c.shape), r.choice (TYPES[1:]))
    type = later (x.dtype, y.dtype)
    compare (lambda: trm.call ("trm_where", *map (trm.Tensor, (c, x, y))),
             lambda: numpy.where (c, x.astype (type), y.astype (type))
             .astype (type))


def some_axes (r, rank):
    axes = r.sample (range (rank), r.randint (0, rank))
    return [k - rank if r.random () < 0.3 else k for k in axes]


FOLD = {"sum": numpy.sum, "mean": numpy.mean, "prod": numpy.prod,
        "max": numpy.max, "min": numpy.min, "any": numpy.any,
        "every": numpy.all}


def fold (r):
    name = r.choice (sorted (FOLD) + ["var"])
    x = any_view (r, TYPES if name in ("any", "every") else TYPES[1:])
    axes, keep = some_axes (r, x.ndim), r.random () < 0.5
    over = tuple (axes) if axes else tuple (range (x.ndim))
    type = x.dtype
    if name in ("sum", "prod") and type not in FLOATING:
        type = TYPES[4]
    if name in ("mean", "var"):
        type = floating (type)
    wide = float if type in FLOATING else x.dtype
    more = [float (r.randint (0, 1))] if name == "var" else []
    terms = 1 + int (numpy.prod ([x.shape[k] for k in over], dtype=int))

    def refer ():
        y = x.astype (wide)
        if name not in ("sum", "prod") and terms == 1:
            raise ValueError
        if name == "var":
            z = numpy.var (y, over, ddof=more[0], keepdims=keep)
        else:
            z = FOLD[name] (y, over, keepdims=keep)
        return z if name in ("any", "every") else z.astype (type)
    compare (lambda: trm.call ("trm_" + name, trm.Tensor (x), list (axes),
                               keep, *more), refer, terms)


def along (r):
    name = r.choice (["argmax", "argmin", "cumsum"])
    x = view (r, any_shape (r, 3) + (r.randint (1, 6),), r.choice (TYPES[1:]))
    axis = r.randrange (-x.ndim, x.ndim)
    keep = [r.random () < 0.5] if name != "cumsum" else []
    wide = float if x.dtype in FLOATING else numpy.int64
    type = x.dtype if x.dtype in FLOATING else TYPES[4]

    def refer ():
        if name == "cumsum":
            return numpy.cumsum (x.astype (wide), axis).astype (type)
        return getattr (numpy, name) (x, axis, keepdims=keep[0])
    compare (lambda: trm.call ("trm_" + name, trm.Tensor (x), axis, *keep),
             refer, x.shape[axis] + 1)


def views (r):
    x = any_view (r)
    t = trm.Tensor (x)
    kind = r.randrange (7)
    k = r.randint (-x.ndim, max (x.ndim - 1, 0))
    if kind == 0:
        order = list (range (x.ndim))
        r.shuffle (order)
        compare (lambda: trm.call ("trm_permute", t, order),
                 lambda: x.transpose (order))
    elif kind == 1 and x.ndim:
        b, e = r.randint (-7, 7), r.randint (-7, 7)
        s = r.choice ([1, 2, 3, -1, -2])
        compare (lambda: trm.call ("trm_slice", t, k, b, e, s),
                 lambda: x.swapaxes (0, k)[b:e:s].swapaxes (0, k))
    elif kind == 2 and x.ndim:
        i = r.randint (-6, 5)
        compare (lambda: trm.call ("trm_select", t, k, i),
                 lambda: x[(slice (None),) * (k % x.ndim) + (i,)])
    elif kind == 3:
        wide = (r.randint (1, 3),) + tuple (
            r.randint (1, 3) if n == 1 else n for n in x.shape)
        compare (lambda: trm.call ("trm_expand", t, wide),
                 lambda: numpy.broadcast_to (x, wide))
    elif kind == 4:
        parts = [n for n in x.shape if n != 1]
        r.shuffle (parts)
        if len (parts) > 1 and r.random () < 0.5:
            parts[:2] = [parts[0] * parts[1]]
        if parts and x.size and r.random () < 0.4:
            parts[r.randrange (len (parts))] = -1
        if parts and r.random () < 0.1:
            parts[0] += 7
        compare (lambda: trm.call ("trm_reshape", t, tuple (parts)),
                 lambda: x.reshape (parts))
    elif kind == 5:
        k = r.randint (-x.ndim - 1, x.ndim)
        compare (lambda: trm.call ("trm_unsqueeze", t, k),
                 lambda: numpy.expand_dims (x, k))
    elif x.ndim > 1:
        compare (lambda: trm.call ("trm_diagonal", t),
                 lambda: numpy.diagonal (x, 0, -2, -1))


def handles (tensors):
    """The array of pointers to TENSORS, None for NULL."""
    return (trm.Handle * len (tensors)) (
        *[t.handle if t else None for t in tensors])


def lists (r, x):
    """Index arrays for the first axes of X, None among them, of shapes that go
    together."""
    shape, index, axis = any_shape (r, 2), [], 0
    count = r.randint (1, x.ndim)
    while axis < count:
        if r.random () < 0.2:
            index.append (None)
        elif r.random () < 0.1:
            index.append (view (r, x.shape[axis:axis + 1], TYPES[0]))
        else:
            n = x.shape[axis] + (r.random () < 0.02)
            a = view (r, partner (r, shape), TYPES[4])
            a = (a * 7 + 3) % (2 * n) - n if n else numpy.zeros (0, TYPES[4])
            index.append (numpy.asarray (a))
        axis += 1
    return index


def indexed (r):
    x = view (r, any_shape (r, 3) + (r.randint (1, 5),), r.choice (TYPES[1:]))
    index = lists (r, x)
    if not [i for i in index if i is not None]:
        return
    kept = [None if i is None else trm.Tensor (i) for i in index]
    where_ = tuple (slice (None) if i is None else i for i in index)
    kind = r.choice (["", "_put", "_add"])
    if not kind:
        return compare (lambda: trm.call ("trm_index", trm.Tensor (x),
                                          ctypes.c_int (len (kept)),
                                          handles (kept)),
                        lambda: x[where_])
    ours, theirs = x.copy (), x.copy ()
    value = numbers (r, (), x.dtype)
    to, number = trm.Tensor (ours), trm.Tensor (value)

    def refer ():
        if kind == "_put":
            theirs[where_] = value
        else:
            numpy.add.at (theirs, where_, value)
        return theirs

    def run ():
        function = trm.library["trm_index" + kind]
        if function (to.handle, len (kept), handles (kept), number.handle):
            raise trm.Error (trm.message ())
        return ours
    compare (run, refer, 1 + x.size)


def product (r):
    type = r.choice (FLOATING)
    n, q, p = (r.randint (1, 9) for _ in range (3))
    batch = any_shape (r, 2)
    x = view (r, batch + (n, q), type)
    y = view (r, partner (r, batch) + (q + (r.random () < 0.05), p), type)
    x = x[(0,) * (x.ndim - 1)] if r.random () < 0.1 and x.size else x
    y = y[(0,) * (y.ndim - 2)][:, 0] if r.random () < 0.1 and y.size else y
    compare (lambda: trm.call ("trm_matmul", trm.Tensor (x), trm.Tensor (y)),
             lambda: numpy.matmul (x.astype (float), y.astype (float))
             .astype (type), q + 1)


def together (r):
    x = view (r, any_shape (r, 3) + (r.randint (1, 5),), r.choice (TYPES))
    k, n = r.randrange (-x.ndim, x.ndim), r.randint (1, 4)
    name = r.choice (["concat", "stack"])
    parts = []
    for _ in range (n):
        shape = list (x.shape)
        if name == "concat" or r.random () < 0.05:
            shape[k] = r.randint (0, 4)
        parts.append (view (r, shape, x.dtype))
    kept = [trm.Tensor (a) for a in parts]
    join = numpy.concatenate if name == "concat" else numpy.stack
    compare (lambda: trm.call ("trm_" + name, ctypes.c_int (n), handles (kept),
                               k), lambda: join (parts, k))


def ordered (r):
    x = view (r, any_shape (r, 2) + (r.randint (1, 9),), r.choice (TYPES[1:]))
    k = r.randrange (-x.ndim, x.ndim)
    at = trm.Handle ()
    made = trm.call ("trm_sort", trm.Tensor (x), k, False, ctypes.byref (at))
    places = trm.Tensor (handle=at)
    check (made, numpy.sort (x, k, "stable"))
    check (places, numpy.argsort (x, k, "stable"))


def other_type (r):
    x, type = any_view (r), r.choice (TYPES)
    if type == TYPES[1]:
        x = abs (x) if x.dtype != TYPES[0] else x
    compare (lambda: trm.call ("trm_cast", trm.Tensor (x),
                               trm.TYPESTRINGS.index (type.str)),
             lambda: x.astype (type))


def steps (r, n, length):
    """LENGTH subscripts of an axis of N, which has them."""
    step = r.choice ([k for k in (1, 1, 2, 3) if (length - 1) * k < n])
    first = r.randint (0, n - 1 - (length - 1) * step)
    cut = slice (first, first + (length - 1) * step + 1, step)
    if r.random () < 0.3:
        last = first - 1 if first else None
        cut = slice (first + (length - 1) * step, last, -step)
    return cut


def moved (r):
    """A part of an array becomes another part, which may overlap it."""
    x = numbers (r, [r.randint (2, 9) for _ in range (r.randint (1, 3))],
                 r.choice (TYPES))
    lengths = [r.randint (1, n) for n in x.shape]
    ours, theirs = x.copy (), x.copy ()
    to = tuple (steps (r, n, k) for n, k in zip (x.shape, lengths))
    lengths = [1 if r.random () < 0.2 else k for k in lengths]
    of = tuple (steps (r, n, k) for n, k in zip (x.shape, lengths))
    parts = [trm.Tensor (ours[cut]) for cut in (to, of)]

    def run ():
        if trm.library["trm_copy_to"] (*[t.handle for t in parts]):
            raise trm.Error (trm.message ())
        return ours

    def refer ():
        theirs[to] = theirs[of].copy ()
        return theirs
    compare (run, refer)


def places (r):
    x = any_view (r)
    compare (lambda: trm.call ("trm_nonzero", trm.Tensor (x)),
             lambda: numpy.argwhere (x).astype (numpy.int64))


KINDS = [unary, binary, binary, where, fold, fold, along, views, views,
         indexed, indexed, product, together, ordered, other_type, moved,
         places]


def main ():
    warnings.simplefilter ("ignore", RuntimeWarning)
    warnings.simplefilter ("error", DeprecationWarning)
    count, seed = int (sys.argv[1]), int (sys.argv[2])
    first = int (sys.argv[3]) if len (sys.argv) > 3 else 0
    done, wrong = collections.Counter (), 0
    for i in range (first, first + count):
        r = random.Random (seed * 1000003 + i)
        kind = r.choice (KINDS)
        try:
            kind (r)
        except Wrong as error:
            wrong += 1
            if wrong <= 10:
                print ("case %d of seed %d, %s: %s" % (i, seed, kind.__name__,
                                                       error))
        done[kind.__name__] += 1
    print (", ".join ("%s %d" % pair for pair in sorted (done.items ())))
    return wrong > 0


sys.exit (main ())
