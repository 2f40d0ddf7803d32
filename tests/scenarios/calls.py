"""Calls of functions, opaque code and effects (86 to 93)."""
from scenarios.row import OK, XY, XYC, row

ROWS = [
    row("86 callee returns its argument", XY, """
        t = R.negative(x)
        i = cls.identity(t)
        a = add!(t, y)@0
        b = R.add(a, i)
        return b
    """, ["IP002"]),
    row("86 callee returns its argument, unread", XY, """
        t = R.negative(x)
        i = cls.identity(t)
        a = add!(i, y)@0
        return a
    """, [OK]),
    row("86 callee returns a borrowed parameter", XY, """
        i = cls.identity(x)
        a = add!(i, y)@0
        return a
    """, ["IP004"]),
    row("86 callee gives one of two", XYC, """
        t = R.negative(x)
        u = R.negative(y)
        i = cls.one_of(c, t, u)
        a = neg!(u)@0
        b = R.add(a, i)
        return b
    """, ["IP002"]),
    row("86 callee gives its argument twice", XY, """
        t = R.negative(x)
        p = cls.twice(t)
        f = p[0]
        g = p[1]
        a = neg!(f)@0
        b = R.add(a, g)
        return b
    """, ["IP002"]),
    row("86 callee gives a view", XY, """
        t = R.negative(x)
        v = cls.view_of(t)
        a = neg!(t)@0
        b = R.add(R.reshape(v, R.shape([4])), a)
        return b
    """, ["IP002"]),
    row("86 callee hides its argument in a tuple", XY, """
        t = R.negative(x)
        o = cls.hidden(t)
        a = neg!(t)@0
        p = R.match_cast(o, R.Tuple(R.Tensor((4,), 'float32'), R.Tensor((4,), 'float32')))
        f = p[1]
        b = R.add(a, f)
        return b
    """, ["IP002"]),
    row("87 callee makes a fresh value", XY, """
        t = R.negative(x)
        i = cls.fresh(t)
        a = add!(t, y)@0
        b = R.add(a, i)
        return b
    """, [OK]),
    row("87 callee passes one field through", XY, """
        t = R.negative(x)
        u = R.negative(y)
        p = cls.second(t, u)
        f = p[0]
        g = p[1]
        a = add!(f, y)@0
        b = neg!(u)@0
        d = R.add(b, g)
        return (a, d)
    """, [OK, "IP002"]),
    row("88 donated to a callee, dead", XY, """
        t = R.negative(x)
        i = cls.consume(t)
        return i
    """, [OK, OK]),
    row("88 donated to a callee, read later", XY, """
        t = R.negative(x)
        i = cls.consume(t)
        b = R.add(i, t)
        return b
    """, [OK, "IP001"]),
    row("88 borrowed parameter given to a callee that overwrites", XY, """
        i = cls.consume(x)
        return i
    """, [OK, "IP004"]),
    row("88 donated to a callee that does not overwrite", XY, """
        i = cls.donated_unused(x)
        b = R.add(i, x)
        return b
    """, []),
    row("89 recursion that never updates what it is given", XY, """
        i = cls.consume_again(x, R.const(False, 'bool'))
        j = cls.consume_again(i, R.const(False, 'bool'))
        return j
    """, []),
    row("89 result of a recursive call", XY, """
        t = R.negative(x)
        i = cls.forever(t, R.const(False, 'bool'))
        a = neg!(i)@0
        return a
    """, [OK]),
    row("89 mutual recursion with donated parameters", XY, """
        t = R.negative(x)
        n = R.const(4, 'int32')
        a = cls.even(n, t)
        b = cls.odd(n, y)
        return (a, b)
    """, None),
    row("92 printed after the update", XY, """
        t = R.negative(x)
        a = neg!(t)@0
        _ = R.print(t, format='{}')
        return a
    """, ["IP001"]),
    row("92 printed before the update", XY, """
        t = R.negative(x)
        _ = R.print(t, format='{}')
        a = neg!(t)@0
        return a
    """, [OK]),
    # ---- discovered, nobody asks
    row("86 nobody asks, and the callee returns its argument", XY, """
        t = R.negative(x)
        i = cls.identity(t)
        a = R.add(t, y)
        b = R.add(a, i)
        return b
    """, []),
    row("87 nobody asks, the callee makes a fresh value", XY, """
        t = R.negative(x)
        i = cls.fresh(t)
        a = R.add(t, i)
        b = R.nn.relu(a)
        return b
    """, []),
    row("88 nobody asks: donated to a callee, read before", XY, """
        t = R.negative(x)
        b = R.add(t, y)
        i = cls.consume(t)
        c = R.add(i, b)
        return c
    """, [OK, OK]),
    row("90 captured by a nested function, called later", XY, """
        t = R.negative(x)
        @R.function
        def inner(p: R.Tensor((4,), 'float32')) -> R.Tensor((4,), 'float32'):
            q = R.add(p, t)
            return q
        a = R.add(t, y)
        b = inner(a)
        return b
    """, None),
    row("90 captured, and updated in between", XY, """
        t = R.negative(x)
        @R.function
        def inner(p: R.Tensor((4,), 'float32')) -> R.Tensor((4,), 'float32'):
            q = R.add(p, t)
            return q
        a = neg!(t)@0
        b = inner(a)
        return b
    """, None),
    row("92 nobody asks, and it is printed afterwards", XY, """
        t = R.negative(x)
        a = R.add(t, y)
        _ = R.print(t, format='{}')
        b = R.nn.relu(a)
        return b
    """, []),
    row("93 one function, called with what dies and with what does not", XY, """
        t = R.negative(x)
        u = R.add(x, y)
        a = cls.consume(t)
        b = cls.consume(u)
        c = R.add(R.add(a, b), u)
        return c
    """, [OK, OK, "IP001"]),
    row("93 a call in a branch, and the value behind it", XYC, """
        t = R.negative(x)
        if c:
            a = cls.consume(t)
        else:
            a = R.add(t, y)
        b = R.add(a, t)
        return b
    """, [OK, "IP001"]),
]
