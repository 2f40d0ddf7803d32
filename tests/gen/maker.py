"""Makes the program that `seed:index` names."""
import random

from gen import elementwise, indices, kernels, movement, products, reductions, smooth, statements, stencils, windows  # noqa: F401 (they fill the table)
from gen.body import SIZES, Body, Tens, Unfit
from gen.graph import Function, Program, Value
from gen.kinds import FLOATS, Poly, is_static, product, symbol
from gen.table import ROWS

N, M = symbol("n"), symbol("m")
FUNCTIONS = [function for _, function, _ in ROWS]
WEIGHTS = [sum(weight for weight, _, _ in ROWS[:i + 1]) for i in range(len(ROWS))]
# Of a program that is about storage: updates, views, names, branches, calls, and little else.
SHARING = [(kernels.call_kernel, 14), (stencils.call_stencil, 6), (kernels.append, 3), (movement.reshape, 4), (movement.flatten, 2), (movement.ones, 2), (movement.part, 5), (movement.split, 2),
           (movement.concat, 2), (indices.slice_scatter, 2), (statements.rename, 2), (statements.through_tuple, 3), (statements.through_object, 3),
           (statements.branch, 4), (statements.hazard, 9), (statements.call, 5), (elementwise.arithmetic, 6), (movement.permute, 1), (reductions.extreme, 1)]


class Maker:
    def __init__(self, rng):
        self.rng, self.count = rng, 0
        self.kernels, self.callees = [], []
        self.is_sharing = rng.random() < 0.35
        self.is_smooth, self.is_special = rng.random() < (0.1 if self.is_sharing else 0.35), rng.random() < 0.2
        self.is_symbolic = rng.random() < 0.4
        small = [s for s in SIZES if s < 10] if rng.random() < 0.8 else SIZES
        self.envs = [(rng.choice(small), rng.choice(small))]
        if self.is_symbolic and rng.random() < 0.5:
            self.envs.append((rng.choice(small), rng.choice(small)))
        self.dtypes = self.some_dtypes()
        self.shapes = self.some_shapes()

    def some_dtypes(self):
        rng = self.rng
        if self.is_smooth:
            return [rng.choice(["float32", "float32", "float32", "float64"])] + rng.sample(["int32", "int64"], rng.choice([0, 0, 1]))
        if self.is_sharing:
            return [rng.choice(["float32", "float64", "int32", "int64"])]
        usual = rng.sample(["float32", "float64", "int32", "int64"], rng.choice([1, 1, 2]))
        rare = rng.sample(["int8", "uint8", "int16", "uint16", "uint32", "uint64", "float16"], rng.choice([0, 0, 0, 1]))
        return usual + rare

    def some_shapes(self):
        """A few that have to do with each other."""
        rng = self.rng
        dims = rng.choices(SIZES, [1, 3, 6, 6, 3, 4, 2, 2, 1, 1], k=3)
        if self.is_symbolic:
            dims[rng.randrange(3)] = N
            dims[rng.randrange(3)] = rng.choice([N, M, M])
        base = tuple(dims[:rng.choice([1, 1, 2, 2, 2, 3, 3])])
        if rng.random() < 0.06:
            base = (rng.choice([1, 2]), *base)
        shapes = [base, base, base, base[1:], base[:-1], base[::-1], tuple(1 if rng.random() < 0.5 else d for d in base)]
        if rng.random() < 0.3:
            shapes.append(tuple(rng.choice(dims) for _ in base))
        if rng.random() < 0.15:
            shapes.append((1, *base))
        return [shape for shape in shapes if max(self.elements(shape)) <= 700]  or [(2,)]

    def elements(self, shape):
        whole = product(shape)
        return [whole] if type(whole) is int else [sum(f * n ** i * m ** j for (i, j), f in whole.terms.items()) for n, m in self.envs]

    def a_type(self):
        return Tens(self.rng.choice(self.shapes[:3] + self.shapes), self.rng.choice(self.dtypes[:1] + self.dtypes))

    def reshapes(self, shape):
        whole = product(shape)
        found = [(whole,), shape[::-1], (1, *shape)[:4], (*shape, 1)[:4] if len(shape) < 4 else shape]
        found += [other for other in self.shapes if product(other) == whole]
        if len(shape) > 1 and is_static(shape):
            found.append((shape[0] * shape[1], *shape[2:]))
        found += [(dim // 2, 2, *shape[1:]) for dim in shape[:1] if type(dim) is int and dim and dim % 2 == 0]
        return [other for other in found if product(other) == whole]

    def below(self, dim):
        """Places inside of a symbolic axis: what is left when terms go."""
        terms = list(dim.terms.items())
        found = []
        for i in range(len(terms)):
            rest = dict(terms[:i] + terms[i + 1:])
            found.append(Poly(rest) if any(power != (0, 0) for power in rest) else rest.get((0, 0), 0))
            power, factor = terms[i]
            if factor > 1 and power != (0, 0):
                found.append(Poly({power: factor - 1}))
        return found

    # ---- statements

    def grow(self, body, count):
        for _ in range(count):
            for _ in range(12):
                try:
                    self.one(body)
                    break
                except Unfit:
                    pass

    def one(self, body):
        if self.is_sharing:
            functions, weights = zip(*SHARING)
            self.rng.choices(functions, weights)[0](body)
        else:
            self.rng.choices(FUNCTIONS, cum_weights=WEIGHTS)[0](body)

    def results(self, body, start, most):
        """What nobody read, and sometimes what somebody did, twice, or an input."""
        rng = self.rng
        sinks = [v for v in body.values[start:] if v.name not in body.read and isinstance(v.kind, Tens)]
        results = sinks if len(sinks) <= most else rng.sample(sinks, most)
        if results and rng.random() < 0.1:
            results = results[:-1]  # what nobody uses at all
        tensors = [v for v in body.values if isinstance(v.kind, Tens)]
        if not results or rng.random() < 0.2:
            results.append(rng.choice(tensors))
        if rng.random() < 0.1:
            results.append(rng.choice(results))
        return results

    def program(self, seed):
        rng = self.rng
        for _ in range(rng.choice([0, 1, 1, 2] if self.is_sharing else [0, 0, 0, 1, 1, 2])):
            function = statements.recursive(self) if rng.random() < 0.3 else statements.helper(self)
            if function:
                self.callees.append(function)
        params = self.parameters()
        body = Body(self, params)
        self.grow(body, rng.randint(3, 14) if rng.random() < 0.93 else rng.randint(20, 45))
        results = self.results(body, len(params), 12)
        donated = [i for i, param in enumerate(params) if param.kind.shape and rng.random() < 0.25]
        function = Function("main", params, body.statements, results, donated, is_private=False)
        return Program(self.callees + [function], self.envs, self.is_special, seed)

    def parameters(self):
        rng = self.rng
        kinds = [self.a_type() for _ in range(rng.randint(2, 5))]
        kinds[0] = Tens(self.shapes[0], self.dtypes[0])
        if rng.random() < 0.6:
            kinds.append(Tens((), "bool"))
        if rng.random() < 0.25:
            kinds.append(Tens(self.shapes[0], "bool"))
        kinds += self.binders()
        return [self.parameter(f"x{i}", kind) for i, kind in enumerate(kinds)]

    def binders(self):
        """What gives the symbols their values, in each function."""
        return [Tens((N, M), self.dtypes[0])] if self.is_symbolic else []

    def parameter(self, name, kind):
        dtype = kind.dtype
        is_exact = not (self.is_smooth and dtype in FLOATS and self.rng.random() < 0.5)
        whole = dtype not in FLOATS and self.is_special
        return Value(name, kind, 1 if dtype == "bool" else 1 << 63 if whole else 9, is_exact)


def program_at(seed, index):
    rng = random.Random(f"{seed}:{index}")
    for _ in range(50):
        try:
            return Maker(rng).program(rng.getrandbits(40))
        except Unfit:
            pass
    raise AssertionError(f"{seed}:{index}: no program")
