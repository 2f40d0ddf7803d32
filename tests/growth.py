#!/usr/bin/env python3
"""Time and stack must not explode with any one thing of which a script has more and more.

Each family is a script of size n. The commands must end with an answer (exit code 0, or 1 with a message: a limit) at each
of its sizes, in 1 MiB of stack, and where twice the size takes long, in at most 3.5 times the time. Prints TAP.

usage: growth.py TOOL [FILTER]
"""
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from part import SLOW, part

TIMEOUT = 20 * SLOW  # seconds of processor time
FLOOR = 0.5 * SLOW  # what is faster is not compared
RATIO = 3.5
COMMANDS = ("check", "opt -p default", "run -p debug -O0", "run --interpret")
HEAD = """from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


"""
VECTOR = 'R.Tensor((4,), "float32")'
FAMILIES = {}


def family(*sizes, commands=COMMANDS):
    def add(make):
        FAMILIES[make.__name__] = (make, sizes, commands)
        return make
    return add


def graph(lines, result="y", params=f'x: {VECTOR}, c: R.Tensor((), "bool")'):
    body = "".join(f"    {line}\n" for line in lines)
    return f"{HEAD}@R.function\ndef main({params}):\n{body}    return {result}\n"


def module(functions, lines, result="y"):
    body = "".join(f"        {line}\n" for line in lines)
    return (f"{HEAD}@I.ir_module\nclass Module:\n{''.join(functions)}"
            f"    @R.function\n    def main(x: {VECTOR}):\n        cls = Module\n{body}        return {result}\n")


def function(name, lines, result):
    body = "".join(f"        {line}\n" for line in lines)
    return (f"    @R.function(private=True)\n    def {name}(x: {VECTOR}) -> {VECTOR}:\n        cls = Module\n"
            f"{body}        return {result}\n")


def kernel(lines):
    body = "".join(f"        {line}\n" for line in lines)
    code = ('    @T.prim_func(private=True)\n    def k(x: T.Buffer((4,), "float32"), o: T.Buffer((4,), "float32")):\n'
            f"{body}\n")
    return module([code], [f"y = R.call_tir(cls.k, (x,), out_ty={VECTOR})"])


def chain(n, text, first="x"):
    return [text.format(name=f"v{i}", last=f"v{i - 1}" if i else first, i=i) for i in range(n)]


@family(2000, 4000)
def bindings(n):
    return graph(chain(n, "{name} = R.add({last}, x)"), f"v{n - 1}")


@family(30, 200, 300)
def nested_ifs(n):
    lines = [" " * i + "if c:" for i in range(n)] + [" " * n + "y = R.add(x, x)"]
    for i in reversed(range(n)):
        lines += [" " * i + "else:", " " * i + " y = x"]
    return graph(lines)


@family(100, 400)
def ifs_in_a_row(n):
    lines = []
    for i in range(n):
        last = f"y{i - 1}" if i else "x"
        lines += ["if c:", f"    y{i} = R.add({last}, x)", "else:", f"    y{i} = R.multiply({last}, x)"]
    return graph(lines, f"y{n - 1}")


@family(1500, 3000, commands=("opt -p default",))
def ifs_whose_results_stay(n):
    lines = ["z = R.add(x, x)"]
    for i in range(n):
        lines += ["if c:", "    t = R.exp(z)", f"    y{i} = R.add(t, x)",
                  "else:", "    t = R.negative(z)", f"    y{i} = R.multiply(t, x)"]
    return graph(lines + chain(n, "{name} = R.add({last}, y{i})"), f"v{n - 1}")


@family(10, 25, 5000)
def doubled_tuples(n):
    return graph(chain(n, "{name} = ({last}, {last})") + ["y = R.add(x, x)"])


@family(10, 25, 5000)
def doubled_tuples_of_functions(n):
    first = ["@R.function", f"def g(a: {VECTOR}) -> {VECTOR}:", "    return a"]
    return graph(first + chain(n, "{name} = ({last}, {last})", "g") + ["y = R.add(x, x)"])


@family(200, 5000)
def tuples_in_tuples(n):
    return graph(chain(n, "{name} = ({last}, x)") + ["y = R.add(x, x)"])


@family(10, 100, 1000)
def dimensions_that_grow(n):
    lines = []
    for i in range(n):
        last = f"w{i - 1}" if i else "x"
        lines += [f"v{i} = R.nn.max_pool1d({last}, pool_size=[3], strides=[2], padding=[1, 1])",
                  f"w{i} = R.concat(({last}, v{i}), axis=2)"]
    return graph(lines, f"w{n - 1}", 'x: R.Tensor((1, 1, 8), "float32")').replace("(1, 1, 8)", '(1, 1, "n")')


@family(50, 100)
def parts_of_a_concatenation(n):
    lines = chain(n, "{name} = R.exp(R.add(x, R.const({i}.0, 'float32')))")
    return graph(lines + [f"y = R.concat(({', '.join(f'v{i}' for i in range(n))},), axis=0)"])


DEFAULT = ("opt -p default",)


@family(600, 1200, 2400, commands=DEFAULT)
def parts_that_are_a_chain(n):
    return graph(chain(n, "{name} = R.add({last}, x)") + [f"y = R.concat(({', '.join(f'v{i}' for i in range(n))},), axis=0)"])


@family(1000, 2000, 4000, commands=DEFAULT)
def parts_and_constants_of_a_concatenation(n):
    lines = chain(n, "{name} = R.add(x, R.const({i}.0, 'float32'))")
    return graph(lines + [f"y = R.concat(({', '.join(f'v{i}' for i in range(n))},), axis=0)"])


@family(1500, 3000, commands=DEFAULT)
def parameters_of_a_concatenation(n):
    params = ", ".join(f"x{i}: {VECTOR}" for i in range(n))
    return graph([f"y = R.concat(({', '.join(f'x{i}' for i in range(n))},), axis=0)"], params=params)


@family(20, 100, 1000, commands=("check", "opt -p InlinePrivateFunctions", "opt -p default"))
def doubling_calls(n):
    functions = [function(f"f{i}", [f"y = cls.f{i - 1}(x)", f"z = cls.f{i - 1}(y)"] if i else ["z = R.add(x, x)"], "z")
                 for i in range(n)]
    return module(functions, [f"y = cls.f{n - 1}(x)"])


@family(1000, 2000, commands=("check", "opt -p InlinePrivateFunctions", "opt -p default"))
def chains_of_calls(n):
    functions = [function(f"f{i}", [f"y = cls.f{i - 1}(x)" if i else "y = R.add(x, x)"], "y") for i in range(n)]
    return module(functions, [f"y = cls.f{n - 1}(x)"])


@family(40, 500, 1000)
def lets(n):
    lines = ["for i in range(4):", "    a0: T.let[T.int32] = i"]
    lines += [f"    a{i}: T.let[T.int32] = T.min(a{i - 1} + a{i - 1} % 3, 3)" for i in range(1, n)]
    return kernel(lines + [f"    o[i] = x[a{n - 1}]"])


@family(500, 1000)
def statements(n):
    return kernel(["for i in range(4):"] + [f"    o[i] = x[i] * T.float32({i})" for i in range(n)])


@family(200, 400)
def loops(n):
    return kernel([line for i in range(n) for line in ("for i in range(4):", f"    o[i] = x[i] + T.float32({i})")])


@family(100, 200, 1000)
def loops_in_loops(n):
    lines = [" " * i + f"for i{i} in range({4 if i == 0 else 1}):" for i in range(n)]
    return kernel(lines + [" " * n + "o[i0] = x[i0]"])


@family(64, 65, 1000)
def dimensions(n):
    ones = ", ".join(["1"] * n)
    return graph(["y = R.add(x, x)"], params=f'x: R.Tensor(({ones},), "float32")')


@family(50, 100, 300, commands=("check", "opt -p default", "run -O0 --dim n=4"))
def remainders_in_a_dimension(n):
    dim = "n"
    for i in range(n):
        dim = f"({dim} + n) % {i + 3}"
    return graph(["n = T.int64()", f"y = R.zeros(({dim},), 'float32')"], params='x: R.Tensor(("n",), "float32")')


@family(100, 400)
def slices_of_one_value(n):
    lines = ["t = R.add(x, x)"] + [f"s{i} = R.strided_slice(t, axes=[0], begin=[{i % 3}], end=[4])" for i in range(n)]
    lines += [f"v{i} = R.exp(s{i})" for i in range(n)]
    return graph(lines, f"(t, v{n - 1}, v0)")


@family(100, 400)
def updates_in_a_row(n):
    code = ('    @T.prim_func(private=True)\n    def k(x: T.Buffer((4,), "float32"), o: T.Buffer((4,), "float32")):\n'
            "        for i in range(4):\n            o[i] = x[i] + o[i]\n\n")
    first = [f"v = R.call_tir_inplace(cls.k, (x, x), inplace_indices=[1], out_ty={VECTOR})"]
    text = "{name} = R.call_tir_inplace(cls.k, (x, {last}), inplace_indices=[1], out_ty=" + VECTOR + ")"
    return module([code], first + chain(n, text, "v"), f"v{n - 1}")


@family(50, 200)
def values_that_die_at_the_end(n):
    lines = [f"v{i} = R.add(x, R.const({i}.0, 'float32'))" for i in range(n)]
    lines += [f"w{i} = R.concat((v{i}, v{n - 1 - i}), axis=0)" for i in range(n)]
    return graph(lines, f"(w0, w{n - 1})")


PLAN = ("opt -p LegalizeOps,CallTIRRewrite,KillAfterLastUse,PlanMemory",)


def reads_of_the_last_two(n, shape):
    lines = ["a = R.flip(x, axis=0)", "v0 = R.flip(a, axis=0)", "v1 = R.flip(v0, axis=0)"]
    lines += [f"v{i} = R.add(v{i - 1}, v{i - 2})" for i in range(2, n)]
    return graph(lines, f"v{n - 1}", f"x: R.Tensor({shape}, 'float32')")


@family(5000, 10000, 30000, commands=PLAN)
def places_of_tensors(n):
    return reads_of_the_last_two(n, "(4,)")


@family(2500, 5000, 10000, commands=PLAN)
def places_of_symbolic_sizes(n):
    return reads_of_the_last_two(n, "('n', 16)")


@family(2500, 5000, 10000, commands=PLAN)
def places_in_ifs(n):
    lines = []
    for i in range(n):
        last = f"v{i - 1}" if i else "x"
        lines += ["if c:", f"    t{i} = R.add({last}, {last})", f"    v{i} = R.add(t{i}, {last})", "else:",
                  f"    v{i} = R.flip({last}, axis=0)"]
    return graph(lines, f"v{n - 1}")


@family(100, 300)
def names_of_one_value(n):
    return graph(["t = R.add(x, x)"] + chain(n, "{name} = R.reshape({last}, R.shape([4]))", "t") + [f"y = R.add(v{n - 1}, t)"])


def last_of_sums(n, first, text):
    """n values, each the sum of the one before and of what @text says."""
    return [f"v0 = {first}"] + [f"v{i} = R.add(v{i - 1}, {text.format(i)})" for i in range(1, n)]


@family(2500, 5000, 10000, commands=DEFAULT)
def parts_of_a_split(n):
    lines = [f"s = R.split(x, {n}, axis=0)"] + [f"v{i} = R.exp(s[{i}])" for i in range(n)]
    return graph(lines, f"({', '.join(f'v{i}' for i in range(n))},)", f'x: R.Tensor(({4 * n},), "float32")')


@family(2500, 5000, 10000, commands=DEFAULT)
def fields_of_a_parameter(n):
    return graph([f"g{i} = t[{i}]" for i in range(n)] + last_of_sums(n, "g0", "g{}"), f"v{n - 1}",
                 f"t: R.Tuple({', '.join([VECTOR] * n)})")


@family(2500, 5000, 10000, commands=DEFAULT)
def fields_through_a_call(n):
    fields = f"R.Tuple({', '.join([VECTOR] * n)})"
    function = f"    @R.function(private=True)\n    def g(t: {fields}) -> {fields}:\n        return t\n"
    return module([function], [f"t = ({', '.join(['x'] * n)},)", "u = cls.g(t)"] + last_of_sums(n, "u[0]", "u[{}]"),
                  f"v{n - 1}")


@family(2500, 5000, 10000, commands=DEFAULT)
def fields_of_an_if(n):
    lines = [f"v{i} = R.exp(x)" for i in range(n)]
    lines += ["if c:", f"    t = ({', '.join(f'v{i}' for i in range(n))},)", "else:", f"    t = ({', '.join(['x'] * n)},)"]
    return graph(lines + [line.replace("v", "w") for line in last_of_sums(n, "t[0]", "t[{}]")], f"w{n - 1}")


@family(2500, 5000, 10000, commands=DEFAULT)
def results_in_a_tuple(n):
    return graph(chain(n, "{name} = R.add({last}, x)"), f"({', '.join(f'v{i}' for i in range(n))},)")


def limit():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (TIMEOUT, TIMEOUT + 1))
    if SLOW == 1:  # the sanitizers need more of it
        resource.setrlimit(resource.RLIMIT_STACK, (1 << 20, resource.RLIM_INFINITY))


def measure(tool, command, folder):
    """(seconds of processor time, exit status, message)"""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([tool, *command.split(), "growth.py"], cwd=folder, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=limit)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, done.returncode,
            done.stderr.decode("utf-8", "replace"))


def problems(tool, make, sizes, command):
    found, last, last_size = [], None, 0
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "growth.py").write_text(make(size))
            seconds, status, message = measure(tool, command, folder)
            if last is not None and seconds > FLOOR * 2 and seconds > RATIO * size / last_size / 2 * max(last, FLOOR):
                seconds = min(seconds, measure(tool, command, folder)[0])  # once more: the machine may be busy
        if status not in (0, 1) or (status == 1 and "error[E" not in message):
            found.append(f"size {size}: exit status {status} after {seconds:.1f} s: {message[:300]}")
        if last is not None and seconds > FLOOR * 2 and seconds > RATIO * size / last_size / 2 * max(last, FLOOR):
            found.append(f"size {size}: {seconds:.2f} s, size {last_size}: {last:.2f} s")
        last, last_size = seconds, size
    return found


def main(tool, wanted=""):
    tool = str(pathlib.Path(tool).resolve())
    cases = list(part((name, command) for name, (_, _, commands) in FAMILIES.items() for command in commands if wanted in name))
    failed = 0
    print(f"1..{len(cases)}")
    for number, (name, command) in enumerate(cases, 1):
        make, sizes, _ = FAMILIES[name]
        found = problems(tool, make, sizes, command)
        failed += bool(found)
        print(f"{'not ok' if found else 'ok'} {number} - {name}: {command}", flush=True)
        for line in found:
            print("# " + line.replace("\n", " "))
    return failed != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
