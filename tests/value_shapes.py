#!/usr/bin/env python3
"""Values that several read, among sorts, takes, resizes, bytes and attention, against NumPy. Prints TAP.

A state sorted turn by turn, rows taken in front of an update and behind it, bytes widened for three readers, keys that
leave and are attended to, the best of a branch behind R.Object, halves of a product that is updated, an image that leaves
and is flipped: each at three widths of vectors, with one thread or two.

usage: value_shapes.py TOOL
"""
import sys

import shapes  # in front of NumPy, which it finds
import numpy
from shapes import case, literal, whole

TWICE = """    @T.prim_func(private=True, s_tir=True)
    def twice(x: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, 32), "float32")
        for a, b in T.grid(n, 32):
            X[a, b] = X[a, b] + X[a, b]

"""


def sorted_in_turns():
    x = whole(6, 40)
    state = x
    for _ in range(3):
        state = numpy.sort(state, axis=-1)[:, ::-1] + numpy.float32(1)
    case("a state is sorted in each turn", """    @R.function(private=True)
    def turn(x: R.Tensor((6, 40), "float32"), k: R.Tensor((), "int64")) -> R.Tensor((6, 40), "float32"):
        cls = Module
        if R.greater(k, R.const(0, "int64")):
            a = R.sort(x, axis=-1, descending=True)
            b = R.add(a, R.const(1, "float32"))
            r = cls.turn(b, R.subtract(k, R.const(1, "int64")))
        else:
            r = x
        return r

    @R.function
    def main(x: R.Tensor((6, 40), "float32"), k: R.Tensor((), "int64")) -> R.Tensor((6, 40), "float32"):
        cls = Module
        r = cls.turn(x, k)
        return r
""", {"x": x, "k": numpy.array(3)}, [state])


def taken():
    x, at = whole(5, 33), shapes.RNG.integers(-33, 33, 70)
    case("columns are taken in front of a donated update and behind it", """    @R.function
    def main(x: R.Tensor((5, 33), "float32"), at: R.Tensor((70,), "int64")):
        R.func_attr({"relax.inplace_arg": [0]})
        a = R.take(x, at, axis=1)
        y = R.multiply(x, R.const(3, "float32"))
        b = R.take(y, at, axis=1)
        return (y, R.add(a, b), a)
""", {"x": x, "at": at}, [3 * x, 4 * x[:, at], x[:, at]])
    x = whole(7, 90) * 1000 + numpy.arange(630).reshape(7, 90).astype("float32")  # no two are equal
    best = numpy.argsort(-x, axis=-1, kind="stable")[:, :5]
    case("the best of what a branch gives, behind R.Object", """    @R.function
    def main(x: R.Tensor((7, 90), "float32"), flag: R.Tensor((), "bool")):
        if flag:
            y = R.add(x, R.const(0, "float32"))
        else:
            y = R.negative(x)
        o: R.Object = y
        t = R.match_cast(o, R.Tensor((7, 90), "float32"))
        r = R.topk(t, k=5, axis=-1, largest=True, dtype="int64")
        return (r[0], r[1], t)
""", {"x": x, "flag": numpy.array(True)}, [numpy.take_along_axis(x, best, -1), best, x])


def images():
    image = shapes.RNG.integers(0, 255, (4, 3, 9, 9)).astype("uint8")
    wide = image.astype("float32") - 7
    windows = [wide[:, :, a:a + 7, b:b + 7] for a in range(3) for b in range(3)]
    case("bytes are widened for three readers", """    @R.function
    def main(image: R.Tensor((4, 3, 9, 9), "uint8")):
        with R.dataflow():
            wide = R.subtract(R.astype(image, "float32"), R.const(7, "float32"))
            most = R.nn.max_pool2d(wide, pool_size=[3, 3])
            sums = R.sum(wide, axis=[2, 3])
            R.output(wide, most, sums)
        return (most, sums, wide)
""", {"image": image}, [numpy.max(windows, axis=0), wide.sum((2, 3)), wide])
    x = whole(1, 3, 6, 5)
    large = x.repeat(2, axis=2).repeat(3, axis=3)
    case("a resized image leaves, and is added to itself flipped", """    @R.function
    def main(x: R.Tensor((1, 3, 6, 5), "float32")):
        with R.dataflow():
            large = R.image.resize2d(x, R.shape([12, 15]), layout="NCHW", method="nearest_neighbor",
                                     coordinate_transformation_mode="asymmetric", rounding_method="floor")
            flipped = R.flip(large, axis=3)
            both = R.add(large, flipped)
            R.output(large, both)
        return (both, large)
""", {"x": x}, [large + large[..., ::-1], large])


def attention():
    for heads, rows, columns in ((1, 130, 70), (5, 37, 35)):
        queries, keys = whole(1, heads, rows, 64) / 4, whole(1, heads, columns, 64) / 4
        scores = numpy.exp(queries.astype("float64") @ keys.astype("float64").swapaxes(2, 3))
        weighted = (scores / scores.sum(-1, keepdims=True)) @ keys
        case(f"keys of {heads} heads leave and are attended to", f"""    @R.function
    def main(q: R.Tensor((1, {heads}, {rows}, 64), "float32"), k: R.Tensor((1, {heads}, {columns}, 64), "float32")):
        with R.dataflow():
            keys = R.multiply(k, R.const(1, "float32"))
            weights = R.nn.softmax(R.matmul(q, R.permute_dims(keys, axes=[0, 1, 3, 2])), axis=-1)
            y = R.matmul(weights, keys)
            R.output(keys, y)
        return (keys, R.reshape(y, R.shape([{heads}, {rows}, 64])))
""", {"q": queries, "k": keys}, [keys, weighted[0]], tolerance=2e-6)


def halves():
    weights = whole(24, 32)
    for rows in (0, 1, 31):
        x = whole(rows, 24)
        product = x @ weights
        case(f"halves of a product of {rows} open rows, and the product twice", TWICE + f"""    @R.function
    def main(x: R.Tensor(("n", 24), "float32")):
        n = T.int64()
        cls = Module
        p = R.matmul(x, {literal(weights)})
        h = R.split(p, 2, axis=1)
        d = R.call_tir_inplace(cls.twice, (p,), out_ty=R.Tensor((n, 32), "float32"), inplace_indices=[0])
        return (R.add(h[0], h[1]), d)
""", {"x": x}, [product[:, :16] + product[:, 16:], 2 * product])


for make in (sorted_in_turns, taken, images, attention, halves):
    make()
sys.exit(shapes.main())
