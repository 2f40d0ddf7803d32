#!/usr/bin/env python3
"""Layers with constant weights among what the in-place rules forbid or allow, in whole numbers, against NumPy. Prints TAP.

Donated images, a weight that two layers share, open sizes of 0 and more, updates in place in a branch, weights behind
R.Object, tail recursion: each at three widths of vectors, with one thread or two.

usage: layer_shapes.py TOOL
"""
import sys

import shapes  # in front of NumPy, which it finds
import numpy
from shapes import case, literal, whole

SCALE = """    @T.prim_func(private=True, s_tir=True)
    def scale(x: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, 64), "float32")
        for a, b in T.grid(n, 64):
            X[a, b] = X[a, b] * T.float32(2)

"""


def convolve(x, w, strides=(1, 1), padding=0):
    x = numpy.pad(x, ((0, 0), (0, 0), (padding, padding), (padding, padding)))
    rows, columns = ((size - kernel) // stride + 1 for size, kernel, stride in zip(x.shape[2:], w.shape[2:], strides))
    out = numpy.zeros((x.shape[0], w.shape[0], rows, columns), "float32")
    for a, b in numpy.ndindex(w.shape[2:]):
        part = x[:, :, a:a + strides[0] * rows:strides[0], b:b + strides[1] * columns:strides[1]]
        out += numpy.einsum("nchw,oc->nohw", part, w[:, :, a, b])
    return out


def relu(x):
    return numpy.maximum(x, 0)


def images():
    wide, deep, back = whole(128, 16, 1, 1), whole(64, 16, 3, 3), whole(16, 128, 1, 1)
    x, y = whole(1, 16, 7, 7), whole(1, 16, 4, 3)
    case("a donated image is added to what two layers make of it", f"""    @R.function
    def main(x: R.Tensor((1, 16, 7, 7), "float32")):
        R.func_attr({{"relax.inplace_arg": [0]}})
        with R.dataflow():
            a = R.nn.relu(R.nn.conv2d(x, {literal(wide)}))
            b = R.nn.conv2d(a, {literal(back)})
            c = R.add(x, b)
            R.output(c)
        return c
""", {"x": x}, [x + convolve(relu(convolve(x, wide)), back)])
    case("one weight for two images, a result twice", f"""    @R.function
    def main(x: R.Tensor((1, 16, 7, 7), "float32"), y: R.Tensor((1, 16, 4, 3), "float32")):
        with R.dataflow():
            w = {literal(deep)}
            a = R.nn.conv2d(x, w, padding=[1, 1])
            b = R.nn.conv2d(y, w, padding=[1, 1])
            R.output(a, b)
        return (a, b, a)
""", {"x": x, "y": y}, [convolve(x, deep, padding=1), convolve(y, deep, padding=1), convolve(x, deep, padding=1)])
    for count in (0, 3):
        x = whole(count, 16, 5, 6)
        case(f"{count} images of an open number", f"""    @R.function
    def main(x: R.Tensor(("n", 16, 5, 6), "float32")):
        with R.dataflow():
            a = R.nn.conv2d(x, {literal(wide)}, strides=[2, 1])
            R.output(a)
        return a
""", {"x": x}, [convolve(x, wide, strides=(2, 1))])


def products():
    weights = whole(24, 64)
    for rows in (0, 13, 40):
        x = whole(rows, 24)
        case(f"a product of {rows} open rows, updated in a branch", SCALE + f"""    @R.function
    def main(x: R.Tensor(("n", 24), "float32"), flag: R.Tensor((), "bool")):
        n = T.int64()
        cls = Module
        a = R.matmul(x, {literal(weights)})
        if flag:
            b = R.call_tir_inplace(cls.scale, (a,), out_ty=R.Tensor((n, 64), "float32"), inplace_indices=[0])
            c = R.add(b, b)
        else:
            c = R.subtract(a, a)
        return c
""", {"x": x, "flag": numpy.array(True)}, [4 * (x @ weights)])
    x = whole(26, 24)
    product = x @ weights
    case("a product is read in front of its update and behind it", SCALE + f"""    @R.function
    def main(x: R.Tensor((26, 24), "float32")):
        cls = Module
        a = R.matmul(x, {literal(weights)})
        s = R.sum(a, axis=[1])
        b = R.call_tir_inplace(cls.scale, (a,), out_ty=R.Tensor((26, 64), "float32"), inplace_indices=[0])
        t = R.sum(a, axis=[1])
        return (s, b, t)
""", {"x": x}, [product.sum(1), 2 * product, product.sum(1)])
    case("weights behind R.Object", f"""    @R.function
    def main(x: R.Tensor((26, 24), "float32")):
        o: R.Object = {literal(weights)}
        w = R.match_cast(o, R.Tensor((24, 64), "float32"))
        t = (w, x)
        a = R.matmul(t[1], t[0])
        return (a, w)
""", {"x": x}, [product, weights])


def turns():
    wide, back = numpy.sign(whole(128, 16, 1, 1)), numpy.sign(whole(16, 128, 1, 1))
    x = whole(1, 16, 7, 7)
    state = x
    for _ in range(3):
        state = numpy.clip(convolve(relu(convolve(state, wide)), back), -5, 5)
    case("turns of two layers by tail recursion", f"""    @R.function(private=True)
    def turn(x: R.Tensor((1, 16, 7, 7), "float32"), k: R.Tensor((), "int64")) -> R.Tensor((1, 16, 7, 7), "float32"):
        cls = Module
        if R.greater(k, R.const(0, "int64")):
            a = R.nn.relu(R.nn.conv2d(x, {literal(wide)}))
            b = R.minimum(R.nn.conv2d(a, {literal(back)}), R.const(5, "float32"))
            c = R.maximum(b, R.const(-5, "float32"))
            r = cls.turn(c, R.subtract(k, R.const(1, "int64")))
        else:
            r = x
        return r

    @R.function
    def main(x: R.Tensor((1, 16, 7, 7), "float32"), k: R.Tensor((), "int64")) -> R.Tensor((1, 16, 7, 7), "float32"):
        cls = Module
        r = cls.turn(x, k)
        return r
""", {"x": x, "k": numpy.array(3)}, [state])


for make in (images, products, turns):
    make()
sys.exit(shapes.main())
