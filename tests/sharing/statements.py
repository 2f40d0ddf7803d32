"""Statements of random programs: names, views, fields, updates, calls, branches, nested functions."""
import math
import re

from sharing.kernels import Kernels
from sharing.types import COUNTER, FLAG, Tens, Tup, Value, exact, is_enough, is_exact, joined, roots_of, text_of


class Statements(Kernels):
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

    def shared(self, values, kind):
        """A tensor that lives in the storage of something else: of a tuple, of what is behind R.Object, of what a call gave."""
        others = [v for v in values if v.type not in (FLAG, COUNTER) and (v.known is not True or len(v.roots) > 1 or v.name not in v.roots)]
        if others and self.rng.random() < 0.7:
            other = self.rng.choice(others[-5:])
            found = self.pick(values, lambda v: v.type == kind and v.known is True and v.name != other.name and v.roots & other.roots)
            if found:
                return found
        return self.tensor(values, kind)

    def emit(self, values, kind, text, known=True, annotation=None, may_be_loose=False, roots=()):
        name, known = self.name(), exact(kind) if known is True else known
        if not annotation and may_be_loose and is_exact(known) and self.rng.random() < 0.1:
            annotation, known = self.annotation(kind, 0.4)
        self.line(f"{name}{': ' + annotation if annotation else ''} = {text}", text)
        values.append(Value(name, kind, known, frozenset(roots) or frozenset({name})))
        return values[-1]

    def line(self, text, read=""):
        """@read: the part that reads values."""
        self.lines.append(self.pad + text)
        self.read.update(re.findall(r"\b[a-z_]+\d+\b", read))

    def produce(self, values, kind, known=None):
        """A value of this type that is known at least so well, made of what is there."""
        rng = self.rng
        fitting = [v for v in values if v.type == kind and is_enough(v.known, known)]
        if fitting and rng.random() < (0.9 if isinstance(kind, Tens) else 0.5):
            return rng.choice(fitting[-3:] if rng.random() < 0.7 else fitting)
        if isinstance(kind, Tens):
            return self.tensor(values, kind)
        wanted = known if isinstance(known, list) else [known] * len(kind.fields)
        fields = [self.produce(values, field, k) for field, k in zip(kind.fields, wanted)]
        text = ", ".join(field.name for field in fields) + ("," if len(fields) == 1 else "")
        return self.emit(values, kind, f"({text})", [field.known for field in fields], roots=roots_of(fields))

    # ---- statements

    def constant(self, values, kind=None):
        kind = kind or self.rng.choice(self.types)
        numbers = [self.rng.randrange(-9, 30) for _ in range(math.prod(kind.shape))]
        for size in reversed(kind.shape[1:]):
            numbers = [numbers[i:i + size] for i in range(0, len(numbers), size)]
        return self.emit(values, kind, f'R.const({numbers if kind.shape else numbers[0]}, "{kind.dtype}")')

    def fresh(self, values, value=None, may_be_loose=True):
        value = value or self.tensor(values)
        other = self.tensor(values, value.type)
        text = self.rng.choice([f"R.negative({value.name})", f"R.maximum({value.name}, {other.name})", f"R.minimum({value.name}, {other.name})",
                                f"R.subtract({value.name}, {other.name})", f"R.copy({value.name})", f"R.nn.relu({value.name})"])
        self.emit(values, value.type, text, may_be_loose=may_be_loose)

    def moved(self, values):
        """Operators that read at other places than they write, or write parts."""
        value = self.tensor(values)
        shape = value.type.shape
        if not shape:
            return self.fresh(values)
        axis = self.rng.randrange(len(shape))
        if self.rng.random() < 0.35:
            return self.emit(values, value.type, f"R.flip({value.name}, axis={axis})")
        if shape[axis] > 1 and self.rng.random() < 0.3:
            return self.rotated(values, value, axis)
        if self.rng.random() < 0.15:
            indices = [self.rng.randrange(shape[axis]) for _ in range(shape[axis])]
            return self.emit(values, value.type, f'R.take({value.name}, R.const({indices}, "int64"), axis={axis})')
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

    def rotated(self, values, value, axis):
        """Two slices in the other order; these, or what is made of them, may live in one storage with the value."""
        shape, dtype = value.type
        at = self.rng.randrange(1, shape[axis])
        parts = []
        for begin, end in ((at, shape[axis]), (0, at)):
            part = Tens(tuple(end - begin if i == axis else n for i, n in enumerate(shape)), dtype)
            piece = self.emit(values, part, f"R.strided_slice({value.name}, axes=[{axis}], begin=[{begin}], end=[{end}])")
            if self.rng.random() < 0.4:
                piece = self.emit(values, part, f"R.negative({piece.name})")
            parts.append(piece)
        if self.rng.random() < 0.3:
            parts.reverse()
        return self.emit(values, value.type, f"R.concat(({', '.join(part.name for part in parts)}), axis={axis})")

    def row(self, values):
        """What all elements along an axis give, and each of them."""
        value = self.tensor(values)
        shape, dtype = value.type
        if not shape:
            return self.fresh(values)
        axis = self.rng.randrange(len(shape))
        kept = Tens(tuple(1 if i == axis else n for i, n in enumerate(shape)), dtype)
        whole = self.emit(values, kept, f"R.{self.rng.choice(['max', 'min'])}({value.name}, axis=[{axis}], keepdims=True)")
        return self.emit(values, value.type, f"R.subtract({value.name}, {whole.name})", may_be_loose=True)

    def view(self, values):
        value = self.tensor(values)
        shape, dtype = value.type
        kind = self.rng.randrange(5)
        if kind == 0 and len(shape) < 5:
            axis = self.rng.randrange(len(shape) + 1)
            return self.emit(values, Tens((*shape[:axis], 1, *shape[axis:]), dtype), f"R.expand_dims({value.name}, axis=[{axis}])", roots=value.roots)
        if kind == 1 and 1 in shape:
            return self.emit(values, Tens(tuple(n for n in shape if n != 1), dtype), f"R.squeeze({value.name})", roots=value.roots)
        if kind == 2:
            return self.emit(values, Tens((math.prod(shape),), dtype), f"R.flatten({value.name})", roots=value.roots)
        target = self.rng.choice(self.shapes)
        return self.emit(values, Tens(target, dtype), f"R.reshape({value.name}, R.shape({list(target)}))", roots=value.roots)

    def rename(self, values):
        value = self.pick(values, lambda v: v.type not in (FLAG, COUNTER)) or self.tensor(values)
        if self.rng.random() < 0.4 and is_exact(value.known):
            annotation, known = self.annotation(value.type, loose=0.5)
            return self.emit(values, value.type, value.name, known, annotation, roots=value.roots)
        return self.emit(values, value.type, value.name, value.known, roots=value.roots)

    def cast(self, values):
        """To less, to the same, or back to what it is."""
        loose = [v for v in values if not is_exact(v.known)]
        if loose and self.rng.random() < 0.7:
            value = self.rng.choice(loose)
            return self.emit(values, value.type, f"R.match_cast({value.name}, {text_of(value.type)})", roots=value.roots)
        value = self.pick(values, lambda v: v.type not in (FLAG, COUNTER)) or self.tensor(values)
        annotation, known = self.annotation(value.type, loose=0.5)
        return self.emit(values, value.type, f"R.match_cast({value.name}, {annotation})", known, roots=value.roots)

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
        return self.emit(values, kind, f"({text})", known, annotation, roots=roots_of(parts))

    def depth_of(self, kind):
        return 1 + max(map(self.depth_of, kind.fields), default=0) if isinstance(kind, Tup) else 0

    def field(self, values):
        value = self.pick(values, lambda v: isinstance(v.known, list))
        if not value:
            return self.tuple(values)
        index = self.rng.randrange(len(value.known))
        return self.emit(values, value.type.fields[index], f"{value.name}[{index}]", value.known[index], roots=value.roots)

    def update(self, values):
        """Of a parameter that may be."""
        mine = [v for v in self.mine if v in values]
        self.call_kernel(values, self.rng.choice(mine) if mine else None)

    def call_kernel(self, values, first=None):
        """@first: what it updates, if it updates something."""
        known = [k for k in self.kernels if self.rng.random() < 0.5 and (not first or k[2] == first.type and ("buffer", True) in k[3])]
        _, name, kind, params = self.rng.choice(known) if known else self.kernel(first.type if first else self.rng.choice(self.types))
        args, indices, updated = [], [], []
        for param in params:
            if param[0] == "fresh":
                indices.append(-1)
            elif param[0] == "scalar":
                args.append(f"T.int64({self.rng.randrange(5)})" if self.rng.random() < 0.7 else f"R.prim_value({self.rng.randrange(9)})")
            else:
                value = self.shared(values, kind) if param[1] else self.tensor(values, kind)
                if param[1]:
                    value, first = first or value, None
                    indices.append(len(args))
                    updated.append(value)
                args.append(value.name)
        self.rng.shuffle(indices)
        results = Tup((kind,) * len(indices)) if len(indices) > 1 else kind
        types = f"[{', '.join([text_of(kind)] * len(indices))}]" if len(indices) > 1 else text_of(kind)
        given = f"({', '.join(args)}{',' if len(args) == 1 else ''})"
        if all(i < 0 for i in indices):
            result = self.emit(values, results, f"R.call_tir(cls.{name}, {given}, out_ty={types})", may_be_loose=True)
        else:
            result = self.emit(values, results, f"R.call_tir_inplace(cls.{name}, {given}, inplace_indices={indices}, out_ty={types})", may_be_loose=True,
                               roots=roots_of(updated) | {f"v{self.count + 1}"})
        self.read_again(updated)
        for i, known in enumerate(result.known if isinstance(result.known, list) else []):
            if self.rng.random() < 0.8:
                self.emit(values, kind, f"{result.name}[{i}]", known, roots=result.roots)

    def call(self, values, callees=None, counter=None):
        callee = self.rng.choice(callees or self.callees) if callees or self.callees else None
        if not callee:
            return self.call_kernel(values)
        args, given = [], []
        for i, param in enumerate(callee.params):
            if param.type == COUNTER:
                args.append(counter or f'R.const({self.rng.randrange(3)}, "int32")')
            elif param.type == FLAG:
                args.append(self.flag(values))
            else:
                is_tensor = param.known is True and isinstance(param.type, Tens)
                if i in callee.donated and self.rng.random() < 0.4:
                    self.fresh(values, self.tensor(values, param.type), False)
                    given.append(values[-1])
                elif is_tensor and self.rng.random() < 0.5:
                    given.append(self.shared(values, param.type))
                else:
                    given.append(self.produce(values, param.type, param.known))
                args.append(given[-1].name)
        self.emit(values, callee.result, f"cls.{callee.name}({', '.join(args)})", callee.known, may_be_loose=True,
                  roots=roots_of(given) | {f"v{self.count + 1}"})
        self.read_again(given)

    def read_again(self, values):
        """What a call may have overwritten is to be read behind it."""
        self.read -= {value.name for value in values if self.rng.random() < 0.5}

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
        kind, name, given = self.a_type(), self.name(), []
        for head in (f"if {condition}:", "else:"):
            self.line(head, head)
            self.pad += "    "
            self.nesting += 1
            inner = list(values)
            if guarded and head != "else:":
                less = self.emit(inner, COUNTER, f'R.subtract({counter}, R.const(1, "int32"))').name
                for _ in range(self.rng.choice([1, 1, 2])):
                    self.statements(inner, self.rng.randrange(3))
                    self.call(inner, guarded, less)
            self.statements(inner, self.rng.randrange(4))
            result = self.result(inner, len(values), kind, exact(kind) if self.rng.random() < 0.8 else None)
            if is_exact(result.known) and self.rng.random() < 0.1:
                self.line(f"{name}: R.Object = {result.name}", result.name)
                result = result._replace(known=None)
            else:
                self.line(f"{name} = {result.name}", result.name)
            given.append(result)
            self.nesting -= 1
            self.pad = self.pad[4:]
        values.append(Value(name, kind, joined(*(v.known for v in given)), roots_of(given)))

    def nested(self, values):
        """A nested function that captures what it likes, called."""
        kinds = [self.rng.choice(self.types) for _ in range(self.rng.randrange(1, 3))]
        params = self.parameters([(self.name("a"), kind, True) for kind in kinds])
        result, name = self.a_type(), self.name("inner")
        pure = "" if self.is_pure else "(pure=False)"
        self.line(f"@R.function{pure}")
        self.line(f"def {name}({', '.join(f'{p.name}: {text_of(p.type)}' for p in params)}) -> {text_of(result)}:")
        self.pad += "    "
        self.nesting += 1
        if self.rng.random() < 0.4:
            self.line('R.func_attr({"relax.inplace_arg": [0]})')
        inner = values + params
        self.statements(inner, self.rng.randrange(1, 4))
        self.finish(inner, len(values), result, exact(result))
        self.nesting -= 1
        self.pad = self.pad[4:]
        for _ in range(self.rng.randrange(1, 3)):
            args = [self.produce(values, kind, True) for kind in kinds]
            self.emit(values, result, f"{name}({', '.join(arg.name for arg in args)})", roots=roots_of(args) | roots_of(values))

    def dataflow(self, values):
        inner = list(values)
        self.line("with R.dataflow():")
        self.pad += "    "
        for _ in range(self.rng.randrange(2, 7)):
            self.statement(inner, self.SIMPLE)
        shown = [v for v in inner[len(values):] if self.rng.random() < 0.7] or [self.constant(inner)]
        self.line(f"R.output({', '.join(v.name for v in shown)})")
        self.pad = self.pad[4:]
        values += shown

    def look(self, values):
        if self.is_pure:
            return self.rename(values)
        value = self.tensor(values)
        self.line(f'{self.name("_")} = R.print({value.name}, format="{{}}")')

    SIMPLE = [(fresh, 4), (moved, 2), (row, 1), (view, 4), (rename, 2), (cast, 3), (tuple, 2), (field, 4), (constant, 1), (call_kernel, 9), (update, 3)]
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
