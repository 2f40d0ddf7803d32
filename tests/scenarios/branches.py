"""Branches, and recursion as the loop of a graph (72 to 85)."""
from scenarios.row import OK, XY, XYC, XYR, row

ROWS = [
    row("72 updated in a branch, dead afterwards", XYC, """
        t = R.negative(x)
        if c:
            a = neg!(t)@0
        else:
            a = R.negative(y)
        b = R.add(a, y)
        return b
    """, [OK]),
    row("72 updated in both branches", XYC, """
        t = R.negative(x)
        if c:
            a = neg!(t)@0
        else:
            a = add!(t, y)@0
        return a
    """, [OK, OK]),
    row("72 read in the other branch only", XYC, """
        t = R.negative(x)
        if c:
            a = neg!(t)@0
        else:
            u = R.add(t, y)
            a = R.multiply(u, t)
        return a
    """, [OK]),
    row("72 branch condition is read before", XY, """
        t = R.less(x, y)
        n = R.astype(t, 'float32')
        s = R.sum(n)
        d = R.less(s, R.const(2.0, 'float32'))
        if d:
            a = neg!(n)@0
        else:
            a = R.negative(y)
        return a
    """, [OK]),
    row("73 updated in a branch, read afterwards", XYC, """
        t = R.negative(x)
        if c:
            a = neg!(t)@0
        else:
            a = R.negative(y)
        b = R.add(a, t)
        return b
    """, ["IP001"]),
    row("73 read later in the same branch", XYC, """
        t = R.negative(x)
        if c:
            u = neg!(t)@0
            a = R.multiply(u, t)
        else:
            a = R.negative(y)
        return a
    """, ["IP001"]),
    row("73 updated in both branches, read afterwards", XYC, """
        t = R.negative(x)
        if c:
            a = neg!(t)@0
        else:
            a = add!(t, y)@0
        b = R.add(a, t)
        return b
    """, ["IP001", "IP001"]),
    row("74 updated in one, another value in the other, read afterwards", XYC, """
        t = R.negative(x)
        if c:
            a = add!(t, x)@0
        else:
            a = y
        b = R.add(t, a)
        return b
    """, ["IP001"]),
    row("75 updated in one, passed through in the other", XYC, """
        t = R.negative(x)
        if c:
            a = neg!(t)@0
        else:
            a = t
        return a
    """, [OK]),
    row("75 passed through in one, updated in the other", XYC, """
        t = R.negative(x)
        if c:
            a = t
        else:
            a = neg!(t)@0
        return a
    """, [OK]),
    row("75 result of a branch may be the value", XYC, """
        t = R.negative(x)
        if c:
            a = t
        else:
            a = R.negative(y)
        b = neg!(a)@0
        z = R.add(b, t)
        return z
    """, ["IP002"]),
    row("75 result of a branch may be a parameter", XYC, """
        t = R.negative(x)
        if c:
            a = t
        else:
            a = y
        b = neg!(a)@0
        return b
    """, ["IP004"]),
    row("75 tuple of a branch", XYC, """
        t = R.negative(x)
        u = R.negative(y)
        if c:
            p = (t, u)
        else:
            p = (u, t)
        f = p[0]
        a = neg!(f)@0
        g = p[1]
        b = R.add(a, g)
        return b
    """, ["IP002"]),
    row("76 state that is carried, shifted by the old one", XYR, """
        n = R.const(3, 'int32')
        a = cls.fill(n, x, r)
        return a
    """, None, donated=0),
    row("77 updates in a row, each reads the last", XY, """
        a = running!(x, T.int64(0))@0
        b = running!(a, T.int64(1))@0
        c = running!(b, T.int64(2))@0
        d = running!(c, T.int64(3))@0
        return d
    """, [OK, OK, OK, OK], donated=0),
    row("79 carried and original, read across iterations", XY, """
        n = R.const(3, 'int32')
        t = R.negative(x)
        a = cls.with_original(n, t, t)
        return a
    """, None),
    row("82 no time around", XYR, """
        n = R.const(0, 'int32')
        t = R.negative(x)
        a = cls.fill(n, t, r)
        b = R.add(a, t)
        return b
    """, None),
    row("83 state that is carried, updated every other time", XYC, """
        n = R.const(3, 'int32')
        a = cls.forward(n, c, x)
        return a
    """, None, donated=0),
    row("84 branches in branches", XYC, """
        t = R.negative(x)
        d = R.logical_not(c)
        if c:
            if d:
                u = neg!(t)@0
            else:
                u = t
            a = u
        else:
            a = add!(t, y)@0
        b = neg!(a)@0
        return b
    """, [OK, OK, OK]),
    row("84 branches in branches, the outer one reads it", XYC, """
        t = R.negative(x)
        d = R.logical_not(c)
        if c:
            if d:
                u = t
            else:
                u = neg!(t)@0
            a = R.add(u, t)
        else:
            a = R.negative(y)
        return a
    """, ["IP001"]),
    row("85 made in a branch, used in the other", XYC, """
        if c:
            t = R.negative(x)
            a = neg!(t)@0
        else:
            u = R.negative(y)
            a = add!(u, x)@0
        b = neg!(a)@0
        return b
    """, [OK, OK, OK]),
]
