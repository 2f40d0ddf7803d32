"""Annotations and kernels of random programs: loops that update what they are given, read elsewhere, or write a part."""
from sharing.types import Tup, Value, dims, text_of


class Kernels:
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
