"""Parameters, constants and donation (11 to 19): what a caller must not see changed."""
from scenarios.row import OK, XY, XYR, row

ROWS = [
    row("11 borrowed parameter", XY, """
        a = add!(x, y)@0
        return a
    """, ["IP004"]),
    row("11 other parameter is donated", XY, """
        a = add!(x, y)@0
        return a
    """, ["IP004"], donated=1),
    row("12 donated parameter", XY, """
        a = add!(x, y)@0
        return a
    """, [OK], donated=0),
    row("12 donated by a list", XY, """
        a = add_right!(x, y)@1
        return a
    """, [OK], donated=[1]),
    row("13 donated and returned", XY, """
        a = add!(x, y)@0
        return (a, x)
    """, ["IP003"], donated=0),
    row("14 one value for two donated parameters", XY, """
        t = R.negative(x)
        a = cls.consume_first(t, t)
        return a
    """, [OK, OK, OK, "IP012"]),
    row("14 two names of one value for two donated parameters", XY, """
        t = R.negative(x)
        u = R.match_cast(t, R.Tensor((4,), 'float32'))
        a = cls.consume_first(t, u)
        return a
    """, [OK, OK, OK, "IP012"]),
    row("15 constant", XY, """
        k = R.const([1.0, 2.0, 3.0, 4.0], 'float32')
        a = add!(k, y)@0
        return a
    """, ["IP005"]),
    row("15 constant as the argument itself", XY, """
        a = add!(R.const([1.0, 2.0, 3.0, 4.0], 'float32'), y)@0
        return a
    """, ["IP005"]),
    row("15 other operand is a constant", XY, """
        t = R.negative(x)
        k = R.const([1.0, 2.0, 3.0, 4.0], 'float32')
        a = add!(t, k)@0
        b = add!(k, a)@0
        return (b, k)
    """, [OK, "IP005"]),
    row("15 constants with the same elements", XY, """
        k = R.const([1.0, 2.0, 3.0, 4.0], 'float32')
        l = R.const([1.0, 2.0, 3.0, 4.0], 'float32')
        a = add!(k, y)@0
        b = R.add(a, l)
        return b
    """, ["IP005"]),
    row("16 view of a constant", XY, """
        k = R.const([1.0, 2.0, 3.0, 4.0], 'float32')
        v = R.reshape(k, R.shape([2, 2]))
        a = neg22!(v)@0
        return a
    """, ["IP005"]),
    row("17 donated, and no call for it", XY, """
        a = R.add(x, y)
        return a
    """, [], donated=0),
    row("18 view of a borrowed parameter", XY, """
        v = R.reshape(x, R.shape([2, 2]))
        a = neg22!(v)@0
        return a
    """, ["IP004"]),
    row("19 result and borrowed parameter", XY, """
        a = add!(x, y)@0
        return (x, a)
    """, ["IP004"]),
    row("11 nobody asks, and the operands are the caller's", XY, """
        a = R.add(x, y)
        b = R.multiply(x, a)
        return b
    """, [], alone=1),
    row("12 nobody asks, and the operand is donated", XY, """
        a = R.add(x, y)
        b = R.multiply(a, y)
        return b
    """, [], donated=0, alone=0),
    row("13 nobody asks, donated and returned", XY, """
        a = R.add(x, y)
        return (a, x)
    """, [], donated=0, alone=1),
    row("12 view of a donated parameter", XY, """
        v = R.reshape(x, R.shape([2, 2]))
        a = neg22!(v)@0
        return a
    """, [OK], donated=0, alone=0),
    row("13 view of a donated parameter, which is read later", XY, """
        v = R.reshape(x, R.shape([2, 2]))
        a = neg22!(v)@0
        b = R.add(x, R.reshape(a, R.shape([4])))
        return b
    """, ["IP002"], donated=0),
    row("15 nobody asks, and the operand is a constant", XY, """
        k = R.const([1.0, 2.0, 3.0, 4.0], 'float32')
        a = R.add(k, y)
        b = R.add(k, a)
        return b
    """, [], alone=1),
    row("17 donated, and of another shape than every result", XYR, """
        a = R.add(r, x)
        b = R.add(a, r)
        return b
    """, [], donated=2, alone=1),
    row("19 the parameter, and what is made of it", XY, """
        a = R.add(x, R.const(1.0, 'float32'))
        b = R.nn.relu(a)
        return (x, b)
    """, [], alone=1),
]
