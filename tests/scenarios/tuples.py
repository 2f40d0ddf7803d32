"""Tuples, and calls with several results (64 to 71)."""
from scenarios.row import OK, XY, row

ROWS = [
    row("64 double buffer on one value", XY, """
        p = R.negative(x)
        t = swap!(p, p)@[0, 1]
        a = t[0]
        b = t[1]
        return (a, b)
    """, [OK, "IP012"]),
    row("66 one in place, one fresh", XY, """
        p = R.negative(x)
        t = neg_and_sum!(p)@[0, -1]
        a = t[0]
        b = t[1]
        return (a, b)
    """, [OK]),
    row("66 field of a result of several", XY, """
        p = R.negative(x)
        t = neg_and_sum!(p)@[0, -1]
        a = t[0]
        b = t[1]
        c = neg!(a)@0
        return (c, b)
    """, [OK, OK]),
    row("67 tuple is returned", XY, """
        t = R.negative(x)
        u = R.negative(y)
        p = (t, u)
        f = p[0]
        a = add!(f, y)@0
        return (a, p)
    """, ["IP003"]),
    row("67 other field is returned", XY, """
        t = R.negative(x)
        u = R.negative(y)
        p = (t, u)
        f = p[0]
        a = add!(f, y)@0
        g = p[1]
        return (a, g)
    """, [OK]),
    row("67 same field is taken later", XY, """
        t = R.negative(x)
        u = R.negative(y)
        p = (t, u)
        f = p[0]
        a = add!(f, y)@0
        g = p[0]
        return (a, g)
    """, ["IP003"]),
    row("67 one value in two fields", XY, """
        t = R.negative(x)
        p = (t, t)
        f = p[0]
        a = neg!(f)@0
        g = p[1]
        b = R.add(a, g)
        return b
    """, ["IP002"]),
    row("67 tuple of tuples, another field read", XY, """
        t = R.negative(x)
        u = R.negative(y)
        p = ((t, u), u)
        q = p[0]
        f = q[0]
        a = neg!(f)@0
        g = p[1]
        b = R.add(a, g)
        return b
    """, [OK]),
    row("67 tuple of tuples, the field read", XY, """
        t = R.negative(x)
        u = R.negative(y)
        p = ((t, u), t)
        q = p[0]
        f = q[0]
        a = neg!(f)@0
        g = p[1]
        b = R.add(a, g)
        return b
    """, ["IP002"]),
    row("68 double buffer", XY, """
        p = R.negative(x)
        q = R.negative(y)
        t = swap!(p, q)@[1, 0]
        a = t[0]
        b = t[1]
        return (a, b)
    """, [OK, OK]),
    row("68 double buffer, one read later", XY, """
        p = R.negative(x)
        q = R.negative(y)
        t = swap!(p, q)@[1, 0]
        a = t[0]
        b = t[1]
        return (a, b, p)
    """, [OK, "IP003"]),
    row("68 double buffer, then again", XY, """
        p = R.negative(x)
        q = R.negative(y)
        t = swap!(p, q)@[1, 0]
        a = t[0]
        b = t[1]
        u = swap!(a, b)@[1, 0]
        c = u[0]
        d = u[1]
        return (c, d)
    """, [OK, OK, OK, OK]),
    row("70 pieces of a split", XY, """
        t = R.negative(x)
        s = R.split(t, 2, axis=0)
        a = s[0]
        b = s[1]
        c = neg2!(a)@0
        d = R.negative(b)
        return (c, d, b)
    """, [OK]),
    row("71 pieces of a split, and the whole", XY, """
        t = R.negative(x)
        s = R.split(t, 2, axis=0)
        a = s[0]
        b = s[1]
        c = neg2!(a)@0
        d = neg2!(b)@0
        return (c, d, t)
    """, [OK, OK]),
    row("66 nobody asks, one output of two may have it", XY, """
        t = R.negative(x)
        p = R.call_tir(cls.both_of, (t,), out_ty=[R.Tensor((4,), 'float32'), R.Tensor((4,), 'float32')])
        a = p[0]
        b = p[1]
        return (a, b)
    """, [], alone=2),
    row("67 a tuple that nobody takes apart keeps its fields", XY, """
        t = R.negative(x)
        p = (t, y)
        a = R.add(t, y)
        f = p[0]
        b = R.subtract(a, f)
        return b
    """, [], alone=2),
    row("69 one output of two is not read", XY, """
        p = R.negative(x)
        q = R.negative(y)
        t = swap!(p, q)@[1, 0]
        a = t[0]
        b = neg!(a)@0
        return b
    """, [OK, OK, OK], alone=2),
    row("69 nobody asks, one output of two is not read", XY, """
        t = R.negative(x)
        p = R.call_tir(cls.both_of, (t,), out_ty=[R.Tensor((4,), 'float32'), R.Tensor((4,), 'float32')])
        b = p[1]
        c = R.nn.relu(b)
        return c
    """, []),
    row("70 pieces of a split, both updated and returned", XY, """
        t = R.negative(x)
        s = R.split(t, 2, axis=0)
        a = neg2!(s[0])@0
        b = neg2!(s[1])@0
        return (a, b)
    """),
    row("71 pieces of a split, one updated, the whole updated", XY, """
        t = R.negative(x)
        s = R.split(t, 2, axis=0)
        a = s[0]
        c = neg2!(a)@0
        d = neg!(t)@0
        return (c, d, s[1])
    """),
]
