"""Operators that read an index tensor, with elementwise operators in front of and behind them."""
from operators.tensor import FLOATS, INTEGERS, Tensor, fit, is_float, size_of, truncated, wide

DTYPES = [*FLOATS, *INTEGERS, "bool"]


class Steps:
    """Elementwise operators one behind the other, as lines of a script, and what they make of a number."""

    def __init__(self, dtype):
        self.dtype = dtype
        self.forms, self.functions = [], []

    def add(self, form, function):
        self.forms.append(form)
        self.functions.append(function)

    def of(self, value):
        for function in self.functions:
            value = fit(self.dtype, function(value))
        return value

    def form(self):
        text = "{}"
        for form in self.forms:
            text = form.replace("{}", text)
        return text


def constant(value, dtype):
    return f'R.const({float(value) if is_float(dtype) else value}, "{dtype}")'


def steps_of_values(rng, dtype, limit=2):
    """Up to @limit steps, all exact."""
    steps = Steps(dtype)
    for _ in range(rng.randrange(limit + 1)):
        if dtype == "bool":
            steps.add("R.logical_not({})", lambda v: not v)
            continue
        c = rng.choice([1, 2, 3])
        steps.add(*rng.choice([
            (f"R.add({{}}, {constant(c, dtype)})", lambda v, c=c: v + c),
            (f"R.multiply({{}}, {constant(c, dtype)})", lambda v, c=c: v * c),
            (f"R.maximum({{}}, {constant(c, dtype)})", lambda v, c=c: max(v, c)),
            ("R.subtract({}, {})" if rng.random() < 0.1 else "R.add({}, {})", None),
        ]))
        if steps.functions[-1] is None:
            minus = "subtract" in steps.forms[-1]
            steps.functions[-1] = (lambda v: v - v) if minus else (lambda v: v + v)
    return steps


def add_index(case, dtype, shape, low, high):
    """
    An input, and what is done to it so that it becomes indices from @low to @high.  The indices themselves are
    returned, as a tensor.
    """
    rng = case.rng
    final = Tensor(dtype, shape, [rng.randrange(low, high + 1) for _ in range(size_of(shape))])
    raw, form = list(final.items), "{}"
    for _ in range(rng.choice([0, 1, 1, 2, 3]) if dtype[0] != "u" else 0):  # steps go below 0
        # the last step first: `raw` becomes what the step makes `raw` of
        c = rng.choice([1, 2, 3])
        kind = rng.randrange(8)
        if kind == 0:
            raw, step = [v - c for v in raw], f"R.add({{}}, {constant(c, dtype)})"
        elif kind == 1:
            raw, step = [v + c for v in raw], f"R.subtract({{}}, {constant(c, dtype)})"
        elif kind == 2 and max(map(abs, raw), default=0) < 20:
            raw, step = [v * c + rng.randrange(c) for v in raw], f"R.floor_divide({{}}, {constant(c, dtype)})"
        elif kind == 3:
            raw, step = [-v for v in raw], "R.negative({})"
        elif kind == 4:
            step = "R.subtract(R.add({}, {}), {})"  # one value three times
        elif kind == 6 and size_of(shape) > 0:
            table = sorted(set(raw))
            rng.shuffle(table)
            raw = [table.index(v) for v in raw]
            case.tables.append(Tensor(dtype, (len(table),), [fit(dtype, v) for v in table]))
            step = f"R.take({{{len(case.tables) - 1}}}, {{}}, axis=0)"
        elif kind == 5 and min(raw, default=0) >= 0:
            raw, step = [v * rng.choice([1, -1]) for v in raw], "R.abs({})"
        else:
            raw, step = [v + 1 for v in raw], f"R.add(R.bitwise_not(R.negative({{}})), R.multiply({{}}, {constant(0, dtype)}))"
        form = form.replace("{}", step)
    case.inputs.append(Tensor(dtype, shape, [fit(dtype, v) for v in raw]))
    if form != "{}":
        case.prologue[len(case.inputs) - 1] = form
    return final


def add_data(case, dtype, shape):
    """An input with steps in front; what the operator sees."""
    x = case.tensor(dtype, shape)
    steps = steps_of_values(case.rng, dtype)
    if steps.forms:
        case.prologue[len(case.inputs) - 1] = steps.form()
    return Tensor(dtype, shape, [steps.of(v) for v in x.items])


def index_dtype(rng):
    return rng.choice(["int64", "int64", "int32", "int32", "int16", "int8", "uint8"])


def from_end(index, extent):
    return index + extent if index < 0 else index


def gather_elements(case, dtype):
    rng = case.rng
    shape = case.shape(least=1, dims=(1, 2, 3, 4, 5, 7))
    axis = rng.randrange(len(shape))
    x = add_data(case, dtype, shape)
    to = index_dtype(rng)
    out = tuple(rng.choice([0, 1, 2, 6]) if d == axis else rng.randrange(1, shape[d] + 1) for d in range(len(shape)))
    index = add_index(case, to, out, 0 if to[0] == "u" else -shape[axis], shape[axis] - 1)
    y = Tensor(dtype, out, [x[at[:axis] + (from_end(index[at], shape[axis]),) + at[axis + 1:]] for at in index.indices()])
    case.call = f"gather_elements({{0}}, {{1}}, axis={rng.choice([axis, axis - len(shape)])})"
    return [y]


def gather_nd(case, dtype):
    rng = case.rng
    shape = case.shape(least=1, dims=(1, 2, 3, 4))
    batch = rng.choice([0, 0, rng.randrange(len(shape))])
    depth = rng.randrange(1, len(shape) - batch + 1)
    x = add_data(case, dtype, shape)
    outer = shape[:batch] + tuple(rng.choice([1, 2, 3, 0]) for _ in range(rng.randrange(0, 3)))
    to = index_dtype(rng)
    limit = min(shape[batch:batch + depth])
    index = add_index(case, to, (*outer, depth), 0 if to[0] == "u" else -limit, limit - 1)
    rest = shape[batch + depth:]
    y = Tensor(dtype, outer + rest, [0] * size_of(outer + rest))
    for at in y.indices():
        lead = at[:len(outer)]
        found = tuple(from_end(index[(*lead, i)], shape[batch + i]) for i in range(depth))
        y[at] = x[lead[:batch] + found + at[len(outer):]]
    case.call = f"gather_nd({{0}}, {{1}}, batch_dims={batch})"
    return [y]


def take(case, dtype):
    rng = case.rng
    shape = case.shape(least=1, dims=(1, 2, 3, 4, 5))
    axis = rng.choice([None, *range(len(shape))])
    x = add_data(case, dtype, shape)
    extent = size_of(shape) if axis is None else shape[axis]
    mode = rng.choice(["fast", "clip", "wrap"])
    to = index_dtype(rng)
    low, high = (0, extent - 1) if mode == "fast" else (0 if to[0] == "u" else -extent - 2, extent + 2)
    index = add_index(case, to, case.shape(most=2, dims=(1, 2, 3, 7)), low, min(high, 100))
    lead, rest = (shape[:axis], shape[axis + 1:]) if axis is not None else ((), ())
    out = lead + index.shape + rest
    y = Tensor(dtype, out, [0] * size_of(out))
    for at in y.indices():
        i = index[at[len(lead):len(lead) + len(index.shape)]]
        i = i % extent if mode == "wrap" else max(0, min(i, extent - 1))
        y[at] = x.items[i] if axis is None else x[at[:len(lead)] + (i,) + at[len(lead) + len(index.shape):]]
    case.call = f'take({{0}}, {{1}}, axis={axis}, mode="{mode}")'
    return [y]


def reduced(reduction, dtype, old, update):
    if reduction == "update":
        return update
    if reduction == "mean":
        both = fit(wide(dtype), old + update)
        return fit(dtype, both / 2 if is_float(dtype) else truncated(both, 2))
    return fit(dtype, {"add": lambda: old + update, "mul": lambda: old * update, "min": lambda: min(old, update), "max": lambda: max(old, update)}[reduction]())


def reduction_of(case, dtype):
    return case.rng.choice(["update", "update", "add", "mul", "min", "max", "mean"]) if dtype != "bool" else "update"


def scatter_elements(case, dtype):
    rng = case.rng
    shape = case.shape(least=1, dims=(1, 2, 3, 4, 5))
    axis = rng.randrange(len(shape))
    y = add_data(case, dtype, shape)
    to = index_dtype(rng)
    given = tuple(rng.choice([0, 1, 2, 5]) if d == axis else rng.randrange(1, shape[d] + 1) for d in range(len(shape)))
    index = add_index(case, to, given, 0 if to[0] == "u" else -shape[axis], shape[axis] - 1)
    updates = add_data(case, dtype, given)
    reduction = reduction_of(case, dtype)
    for at in index.indices():
        to_at = at[:axis] + (from_end(index[at], shape[axis]),) + at[axis + 1:]
        y[to_at] = reduced(reduction, dtype, y[to_at], updates[at])
    case.call = f'scatter_elements({{0}}, {{1}}, {{2}}, axis={axis}, reduction="{reduction}")'
    return [y]


def scatter_nd(case, dtype):
    rng = case.rng
    shape = case.shape(least=1, dims=(1, 2, 3, 4))
    depth = rng.randrange(1, len(shape) + 1)
    y = add_data(case, dtype, shape)
    outer = tuple(rng.choice([1, 2, 3, 0]) for _ in range(rng.randrange(1, 3)))
    to = index_dtype(rng)
    limit = min(shape[:depth])
    index = add_index(case, to, (*outer, depth), 0 if to[0] == "u" else -limit, limit - 1)
    updates = add_data(case, dtype, outer + shape[depth:])
    reduction = reduction_of(case, dtype)
    for at in updates.indices():
        lead = at[:len(outer)]
        to_at = tuple(from_end(index[(*lead, i)], shape[i]) for i in range(depth)) + at[len(outer):]
        y[to_at] = reduced(reduction, dtype, y[to_at], updates[at])
    case.call = f'scatter_nd({{0}}, {{1}}, {{2}}, reduction="{reduction}")'
    return [y]


def one_hot(case, dtype):
    rng = case.rng
    to = index_dtype(rng)
    depth = rng.choice([1, 3, 5])
    index = add_index(case, to, case.shape(most=2, dims=(1, 2, 3, 0)), 0 if to[0] == "u" else -2, depth + 1)
    axis = rng.choice([-1, *range(len(index.shape) + 1)])
    place = axis if axis >= 0 else len(index.shape)
    out = index.shape[:place] + (depth,) + index.shape[place:]
    real = is_float(dtype)
    y = Tensor(dtype, out, [0] * size_of(out))
    on, off = rng.choice([(1, 0), (3, 2)]) if dtype != "bool" else (1, 0)
    for at in y.indices():
        y[at] = fit(dtype, on if index[at[:place] + at[place + 1:]] == at[place] else off)
    values = [f"R.prim_value(T.{dtype}({float(v) if real else bool(v) if dtype == 'bool' else v}))" for v in (on, off)]
    case.call = f"one_hot({{0}}, {values[0]}, {values[1]}, depth={depth}, axis={axis})"
    return [y]


def reverse_sequence(case, dtype):
    rng = case.rng
    shape = case.shape(least=2, dims=(1, 2, 3, 4))
    seq, batch = rng.sample(range(len(shape)), 2)
    x = add_data(case, dtype, shape)
    lengths = add_index(case, rng.choice(["int64", "int32"]), (shape[batch],), 0, shape[seq])
    y = Tensor(dtype, shape, [0] * size_of(shape))
    for at in y.indices():
        length = lengths[(at[batch],)]
        place = length - 1 - at[seq] if at[seq] < length else at[seq]
        y[at] = x[at[:seq] + (place,) + at[seq + 1:]]
    case.call = f"reverse_sequence({{0}}, {{1}}, seq_axis={seq}, batch_axis={batch})"
    return [y]


OPERATORS = [gather_elements, gather_nd, take, scatter_elements, scatter_nd, one_hot, reverse_sequence]


def case(made, seed=0, number=0):
    """The first programs have one operator each, with every dtype of the data in turn."""
    is_whole = seed <= len(OPERATORS)
    dtype = DTYPES[number % len(DTYPES)] if is_whole else made.rng.choice(DTYPES)
    made.wanted = (OPERATORS[seed - 1] if is_whole else made.rng.choice(OPERATORS))(made, dtype)
    made.may_be_symbolic = made.call.split("(")[0] in ("gather_elements", "take", "scatter_elements", "one_hot")
    steps = steps_of_values(made.rng, dtype)
    if steps.forms:
        made.epilogue[0] = steps.form()
        made.wanted[0].items = [steps.of(v) for v in made.wanted[0].items]
    return made


def count(seed):
    return len(DTYPES) if seed <= len(OPERATORS) else None
