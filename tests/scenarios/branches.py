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
    # ---- discovered, nobody asks
    row("72 nobody asks, dead behind the branches", XYC, """
        t = R.negative(x)
        if c:
            a = R.add(t, y)
        else:
            a = R.multiply(t, y)
        b = R.nn.relu(a)
        return b
    """, [], alone=1),
    row("73 nobody asks, read behind the branches", XYC, """
        t = R.negative(x)
        if c:
            a = R.add(t, y)
        else:
            a = R.multiply(t, y)
        b = R.add(a, t)
        return b
    """, [], alone=3),
    row("74 nobody asks, one branch gives a parameter", XYC, """
        t = R.negative(x)
        if c:
            a = R.add(t, y)
        else:
            a = y
        b = R.add(a, t)
        return b
    """, [], alone=2),
    row("75 nobody asks, one branch gives it as it is", XYC, """
        t = R.negative(x)
        if c:
            a = R.nn.relu(t)
        else:
            a = t
        b = R.add(a, y)
        return b
    """, [], alone=1),
    row("76 a state of two tensors, carried and filled", XYR, """
        n = R.const(3, 'int32')
        a = cls.fill(n, x, r)
        b = cls.fill(n, y, r)
        return (a, b)
    """, donated=[0, 1]),
    row("78 a state that each turn makes anew", XY, """
        n = R.const(3, 'int32')
        t = R.negative(x)
        a = cls.anew(n, t, y)
        return a
    """),
    row("80 a fresh value in each turn", XY, """
        n = R.const(4, 'int32')
        t = R.negative(x)
        a = cls.fresh_each(n, t)
        b = R.add(a, t)
        return b
    """),
    row("81 two buffers that change places in each turn", XY, """
        n = R.const(3, 'int32')
        p = cls.exchange(n, x, y)
        f = p[0]
        g = p[1]
        a = R.subtract(f, g)
        return a
    """, donated=[0, 1]),
    row("81 two buffers that change places, the caller's kept", XY, """
        n = R.const(3, 'int32')
        p = cls.exchange(n, x, y)
        f = p[0]
        g = p[1]
        a = R.subtract(f, g)
        b = R.add(a, x)
        return b
    """),
    row("82 no turn at all, nobody asks", XY, """
        n = R.const(0, 'int32')
        t = R.negative(x)
        a = cls.anew(n, t, y)
        b = R.add(a, t)
        return b
    """),
    row("83 a branch in each turn that gives the state as it is, the other way round", XYC, """
        n = R.const(4, 'int32')
        d = R.logical_not(c)
        a = cls.forward(n, d, x)
        return a
    """, donated=0),
    row("84 nobody asks: branches in branches", XYC, """
        t = R.negative(x)
        d = R.logical_not(c)
        if c:
            if d:
                u = R.add(t, y)
            else:
                u = R.nn.relu(t)
            a = R.multiply(u, y)
        else:
            a = R.subtract(t, y)
        b = R.add(a, x)
        return b
    """, []),
    row("84 nobody asks: a branch in a branch gives what was made in front of both", XYC, """
        s = R.negative(x)
        if c:
            a = R.subtract(x, y)
        else:
            if c:
                u = R.add(x, x)
            else:
                u = s
            a = R.subtract(y, u)
        b = R.copy(a)
        return b
    """, []),
    row("85 made in one branch, another made in the other, both updated behind", XYC, """
        if c:
            t = R.negative(x)
            u = R.add(x, y)
            a = R.multiply(t, u)
        else:
            v = R.subtract(x, y)
            a = R.nn.relu(v)
        b = R.add(a, y)
        return b
    """, []),
    row("75 copied, and maybe the storage that the same call updates", XYC, """
        t = R.negative(x)
        u = R.negative(y)
        if c:
            v = R.reshape(t, R.shape([4]))
        else:
            v = R.reshape(u, R.shape([4]))
        p = shuffle!(v, t)@[0, 1]
        a = p[0]
        b = p[1]
        d = R.add(a, u)
        return (d, b)
    """, ["IP002", OK]),
]
