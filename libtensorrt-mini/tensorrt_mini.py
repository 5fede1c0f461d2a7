"""Tensors of libtensorrt-mini in Python, by ctypes.

    import numpy, tensorrt_mini as trm

    x = trm.Tensor (numpy.ones ((3, 4), numpy.float32))   # no copy
    y = trm.call ("trm_softmax", x, 1)
    numpy.asarray (y)                                     # no copy

A Tensor has the array interface, so that NumPy sees its memory, and DLPack's
protocol, for PyTorch and others.  call (name, ...) calls a function of the
library: Tensors and numbers stand for themselves, a tuple for a shape, a list
for axes; what fails raises Error with the library's message.

The library is found by the loader, or in TENSORRT_MINI.
"""

import ctypes
import os

TYPES = ["bool", "u8", "i8", "i32", "i64", "bf16", "f16", "f32", "f64"]
TYPESTRINGS = ["|b1", "|u1", "|i1", "<i4", "<i8", None, "<f2", "<f4", "<f8"]
RANK = 8
CAPSULE = b"dltensor"


class Error (Exception):
    """A function of the library failed."""


class Raw (ctypes.Structure):
    """struct trm_tensor."""
    _fields_ = [("at", ctypes.c_void_p), ("type", ctypes.c_int),
                ("rank", ctypes.c_int), ("extent", ctypes.c_int64 * RANK),
                ("stride", ctypes.c_int64 * RANK), ("own", ctypes.c_void_p)]


library = ctypes.CDLL (os.environ.get ("TENSORRT_MINI",
                                       "libtensorrt-mini.so.0"))
Handle = ctypes.POINTER (Raw)
FREED = ctypes.CFUNCTYPE (None, ctypes.c_void_p)
library.trm_message.restype = ctypes.c_char_p
library.trm_drop.restype = None
library.trm_drop.argtypes = [Handle]
library.trm_wrap.restype = Handle
library.trm_wrap.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_void_p,
                             ctypes.c_void_p, ctypes.c_void_p, FREED,
                             ctypes.c_void_p]
library.trm_to_dlpack.restype = ctypes.c_void_p
library.trm_to_dlpack.argtypes = [Handle]


def message ():
    return library.trm_message ().decode ()


class Tensor:
    """A tensor of the library, over an array's memory, or one that it gave."""

    def __init__ (self, array=None, handle=None):
        self.array = array
        self.handle = handle or self.wrap (array.__array_interface__)

    def wrap (self, interface):
        """The tensor of what the array INTERFACE describes."""
        shape = interface["shape"]
        if interface["typestr"] not in TYPESTRINGS:
            raise Error ("no type for " + interface["typestr"])
        type = TYPESTRINGS.index (interface["typestr"])
        bytes = int (interface["typestr"][2:])
        strides = interface.get ("strides")
        extents = (ctypes.c_int64 * len (shape)) (*shape)
        steps = strides and (ctypes.c_int64 * len (shape)) (
            *[s // bytes for s in strides])
        made = library.trm_wrap (type, len (shape), extents, steps,
                                 interface["data"][0], FREED (), None)
        if not made:
            raise Error (message ())
        return made

    def __del__ (self):
        if getattr (self, "handle", None):
            library.trm_drop (self.handle)

    @property
    def shape (self):
        raw = self.handle.contents
        return tuple (raw.extent[:raw.rank])

    @property
    def __array_interface__ (self):
        raw = self.handle.contents
        typestring = TYPESTRINGS[raw.type]
        if not typestring:
            raise Error ("NumPy has no " + TYPES[raw.type])
        bytes = int (typestring[2:])
        return {"version": 3, "shape": self.shape, "typestr": typestring,
                "data": (raw.at or 0, False),
                "strides": tuple (s * bytes for s in raw.stride[:raw.rank])}

    def __dlpack_device__ (self):
        return (1, 0)

    def __dlpack__ (self, **ignored):
        managed = library.trm_to_dlpack (self.handle)
        if not managed:
            raise Error (message ())
        new = ctypes.pythonapi.PyCapsule_New
        new.restype = ctypes.py_object
        new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new (managed, CAPSULE, None)


def arguments (values):
    """What C sees of VALUES."""
    for value in values:
        if isinstance (value, Tensor):
            yield value.handle
        elif isinstance (value, bool):
            yield ctypes.c_bool (value)
        elif isinstance (value, int):
            yield ctypes.c_int64 (value)
        elif isinstance (value, float):
            yield ctypes.c_double (value)
        elif isinstance (value, (list, tuple)):
            item = ctypes.c_int64 if isinstance (value, tuple) else ctypes.c_int
            yield ctypes.c_int (len (value))
            yield (item * len (value)) (*value)
        else:
            yield value


def call (name, *values):
    """The tensor that function NAME of the library gives for VALUES."""
    function = library[name]
    function.restype = Handle
    made = function (*arguments (values))
    if not made:
        raise Error (message ())
    return Tensor (handle=made)
