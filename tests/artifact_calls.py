"""Calls what `inlay compile --emit=so,json` wrote, on arrays of NumPy, by the door that checks, and asks that nothing else is written.

What a call finds in the arena is what the last one left, and at first bytes that are no number; so are those of results.
"""
import ctypes
import json
import math

import numpy

CODES = {"b": 6, "i": 0, "u": 1, "f": 2}
GUARD, ALIGN = 256, 64


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


class Error(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int32), ("line", ctypes.c_uint32), ("arena_bytes", ctypes.c_uint64),
                ("message", ctypes.c_char * 496)]


class Block:
    """@size bytes between guards."""

    def __init__(self, size):
        self.whole = numpy.full(size + 2 * GUARD + ALIGN, 0xff, "uint8")
        self.begin = GUARD + -(self.whole.ctypes.data + GUARD) % ALIGN
        self.bytes = self.whole[self.begin:self.begin + size]

    def is_intact(self):
        return bool((self.whole[:self.begin] == 0xff).all() and (self.whole[self.begin + self.bytes.size:] == 0xff).all())

    def put(self, array):
        self.bytes[:array.nbytes] = numpy.ascontiguousarray(array).reshape(-1).view("uint8")

    def array(self, shape, dtype):
        count = math.prod(shape) * dtype.itemsize
        return self.bytes[:count].copy().view(dtype).reshape(shape)

    def tensor(self, shape, dtype):
        return Tensor(self.bytes.ctypes.data, 1, 0, len(shape), CODES[dtype.kind], 8 * dtype.itemsize, 1, (ctypes.c_int64 * max(1, len(shape)))(*shape))


def pointers(tensors):
    return (ctypes.POINTER(Tensor) * max(1, len(tensors)))(*map(ctypes.pointer, tensors))


class Function:
    """Entry @name of the library; @room: bytes behind what a donated argument holds, for it to grow."""

    def __init__(self, path, name="main", room=0):
        self.library = ctypes.CDLL(str(path))
        functions = json.loads(path.with_suffix(".json").read_text())["functions"]
        self.row = next(row for row in functions if row["name"] == name)
        self.room, self.arena = room, Block(0)

    def symbols(self, feed):
        found = {}
        for argument in self.row["arguments"]:
            if argument["kind"] == "number":
                found[argument["name"]] = int(feed[argument["name"]])
            else:
                found.update({dim: size for dim, size in zip(argument["shape"], feed[argument["name"]].shape) if isinstance(dim, str)})
        return found

    def arena_bytes(self, symbols):
        size = getattr(self.library, self.row["symbol"] + "_arena_bytes")
        size.restype = ctypes.c_size_t
        return size(*[ctypes.c_int64(symbols[p["name"]]) for p in self.row["parameters"] if p.get("size")])

    def take_arena(self, size):
        if self.arena.bytes.size != size:
            left, self.arena = self.arena.bytes, Block(size)
            self.arena.bytes[:left.size] = left[:size]  # what the last call left

    def call(self, feed, spare=0):
        """The results for arrays by name, with an arena that is so many bytes larger than it must be."""
        symbols = self.symbols(feed)
        rows = self.row["arguments"]
        blocks = [Block(feed[row["name"]].nbytes + (self.room if row["inplace"] else 0)) for row in rows]
        tensors = []
        for row, block in zip(rows, blocks):
            block.put(feed[row["name"]])
            tensors.append(block.tensor(feed[row["name"]].shape, feed[row["name"]].dtype))
        shapes = [tuple(int(eval(str(dim).replace("/", "//"), {}, symbols)) for dim in row.get("shape", ())) for row in self.row["results"]]  # pylint: disable=eval-used
        dtypes = [numpy.dtype(row["dtype"]) for row in self.row["results"]]
        own = [Block(math.prod(shape) * dtype.itemsize) if row["argument"] is None else None for row, shape, dtype in zip(self.row["results"], shapes, dtypes)]
        results = [block.tensor(shape, dtype) for block, shape, dtype in zip(own, shapes, dtypes) if block]
        self.take_arena(self.arena_bytes(symbols) + spare)
        self.run(tensors, [block.bytes.size for block in blocks], results)
        assert all(block.is_intact() for block in [*blocks, *filter(None, own), self.arena]), "bytes beside a tensor or the arena were written"
        for row, block in zip(rows, blocks):
            given = feed[row["name"]]
            assert row["inplace"] or block.array(given.shape, given.dtype).tobytes() == given.tobytes(), f"`{row['name']}` was written"
        return [(block or blocks[row["argument"]]).array(shape, dtype) for row, block, shape, dtype in zip(self.row["results"], own, shapes, dtypes)]

    def run(self, tensors, rooms, results):
        error, size = Error(), self.arena.bytes.size
        status = getattr(self.library, self.row["symbol"] + "_dl")(
            pointers(tensors), (ctypes.c_size_t * max(1, len(rooms)))(*rooms), len(tensors), pointers(results), len(results),
            ctypes.c_void_p(self.arena.bytes.ctypes.data if size else None), ctypes.c_size_t(size), ctypes.byref(error))
        assert status == 0, error.message.decode()
