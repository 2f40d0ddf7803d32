"""Tensors of Python as Inlay takes and gives them: DLPack in, arrays that own their memory out."""
import ctypes
import sys

import numpy

from ._library import Tensor

READ_ONLY = 1  # flags of DLManagedTensorVersioned
CODES = {0: "int", 1: "uint", 2: "float"}
SIZED = {(4, 16): "bfloat16", (6, 8): "bool"}

_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
_name = ctypes.pythonapi.PyCapsule_GetName
_name.restype, _name.argtypes = ctypes.c_char_p, [ctypes.py_object]


class _Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p),
                ("flags", ctypes.c_uint64), ("tensor", Tensor)]


class Borrowed:
    """A tensor of somebody else, for as long as this is there."""

    def __init__(self, array):
        try:
            self.capsule = array.__dlpack__(max_version=(1, 0))
        except TypeError:  # it knows no versions
            self.capsule = array.__dlpack__()
        if _name(self.capsule) == b"dltensor_versioned":
            versioned = _Versioned.from_address(_pointer(self.capsule, b"dltensor_versioned"))
            self.tensor, self.is_read_only = versioned.tensor, bool(versioned.flags & READ_ONLY)
        else:
            self.tensor, self.is_read_only = Tensor.from_address(_pointer(self.capsule, b"dltensor")), False
        self.array = array

    def is_same(self, tensor):
        """Is @tensor, a result, all of this one?"""
        ndim = self.tensor.ndim
        return (address(tensor) == address(self.tensor) and tensor.ndim == ndim and tensor.shape[:ndim] == self.tensor.shape[:ndim] and
                dtype_name(tensor) == dtype_name(self.tensor))


def address(tensor):
    return (tensor.data or 0) + tensor.byte_offset


def dtype_name(tensor):
    known = SIZED.get((tensor.code, tensor.bits))
    return known or f"{CODES.get(tensor.code, 'code ' + str(tensor.code) + ' of ')}{tensor.bits}"


def _is_torch(array):
    return type(array).__module__.split(".")[0] == "torch"


def own(tensor, owner, like):
    """An array over the memory of @tensor that keeps @owner; of torch if @like is, else of NumPy."""
    name, shape = dtype_name(tensor), tuple(tensor.shape[:tensor.ndim])
    count = 1
    for dim in shape:
        count *= dim
    is_bfloat = name == "bfloat16"
    dtype = numpy.dtype("int16" if is_bfloat else name)
    if count:
        memory = (ctypes.c_char * (count * dtype.itemsize)).from_address(address(tensor))
        memory.owner = owner
        array = numpy.frombuffer(memory, dtype).reshape(shape)
    else:
        array = numpy.empty(shape, dtype)
    if like is not None and _is_torch(like):
        torch = sys.modules["torch"]
        made = torch.from_numpy(array)
        return made.view(torch.bfloat16) if is_bfloat else made
    if is_bfloat:
        import ml_dtypes
        return array.view(ml_dtypes.bfloat16)
    return array
