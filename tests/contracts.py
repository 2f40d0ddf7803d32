#!/usr/bin/env python3
"""Functions outside of the module, by contract and without, and calls for their effect, run. Prints TAP.

OUTSIDE is the library of tests/outside.c. First programs whose results and peaks were worked out by hand, and functions that break
their contracts; then random programs of effects, names, branches, calls in place and packed calls. A program is run as it is made, by
Python on lists: an effect changes a list that several names may have, a call in place changes a copy. Each runs interpreted, compiled
as it is, and behind Functionalize; where the text cannot be compiled because an effect may concern somebody else's storage (E0684), it
must say that, and Functionalize may only better it.

usage: contracts.py TOOL OUTSIDE [--count N] [--seed S] [--keep FOLDER]
"""
import argparse
import json
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import npz

CONTRACTS = {
    "look": {"reads": [0]}, "rank": {"reads": []}, "twice": {"mutates": [0]}, "twice_same": {"mutates": [0], "aliases": [[0]]},
    "add_to": {"reads": [0, 1], "mutates": [0]}, "swap": {"mutates": [0, 1]}, "sum_after": {"reads": [0, 1], "mutates": [0], "aliases": [[]]},
    "fresh": {"reads": [0]}, "same": {"aliases": [[0]]}, "either": {"aliases": [[0, -1]]}, "into": {"reads": [0]},
    "keep": {"reads": [0], "retains": [0]}, "liar_writes": {"reads": [0]}, "liar_shows": {"reads": [0]}, "liar_makes": {"aliases": [[0]]},
}
HEAD = """from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
{attrs}
    @T.prim_func(private=True)
    def neg4(a: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("b"):
                v = T.axis.spatial(4, i)
                a[v] = T.float32(0) - a[v]

    @T.prim_func(private=True)
    def neg22(a: T.Buffer((2, 2), "float32")):
        for i, j in T.grid(2, 2):
            with T.sblock("b"):
                v, w = T.axis.remap("SS", [i, j])
                a[v, w] = T.float32(0) - a[v, w]

    @T.prim_func(private=True)
    def add4(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("b"):
                v = T.axis.spatial(4, i)
                a[v] = a[v] + b[v]

    @T.prim_func(private=True)
    def shift4(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(3):
            with T.sblock("b"):
                v = T.axis.opaque(3, i)
                a[v + 1] = b[v] + T.float32(1)

"""
TENSOR = {4: 'R.Tensor((4,), "float32")', 22: 'R.Tensor((2, 2), "float32")'}
PIPELINES = {
    "interpreted": ["--interpret"], "debug": ["-p", "debug"], "default": ["-p", "default", "--stats=json"],
    "functional": ["-p", "Functionalize,default", "--stats=json"], "dataflow": ["-p", "Functionalize,ConvertToDataflow,default"],
    "functional, interpreted": ["-p", "Functionalize,debug", "--check"], "functional, off": ["-p", "Functionalize,debug", "--inplace=off"],
}


def f32(number):
    return struct.unpack("f", struct.pack("f", number))[0]


class Tool:
    def __init__(self, args):
        self.path, self.library = str(pathlib.Path(args.tool).resolve()), str(pathlib.Path(args.outside).resolve())
        self.folder = pathlib.Path(args.keep or tempfile.mkdtemp())
        self.folder.mkdir(exist_ok=True)

    def __call__(self, name, text, *args):
        """Exit status, results by number (lists), everything that was said."""
        script, out = self.folder / f"{name}.py", self.folder / f"{name}.npz"
        script.write_text(text)
        out.unlink(missing_ok=True)
        done = subprocess.run([self.path, *args, "--load", self.library, "--out", str(out), str(script)], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, cwd=self.folder)
        results = {}
        if done.returncode == 0 and out.exists():
            results = {key: list(npz.values(descr, data)) for key, (descr, _, data) in npz.read_npz(out).items()}
        return done.returncode, results, done.stdout + done.stderr


# ---- programs with known ends

def module(body, contracts):
    attrs = f'    I.module_attrs({{"relax.contracts": {json.dumps(contracts).replace("null", "None")}}})\n' if contracts else ""
    return HEAD.format(attrs=attrs) + body


LOOKS = """    @R.function(pure=False)
    def main(x: R.Tensor((1024,), "float32")):
        a = R.add(x, R.const(1, "float32"))
        R.call_packed("look", a, ty_args=(R.Tuple(),))
        b = R.call_dps_packed("into", (x,), out_ty=[R.Tensor((1024,), "float32"), R.Tensor((1024,), "float32")])
        c = R.call_dps_packed("into", (b[0],), out_ty=R.Tensor((1024,), "float32"))
        d = R.call_dps_packed("into", (c,), out_ty=R.Tensor((1024,), "float32"))
        e = R.call_dps_packed("into", (d,), out_ty=R.Tensor((1024,), "float32"))
        return e
"""
# Two results of one call, of which each ends by itself.
SEPARATE = """    @R.function(pure=False)
    def main(x: R.Tensor((1024,), "float32")):
        a = R.builtin.alloc_tensor(R.shape([1024]), "float32", 0, "global")
        b = R.builtin.alloc_tensor(R.shape([1024]), "float32", 0, "global")
        R.call_packed("both", x, a, b, ty_args=(R.Tuple(),))
        R.call_packed("look", a, ty_args=(R.Tuple(),))
        c = R.call_dps_packed("into", (x,), out_ty=R.Tensor((1024,), "float32"))
        R.call_packed("look", b, ty_args=(R.Tuple(),))
        d = R.call_dps_packed("into", (c,), out_ty=R.Tensor((1024,), "float32"))
        return d
"""
ONE = """    @R.function(pure=False)
    def main(x: R.Tensor((4,), "float32")):
        t = R.add(x, R.const(1, "float32"))
        y = R.call_packed("{function}", t, ty_args=({type},))
        R.print(t)
        return {result}
"""


def stats(out):
    return json.loads(next(line for line in out.splitlines() if line.startswith("{")))


def peak(tool, name, body, contracts, *args):
    status, _, out = tool(name, module(body, contracts), "run", "--stats=json", *args)
    return stats(out)["arena_bytes"] if status == 0 else out


def fixed(tool):
    """(name, what is wrong or None)"""
    size = 4096
    known = {"look": {"reads": [0]}, "into": {"reads": [0]}}
    # a; b0 b1; (b1 is unused) b0 c; c d; d e
    for name, contracts, least, most in [("results of calls end by contract", known, 2 * size, 2 * size), ("and not without", {}, 6 * size, 7 * size),
                                         ("nor where they are kept", {**known, "into": {"reads": [0], "retains": [1]}}, 4 * size, 5 * size)]:
        got = peak(tool, "looks", LOOKS, contracts)
        yield name, None if isinstance(got, int) and least <= got <= most else f"{got} bytes, not {least} to {most}"
    # a b; b c; c d
    for name, contracts, wanted in [("arguments that are written end one by one", {"both": {"reads": [0], "mutates": [1, 2]}}, 2 * size)]:
        for how in ("default", "Functionalize,default"):
            got = peak(tool, "separate", SEPARATE, {**known, **contracts}, "-p", how)
            yield f"{name} ({how})", None if got == wanted else f"{got} bytes, not {wanted}"
    for function, what in [("liar_writes", "wrote its argument 0"), ("liar_shows", "returned storage of its argument 0"),
                           ("liar_makes", "returned other storage than its contract says")]:
        has_result = function != "liar_writes"
        body = ONE.format(function=function, type='R.Tensor((4,), "float32")' if has_result else "R.Tuple()",
                          result="y" if has_result else "t")
        if not has_result:
            body = body.replace("y = ", "")
        for mode in (["--interpret"], ["--check"]):
            status, _, out = tool(function, module(body, {function: CONTRACTS[function]}), "run", *mode)
            yield f"{function} {mode[0]}", None if status == 1 and what in out else f"exit status {status}: {out}"
        if not has_result:
            status, _, out = tool(function, module(body, {function: CONTRACTS[function]}), "run", "--check-memory")
            is_told = status == 4 and "bytes of `t` (line" in out and "were changed by somebody else before" in out
            yield f"{function} --check-memory", None if is_told else f"exit status {status}: {out}"
        status, _, out = tool(function, module(body, {}), "run", "--interpret")
        yield f"{function} without a contract", None if status == 0 else out
    text = module(ONE.format(function="liar_spills", type="R.Tuple()", result="t").replace("y = ", ""), {"liar_spills": {"mutates": [0]}})
    status, _, out = tool("liar_spills", text, "run", "--check-memory")
    yield "liar_spills --check-memory", None if status == 4 and "wrote behind the 16 bytes of the storage that `t" in out else f"exit status {status}: {out}"


# ---- random programs

class Store:
    """A piece of storage: its elements, and whether the function may write it for effect."""

    def __init__(self, elements, is_own):
        self.elements, self.is_own = elements, is_own


class Program:
    def __init__(self, rng):
        self.rng = rng
        self.lines = []
        self.names = {}      # name -> (shape, store)
        self.indent = "        "
        self.is_live = True  # what is made now runs
        self.count = 0
        self.depth = 0
        self.is_held = False
        self.take = rng.random() < 0.5
        x = [f32(rng.randrange(-4, 5)) for _ in range(4)]
        self.inputs = x
        self.names["x"] = (4, Store(x[:], False))
        for _ in range(rng.randrange(4, 16)):
            self.step()
        chosen = [self.pick() for _ in range(rng.randrange(1, 5))]
        self.lines.append(f"{self.indent}return ({', '.join(chosen)},)")
        self.results = [self.names[name][1].elements[:] for name in chosen]

    def text(self):
        head = f'    @R.function(pure=False)\n    def main(x: {TENSOR[4]}, c: T.bool):\n        cls = Module\n'
        attrs = f'    I.module_attrs({{"relax.contracts": {json.dumps(CONTRACTS)}}})\n'
        return HEAD.format(attrs=attrs) + head + "\n".join(self.lines) + "\n"

    def name(self):
        self.count += 1
        return f"v{self.count}"

    def line(self, text):
        self.lines.append(self.indent + text)

    def pick(self, shape=None, is_own=None):
        fits = [name for name, (s, store) in self.names.items() if s in (shape or s,) and store.is_own in (is_own if is_own is not None else
                store.is_own,)]
        return self.rng.choice(fits) if fits else None

    def bind(self, text, shape, store):
        name = self.name()
        self.line(f"{name} = {text}")
        self.names[name] = (shape, store)
        return name

    def elements(self, name):
        return self.names[name][1].elements

    def step(self):
        steps = [self.new, self.new, self.rename, self.effect, self.effect, self.effect, self.packed_effect, self.packed_effect,
                 self.packed_value, self.value_in_place, self.branch]
        self.rng.choice(steps)()

    def new(self):
        a = self.pick()
        shape = self.names[a][0]
        b = self.pick(shape)
        how = self.rng.randrange(3)
        if how == 0:
            self.bind(f"R.copy({a})", shape, Store(self.elements(a)[:], True))
        elif how == 1:
            self.bind(f"R.add({a}, {b})", shape, Store([f32(p + q) for p, q in zip(self.elements(a), self.elements(b))], True))
        else:
            self.bind(f'R.multiply({a}, R.const(-1, "float32"))', shape, Store([f32(-p) for p in self.elements(a)], True))

    def rename(self):
        a = self.pick()
        shape, store = self.names[a]
        how = self.rng.randrange(4)
        if how == 0:
            self.bind(a, shape, store)
        elif how == 1:
            other = 26 - shape
            self.bind(f"R.reshape({a}, R.shape({'[4]' if other == 4 else '[2, 2]'}))", other, store)
        elif how == 2:
            b = self.pick()
            tuple_name = self.name()
            self.line(f"{tuple_name} = ({a}, {b})")
            if self.rng.random() < 0.5:
                self.step()
            which = self.rng.randrange(2)
            self.bind(f"{tuple_name}[{which}]", *self.names[[a, b][which]])
        else:
            self.line(f'R.call_packed("{self.rng.choice(["look", "rank"])}", {a}, ty_args=(R.Tuple(),))')

    def apply(self, function, target, other=None):
        """What a function does to a list, in the order of its loop."""
        if function in ("neg4", "neg22"):
            target[:] = [f32(0 - p) for p in target]
        elif function in ("add4", "add_to", "sum_after"):
            for i in range(4):
                target[i] = f32(target[i] + other[i])
        elif function == "shift4":
            for i in range(3):
                target[i + 1] = f32(other[i] + 1)
        elif function in ("twice", "twice_same"):
            target[:] = [f32(2 * p) for p in target]
        elif function == "swap":
            target[:], other[:] = other[:], target[:]

    def effect(self):
        a = self.pick(is_own=True)
        if a is None:
            return
        shape = self.names[a][0]
        b = self.pick(4)
        if shape == 22 or self.rng.random() < 0.4:
            self.line(f"cls.neg{shape}({a})")
            self.apply(f"neg{shape}", self.elements(a))
        else:
            function = self.rng.choice(["add4", "shift4"])
            self.line(f"cls.{function}({a}, {b})")
            self.apply(function, self.elements(a), self.elements(b))

    def packed_effect(self):
        a = self.pick(is_own=True)
        if a is None:
            return
        shape, store = self.names[a]
        b = self.pick(shape)
        function = self.rng.choice(["twice", "twice_same", "add_to", "swap", "sum_after"])
        if function == "swap":
            b = self.pick(shape, True)
        if function in ("add_to", "swap", "sum_after") and self.names[b][1] is store:
            return
        pair = a if function.startswith("twice") else f"{a}, {b}"
        self.apply(function, store.elements, self.elements(b))
        if function == "twice_same":
            self.bind(f'R.call_packed("twice_same", {a}, ty_args=({TENSOR[shape]},))', shape, Store(store.elements, store.is_own))
            self.names[f"v{self.count}"] = (shape, store)
        elif function == "sum_after":
            self.bind(f'R.call_packed("sum_after", {pair}, ty_args=({TENSOR[shape]},))', shape,
                      Store([f32(2 * p) for p in store.elements], False))
        else:
            self.line(f'R.call_packed("{function}", {pair}, ty_args=(R.Tuple(),))')

    def packed_value(self):
        a = self.pick()
        shape, store = self.names[a]
        kind = f"ty_args=({TENSOR[shape]},)"
        function = self.rng.choice(["fresh", "same", "either", "into", "into", "keep"])
        if function == "fresh":
            self.bind(f'R.call_pure_packed("fresh", {a}, {kind})', shape, Store(store.elements[:], False))
        elif function == "same":
            self.bind(f'R.call_pure_packed("same", {a}, {kind})', shape, store)
        elif function == "either":
            number = self.rng.randrange(2)
            self.bind(f'R.call_pure_packed("either", {a}, {number}, {kind})', shape, store if number else Store(store.elements[:], False))
        elif function == "into":
            outs = self.rng.randrange(1, 4)
            types = ", ".join([TENSOR[shape]] * outs)
            value = self.name()
            self.line(f'{value} = R.call_dps_packed("into", ({a},), out_ty={f"[{types}]" if outs > 1 else types})')
            for i in range(outs):
                made = Store([f32(p + i + 1) for p in store.elements], False)
                if outs == 1:
                    self.names[value] = (shape, made)
                else:
                    self.bind(f"{value}[{i}]", shape, made)
        elif self.depth == 0:
            self.line(f'R.call_packed("keep", {a}, ty_args=(R.Tuple(),))')
            if self.rng.random() < 0.7:
                self.bind(f'R.add(R.call_packed("kept", {kind}), {a})', shape, Store([f32(2 * p) for p in store.elements], True))

    def value_in_place(self):
        a = self.pick()
        shape, store = self.names[a]
        how = self.rng.randrange(4)
        made = store.elements[:]
        if how == 0:
            self.apply(f"neg{shape}", made)
            self.bind(f"R.call_tir_inplace(cls.neg{shape}, ({a},), out_ty={TENSOR[shape]}, inplace_indices=[0])", shape, Store(made, True))
        elif how == 1:
            self.apply("twice", made)
            self.bind(f'R.call_inplace_packed("twice", {a}, inplace_indices=[0], ty_args=({TENSOR[shape]},))', shape, Store(made, False))
        else:
            b = self.pick(shape)
            other = self.elements(b)[:]
            pair = self.name()
            function, indices = ("swap", "[0, 1]") if how == 2 else ("sum_after", "[-1, 0]")
            self.apply(function, made, other)
            self.line(f'{pair} = R.call_inplace_packed("{function}", {a}, {b}, inplace_indices={indices}, '
                      f'ty_args=({TENSOR[shape]}, {TENSOR[shape]}))')
            first = made if how == 2 else [f32(2 * p) for p in made]
            self.bind(f"{pair}[0]", shape, Store(first, False))
            self.bind(f"{pair}[1]", shape, Store(other if how == 2 else made, False))

    def branch(self):
        if self.depth > 1:
            return
        outer, shape = dict(self.names), self.names[self.pick()][0]
        value, ends = self.name(), []
        before = {id(store): (store, store.elements[:]) for _, store in outer.values()}
        after = None
        for taken in (True, False):
            self.line("if c:" if taken else "else:")
            self.indent += "    "
            self.depth += 1
            for _ in range(self.rng.randrange(0, 4)):
                self.step()
            last = self.pick(shape)
            self.line(f"{value} = {last}" if self.rng.random() < 0.5 else f"{value} = R.copy({last})")
            store = self.names[last][1] if not self.lines[-1].endswith(")") else Store(self.elements(last)[:], True)
            ends.append(store)
            self.indent = self.indent[:-4]
            self.depth -= 1
            self.names = dict(outer)
            if taken == self.take:
                after = {key: store.elements[:] for key, (store, _) in before.items()}
                ends.append(ends.pop())
                made = store.elements[:]
            for store, elements in before.values():
                store.elements[:] = elements
        for key, (store, _) in before.items():
            store.elements[:] = after[key]
        result = ends[0 if self.take else 1]
        is_own = all(store.is_own for store in ends)
        if id(result) not in before:
            result = Store(made, is_own)
        elif result.is_own and not is_own:
            return  # by one name it may be written, by the other not: leave the other unused
        self.names[value] = (shape, result)


def run_program(tool, name, program):
    """What is wrong, and how often the text could not be compiled."""
    text, refused, copies = program.text(), 0, {}
    given = ["--in", "x=4xf32=" + ",".join(map(str, program.inputs)), "--in", f"c={'true' if program.take else 'false'}"]
    for mode, args in PIPELINES.items():
        status, results, out = tool(name, text, "run", *given, *args)
        if status == 1 and "E0684" in out and mode != "interpreted":
            refused += 1
            continue
        got = [results.get(f"result.{i}") for i in range(len(program.results))]
        if status != 0 or got != program.results:
            return f"{mode}: exit status {status}\n{got}\n{program.results}\n{out}\n{text}", refused
        if "--stats=json" in args:
            copies[mode] = stats(out)["copies"]
    if len(copies) == 2 and copies["functional"] > copies["default"]:
        return f"Functionalize makes {copies['functional']} copies of {copies['default']}\n{text}", refused
    return None, refused


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("outside")
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep")
    args = parser.parse_args()
    tool = Tool(args)
    number = failures = refused = 0
    checks = [(name, lambda found=found: (found, 0)) for name, found in fixed(tool)]
    for index in range(args.count):
        program = Program(random.Random(f"{args.seed}:{index}"))
        checks.append((f"{args.seed}:{index}", lambda program=program, index=index: run_program(tool, f"random_{index}", program)))
    print(f"1..{len(checks)}")
    for number, (name, check) in enumerate(checks, 1):
        found, count = check()
        refused += count
        failures += found is not None
        print(f"{'not ok' if found else 'ok'} {number} - {name}", flush=True)
        for line in (found or "").splitlines():
            print(f"# {line}")
    print(f"# {refused} texts could not be compiled as they stand")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
