"""What is rare about tensors, for python/call: those of libraries that have no functions for it, and dtypes that NumPy does not know."""
import sys


class Room:
    """An argument that may grow where it is: @tensor, which begins where @storage does, and is followed by free room as far as that goes.

    For a parameter with `relax.capacity`, whose result is the same storage, some rows longer:

        past = storage[:0]
        for row in rows:
            past = step(inlay.Room(past, storage), row)
    """
    __slots__ = ("tensor", "storage")

    def __init__(self, tensor, storage):
        for part in (tensor, storage):
            if not hasattr(part, "__dlpack__"):
                raise TypeError(f"a tensor and the storage that it begins are needed, not a {type(part).__name__}")
        self.tensor, self.storage = tensor, storage


def borrow(array, name):
    """The DLPack capsule of @array, the argument @name."""
    if getattr(array, "is_neg", None) and array.is_neg():
        raise TypeError(f"`{name}` cannot be borrowed: its memory has the opposite signs; give its resolve_neg()")
    try:
        try:
            return array.__dlpack__(max_version=(1, 0))
        except TypeError:  # it knows no versions
            return array.__dlpack__()
    except (BufferError, RuntimeError, TypeError) as problem:
        raise TypeError(f"`{name}` cannot be borrowed: {problem}") from None


def to_torch(array, is_bfloat):
    """A tensor of torch over @array of NumPy, whose numbers are the bits of bfloat16 if @is_bfloat."""
    torch = sys.modules["torch"]
    made = torch.from_numpy(array)
    return made.view(torch.bfloat16) if is_bfloat else made


def bfloat16():
    import ml_dtypes
    import numpy
    return numpy.dtype(ml_dtypes.bfloat16)
