#!/usr/bin/env python3
"""Open sizes around updates in place, against NumPy: none, one and odd ones. Prints TAP.

Differences of a donated state, its last rows in front of its update and behind it, an open axis that is squeezed, a pair
that changes places in each turn, one weight of products with different open rows, keys that are donated behind attention,
biases and masks that are 1 in a run only.

usage: open_shapes.py TOOL
"""
import sys

from shapes import case, literal, main, numpy, whole


def slices():
    for rows in (0, 1, 2, 7, 40):
        x = whole(rows, 3)
        case(f"differences of {rows} donated rows", """    @R.function
    def main(x: R.Tensor(("n", 3), "float32")):
        R.func_attr({"relax.inplace_arg": [0]})
        n = T.int64()
        a = R.strided_slice(x, axes=[0], begin=[1], end=[n])
        b = R.strided_slice(x, axes=[0], begin=[0], end=[n - 1])
        d = R.subtract(a, b)
        y = R.multiply(x, R.const(2, "float32"))
        return (d, y)
""", {"x": x}, [x[1:] - x[:-1], 2 * x])
        x = whole(rows, 4)
        case(f"the last two of {rows} rows, in front of the update and behind it", """    @R.function
    def main(x: R.Tensor(("n", 4), "float32")):
        R.func_attr({"relax.inplace_arg": [0]})
        n = T.int64()
        t = R.strided_slice(x, axes=[0], begin=[n - 2], end=[n])
        y = R.add(x, R.const(1, "float32"))
        u = R.strided_slice(y, axes=[0], begin=[n - 2], end=[n])
        return (R.add(t, u), y)
""", {"x": x}, [2 * x[rows - 2:rows] + 1, x + 1])


def squeezed():
    for rows in (1, 5):
        x = whole(rows, 1, 6)
        case(f"an open axis of {rows} stays when the other is squeezed", """    @R.function
    def main(x: R.Tensor(("n", 1, 6), "float32")):
        with R.dataflow():
            s = R.squeeze(x)
            a = R.add(s, s)
            b = R.nn.relu(a)
            m = R.sum(x, axis=[1])
            R.output(b, m)
        return (b, m)
""", {"x": x}, [numpy.maximum(2 * x[:, 0, :], 0), x[:, 0, :]])


def turns():
    x, y = whole(4, 5), whole(4, 5)
    a, b = x, y
    for _ in range(3):
        a, b = b + 1, a * 2
    pair = 'R.Tensor((4, 5), "float32")'
    case("a pair changes places in each turn, one of it updated in place", f"""    @T.prim_func(private=True, s_tir=True)
    def twice(x: T.Buffer((4, 5), "float32")):
        for i, j in T.grid(4, 5):
            x[i, j] = x[i, j] * T.float32(2)

    @R.function(private=True)
    def turn(a: {pair}, b: {pair}, k: R.Tensor((), "int64")) -> R.Tuple({pair}, {pair}):
        cls = Module
        if R.greater(k, R.const(0, "int64")):
            p, q = R.tuple(a, b)
            c = R.call_tir_inplace(cls.twice, (p,), out_ty={pair}, inplace_indices=[0])
            d = R.add(q, R.const(1, "float32"))
            r = cls.turn(d, c, R.subtract(k, R.const(1, "int64")))
        else:
            r = (a, b)
        return r

    @R.function
    def main(a: {pair}, b: {pair}, k: R.Tensor((), "int64")):
        cls = Module
        r = cls.turn(a, b, k)
        return (r[0], r[1], a)
""", {"a": x, "b": y, "k": numpy.array(3)}, [a, b, x])


def products():
    weight = whole(24, 40)
    for rows, others in ((1, 1), (1, 9), (13, 1), (30, 0)):
        x, z = whole(rows, 24), whole(others, 24)
        case(f"one weight of {rows} and {others} open rows, in a branch and behind it", f"""    @R.function
    def main(x: R.Tensor(("n", 24), "float32"), z: R.Tensor(("k", 24), "float32"), f: R.Tensor((), "bool")):
        w = {literal(weight)}
        if f:
            a = R.matmul(x, w)
        else:
            a = R.negative(R.matmul(x, w))
        b = R.matmul(z, w)
        return (a, b, R.sum(w, axis=[0]))
""", {"x": x, "z": z, "f": numpy.array(False)}, [-(x @ weight), z @ weight, weight.sum(0)])


def attention():
    for rows in (1, 5, 33):
        q, k = whole(1, 3, rows, 16) / 4, whole(1, 3, rows, 16) / 4
        scores = q.astype("float64") @ k.astype("float64").transpose(0, 1, 3, 2)
        parts = numpy.exp(scores - scores.max(-1, keepdims=True))
        case(f"attention to {rows} donated keys that are doubled behind it", """    @R.function
    def main(q: R.Tensor((1, 3, "n", 16), "float32"), k: R.Tensor((1, 3, "n", 16), "float32")):
        R.func_attr({"relax.inplace_arg": [1]})
        p = R.nn.softmax(R.matmul(q, R.permute_dims(k, axes=[0, 1, 3, 2])), axis=-1)
        y = R.matmul(p, k)
        z = R.multiply(k, R.const(2, "float32"))
        return (y, z)
""", {"q": q, "k": k}, [parts / parts.sum(-1, keepdims=True) @ k, 2 * k], 2e-6)


def spread():
    """What is as long as the rows, or one for all of them, as only the run knows."""
    for rows, others in ((4, 4), (4, 1), (1, 1), (0, 0), (5, 1)):
        x, w, b = whole(3, 3), whole(rows, 3), whole(others)
        case(f"a bias of {others} for {rows} donated columns", """    @R.function
    def main(x: R.Tensor((3, 3), "float32"), w: R.Tensor(("n", 3), "float32"), b: R.Tensor(("m",), "float32")):
        R.func_attr({"relax.inplace_arg": [1]})
        y = R.linear(x, w, b)
        z = R.add(w, R.const(1, "float32"))
        return (y, z)
""", {"x": x, "w": w, "b": b}, [x @ w.T + b, w + 1])
        x, c = whole(rows, 3), whole(others, 3)
        filled = numpy.where(c > 0, numpy.float32(9), x)
        case(f"a mask of {others} for {rows} donated rows", """    @R.function
    def main(x: R.Tensor(("n", 3), "float32"), c: R.Tensor(("m", 3), "float32")):
        R.func_attr({"relax.inplace_arg": [0]})
        k = R.greater(c, R.const(0, "float32"))
        y = R.masked_fill(x, k, R.const(9, "float32"))
        z = R.multiply(x, R.const(2, "float32"))
        v = R.where(R.greater(x, R.const(0, "float32")), 1, y)
        return (y, z, v)
""", {"x": x, "c": c}, [filled, 2 * x, numpy.where(x > 0, numpy.float32(1), filled)])


for family in (slices, squeezed, turns, products, attention, spread):
    family()
sys.exit(main())
