"""Chains of updates and what lives beside them: how long a storage is taken (110 to 120)."""
from scenarios.row import OK, XY, XYC, row

ROWS = [
    row("110 another value begins while an update extends a life", XY, """
        t = R.negative(x)
        a = neg!(t)@0
        u = R.add(x, y)
        w = R.multiply(u, u)
        b = R.add(w, a)
        return b
    """, [OK], alone=2),
    row("110 a chain of two updates across two others", XY, """
        t = R.negative(x)
        a = neg!(t)@0
        v = R.add(x, y)
        b = neg!(a)@0
        u = R.subtract(x, y)
        w = R.multiply(u, v)
        c = R.add(w, b)
        return c
    """, [OK, OK], alone=3),
    row("111 a chain whose middle is read by the last", XY, """
        t = R.negative(x)
        a = R.nn.relu(t)
        b = R.add(a, y)
        c = R.multiply(b, y)
        d = R.subtract(c, a)
        return d
    """, [], alone=2),
    row("112 the result outlives its argument, a third between them", XY, """
        t = R.negative(x)
        u = R.add(x, y)
        a = neg!(t)@0
        v = R.multiply(u, a)
        w = R.add(v, y)
        b = R.subtract(w, a)
        return b
    """, [OK], alone=2),
    row("112 two chains that cross", XY, """
        t = R.negative(x)
        u = R.negative(y)
        a = R.add(t, u)
        b = R.subtract(t, u)
        c = R.multiply(a, b)
        d = R.add(c, a)
        return d
    """, [], alone=3),
    row("114 storage of a result is not that of what is freed beside it", XYC, """
        t = R.negative(x)
        u = R.add(t, y)
        if c:
            a = R.multiply(u, t)
        else:
            a = u
        b = R.negative(a)
        return (b, u)
    """, []),
    row("117 reader first, then the writer", XY, """
        t = R.negative(x)
        r = R.multiply(t, y)
        a = neg!(t)@0
        b = R.add(r, a)
        return b
    """, [OK], copies=0),
    row("117 the writer stands first, the reader behind it", XY, """
        t = R.negative(x)
        a = neg!(t)@0
        r = R.multiply(t, y)
        b = R.add(r, a)
        return b
    """, ["IP001"], copies=1),
    row("118 a kernel in parallel updates what another has read", "x: R.Tensor((4,), 'float32')", """
        t = R.negative(x)
        r = R.add(t, t)
        a = halves_parallel!(t)@0
        b = R.add(r, a)
        return b
    """, [OK]),
    row("119 reader and writer in one dataflow block", XY, """
        with R.dataflow():
            t = R.negative(x)
            a = neg!(t)@0
            r = R.multiply(x, y)
            b = R.add(r, a)
            R.output(b)
        return b
    """, [OK]),
    row("120 the writer is the reader of another, which writes what it reads", XY, """
        t = R.negative(x)
        u = R.add(x, y)
        a = add!(t, u)@0
        b = add!(u, a)@0
        c = R.add(a, b)
        return c
    """, [OK, OK], alone=2),
]
