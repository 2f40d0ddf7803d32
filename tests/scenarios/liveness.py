"""Liveness and results (scenarios 1 to 10): when may a value that dies be overwritten?"""
from scenarios.row import OK, XY, XYC, row

ROWS = [
    row("1 dies at the call", XY, """
        t = R.negative(x)
        a = add!(t, y)@0
        return a
    """, [OK]),
    row("2 argument is also a result", XY, """
        t = R.negative(x)
        a = add!(t, y)@0
        return (t, a)
    """, ["IP003"]),
    row("2 results are one value twice", XY, """
        t = R.negative(x)
        a = neg!(t)@0
        return (a, a, a)
    """, [OK]),
    row("3 read after the call", XY, """
        t = R.negative(x)
        a = add!(t, y)@0
        b = R.multiply(t, a)
        return b
    """, ["IP001"]),
    row("3 across dataflow blocks", XY, """
        with R.dataflow():
            t = R.negative(x)
            R.output(t)
        with R.dataflow():
            a = neg!(t)@0
            b = R.add(a, y)
            R.output(b)
        z = R.add(b, t)
        return z
    """, ["IP001"]),
    row("4 read before the call", XY, """
        t = R.negative(x)
        b = R.multiply(t, y)
        a = add!(t, b)@0
        return (a, b)
    """, [OK]),
    row("5 two fresh results of one value", XY, """
        t = R.negative(x)
        a = R.add(t, y)
        b = R.subtract(t, x)
        c = R.multiply(a, b)
        return c
    """, []),
    row("6 updated twice", XY, """
        t = R.negative(x)
        a = add!(t, y)@0
        b = neg!(t)@0
        c = R.multiply(a, b)
        return c
    """, ["IP001", OK]),
    row("7 plain rename is read", XY, """
        t = R.negative(x)
        u = t
        a = add!(t, y)@0
        b = R.add(a, u)
        return b
    """, ["IP002"]),
    row("7 rename is updated, original read", XY, """
        t = R.negative(x)
        u = t
        a = add!(u, y)@0
        b = R.add(a, t)
        return b
    """, ["IP002"]),
    row("8 result unused, argument returned", XY, """
        t = R.negative(x)
        a = add!(t, y)@0
        return t
    """, ["IP003"]),
    row("8 result unused, view of the argument returned", XY, """
        t = R.negative(x)
        v = R.reshape(t, R.shape([2, 2]))
        a = add!(t, y)@0
        return v
    """, ["IP003"]),
    row("9 chain", XY, """
        t = R.negative(x)
        a = neg!(t)@0
        b = add!(a, y)@0
        c = neg!(b)@0
        return c
    """, [OK, OK, OK]),
    row("9 chain with a late reader of the middle", XY, """
        t = R.negative(x)
        a = neg!(t)@0
        b = add!(a, y)@0
        c = R.add(a, b)
        return c
    """, [OK, "IP001"]),
    row("9 chain, and another buffer across it", XY, """
        t = R.negative(x)
        a = neg!(t)@0
        u = R.add(a, y)
        b = neg!(a)@0
        w = R.add(u, b)
        c = neg!(b)@0
        return (c, w)
    """, [OK, OK, OK]),
    # ---- discovered, nobody asks
    row("1 nobody asks", XY, """
        t = R.negative(x)
        a = R.add(t, y)
        return a
    """, [], alone=1),
    row("2 nobody asks, and the operand is a result", XY, """
        t = R.negative(x)
        a = R.add(t, y)
        return (t, a)
    """, [], alone=2),
    row("4 nobody asks, and the operand is read before", XY, """
        t = R.negative(x)
        b = R.multiply(t, y)
        a = R.add(t, b)
        return (a, b)
    """, [], alone=2),
    row("5 of two readers the last takes it", XY, """
        t = R.negative(x)
        a = R.add(t, y)
        b = R.subtract(t, x)
        return (a, b)
    """, [], alone=2),
    row("5 of three readers the last takes it", XY, """
        t = R.negative(x)
        a = R.add(t, y)
        b = R.subtract(t, x)
        c = R.maximum(t, y)
        return (a, b, c)
    """, [], alone=3),
    row("6 both operands die", XY, """
        t = R.negative(x)
        u = R.add(x, y)
        a = R.multiply(t, u)
        b = R.add(a, x)
        return (a, b)
    """, [], alone=3),
    row("8 dead results take nothing", XY, """
        t = R.negative(x)
        d = R.add(t, y)
        a = R.multiply(t, y)
        return a
    """, [], alone=1),
    row("9 a chain of operators", XY, """
        a = R.add(x, y)
        b = R.nn.relu(a)
        c = R.multiply(b, y)
        d = R.nn.relu(c)
        e = R.subtract(x, d)
        return e
    """, [], alone=1),
    row("10 the result is the storage of a chain", XYC, """
        t = R.negative(x)
        if c:
            a = neg!(t)@0
        else:
            a = add!(t, y)@0
        b = neg!(a)@0
        return b
    """, [OK, OK, OK], alone=1),
    row("10 two results, one of them updated twice", XY, """
        t = R.negative(x)
        u = R.add(x, y)
        a = neg!(t)@0
        b = neg!(a)@0
        return (b, u)
    """, [OK, OK], alone=2),
]
