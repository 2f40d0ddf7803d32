"""Shapes, dtypes and sizes of storage, known and symbolic (47 to 63)."""
from scenarios.row import N, OK, XY, XYR, row

ROWS = [
    row("55 one symbol", N, """
        n = T.int64()
        t = R.negative(x)
        a = add_n!(t, y)@0
        return a
    """, [OK]),
    row("55 one symbol, one value twice", N, """
        n = T.int64()
        t = R.negative(x)
        a = add_n!(t, t)@0
        b = neg_n!(a)@0
        c = R.add(a, b)
        return c
    """, [OK, "IP001"]),
    row("58 a symbol and a broadcast", "x: R.Tensor(('n',), 'float32'), r: R.Tensor((1,), 'float32')", """
        n = T.int64()
        t = R.negative(x)
        u = R.add(t, r)
        a = neg_n!(t)@0
        b = R.add(u, a)
        return b
    """, [OK]),
    # ---- shapes and sizes that differ
    row("47 a row and a matrix", "x: R.Tensor((2,), 'float32'), y: R.Tensor((2, 2), 'float32')", """
        c = R.negative(x)
        a = R.add(c, y)
        b = R.nn.relu(a)
        return b
    """, [], alone=1),
    row("47 a row and a matrix, the row first read and then spread", "x: R.Tensor((4,), 'float32'), y: R.Tensor((3, 4), 'float32')", """
        c = R.negative(x)
        d = R.multiply(c, c)
        a = R.add(d, y)
        b = R.add(a, d)
        return b
    """, [], alone=2),
    row("48 a matrix and a row", "x: R.Tensor((2, 2), 'float32'), y: R.Tensor((2,), 'float32')", """
        t = R.negative(x)
        a = R.add(t, y)
        b = R.multiply(y, a)
        return b
    """, [], alone=1),
    row("49 to another dtype of the same width", XY, """
        t = R.negative(x)
        a = R.astype(t, 'int32')
        b = R.astype(R.add(a, a), 'float32')
        return b
    """, [], alone=1),
    row("49 to another dtype of the same width, the old value read later", XY, """
        t = R.negative(x)
        a = R.astype(t, 'int32')
        b = R.add(R.astype(a, 'float32'), t)
        return b
    """, [], alone=2),
    row("49 to another dtype of the same width, symbolic", N, """
        n = T.int64()
        t = R.negative(x)
        a = R.astype(t, 'int32')
        b = R.astype(R.add(a, a), 'float32')
        return b
    """, [], alone=1),
    row("49 to another dtype of the same width, turned round", XY, """
        t = R.negative(x)
        a = R.flip(R.astype(t, 'int32'), axis=0)
        b = R.multiply(a, a)
        return b
    """, [], alone=2),
    row("49 to a wider dtype", XY, """
        t = R.negative(x)
        a = R.astype(t, 'float64')
        b = R.add(a, a)
        return b
    """, [], alone=1),
    row("49 to a narrower dtype", XY, """
        t = R.negative(x)
        a = R.astype(t, 'int8')
        b = R.add(a, a)
        return b
    """, [], alone=2),
    row("49 to half the width", XY, """
        t = R.astype(x, 'float64')
        a = R.astype(t, 'float32')
        b = R.add(a, a)
        return b
    """, [], alone=1),
    row("49 to a wider dtype, the old value read later", XY, """
        t = R.negative(x)
        a = R.astype(t, 'float64')
        b = R.add(a, R.astype(R.multiply(t, t), 'float64'))
        return b
    """, [], alone=2),
    row("49 wider and wider", XY, """
        t = R.astype(x, 'int8')
        a = R.astype(t, 'int32')
        b = R.astype(a, 'float64')
        return b
    """, [], alone=1),
    # (one storage for the first two or the last two would hold more at once than three)
    row("49 to half the width and back", XY, """
        t = R.astype(x, 'int64')
        a = R.astype(t, 'int32')
        b = R.astype(a, 'float64')
        return b
    """, [], alone=3),
    row("47 a row in a matrix of another dtype", "x: R.Tensor((4,), 'float32'), y: R.Tensor((3, 4), 'float64')", """
        c = R.negative(x)
        a = R.add(R.astype(c, 'float64'), y)
        b = R.nn.relu(a)
        return b
    """, [], alone=1),
    row("47 a column in a matrix", "x: R.Tensor((3, 1), 'float32'), y: R.Tensor((3, 4), 'float32')", """
        c = R.negative(x)
        a = R.add(c, y)
        return a
    """, [], alone=1),
    row("47 a row in the matrix, which is turned round", "x: R.Tensor((4,), 'float32'), y: R.Tensor((3, 4), 'float32')", """
        c = R.negative(x)
        a = R.add(R.flip(c, axis=0), y)
        return a
    """, [], alone=3),
    row("47 a row spread, which is a result, too", "x: R.Tensor((4,), 'float32'), y: R.Tensor((3, 4), 'float32')", """
        c = R.negative(x)
        a = R.add(c, y)
        return (a, c)
    """, [], alone=2),
    row("47 a row spread in a branch", "x: R.Tensor((4,), 'float32'), y: R.Tensor((3, 4), 'float32'), c: R.Tensor((), 'bool')", """
        t = R.negative(x)
        if c:
            a = R.add(t, y)
        else:
            a = R.subtract(y, t)
        b = R.nn.relu(a)
        return b
    """, []),
    row("51 padded", XY, """
        t = R.negative(x)
        a = R.nn.pad(t, [2, 3])
        b = R.nn.relu(a)
        return b
    """, [], alone=1),
    row("51 each element twice", XY, """
        t = R.negative(x)
        a = R.repeat(t, 2, axis=0)
        return a
    """, [], alone=1),
    row("51 the whole twice", "x: R.Tensor((3, 4), 'float32')", """
        t = R.negative(x)
        a = R.tile(t, [2, 1])
        return a
    """, [], alone=1),
    row("50 a column and a row", "x: R.Tensor((2, 1), 'float32'), y: R.Tensor((1, 2), 'float32')", """
        t = R.negative(x)
        u = R.negative(y)
        a = R.add(t, u)
        b = R.nn.relu(a)
        return b
    """, [], alone=2),
    row("51 padded by a join", XYR, """
        t = R.negative(x)
        a = R.concat((r, t, r), axis=0)
        b = R.nn.relu(a)
        return b
    """, []),
    row("52 less than dies", XY, """
        t = R.negative(x)
        a = R.strided_slice(t, axes=[0], begin=[1], end=[3])
        b = R.multiply(a, a)
        return b
    """, [], alone=1),
    row("52 every other element of what dies", XY, """
        t = R.negative(x)
        a = R.strided_slice(t, axes=[0], begin=[0], end=[4], strides=[2])
        b = R.multiply(a, a)
        return b
    """, [], alone=1),
    row("52 a quarter of what dies, and a large one later", "x: R.Tensor((8, 4), 'float32'), y: R.Tensor((8, 4), 'float32')", """
        t = R.negative(x)
        a = R.strided_slice(t, axes=[1], begin=[3], end=[4])
        u = R.multiply(R.add(y, y), a)
        return u
    """, [], alone=3),
    row("52 what is left of what dies is read", "x: R.Tensor((8,), 'float32')", """
        t = R.negative(x)
        a = R.strided_slice(t, axes=[0], begin=[1], end=[7], strides=[2])
        b = R.strided_slice(t, axes=[0], begin=[0], end=[8], strides=[2])
        return (R.multiply(a, a), b)
    """, [], alone=3),
    row("53 from the second element on", "x: R.Tensor((40,), 'float32')", """
        t = R.negative(x)
        a = R.strided_slice(t, axes=[0], begin=[1], end=[40])
        b = R.multiply(a, a)
        return b
    """, [], alone=1),
    row("54 as many elements in another order of axes", "x: R.Tensor((2, 3), 'float32')", """
        t = R.negative(x)
        a = R.permute_dims(t, axes=[1, 0])
        b = R.multiply(a, a)
        return b
    """, [], alone=2),
    row("54 a column is a row in another order of axes", "x: R.Tensor((4, 1), 'float32')", """
        t = R.negative(x)
        a = R.permute_dims(t, axes=[1, 0])
        b = R.multiply(a, a)
        return b
    """, []),
    # ---- symbols
    row("55 nobody asks, one symbol", N, """
        n = T.int64()
        t = R.negative(x)
        a = R.add(t, y)
        b = R.nn.relu(a)
        return b
    """, [], alone=1),
    row("56 two symbols that are the same size in one run", "x: R.Tensor(('n',), 'float32'), y: R.Tensor(('m',), 'float32')", """
        n = T.int64()
        m = T.int64()
        t = R.negative(x)
        u = R.negative(y)
        a = R.concat((t, u), axis=0)
        b = R.add(t, t)
        c = R.add(u, u)
        return (a, b, c)
    """, []),
    row("57 one size, written in two ways", "x: R.Tensor(('n', 2), 'float32'), y: R.Tensor(('n', 2), 'float32')", """
        n = T.int64()
        t = R.negative(x)
        a = R.reshape(t, R.shape([2 * n]))
        b = R.reshape(y, R.shape([n * 2]))
        c = R.add(a, b)
        d = R.nn.relu(c)
        return d
    """, [], alone=1),
    row("58 nobody asks: a symbol and a single element", "x: R.Tensor(('n',), 'float32'), r: R.Tensor((1,), 'float32')", """
        n = T.int64()
        u = R.negative(r)
        a = R.add(x, u)
        b = R.add(a, u)
        return b
    """, [], alone=2),
    row("59 the sizes are what the run says", "x: R.Tensor(('n', 'm'), 'float32')", """
        n = T.int64()
        m = T.int64()
        t = R.negative(x)
        a = R.concat((t, t), axis=0)
        b = R.nn.relu(a)
        c = R.add(t, t)
        return (b, c)
    """, []),
    row("60 a matrix of symbols, and as many elements in a row", "x: R.Tensor(('n', 'm'), 'float32'), y: R.Tensor(('n', 'm'), 'float32')", """
        n = T.int64()
        m = T.int64()
        t = R.negative(x)
        a = R.reshape(t, R.shape([n * m]))
        b = R.reshape(y, R.shape([m * n]))
        c = R.add(a, b)
        return c
    """, [], alone=1),
    row("62 nothing in it, or one element, or more", N, """
        n = T.int64()
        t = R.negative(x)
        a = add_n!(t, y)@0
        b = R.cumsum(a, axis=0)
        c = R.flip(b, axis=0)
        d = R.add(b, c)
        return d
    """, [OK]),
    row("63 two symbols change places", "x: R.Tensor(('n', 'm'), 'float32'), y: R.Tensor(('m', 'n'), 'float32')", """
        n = T.int64()
        m = T.int64()
        t = R.negative(x)
        a = R.permute_dims(t, axes=[1, 0])
        b = R.add(a, y)
        c = R.nn.relu(b)
        return c
    """, [], alone=2),
]
