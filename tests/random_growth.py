#!/usr/bin/env python3
"""Random programs whose caches grow, compared over the interpreter and compiled code.

A donated parameter with room is joined to new rows along its first axis or an inner one, in front of or behind them, in
branches and in branches of these, while others read it: in front of the join, behind it, in the other branch, as a view
or what a function returns, now or at the end, in a tuple that is known as R.Object, by an update in place, or as a result. `inlay run --check` compares the results
before and behind the passes, and that what is borrowed survives; caches are empty, hold some rows, or just have room.

usage: random_growth.py TOOL [--count N] [--seed S] [--keep FOLDER]
"""
import argparse
import concurrent.futures
import pathlib
import random
import subprocess
import sys
import tempfile

PIPELINES = ["default", "unscheduled", "default", "debug"]
ROOM = 8
UNARY = ["R.exp({})", "R.negative({})", "R.tanh({})", "R.nn.softmax({}, axis=-1)"]
KERNELS = '''    @T.prim_func(private=True)
    def scale(x: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n,), "float32")
        for i in T.serial(n):
            X[i] = X[i] * T.float32(2)
'''
FUNCTION = '''    @R.function(private=True)
    def same{0}(p: R.Tensor({1}, "float32")) -> R.Tensor({1}, "float32"):
        return p

'''
# shapes of a cache with n rows, and the axis along which it grows
KINDS = [(("n", 4), 0), (("n", 2, 2), 0), ((1, "n", 4), 1), ((2, "n", 2), 1), ((1, 2, "n", 2), 2), ((3, "n"), 1)]


def shape_text(shape):
    return "(" + ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"


def quoted(shape):
    """In the head of a function, where symbols are strings."""
    return shape_text([f'"{dim}"' if isinstance(dim, str) else dim for dim in shape])


class Program:
    def __init__(self, rng):
        self.rng, self.count, self.lines = rng, 0, []
        self.caches = [(f"p{i}", *rng.choice(KINDS)) for i in range(rng.randint(1, 2))]
        self.news = [(f"x{i}", shape[:axis] + (rng.choice([1, 1, 2]),) + shape[axis + 1:]) for i, (_, shape, axis) in enumerate(self.caches)]
        self.results, self.scalars = [], []
        self.dead = []  # numbers of the branch in work
        self.late = []  # names of caches that are read at the end

    def put(self, depth, text):
        self.count += 1
        self.lines.append("    " * depth + f"v{self.count} = {text}")
        return f"v{self.count}"

    def rows(self, i, many):
        """What is put behind cache @i, of which all has @many rows: its shape is that of the whole."""
        _, shape, axis = self.caches[i]
        return shape[:axis] + (f"n + {many}" if many else "n",) + shape[axis + 1:]

    def read(self, depth, i, value):
        """Something that reads @value, a cache or a whole, and makes a number of it."""
        dice = self.rng.random()
        if dice < 0.3:
            made = self.put(depth, f"R.sum({value})")
        elif dice < 0.5:
            made = self.put(depth, f"R.sum({self.put(depth, self.rng.choice(UNARY).format(value))})")
        elif dice < 0.65:
            made = self.put(depth, f"R.sum({self.put(depth, f'R.flatten({value})')})")
        elif dice < 0.8:
            both = self.put(depth, f"({value}, {self.news[i][0]})")
            made = self.put(depth, f"R.sum({self.put(depth, f'{both}[0]')})")
        else:
            made = self.put(depth, f"R.max(R.exp({value}))") if self.rng.random() < 0.3 else self.put(depth, f"R.sum(R.add({value}, {value}))")
        return made

    def part(self, depth, i):
        """New rows, maybe made of what was read."""
        name, _ = self.news[i]
        made = self.put(depth, self.rng.choice(UNARY).format(name)) if self.rng.random() < 0.8 else name
        return self.put(depth, f"R.add({made}, {self.rng.choice(self.scalars)})") if self.scalars and self.rng.random() < 0.6 else made

    def name(self, i):
        """Another name of a cache, read when all else is done."""
        cache, _, _ = self.caches[i]
        dice = self.rng.random()
        if dice < 0.4:
            self.late.append(self.put(2, f"R.flatten({cache})"))
        elif dice < 0.7:
            self.late.append(self.put(2, f"cls.same{i}({cache})"))
        else:
            both = self.put(2, f"({cache}, {self.news[i][0]})")
            self.late.append(self.put(2, f"{both}[0]"))

    def join(self, depth, i):
        name, _, axis = self.caches[i]
        parts = [name] + [self.part(depth, i) for _ in range(self.rng.choice([1, 1, 1, 2]))]
        if self.rng.random() < 0.12:
            self.rng.shuffle(parts)
        if self.rng.random() < 0.5 and depth < 4:
            self.scalars.append(self.read(depth, i, name))
            self.dead.append(self.scalars[-1])
        whole = self.put(depth, f"R.concat(({', '.join(parts)}), axis={axis})")
        shape = self.rows(i, (len(parts) - 1) * self.news[i][1][axis])
        if self.rng.random() < 0.15:
            flat = self.put(depth, f"R.flatten({whole})")
            count = " * ".join(f"({d})" for d in shape)
            flat = self.put(depth, f'R.call_tir_inplace(cls.scale, ({flat},), out_ty=R.Tensor(({count},), "float32"), inplace_indices=[0])')
            whole = self.put(depth, f"R.reshape({flat}, {shape_text(shape)})")
        return whole

    def block(self, depth, i, wants_whole):
        """Statements of a branch; the value that it gives: a number, or a whole with one part."""
        outer, self.dead = self.dead, []
        value = None
        for _ in range(self.rng.randint(1, 3)):
            dice = self.rng.random()
            if dice < 0.35:
                made = self.read(depth, i, self.caches[i][0])
            elif dice < 0.75 or depth > 3:
                made = self.read(depth, i, self.join(depth, i))
            else:
                made = self.branch(depth, i)
            self.scalars.append(made)
            self.dead.append(made)
        if wants_whole:
            name, _, axis = self.caches[i]
            value = self.put(depth, f"R.concat(({name}, {self.part(depth, i)}), axis={axis})")
            if self.rng.random() < 0.2:
                value = self.put(depth, self.rng.choice(UNARY).format(value))
        else:
            value = self.rng.choice(self.dead)
        self.scalars = [s for s in self.scalars if s not in self.dead]
        self.dead = outer
        return value

    def branch(self, depth, i, wants_whole=False):
        self.count += 1
        name = f"v{self.count}"
        for head in ("if flag:" if self.rng.random() < 0.7 else "if other:", "else:"):
            self.lines.append("    " * depth + head)
            value = self.block(depth + 1, i, wants_whole)
            self.lines.append("    " * (depth + 1) + f"{name} = {self.rng.choice(['{}', 'R.negative({})']).format(value)}")
        return name

    def text(self):
        for _ in range(self.rng.randint(1, 4)):
            i = self.rng.randrange(len(self.caches))
            dice = self.rng.random()
            if self.rng.random() < 0.08:
                self.name(i)
            if dice < 0.3:
                self.scalars.append(self.read(2, i, self.caches[i][0]))
            elif dice < 0.6:
                whole = self.join(2, i)
                self.scalars.append(self.read(2, i, whole))
                self.results += [whole] * (self.rng.random() < 0.7)
            elif dice < 0.8:
                made = self.branch(2, i)
                self.scalars.append(made)
            else:
                self.results.append(self.branch(2, i, True))
        self.results += self.scalars[-2:] + [self.put(2, f"R.sum({name})") for name in self.late]
        if self.rng.random() < 0.1:
            self.results.append(self.caches[0][0])
        if self.rng.random() < 0.2 and self.results:
            self.count += 1
            self.lines += [f"        t{self.count}: R.Object = ({self.results[0]}, {self.caches[0][0]})"]
        params = [(name, shape) for name, shape, _ in self.caches] + self.news
        texts = [f'{name}: R.Tensor({quoted(shape)}, "float32")' for name, shape in params]
        rooms = ", ".join(f'"{name}": {[ROOM if d == "n" else d for d in shape]}' for name, shape, _ in self.caches)
        return "\n".join([
            "from tvm.script import ir as I", "from tvm.script import relax as R", "from tvm.script import tirx as T", "", "@I.ir_module", "class Module:",
            KERNELS, *(FUNCTION.format(i, quoted(shape)) for i, (_, shape, _) in enumerate(self.caches)), "    @R.function", f'    def main({", ".join(texts)}, flag: R.Tensor((), "bool"), other: R.Tensor((), "bool")):', "        n = T.int64()",
            f'        R.func_attr({{"relax.inplace_arg": {list(range(len(self.caches)))}, "relax.capacity": {{{rooms}}}}})', "        cls = Module",
            *self.lines, f"        return ({', '.join(self.results)},)"]) + "\n"


def check(tool, seed, folder):
    file = folder / f"growth_{seed}.py"
    rng = random.Random(seed)
    file.write_text(Program(rng).text())
    for rows in (rng.choice([0, 1]), rng.choice([2, 3])):
        options = ["-O1", "-p", rng.choice(PIPELINES), "--dim", f"n={rows}", "--in", f"flag={rng.choice(['true', 'false'])}", "--in", f"other={rng.choice(['true', 'false'])}"]
        try:
            done = subprocess.run([tool, "run", "--check", *options, str(file)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, text=True, timeout=120, cwd=folder)
        except subprocess.TimeoutExpired:
            return f"{' '.join(options)}: no end"
        if done.returncode != 0:
            return f"{' '.join(options)}: exit status {done.returncode}\n{done.stderr[:2000]}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    failed = 0
    print(f"1..{options.count}")
    with tempfile.TemporaryDirectory() as temp:
        folder = (options.keep or pathlib.Path(temp)).resolve()
        folder.mkdir(exist_ok=True)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            seeds = range(options.seed, options.seed + options.count)
            for number, (seed, why) in enumerate(zip(seeds, pool.map(lambda s: check(options.tool, s, folder), seeds)), 1):
                failed += why is not None
                print(f"{'not ok' if why else 'ok'} {number} - seed {seed}")
                if why:
                    print("# " + why.rstrip().replace("\n", "\n# "))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
