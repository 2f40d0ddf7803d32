"""Statements of the language: names, tuples, R.Object, branches, calls, recursion."""
import numpy as np

from gen import kernels, movement
from gen.body import FLAG, Body, Tens, Unfit
from gen.graph import Block, Function, Statement, Value
from gen.kinds import EXACT, FLOATS, Tup, text_of
from gen.table import makes

NAME = {"tag": "name"}


@makes("bind", "copy", weight=1.5)
def rename(body):
    x = body.pick()
    if body.rng.random() < 0.4:
        return body.add(x.kind, "R.copy({0})", [x], lambda env, a: a)
    return body.add(x.kind, "{0}", [x], lambda env, a: a, **NAME)


@makes("tuple", "tuple_get", weight=2)
def through_tuple(body, x=None):
    parts = [body.pick() for _ in range(body.rng.randint(1, 3))]
    if x:
        parts[0] = x
    names = ", ".join(f"{{{i}}}" for i in range(len(parts)))
    kind = Tup(tuple(part.kind for part in parts))
    is_exact = all(part.is_exact for part in parts)
    t = body.add(kind, f"({names}{',' * (len(parts) == 1)})", parts, lambda env, *arrays: arrays, max(p.limit for p in parts), is_exact, **NAME)
    if body.rng.random() < 0.2:
        t = body.add(kind, "{0}", [t], lambda env, a: a, t.limit, is_exact, **NAME)
    value = None
    for i, part in enumerate(parts):
        if body.rng.random() < 0.6 or value is None:
            value = body.field(t, i)
            value.limit, value.is_exact = part.limit, part.is_exact
            body.roots[value.name] = body.root(part)
    return value


@makes("match_cast", weight=1.5)
def through_object(body, x=None):
    """To R.Object, or to less, and back."""
    x = x or body.pick()
    dtype, rank = x.kind.dtype, len(x.kind.shape)
    loose = body.rng.choice(["R.Object", "R.Any", f'R.Tensor(dtype="{dtype}", ndim={rank})', f"R.Tensor(ndim={rank})"])
    root = body.root(x)
    hidden = Value(body.name(), None, 0)
    text, hint = (f"R.match_cast({{0}}, {loose})", None) if body.rng.random() < 0.6 else ("{0}", loose)
    body.statements.append(Statement(hidden, text, [x], lambda env, a: a, "name", annotation=hint))
    body.read.add(x.name)
    value = body.add(x.kind, f"R.match_cast({{0}}, {text_of(x.kind)})", [hidden], lambda env, a: a, x.limit, x.is_exact, **NAME)
    body.roots[value.name] = root
    return value


# ---- branches


@makes("if", weight=1.2)
def branch(body, x=None):
    """@x: what one of the branches may give."""
    if body.depth > 1:
        raise Unfit
    flag, goal = body.flag(), x or body.pick(lambda v: v.kind != FLAG)
    blocks, limit, is_exact = [], 0, True
    for _ in range(2):
        inner = grown(body, body.values, body.rng.randint(0, 4))
        fitting = [v for v in inner.values[len(body.values):] if v.kind == goal.kind]
        result = x if x and (not blocks or body.rng.random() < 0.3) else fitting[-1] if fitting else body.rng.choice([v for v in inner.values if v.kind == goal.kind])
        inner.read.add(result.name)
        body.read |= inner.read
        limit, is_exact = max(limit, result.limit), is_exact and result.is_exact
        blocks.append(Block(inner.statements, result))
    value = Value(body.name(), goal.kind, limit, is_exact)
    body.statements.append(Statement(value, "", [flag], None, "if", blocks=blocks))
    body.read.add(flag.name)
    body.values.append(value)
    return value


def grown(body, values, count):
    inner = Body(body.maker, values)
    inner.depth, inner.roots = body.depth + 1, dict(body.roots)
    body.maker.grow(inner, count)
    return inner


# ---- calls


def bounded(body, value, limit):
    """As small as the callee's parameter says."""
    if value.kind.dtype in FLOATS or value.kind.dtype == "bool":
        return body.small(value, limit)
    return value


@makes("call", weight=3)
def call(body):
    if not body.maker.callees:
        raise Unfit
    callee = body.rng.choice(body.maker.callees)
    args = []
    for param in callee.params:
        if param.name.startswith("k_"):
            args.append(body.add(Tens((), "int32"), f'R.const({(depth := body.rng.randint(0, 3))}, "int32")', [], lambda env, d=depth: np.array(d, "int32"), 3))
        else:
            args.append(bounded(body, body.pick(lambda v, p=param: v.kind == p.kind and (v.is_exact or not p.is_exact)), param.limit))
    names = ", ".join(f"{{{i}}}" for i in range(len(args)))
    limit, is_exact = max(v.limit for v in callee.results), all(v.is_exact for v in callee.results)
    t = body.add(callee.kind(), f"cls.{callee.name}({names})", args, None, limit, is_exact, callee=callee, tag="call")
    if not callee.is_tuple:
        return t
    value = None
    for i, result in enumerate(callee.results):
        if value is None or body.rng.random() < 0.8:
            value = body.field(t, i)
            value.limit, value.is_exact = result.limit, result.is_exact
    return value


def helper(maker):
    """A private function; parameters may be donated."""
    rng = maker.rng
    kinds = [maker.a_type() for _ in range(rng.randint(1, 3))] + maker.binders()
    name = f"f{len(maker.callees)}"
    params = [Value(f"{name}_{i}", kind, parameter_limit(kind)) for i, kind in enumerate(kinds)]
    body = Body(maker, params)
    maker.grow(body, rng.randint(1, 5))
    results = maker.results(body, len(params), 3)
    donated = [i for i, kind in enumerate(kinds) if kind.shape and rng.random() < 0.35]
    function = Function(name, params, body.statements, results, donated)
    function.is_tuple = len(results) > 1 or rng.random() < 0.3
    return function


def parameter_limit(kind):
    return min(1 << 10, EXACT[kind.dtype]) if kind.dtype in FLOATS else 1 << 63


def recursive(maker):
    """f(x, k): calls itself with k - 1 until that is 0; half of them as the last thing they do, which is a loop."""
    rng, name = maker.rng, f"f{len(maker.callees)}"
    kind = rng.choice([k for k in (maker.a_type() for _ in range(4)) if k.dtype in ("float32", "float64", "int32", "int64")] or [None])
    if kind is None:
        return None
    limit = 16 if kind.dtype in FLOATS else 1 << 63
    x, k = Value(f"{name}_0", kind, limit), Value(f"k_{name}", Tens((), "int32"), 8)
    binders = [Value(f"{name}_{i}", kind, parameter_limit(kind)) for i, kind in enumerate(maker.binders(), 1)]
    function = Function(name, [x, k, *binders], [], [], [0] if rng.random() < 0.4 else [])
    function.is_tuple, function.results = False, [Value("", kind, limit)]
    body = Body(maker, function.params)
    maker.grow(body, rng.randint(0, 2))
    flag = body.add(FLAG, 'R.greater({0}, R.const(0, "int32"))', [k], lambda env, a: np.greater(a, 0))
    blocks = []
    for is_deeper in (True, False):
        inner = grown(body, body.values, rng.randint(0, 2))
        if is_deeper:
            less = inner.add(k.kind, 'R.subtract({0}, R.const(1, "int32"))', [k], lambda env, a: np.subtract(a, np.int32(1)))
            given = bounded(inner, inner.pick(lambda v: v.kind == kind and v.is_exact), limit)
            names = ", ".join(f"{{{i}}}" for i in range(len(function.params)))
            deeper = inner.add(kind, f"cls.{name}({names})", [given, less, *binders], None, limit, True, callee=function, tag="call")
            if rng.random() < 0.5:
                blocks.append(Block(inner.statements, deeper))
                continue
            maker.grow(inner, rng.randint(0, 2))
        blocks.append(Block(inner.statements, bounded(inner, inner.pick(lambda v: v.kind == kind and v.is_exact), limit)))
    value = Value(body.name(), kind, limit)
    body.statements.append(Statement(value, "", [flag], None, "if", blocks=blocks))
    function.statements, function.results = body.statements, [value]
    return function


# ---- what an update must leave alone


def other_name(body, x):
    """Another name of its storage, or of a part."""
    kind = body.rng.randrange(6)
    if kind == 0:
        return body.add(x.kind, "{0}", [x], lambda env, a: a, **NAME)
    if kind == 1:
        return through_object(body, x)
    if kind == 2:
        return through_tuple(body, x)
    if kind == 3:
        return branch(body, x)
    return movement.part(body, x) if kind == 4 else movement.reshape(body, x)


@makes(weight=3)
def hazard(body):
    """Storage with two names, one of which is updated while the other one is still to be read."""
    x = body.shared(kernels.is_fit)
    if body.rng.random() < 0.7:
        x = body.add(x.kind, "R.negative({0})", [x], lambda env, a: np.negative(a), x.limit + 1)
    if body.rng.random() < 0.3 and x.kind.shape:  # two parts, which may overlap
        x, other = movement.part(body, x), movement.part(body, x)
    else:
        other = other_name(body, x)
    if not kernels.is_fit(x) or not isinstance(other.kind, Tens):
        raise Unfit
    updated, read = (x, other) if not kernels.is_fit(other) or body.rng.random() < 0.6 else (other, x)
    result = kernels.update(body, updated, 1)
    if body.rng.random() < 0.85:
        body.read.discard(read.name)
    return result
