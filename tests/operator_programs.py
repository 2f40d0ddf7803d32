"""Random programs of operators, without a word about memory: what a compiler may put in place by itself.

Values are read late, twice, as views, in both branches of an `if`, through tuples, R.Object and calls, and have sizes that only a run
knows. Numbers are integers (also in tensors of floats), or, in a program that is `smooth`, whatever exp and softmax give.
"""
import collections

Dim = collections.namedtuple("Dim", "many one")  # many * n + one
Tens = collections.namedtuple("Tens", "shape dtype")
Value = collections.namedtuple("Value", "name type")

FLAG = Tens((), "bool")
WIDTH = {"float32": 4, "float64": 8, "int32": 4, "int64": 8}
STATIC = [[4], [6], [2, 3], [4, 4], [3, 2], [8], [2, 2, 2], [1, 6], [4, 2], [33], [3, 17]]
SYMBOLIC = [["n"], ["n", 2], [3, "n"], ["n", 4], [2, "n", 2]]


def dim(size):
    return Dim(1, 0) if size == "n" else Dim(0, size)


def dim_text(size):
    many = "n" if size.many == 1 else f"n * {size.many}"
    return str(size.one) if not size.many else f"{many} + {size.one}" if size.one else many


def dims_text(shape):
    return "(" + ", ".join(map(dim_text, shape)) + ("," if len(shape) == 1 else "") + ")"


def type_text(kind):
    return f'R.Tensor({dims_text(kind.shape)}, "{kind.dtype}")'


def param_text(kind):
    """As in the head of a function: there symbols are strings."""
    dims = [f'"{dim_text(size)}"' if size.many else dim_text(size) for size in kind.shape]
    return f'R.Tensor(({", ".join(dims)}{"," if len(dims) == 1 else ""}), "{kind.dtype}")'


def is_static(shape):
    return all(not size.many for size in shape)


class Function:
    """The body of one function."""

    def __init__(self, program, values):
        self.program, self.rng, self.values = program, program.rng, list(values)
        self.lines, self.pad, self.read = [], "        ", set()

    def emit(self, kind, text, *operands):
        name = self.program.name()
        self.lines.append(f"{self.pad}{name} = {text}")
        self.read.update(value.name for value in operands)
        self.values.append(Value(name, kind))
        return self.values[-1]

    # ---- what is there

    def pick(self, test=lambda value: True):
        fitting = [value for value in self.values if value.type != FLAG and test(value)]
        if not fitting:
            return None
        return self.rng.choice(fitting[-3:] if self.rng.random() < 0.55 else fitting)

    def same(self, value):
        """Another of the type, or the value itself."""
        return self.pick(lambda other: other.type == value.type)

    def constant(self, kind):
        numbers = [self.rng.randrange(-3, 9) for _ in range(2)]
        text = f'R.full(R.shape([{", ".join(map(dim_text, kind.shape))}]), R.const({numbers[0]}, "{kind.dtype}"), "{kind.dtype}")'
        return self.emit(kind, text)

    def bounded(self, value):
        """Small again: a product, a sum."""
        if self.program.is_smooth or self.rng.random() < 0.3:
            return value
        return self.emit(value.type, f'R.floor_mod({value.name}, R.const({self.rng.choice([16, 31, 64])}, "{value.type.dtype}"))', value)

    # ---- statements

    def unary(self):
        value = self.pick()
        if self.program.is_smooth and value.type.dtype.startswith("float"):
            return self.emit(value.type, f"R.{self.rng.choice(['tanh', 'sigmoid', 'nn.relu', 'negative', 'nn.silu'])}({value.name})", value)
        return self.emit(value.type, f"R.{self.rng.choice(['negative', 'abs', 'nn.relu', 'copy'])}({value.name})", value)

    def binary(self):
        value = self.pick()
        other = self.same(value)
        if self.rng.random() < 0.25:
            operands = (value.name, f'R.const({self.rng.randrange(1, 5)}, "{value.type.dtype}")')
        else:
            operands = self.rng.sample([value.name, other.name], 2)
        name = self.rng.choice(["add", "subtract", "maximum", "minimum", "add", "subtract", "multiply"])
        result = self.emit(value.type, f"R.{name}({operands[0]}, {operands[1]})", value, other)
        return self.bounded(result) if name == "multiply" else result

    def choose(self):
        value = self.pick()
        other, third = self.same(value), self.same(value)
        flags = self.emit(Tens(value.type.shape, "bool"), f"R.{self.rng.choice(['less', 'greater', 'equal'])}({value.name}, {other.name})", value, other)
        self.values.pop()
        return self.emit(value.type, f"R.where({flags.name}, {self.rng.choice([value, third]).name}, {third.name})", value, third)

    def cast(self):
        value = self.pick()
        dtype = self.rng.choice([d for d in self.program.dtypes if d != value.type.dtype] or [value.type.dtype])
        return self.emit(Tens(value.type.shape, dtype), f'R.astype({value.name}, "{dtype}")', value)

    def counted(self):
        """Bytes that become numbers."""
        value = self.pick()
        other = self.same(value)
        flags = self.emit(Tens(value.type.shape, "bool"), f"R.{self.rng.choice(['less', 'greater', 'equal'])}({value.name}, {other.name})", value, other)
        self.values.pop()
        dtype = self.rng.choice(self.program.dtypes)
        return self.emit(Tens(value.type.shape, dtype), f'R.astype({flags.name}, "{dtype}")', flags)

    def grown(self):
        """Larger than what it is made of: padded, repeated, spread over an axis that is one; and then smaller again."""
        value = self.pick(lambda v: v.type.shape and is_static(v.type.shape) and all(size.one < 40 for size in v.type.shape))
        if not value:
            return self.counted()
        sizes, kind = [size.one for size in value.type.shape], self.rng.randrange(4)
        axis = self.rng.randrange(len(sizes))
        if kind == 0:
            widths = [self.rng.randrange(4) for _ in range(2 * len(sizes))]
            grown, text = [n + a + b for n, a, b in zip(sizes, widths[::2], widths[1::2])], f"R.nn.pad({value.name}, {widths})"
        elif kind == 1:
            times = [self.rng.randrange(1, 4) for _ in sizes]
            grown, text = [n * k for n, k in zip(sizes, times)], f"R.tile({value.name}, {times})"
        elif kind == 2:
            grown, text = [n * 2 if i == axis else n for i, n in enumerate(sizes)], f"R.repeat({value.name}, 2, axis={axis})"
        else:
            grown = [self.rng.randrange(1, 5), *sizes]
            text = f"R.broadcast_to({value.name}, R.shape({grown}))"
        result = self.emit(Tens(tuple(Dim(0, n) for n in grown), value.type.dtype), text, value)
        if self.rng.random() < 0.3:
            return result
        if self.rng.random() < 0.5:
            whole = [f"R.strided_slice({result.name}, axes=[0], begin=[0], end=[{grown[0]}], strides=[{self.rng.choice([1, 2, 3])}])"]
            step = int(whole[0].rsplit("[", 1)[1][:-2])
            return self.emit(Tens((Dim(0, len(range(0, grown[0], step))), *result.type.shape[1:]), result.type.dtype), whole[0], result)
        return self.bounded(self.emit(Tens(result.type.shape[1:], result.type.dtype), f"R.sum({result.name}, axis=[0])", result))

    def row(self):
        """What a whole row gives, and each element of it: softmax and its like."""
        value = self.pick(lambda v: v.type.shape)
        if not value:
            return self.unary()
        axis = self.rng.randrange(len(value.type.shape))
        if self.program.is_smooth and value.type.dtype.startswith("float"):
            return self.emit(value.type, f"R.nn.softmax({value.name}, axis={axis})", value)
        reduce = "sum" if value.type.shape[axis].many or not value.type.shape[axis].one else self.rng.choice(["sum", "max", "min"])
        kept = Tens(tuple(Dim(0, 1) if i == axis else size for i, size in enumerate(value.type.shape)), value.type.dtype)
        whole = self.emit(kept, f"R.{reduce}({value.name}, axis=[{axis}], keepdims=True)", value)
        return self.bounded(self.emit(value.type, f"R.subtract({value.name}, {whole.name})", value, whole))

    def reduced(self):
        value = self.pick(lambda v: len(v.type.shape) > 1)
        if not value:
            return self.row()
        axis = self.rng.randrange(len(value.type.shape))
        shape = tuple(size for i, size in enumerate(value.type.shape) if i != axis)
        return self.bounded(self.emit(Tens(shape, value.type.dtype), f"R.sum({value.name}, axis=[{axis}])", value))

    def spread(self):
        """A value and one of lesser rank, or of ones, together."""
        value = self.pick(lambda v: v.type.shape)
        shapes = value and [value.type.shape[k:] for k in range(len(value.type.shape))] + [tuple(Dim(0, 1) for _ in value.type.shape)]
        other = value and self.pick(lambda v: v.type.dtype == value.type.dtype and v.type.shape in shapes)
        if not other:
            return self.binary()
        if self.rng.random() < 0.3:
            text = f"R.broadcast_to({other.name}, R.shape([{', '.join(map(dim_text, value.type.shape))}]))"
            return self.emit(value.type, text, other)
        names = self.rng.sample([value.name, other.name], 2)
        return self.emit(value.type, f"R.{self.rng.choice(['add', 'subtract', 'maximum'])}({names[0]}, {names[1]})", value, other)

    def matmul(self):
        left = self.pick(lambda v: len(v.type.shape) == 2)
        right = left and self.pick(lambda v: len(v.type.shape) == 2 and v.type.dtype == left.type.dtype and v.type.shape[0] == left.type.shape[1])
        if not right:
            return self.row()
        return self.bounded(self.emit(Tens((left.type.shape[0], right.type.shape[1]), left.type.dtype), f"R.matmul({left.name}, {right.name})", left, right))

    def moved(self):
        value = self.pick(lambda v: v.type.shape)
        if not value:
            return self.unary()
        shape, axis = value.type.shape, self.rng.randrange(len(value.type.shape))
        kind = self.rng.randrange(4)
        if kind == 0:
            order = self.rng.sample(range(len(shape)), len(shape))
            return self.emit(Tens(tuple(shape[i] for i in order), value.type.dtype), f"R.permute_dims({value.name}, axes={order})", value)
        if kind == 1:
            return self.bounded(self.emit(value.type, f"R.cumsum({value.name}, axis={axis})", value))
        if kind == 2 and not shape[axis].many and shape[axis].one:
            count = self.rng.randrange(1, shape[axis].one + 2)
            indices = [self.rng.randrange(shape[axis].one) for _ in range(count)]
            taken = Tens(tuple(Dim(0, count) if i == axis else size for i, size in enumerate(shape)), value.type.dtype)
            return self.emit(taken, f'R.take({value.name}, R.const({indices}, "int64"), axis={axis})', value)
        return self.emit(value.type, f"R.flip({value.name}, axis={axis})", value)

    def view(self):
        value = self.pick()
        shape, kind = value.type.shape, self.rng.randrange(4)
        if kind == 0 and len(shape) < 4:
            axis = self.rng.randrange(len(shape) + 1)
            return self.emit(Tens((*shape[:axis], Dim(0, 1), *shape[axis:]), value.type.dtype), f"R.expand_dims({value.name}, axis=[{axis}])", value)
        ones = [i for i, size in enumerate(shape) if size == Dim(0, 1)]
        if kind == 1 and ones:
            axis = self.rng.choice(ones)
            return self.emit(Tens(shape[:axis] + shape[axis + 1:], value.type.dtype), f"R.squeeze({value.name}, axis=[{axis}])", value)
        if kind == 2:
            return self.emit(value.type, self.rng.choice([value.name, f"R.match_cast({value.name}, {type_text(value.type)})"]), value)
        target = self.reshaped(shape)
        return self.emit(Tens(target, value.type.dtype), f"R.reshape({value.name}, R.shape([{', '.join(map(dim_text, target))}]))", value)

    def reshaped(self, shape):
        """Another shape of as many elements."""
        symbol = [size for size in shape if size.many]
        count = 1
        for size in shape:
            count *= size.one if not size.many else 1
        if not count or len(symbol) > 1 or (symbol and symbol[0].one):
            return shape
        if symbol and self.rng.random() < 0.5:
            return (Dim(symbol[0].many * count, 0),)
        sizes = [size for size in (2, 3, 4) if count % size == 0]
        parts = [Dim(0, count)] if not sizes or self.rng.random() < 0.4 else [Dim(0, sizes[0]), Dim(0, count // sizes[0])]
        if symbol:
            parts.insert(self.rng.randrange(len(parts) + 1), symbol[0])
        return tuple(parts)

    def part(self):
        """Slices: halves, shifted ones, every other element, overlapping ones."""
        value = self.pick(lambda v: v.type.shape)
        if not value:
            return self.view()
        shape, axis = value.type.shape, self.rng.randrange(len(value.type.shape))
        size = shape[axis]
        if size.many:
            if size.many % 2 or size.one % 2:
                return self.view()
            half = Dim(size.many // 2, size.one // 2)
            begin, end, step, taken = self.rng.choice([("0", dim_text(half), 1, half), (dim_text(half), dim_text(size), 1, half)])
        else:
            first = self.rng.randrange(max(size.one, 1))
            last, step = self.rng.randrange(first, size.one + 1), self.rng.choice([1, 1, 1, 2, 3])
            begin, end, taken = str(first), str(last), Dim(0, len(range(first, last, step)))
        result = Tens(tuple(taken if i == axis else d for i, d in enumerate(shape)), value.type.dtype)
        return self.emit(result, f"R.strided_slice({value.name}, axes=[{axis}], begin=[{begin}], end=[{end}], strides=[{step}])", value)

    def split(self):
        value = self.pick(lambda v: any(not (size.many or size.one) % 2 and not size.one % 2 and size.many + size.one for size in v.type.shape))
        if not value:
            return self.part()
        shape = value.type.shape
        axis = self.rng.choice([i for i, size in enumerate(shape) if size.many % 2 == 0 and size.one % 2 == 0 and size.many + size.one] or [None])
        if axis is None:
            return self.part()
        half = Tens(tuple(Dim(d.many // 2, d.one // 2) if i == axis else d for i, d in enumerate(shape)), value.type.dtype)
        name = self.program.name()
        self.lines.append(f"{self.pad}{name} = R.split({value.name}, 2, axis={axis})")
        self.read.add(value.name)
        for i in self.rng.sample([0, 1], self.rng.choice([1, 2, 2])):
            piece = self.emit(half, f"{name}[{i}]")
            if self.rng.random() < 0.5:
                self.emit(half, f"R.negative({piece.name})", piece)
        return self.values[-1]

    def join(self):
        value = self.pick(lambda v: v.type.shape)
        if not value:
            return self.unary()
        axis = self.rng.randrange(len(value.type.shape))
        rest = lambda shape: shape[:axis] + shape[axis + 1:]
        parts = [value]
        for _ in range(self.rng.choice([1, 1, 2])):
            parts.append(self.pick(lambda v: v.type.dtype == value.type.dtype and len(v.type.shape) == len(value.type.shape) and rest(v.type.shape) == rest(value.type.shape)))
        self.rng.shuffle(parts)
        names = ", ".join(part.name for part in parts)
        if self.rng.random() < 0.2 and all(part.type == value.type for part in parts):
            at = self.rng.randrange(len(value.type.shape) + 1)
            shape = (*value.type.shape[:at], Dim(0, len(parts)), *value.type.shape[at:])
            return self.emit(Tens(shape, value.type.dtype), f"R.stack(({names}), axis={at})", *parts)
        size = Dim(sum(p.type.shape[axis].many for p in parts), sum(p.type.shape[axis].one for p in parts))
        if size.many > 6 or size.one > 200:
            return self.unary()
        shape = tuple(size if i == axis else d for i, d in enumerate(value.type.shape))
        return self.emit(Tens(shape, value.type.dtype), f"R.concat(({names}), axis={axis})", *parts)

    def hidden(self):
        """Through a tuple, or through R.Object and back."""
        value, other = self.pick(), self.pick()
        if self.rng.random() < 0.5:
            name = self.program.name()
            self.lines.append(f"{self.pad}{name} = ({value.name}, {other.name})")
            self.read.update((value.name, other.name))
            return self.emit(other.type, f"{name}[1]")
        name = self.program.name()
        self.lines.append(f"{self.pad}{name} = R.match_cast({value.name}, R.Object)")
        self.read.add(value.name)
        return self.emit(value.type, f"R.match_cast({name}, {type_text(value.type)})")

    def call(self):
        fitting = []
        for callee in self.program.callees:
            args = [self.pick(lambda v, kind=kind: v.type == kind) for kind in callee.params]
            if all(args):
                fitting.append((callee, args))
        if not fitting:
            return self.binary()
        callee, args = self.rng.choice(fitting)
        return self.emit(callee.result, f"cls.{callee.name}({', '.join(arg.name for arg in args)})", *args)

    def branch(self):
        flag = next((v for v in self.values if v.type == FLAG), None)
        goal = self.pick()
        if not flag or len(self.pad) > 12:
            return self.binary()
        name = self.program.name()
        for head in (f"if {flag.name}:", "else:"):
            self.lines.append(self.pad + head)
            outer, self.pad, known = self.values, self.pad + "    ", len(self.values)
            self.values = list(outer)
            self.statements(self.rng.randrange(4))
            made = [v for v in self.values[known:] if v.type == goal.type]
            result = made[-1] if made else self.rng.choice([v for v in self.values if v.type == goal.type])
            self.read.add(result.name)
            self.lines.append(f"{self.pad}{name} = {result.name}")
            self.pad, self.values = self.pad[4:], outer
        self.values.append(Value(name, goal.type))
        return self.values[-1]

    WEIGHTS = {unary: 4, binary: 9, choose: 1, cast: 2, counted: 1, grown: 3, row: 3, reduced: 1, spread: 2, matmul: 2, moved: 3, view: 4, part: 3, split: 2, join: 4, hidden: 1, call: 3, branch: 1}

    def statements(self, count):
        for _ in range(count):
            self.rng.choices(list(self.WEIGHTS), list(self.WEIGHTS.values()))[0](self)

    def results(self, start, most):
        """What nobody read, and something that somebody did."""
        unread = [v for v in self.values[start:] if v.name not in self.read and v.type != FLAG]
        results = self.rng.sample(unread, min(len(unread), most))
        if not results or self.rng.random() < 0.25:
            results.append(self.pick())
        return results


Callee = collections.namedtuple("Callee", "name params result")


class Program:
    """Functions `<prefix>..`, the entry of which is `<prefix>_main`."""

    is_pure = True

    def __init__(self, rng, prefix, is_smooth=False):
        self.rng, self.prefix, self.is_smooth = rng, prefix, is_smooth
        self.count, self.callees, self.functions = 0, [], []
        self.is_symbolic = rng.random() < 0.35
        self.dtypes = rng.sample(list(WIDTH), 1) if rng.random() < 0.6 else rng.sample(list(WIDTH), 2)
        if is_smooth:
            self.dtypes = ["float32"]
        base = rng.choice(SYMBOLIC if self.is_symbolic else STATIC)
        self.shape = tuple(map(dim, base))
        self.others = [self.shape, self.shape, self.shape[1:], tuple(Dim(0, 1) for _ in self.shape), tuple(reversed(self.shape))]
        for _ in range(rng.choice([0, 0, 1, 2])):
            self.helper()
        self.entry()

    def name(self):
        self.count += 1
        return f"v{self.count}"

    def a_type(self):
        return Tens(self.shape if self.rng.random() < 0.6 else self.rng.choice(self.others), self.rng.choice(self.dtypes))

    def begin(self, name, kinds, is_private, donates):
        params = [Value(f"x{i}", kind) for i, kind in enumerate(kinds)]
        donated = [i for i, kind in enumerate(kinds) if kind != FLAG and self.rng.random() < donates]
        lines = [f"    @R.function{'(private=True)' if is_private else ''}", f"    def {name}({', '.join(f'{p.name}: {param_text(p.type)}' for p in params)}):"]
        lines += [f'        R.func_attr({{"relax.inplace_arg": {donated}}})'] if donated else []
        lines += ["        n = T.int64()"] if any(not is_static(kind.shape) for kind in kinds) else []
        return params, lines + ["        cls = Module"]

    def helper(self):
        kinds = [Tens(self.shape, self.dtypes[0])] + [self.a_type() for _ in range(self.rng.randrange(2))]
        name = f"{self.prefix}_f{len(self.callees)}"
        params, lines = self.begin(name, kinds, True, 0.4)
        body = Function(self, params)
        body.statements(self.rng.randrange(1, 6))
        result = body.results(0, 1)[0]
        lines[1] = lines[1][:-1] + f" -> {param_text(result.type)}:"
        self.functions.append("\n".join([*lines, *body.lines, f"        return {result.name}"]))
        self.callees.append(Callee(name, kinds, result.type))

    def entry(self):
        rng = self.rng
        self.kinds = [Tens(self.shape, self.dtypes[0])] + [self.a_type() for _ in range(rng.randrange(1, 4))] + [FLAG]
        params, lines = self.begin(f"{self.prefix}_main", self.kinds, False, 0.3)
        self.params = params
        body = Function(self, params)
        body.statements(rng.randrange(5, 18))
        results = body.results(len(params), 6)
        self.results = [v.type for v in results]
        self.functions.append("\n".join([*lines, *body.lines, f"        return ({', '.join(v.name for v in results)},)"]))

    def text(self):
        return self.functions

    def result_text(self):
        return f"R.Tuple({', '.join(map(type_text, self.results))})"
