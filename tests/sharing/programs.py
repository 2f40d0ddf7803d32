"""Random programs whose values share storage wherever values can: the generator of random_sharing.py.

A program is a few functions that call each other, with donated parameters, and kernels that update their arguments. Every
value has a type that the generator knows and, besides, what the script says of it: a value behind `R.Object` is a
tuple all the same, and is cast back somewhere. What is picked is what is young or shares storage, and what nobody reads is a result.
"""
import math

from sharing.statements import Statements
from sharing.types import COUNTER, FLAG, SIZES, Callee, Tens, Tup, Value, exact, is_exact, roots_of, text_of

CHAINS = [3, 10, 60, 130, 260, 300]


class Program(Statements):
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

    # ---- functions

    def signature(self, stem, recursive):
        """A function that may be called before it is written, and what is written of its parameters and result."""
        params, texts = [], []
        if recursive:
            params.append(("n", COUNTER, True))
        if self.rng.random() < 0.4:
            params.append(("c", FLAG, True))
        texts = [text_of(kind) for _, kind, _ in params]
        for i in range(self.rng.randrange(1, 4)):
            kind = self.a_type() if self.rng.random() < 0.3 else self.rng.choice(self.types)
            text, known = self.annotation(kind, 0.1)
            params.append((f"p{i}", kind, known))
            texts.append(text)
        result = self.a_type()
        annotation, known = self.annotation(result, 0.1)
        texts = [f"{param[0]}: {text}" for param, text in zip(params, texts)]
        params = self.parameters(params)
        return Callee(self.function_name(stem), params, result, known, self.donated(params)), texts, annotation

    def parameters(self, params):
        return [Value(name, kind, known, frozenset({name})) for name, kind, known in params]

    def begin(self, callee, texts, result, is_private):
        self.lines, self.pad, self.nesting, self.read = [], "        ", 0, set()
        self.mine = [callee.params[i] for i in callee.donated]
        flags = [flag for flag in ("private=True" if is_private else "", "" if self.is_pure else "pure=False") if flag]
        self.lines.append(f"    @R.function{'(' + ', '.join(flags) + ')' if flags else ''}")
        self.lines.append(f"    def {callee.name}({', '.join(texts)}){' -> ' + result if result else ''}:")
        if callee.donated:
            self.lines.append(f'        R.func_attr({{"relax.inplace_arg": {callee.donated}}})')
        self.lines.append("        cls = Module")

    def donated(self, params, chance=0.5):
        return [i for i, p in enumerate(params) if isinstance(p.type, Tens) and p.known is True and p.type not in (FLAG, COUNTER) and self.rng.random() < chance]

    def result(self, values, start, kind, known):
        """A value of this type, into which all goes that nobody read since @start."""
        if isinstance(kind, Tup) or self.rng.random() < 0.2:
            fields = [self.result(values, start, field, exact(field)) for field in kind.fields[:1]] if isinstance(kind, Tup) else []
            value = self.produce(values, kind, known)
            if not fields or not isinstance(value.known, list) or self.rng.random() < 0.3:
                return value
            rest = [self.emit(values, field, f"{value.name}[{i}]", value.known[i], roots=value.roots)
                    for i, field in enumerate(kind.fields) if i > 0]
            text = ", ".join(v.name for v in fields + rest) + ("," if len(kind.fields) == 1 else "")
            return self.emit(values, kind, f"({text})", [v.known for v in fields + rest], roots=roots_of(fields + rest))
        unread = [v for v in values[start:] if v.name not in self.read and v.type not in (FLAG, COUNTER)]
        value = self.produce(values, kind, True)
        for other in self.rng.sample(unread, min(len(unread), 5)):
            for leaf in self.leaves(values, other):
                if math.prod(leaf.type.shape) == math.prod(kind.shape):
                    value = self.emit(values, kind, f"R.subtract({value.name}, {self.shaped(values, leaf, kind).name})")
        return value

    def leaves(self, values, value):
        """Tensors in a value, cast to what they are."""
        if not is_exact(value.known):
            value = self.emit(values, value.type, f"R.match_cast({value.name}, {text_of(value.type)})", roots=value.roots)
        if isinstance(value.type, Tens):
            return [value]
        fields = [self.emit(values, field, f"{value.name}[{i}]", roots=value.roots) for i, field in enumerate(value.type.fields)]
        return [leaf for field in fields for leaf in self.leaves(values, field)]

    def shaped(self, values, value, kind):
        if value.type.dtype != kind.dtype:
            value = self.emit(values, Tens(value.type.shape, kind.dtype), f'R.astype({value.name}, "{kind.dtype}")')
        if value.type.shape != kind.shape:
            value = self.emit(values, kind, f"R.reshape({value.name}, R.shape({list(kind.shape)}))", roots=value.roots)
        return value

    def finish(self, values, start, kind, known):
        self.line(f"return {self.result(values, start, kind, known).name}")

    def body(self, callee, texts, annotation, group):
        self.begin(callee, texts, annotation, self.rng.random() < 0.7)
        values = list(callee.params)
        self.statements(values, self.rng.randrange(3))
        if group:
            condition = self.emit(values, FLAG, 'R.greater(n, R.const(0, "int32"))').name
            self.branch(values, condition, group, "n")
        self.statements(values, self.rng.randrange(4))
        self.finish(values, 0, callee.result, callee.known)
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
            params = self.parameters([("p0", kind, True), ("p1", kind, True)])
            callee = Callee(self.function_name("c"), params, kind, True, [0] if is_donated and rng.random() < 0.95 else [])
            self.begin(callee, [f"p0: {text}", f"p1: {text}"], text, i > 0)
            values = list(callee.params)
            if i in busy:
                self.statements(values, rng.randrange(1, 4))
            if last:
                if i in busy:
                    self.call(values, [last])
                else:
                    self.emit(values, kind, f"cls.{last.name}(p0, p1)", roots=roots_of(values) | {f"v{self.count + 1}"})
            if i in busy:
                self.statements(values, rng.randrange(3))
                self.finish(values, 0, kind, True)
            else:
                self.line(f"return {values[-1].name}")
            self.functions.append("\n".join(self.lines))
            last = callee
            if i == start:
                self.callees.append(callee)

    def entry(self):
        rng = self.rng
        kinds = [rng.choice(self.types[:3]) for _ in range(rng.randrange(1, 4))]
        self.params = self.parameters([*((f"x{i}", kind, True) for i, kind in enumerate(kinds)), ("c", FLAG, True)])
        callee = Callee(f"{self.prefix}_main", self.params, None, None, self.donated(self.params, 0.3))
        self.begin(callee, [f"{p.name}: {text_of(p.type)}" for p in self.params], None, False)
        values = list(self.params)
        self.statements(values, rng.randrange(4, 16))
        made = [v for v in values[len(self.params):] if v.type != FLAG]
        results = [v.name for v in made if v.name not in self.read or rng.random() < 0.1]
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
