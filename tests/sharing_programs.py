"""Random programs whose values share storage wherever values can: the generator of random_sharing.py.

A program is a few functions that call each other, with donated parameters, and kernels that update their arguments. Every
value has a type that the generator knows and, besides, what the script says of it: a value behind `R.Object` is a
tuple all the same, and is cast back somewhere. What is picked is what is young or shares storage, and what nobody reads is a result.
"""
import collections
import math

Tens = collections.namedtuple("Tens", "shape dtype")
Tup = collections.namedtuple("Tup", "fields")
# known: True, None (R.Object), a text such as "R.Tensor(ndim=2)", or for a tuple a list of these
Value = collections.namedtuple("Value", "name type known")
Callee = collections.namedtuple("Callee", "name params result known")

COUNTER = Tens((), "int32")
FLAG = Tens((), "bool")
SIZES = {1: [(1,), (), (1, 1)], 3: [(3,), (1, 3), (3, 1)], 4: [(4,), (2, 2), (1, 4)], 6: [(2, 3), (6,), (3, 2)], 8: [(8,), (2, 4), (2, 2, 2)]}
CHAINS = [3, 10, 60, 130, 260, 300]


def dims(shape):
    return "(" + ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"


def text_of(kind):
    """The exact annotation of a type."""
    if isinstance(kind, Tup):
        return f"R.Tuple({', '.join(map(text_of, kind.fields))})"
    return f'R.Tensor({dims(kind.shape)}, "{kind.dtype}")'


def is_exact(known):
    return known is True or (isinstance(known, list) and all(map(is_exact, known)))


def exact(kind):
    return [exact(field) for field in kind.fields] if isinstance(kind, Tup) else True


def joined(a, b):
    """What is known of a value that is one or the other."""
    if isinstance(a, list) and isinstance(b, list):
        return [joined(x, y) for x, y in zip(a, b)]
    return a if a == b else None if None in (a, b) else "R.Tensor"


def is_enough(have, want):
    """May a value of which @have is known stand where @want is said?"""
    if isinstance(have, list) and isinstance(want, list):
        return all(map(is_enough, have, want))
    return want is None or have == want or (isinstance(want, str) and (have is True or want == "R.Tensor" and isinstance(have, str)))


class Program:
    """The text of functions `<prefix>..`, the entry of which is `<prefix>_main`."""

    def __init__(self, rng, prefix):
        self.rng, self.prefix = rng, prefix
        self.count = 0
        self.kernels = []
        self.functions = []
        self.callees = []
        size = rng.choice([*SIZES, 4, 4, 6])
        self.dtype = rng.choice(["int32", "int32", "float32", "float32", "int64", "float64"])
        self.shapes = SIZES[size]
        self.types = [Tens(shape, self.dtype) for shape in self.shapes]
        if rng.random() < 0.3:
            self.types.append(Tens(self.shapes[0], rng.choice(["int32", "float32"])))
        self.is_pure = rng.random() < 0.85
        if rng.random() < 0.15:
            self.chain()
        if rng.random() < 0.5:
            self.group()
        for _ in range(rng.randrange(3)):
            self.helper()
        self.entry()

    def name(self, stem="v"):
        self.count += 1
        return f"{stem}{self.count}"

    def function_name(self, stem):
        self.count += 1
        return f"{self.prefix}_{stem}{self.count}"

    # ---- annotations: what the script says of a type

    def annotation(self, kind, loose=0.15):
        """A text for a type, and what is known by it."""
        rng = self.rng
        if rng.random() < loose:
            return rng.choice(["R.Object", "R.Any"]), None
        if isinstance(kind, Tup):
            fields = [self.annotation(field, loose) for field in kind.fields]
            return f"R.Tuple({', '.join(text for text, _ in fields)})", [known for _, known in fields]
        if rng.random() < loose:
            rank = len(kind.shape)
            text = rng.choice([f'R.Tensor(dtype="{kind.dtype}", ndim={rank})', f"R.Tensor({dims(kind.shape)})", f"R.Tensor(ndim={rank})", f'R.Tensor("{kind.dtype}")', "R.Tensor"])
            return text, text
        return text_of(kind), True

    def a_type(self, depth=0):
        if depth < 2 and self.rng.random() < (0.3 if depth == 0 else 0.2):
            return Tup(tuple(self.a_type(depth + 1) for _ in range(self.rng.randrange(1, 4))))
        return self.rng.choice(self.types)

    # ---- kernels

    def place(self, buffer, axes, moved):
        """An element: that of this iteration, or one @moved elsewhere."""
        shape = buffer.shape
        if not shape:
            return "()"
        if not moved:
            return ", ".join(axes)
        kind = self.rng.randrange(4)
        if kind == 0 and len(shape) > 1 and shape[0] == shape[-1]:
            return ", ".join([axes[-1], *axes[1:-1], axes[0]])
        if kind == 1:
            return ", ".join(f"{n - 1} - {a}" for a, n in zip(axes, shape))
        step = self.rng.choice([1, shape[-1] - 1, 2])
        return ", ".join([*axes[:-1], f"({axes[-1]} + {step}) % {shape[-1]}"])

    def expression(self, names, target, axes, scalars):
        """Of the elements of @names and maybe @target, in a small range."""
        rng, dtype = self.rng, target.type.dtype
        parts = []
        for _ in range(rng.randrange(1, 4)):
            buffer = rng.choice([target, *names]) if target.name in self.written else rng.choice(names)
            load = f"{buffer.name}[{self.place(buffer.type, axes, rng.random() < 0.4)}]"
            if rng.random() < 0.15:
                load = f"T.{rng.choice(['max', 'min'])}({load}, {rng.choice(names).name}[{self.place(buffer.type, axes, False)}])"
            parts.append(load)
        if scalars and rng.random() < 0.7:
            parts.append(f'T.Cast("{dtype}", {rng.choice(scalars)})')
        parts.append(f"T.{dtype}({rng.randrange(1, 6)})")
        text = parts[0]
        for part in parts[1:]:
            text += rng.choice([" + ", " - "]) + part
        return text

    def kernel(self, kind):
        """A kernel on buffers of one type. Its parameters: ("buffer", is written), ("scalar",) or ("fresh",)."""
        rng = self.rng
        params = [("buffer", rng.random() < 0.5) for _ in range(rng.randrange(1, 4))]
        for _ in range(rng.choice([0, 0, 0, 1, 2])):
            params.insert(rng.randrange(len(params) + 1), ("scalar",))
        fresh = rng.choice([0, 0, 1, 2])
        if not fresh and ("buffer", True) not in params:
            fresh = 1
        params += [("fresh",)] * fresh
        name = f"{self.prefix}_k{len(self.kernels)}"
        texts, buffers, scalars, self.written = [], [], [], set()
        for i, param in enumerate(params):
            if param[0] == "scalar":
                scalars.append(f"s{i}")
                texts.append(f"s{i}: T.int64")
                continue
            value = Value(f"b{i}", kind, True)
            texts.append(f'b{i}: T.Buffer({dims(kind.shape)}, "{kind.dtype}")')
            if param[0] == "buffer":
                buffers.append(value)
            if param != ("buffer", False):
                self.written.add(value.name)
        inputs = [value.name for value in buffers]
        outputs = [Value(f"b{i}", kind, True) for i, param in enumerate(params) if param in (("buffer", True), ("fresh",))]
        lines = ["    @T.prim_func(private=True)", f"    def {name}({', '.join(texts)}):"]
        pending = [value for value in outputs if value.name not in inputs]
        for nest in range(rng.choice([1, 1, 2])):
            targets = outputs if nest else pending + [value for value in outputs if value.name in inputs and rng.random() < 0.8]
            lines += self.nest(f"{name}_{nest}", kind, targets or outputs, buffers + (pending if nest else []), scalars)
        self.kernels.append(("\n".join(lines), name, kind, params))
        return self.kernels[-1]

    def nest(self, name, kind, targets, readable, scalars):
        """Loops over all elements, or over some of them where nothing is fresh, that store to each of @targets."""
        rng = self.rng
        axes = [f"v{i}" for i in range(len(kind.shape))]
        loops = [f"i{i}" for i in range(len(kind.shape))]
        extents = list(kind.shape)
        has_axes = bool(axes)
        repeats = has_axes and rng.random() < 0.15 and all(t in readable for t in targets)
        lines, pad = [], "        "
        if repeats:
            loops, extents = ["r", *loops], [2, *extents]
        if has_axes:
            lines.append(f"{pad}for {', '.join(loops)} in T.grid({', '.join(map(str, extents))}):")
            pad += "    "
        lines.append(f'{pad}with T.sblock("{name}"):')
        pad += "    "
        if repeats:
            lines.append(f"{pad}vr = T.axis.reduce(2, r)")
        lines += [f"{pad}{axis} = T.axis.spatial({n}, i{i})" for i, (axis, n) in enumerate(zip(axes, kind.shape))]
        for number, target in enumerate(targets):
            text = self.expression(readable, target, axes, scalars) if target in readable else self.fresh_expression(readable, target, axes, scalars)
            lines.append(f"{pad}e{number}: T.let[T.{kind.dtype}] = {text}")
        for number, target in enumerate(targets):
            floor = (f"e{number} - T.floor(e{number} * T.{kind.dtype}(0.0078125)) * T.{kind.dtype}(128)" if kind.dtype.startswith("float")
                     else f"T.floormod(e{number}, T.{kind.dtype}(128))")
            lines.append(f"{pad}{target.name}[{self.place(kind, axes, target in readable and rng.random() < 0.15)}] = {floor}")
        if len(targets) > 1 and rng.random() < 0.5:  # store at once: the next expression may read what was stored
            stores = lines[-len(targets):]
            lets = lines[-2 * len(targets):-len(targets)]
            lines[-2 * len(targets):] = [line for pair in zip(lets, stores) for line in pair]
        return lines

    def fresh_expression(self, readable, target, axes, scalars):
        kept = self.written
        self.written = kept - {target.name}
        text = self.expression(readable, target, axes, scalars)
        self.written = kept
        return text

    # ---- values in scope

    def pick(self, values, test):
        fitting = [value for value in values if test(value)]
        if not fitting:
            return None
        return self.rng.choice(fitting[-4:] if self.rng.random() < 0.6 else fitting)

    def tensor(self, values, kind=None):
        """A tensor whose type is known; made if there is none."""
        kind = kind or self.rng.choice(self.types)
        found = self.pick(values, lambda v: v.type == kind and v.known is True)
        return found or self.constant(values, kind)

    def emit(self, values, kind, text, known=True, annotation=None, may_be_loose=False):
        name, known = self.name(), exact(kind) if known is True else known
        if not annotation and may_be_loose and is_exact(known) and self.rng.random() < 0.1:
            annotation, known = self.annotation(kind, 0.4)
        self.lines.append(f"{self.pad}{name}{': ' + annotation if annotation else ''} = {text}")
        values.append(Value(name, kind, known))
        return values[-1]

    def produce(self, values, kind, known=None):
        """A value of this type that is known at least so well, made of what is there."""
        rng = self.rng
        fitting = [v for v in values if v.type == kind and is_enough(v.known, known)]
        if fitting and rng.random() < (0.9 if isinstance(kind, Tens) else 0.5):
            return rng.choice(fitting[-3:] if rng.random() < 0.7 else fitting).name
        if isinstance(kind, Tens):
            return self.tensor(values, kind).name
        wanted = known if isinstance(known, list) else [known] * len(kind.fields)
        fields = ", ".join(self.produce(values, field, k) for field, k in zip(kind.fields, wanted))
        return self.emit(values, kind, f"({fields},)" if len(kind.fields) == 1 else f"({fields})").name

    # ---- statements

    def constant(self, values, kind=None):
        kind = kind or self.rng.choice(self.types)
        numbers = [self.rng.randrange(-9, 30) for _ in range(math.prod(kind.shape))]
        for size in reversed(kind.shape[1:]):
            numbers = [numbers[i:i + size] for i in range(0, len(numbers), size)]
        return self.emit(values, kind, f'R.const({numbers if kind.shape else numbers[0]}, "{kind.dtype}")')

    def fresh(self, values):
        value = self.tensor(values)
        other = self.tensor(values, value.type)
        text = self.rng.choice([f"R.negative({value.name})", f"R.maximum({value.name}, {other.name})", f"R.minimum({value.name}, {other.name})",
                                f"R.subtract({value.name}, {other.name})", f"R.copy({value.name})", f"R.nn.relu({value.name})"])
        self.emit(values, value.type, text, may_be_loose=True)

    def moved(self, values):
        """Operators that read at other places than they write, or write parts."""
        value = self.tensor(values)
        shape = value.type.shape
        if not shape:
            return self.fresh(values)
        axis = self.rng.randrange(len(shape))
        if self.rng.random() < 0.4:
            return self.emit(values, value.type, f"R.flip({value.name}, axis={axis})")
        if shape[axis] % 2 == 0 and self.rng.random() < 0.7:
            half = Tens(tuple(n // 2 if i == axis else n for i, n in enumerate(shape)), value.type.dtype)
            parts = self.emit(values, Tup((half, half)), f"R.split({value.name}, 2, axis={axis})")
            a, b = (self.emit(values, half, f"{parts.name}[{i}]").name for i in self.rng.sample([0, 1], 2))
            return self.emit(values, value.type, f"R.concat(({a}, {b}), axis={axis})")
        target = self.rng.choice([t for t in self.types if t.dtype == value.type.dtype])
        order = list(range(len(shape)))
        self.rng.shuffle(order)
        turned = Tens(tuple(shape[i] for i in order), value.type.dtype)
        value = self.emit(values, turned, f"R.permute_dims({value.name}, axes={order})")
        return self.emit(values, target, f"R.reshape({value.name}, R.shape({list(target.shape)}))")

    def view(self, values):
        value = self.tensor(values)
        shape, dtype = value.type
        kind = self.rng.randrange(5)
        if kind == 0 and len(shape) < 5:
            axis = self.rng.randrange(len(shape) + 1)
            return self.emit(values, Tens((*shape[:axis], 1, *shape[axis:]), dtype), f"R.expand_dims({value.name}, axis=[{axis}])")
        if kind == 1 and 1 in shape:
            return self.emit(values, Tens(tuple(n for n in shape if n != 1), dtype), f"R.squeeze({value.name})")
        if kind == 2:
            return self.emit(values, Tens((math.prod(shape),), dtype), f"R.flatten({value.name})")
        target = self.rng.choice(self.shapes)
        return self.emit(values, Tens(target, dtype), f"R.reshape({value.name}, R.shape({list(target)}))")

    def rename(self, values):
        value = self.pick(values, lambda v: v.type not in (FLAG, COUNTER)) or self.tensor(values)
        if self.rng.random() < 0.4 and is_exact(value.known):
            annotation, known = self.annotation(value.type, loose=0.5)
            return self.emit(values, value.type, value.name, known, annotation)
        return self.emit(values, value.type, value.name, value.known)

    def cast(self, values):
        """To less, to the same, or back to what it is."""
        loose = [v for v in values if not is_exact(v.known)]
        if loose and self.rng.random() < 0.7:
            value = self.rng.choice(loose)
            return self.emit(values, value.type, f"R.match_cast({value.name}, {text_of(value.type)})")
        value = self.pick(values, lambda v: v.type not in (FLAG, COUNTER)) or self.tensor(values)
        annotation, known = self.annotation(value.type, loose=0.5)
        return self.emit(values, value.type, f"R.match_cast({value.name}, {annotation})", known)

    def tuple(self, values):
        parts = [self.pick(values, lambda v: v.type not in (FLAG, COUNTER)) or self.tensor(values) for _ in range(self.rng.randrange(1, 4))]
        if self.rng.random() < 0.2:
            parts.append(parts[0])
        text = ", ".join(part.name for part in parts) + ("," if len(parts) == 1 else "")
        kind, known = Tup(tuple(part.type for part in parts)), [part.known for part in parts]
        if self.depth_of(kind) > 3:
            return self.rename(values)
        annotation = None
        if is_exact(known) and self.rng.random() < 0.4:
            annotation, known = self.annotation(kind, loose=0.4)
        return self.emit(values, kind, f"({text})", known, annotation)

    def depth_of(self, kind):
        return 1 + max(map(self.depth_of, kind.fields), default=0) if isinstance(kind, Tup) else 0

    def field(self, values):
        value = self.pick(values, lambda v: isinstance(v.known, list))
        if not value:
            return self.tuple(values)
        index = self.rng.randrange(len(value.known))
        return self.emit(values, value.type.fields[index], f"{value.name}[{index}]", value.known[index])

    def call_kernel(self, values):
        known = [k for k in self.kernels if self.rng.random() < 0.5]
        _, name, kind, params = self.rng.choice(known) if known else self.kernel(self.rng.choice(self.types))
        args, indices = [], []
        for param in params:
            if param[0] == "fresh":
                indices.append(-1)
            elif param[0] == "scalar":
                args.append(f"T.int64({self.rng.randrange(5)})" if self.rng.random() < 0.7 else f"R.prim_value({self.rng.randrange(9)})")
            else:
                if param[1]:
                    indices.append(len(args))
                args.append(self.tensor(values, kind).name)
        self.rng.shuffle(indices)
        results = Tup((kind,) * len(indices)) if len(indices) > 1 else kind
        types = f"[{', '.join([text_of(kind)] * len(indices))}]" if len(indices) > 1 else text_of(kind)
        given = f"({', '.join(args)}{',' if len(args) == 1 else ''})"
        if all(i < 0 for i in indices):
            result = self.emit(values, results, f"R.call_tir(cls.{name}, {given}, out_ty={types})", may_be_loose=True)
        else:
            result = self.emit(values, results, f"R.call_tir_inplace(cls.{name}, {given}, inplace_indices={indices}, out_ty={types})", may_be_loose=True)
        for i, known in enumerate(result.known if isinstance(result.known, list) else []):
            if self.rng.random() < 0.8:
                self.emit(values, kind, f"{result.name}[{i}]", known)

    def call(self, values, callees=None, counter=None):
        callee = self.rng.choice(callees or self.callees) if callees or self.callees else None
        if not callee:
            return self.call_kernel(values)
        args = []
        for param in callee.params:
            if param.type == COUNTER:
                args.append(counter or f'R.const({self.rng.randrange(3)}, "int32")')
            elif param.type == FLAG:
                args.append(self.flag(values))
            else:
                args.append(self.produce(values, param.type, param.known))
        self.emit(values, callee.result, f"cls.{callee.name}({', '.join(args)})", callee.known, may_be_loose=True)

    def flag(self, values):
        found = self.pick(values, lambda v: v.type == FLAG)
        if found and self.rng.random() < 0.8:
            return found.name
        return f'R.const({self.rng.choice(["True", "False"])}, "bool")'

    def branch(self, values, condition=None, guarded=None, counter=None):
        """`guarded` functions are called in the first branch only, with one less in @counter."""
        condition = condition or self.flag(values)
        if condition.startswith("R."):
            condition = self.emit(values, FLAG, condition).name
        kind, name, knowns = self.a_type(), self.name(), []
        for head in (f"if {condition}:", "else:"):
            self.lines.append(self.pad + head)
            self.pad += "    "
            self.nesting += 1
            inner = list(values)
            if guarded and head != "else:":
                less = self.emit(inner, COUNTER, f'R.subtract({counter}, R.const(1, "int32"))').name
                for _ in range(self.rng.choice([1, 1, 2])):
                    self.statements(inner, self.rng.randrange(3))
                    self.call(inner, guarded, less)
            self.statements(inner, self.rng.randrange(4))
            result = self.produce(inner, kind, exact(kind) if self.rng.random() < 0.8 else None)
            known = next(v.known for v in inner if v.name == result)
            if is_exact(known) and self.rng.random() < 0.1:
                self.lines.append(f"{self.pad}{name}: R.Object = {result}")
                known = None
            else:
                self.lines.append(f"{self.pad}{name} = {result}")
            knowns.append(known)
            self.nesting -= 1
            self.pad = self.pad[4:]
        values.append(Value(name, kind, joined(*knowns)))

    def nested(self, values):
        """A nested function that captures what it likes, called."""
        kinds = [self.rng.choice(self.types) for _ in range(self.rng.randrange(1, 3))]
        params = [Value(self.name("a"), kind, True) for kind in kinds]
        result, name = self.a_type(), self.name("inner")
        pure = "" if self.is_pure else "(pure=False)"
        self.lines += [f"{self.pad}@R.function{pure}",
                       f"{self.pad}def {name}({', '.join(f'{p.name}: {text_of(p.type)}' for p in params)}) -> {text_of(result)}:"]
        self.pad += "    "
        self.nesting += 1
        if self.rng.random() < 0.4:
            self.lines.append(f'{self.pad}R.func_attr({{"relax.inplace_arg": [0]}})')
        inner = values + params
        self.statements(inner, self.rng.randrange(1, 4))
        self.lines.append(f"{self.pad}return {self.produce(inner, result, exact(result))}")
        self.nesting -= 1
        self.pad = self.pad[4:]
        for _ in range(self.rng.randrange(1, 3)):
            args = ", ".join(self.produce(values, kind, True) for kind in kinds)
            self.emit(values, result, f"{name}({args})")

    def dataflow(self, values):
        inner = list(values)
        self.lines.append(f"{self.pad}with R.dataflow():")
        self.pad += "    "
        for _ in range(self.rng.randrange(2, 7)):
            self.statement(inner, self.SIMPLE)
        shown = [v for v in inner[len(values):] if self.rng.random() < 0.7] or [self.constant(inner)]
        self.lines.append(f"{self.pad}R.output({', '.join(v.name for v in shown)})")
        self.pad = self.pad[4:]
        values += shown

    def look(self, values):
        if self.is_pure:
            return self.rename(values)
        value = self.tensor(values)
        self.lines.append(f'{self.pad}{self.name("_")} = R.print({value.name}, format="{{}}")')

    SIMPLE = [(fresh, 4), (moved, 1), (view, 4), (rename, 2), (cast, 3), (tuple, 2), (field, 4), (constant, 1), (call_kernel, 9)]
    ALL = [*SIMPLE, (call, 4), (look, 1)]
    OUTER = [*ALL, (branch, 2), (nested, 1)]

    def statement(self, values, kinds):
        makers, weights = zip(*kinds)
        self.rng.choices(makers, weights)[0](self, values)

    def statements(self, values, count):
        for _ in range(count):
            if self.nesting == 0 and self.is_pure and self.rng.random() < 0.1:
                self.dataflow(values)
            else:
                self.statement(values, self.OUTER if self.nesting < 2 else self.ALL)

    # ---- functions

    def signature(self, stem, recursive):
        """A function that may be called before it is written, and what is written of its parameters and result."""
        params, texts = [], []
        if recursive:
            params.append(Value("n", COUNTER, True))
        if self.rng.random() < 0.4:
            params.append(Value("c", FLAG, True))
        texts = [text_of(param.type) for param in params]
        for i in range(self.rng.randrange(1, 4)):
            kind = self.a_type() if self.rng.random() < 0.3 else self.rng.choice(self.types)
            text, known = self.annotation(kind, 0.1)
            params.append(Value(f"p{i}", kind, known))
            texts.append(text)
        result = self.a_type()
        annotation, known = self.annotation(result, 0.1)
        texts = [f"{param.name}: {text}" for param, text in zip(params, texts)]
        return Callee(self.function_name(stem), params, result, known), texts, annotation

    def begin(self, name, texts, result, donated, is_private):
        self.lines, self.pad, self.nesting = [], "        ", 0
        flags = [flag for flag in ("private=True" if is_private else "", "" if self.is_pure else "pure=False") if flag]
        self.lines.append(f"    @R.function{'(' + ', '.join(flags) + ')' if flags else ''}")
        self.lines.append(f"    def {name}({', '.join(texts)}){' -> ' + result if result else ''}:")
        if donated:
            self.lines.append(f'        R.func_attr({{"relax.inplace_arg": {donated}}})')
        self.lines.append("        cls = Module")

    def donated(self, params, chance=0.5):
        return [i for i, p in enumerate(params) if isinstance(p.type, Tens) and p.known is True and p.type not in (FLAG, COUNTER) and self.rng.random() < chance]

    def body(self, callee, texts, annotation, group):
        self.begin(callee.name, texts, annotation, self.donated(callee.params), self.rng.random() < 0.7)
        values = list(callee.params)
        self.statements(values, self.rng.randrange(3))
        if group:
            condition = self.emit(values, FLAG, 'R.greater(n, R.const(0, "int32"))').name
            self.branch(values, condition, group, "n")
        self.statements(values, self.rng.randrange(4))
        self.lines.append(f"        return {self.produce(values, callee.result, callee.known)}")
        self.functions.append("\n".join(self.lines))

    def helper(self):
        callee, texts, annotation = self.signature("f", False)
        self.body(callee, texts, annotation, None)
        self.callees.append(callee)

    def group(self):
        """One, two or three functions that call each other, until a counter is 0."""
        made = [self.signature("g", True) for _ in range(self.rng.choice([1, 2, 2, 3]))]
        for callee, texts, annotation in made:
            self.body(callee, texts, annotation, [c for c, _, _ in made])
        self.callees += [callee for callee, _, _ in made]

    def chain(self):
        """Functions that each call the next one with their parameters; some do more."""
        rng = self.rng
        length = rng.choice(CHAINS) if rng.random() < 0.3 else 3
        kind = rng.choice(self.types)
        text, last = text_of(kind), None
        start = 0 if length < 200 else length - rng.randrange(5, 200)  # (256 nested calls are the most that may run)
        busy = {rng.randrange(start, length) for _ in range(3)} | {length - 1}
        is_donated = rng.random() < 0.6
        for i in reversed(range(length)):
            callee = Callee(self.function_name("c"), [Value("p0", kind, True), Value("p1", kind, True)], kind, True)
            self.begin(callee.name, [f"p0: {text}", f"p1: {text}"], text, [0] if is_donated and rng.random() < 0.95 else [], i > 0)
            values = list(callee.params)
            if i in busy:
                self.statements(values, rng.randrange(1, 4))
            if last:
                args = ["p1", "p0"] if rng.random() < 0.1 else ["p0", "p1"] if i not in busy else [self.produce(values, kind, True) for _ in range(2)]
                self.emit(values, kind, f"cls.{last.name}({', '.join(args)})")
            if i in busy:
                self.statements(values, rng.randrange(3))
            self.lines.append(f"        return {values[-1].name if values[-1].type == kind and values[-1].known is True else self.produce(values, kind, True)}")
            self.functions.append("\n".join(self.lines))
            last = callee
            if i == start:
                self.callees.append(callee)

    def entry(self):
        rng = self.rng
        kinds = [rng.choice(self.types[:3]) for _ in range(rng.randrange(1, 4))]
        self.params = [*(Value(f"x{i}", kind, True) for i, kind in enumerate(kinds)), Value("c", FLAG, True)]
        self.begin(f"{self.prefix}_main", [f"{p.name}: {text_of(p.type)}" for p in self.params], None, self.donated(self.params, 0.3), False)
        values = list(self.params)
        self.statements(values, rng.randrange(4, 16))
        body = "\n".join(self.lines) + "\n"
        made = [v for v in values[len(self.params):] if v.type != FLAG]
        results = [v.name for v in made if not any(v.name + end in body for end in (",", ")", "[", "\n")) or rng.random() < 0.1]
        results += [p.name for p in self.params if rng.random() < 0.15]
        results += rng.sample(results, 1) if results and rng.random() < 0.15 else []
        results = results or [self.tensor(values).name]
        rng.shuffle(results)
        by_name = {v.name: v for v in values}
        self.result = Tup(tuple(by_name[name].type for name in results))
        self.known = [by_name[name].known for name in results]
        self.lines.append(f"        return ({', '.join(results)},)")
        self.functions.append("\n".join(self.lines))

    def text(self):
        """Kernels and functions, without a module around them."""
        return [kernel[0] for kernel in self.kernels] + self.functions
