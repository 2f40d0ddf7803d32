"""Shapes, dtypes and sizes of storage, known and symbolic (47 to 63)."""
from scenarios.row import N, OK, row

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
]
