#!/usr/bin/env python3
"""Wrong and hostile input: exit code 1 and a message that says where, never a signal, a hang or silence.

Each case makes its own files.  What is merely strange but legal must be accepted.  Prints TAP.

usage: nasty.py TOOL [FILTER]
"""
import io
import os
import pathlib
import random
import re
import resource
import struct
import subprocess
import sys
import tempfile
import zipfile

SLOW = int(os.environ.get("INLAY_SLOW", "1"))
TIMEOUT = 10 * SLOW
MEMORY = 4 << 30  # bytes of address space; not under the sanitizers, which reserve terabytes

HEAD = """\
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


"""
# Two arguments that share the symbol n.
ADD = HEAD + """\
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32"), y: R.Tensor(("n", 4), dtype="float32")) -> R.Tensor(("n", 4), dtype="float32"):
        with R.dataflow():
            z = R.add(x, y)
            R.output(z)
        return z
"""
FIXED = ADD.replace('("n", 4)', "(2, 4)")


def function(*lines, params="x: R.Tensor((2, 2), dtype=\"float32\")"):
    """A module whose main has these statements."""
    body = "".join(f"        {line}\n" for line in lines)
    return HEAD + f"@I.ir_module\nclass Module:\n    @R.function\n    def main({params}):\n{body}"


def kernel(*lines, params="X: T.Buffer((4,), \"float32\"), Y: T.Buffer((4,), \"float32\")"):
    """A module whose kernel `f` has these statements, and a main that calls it."""
    body = "".join(f"        {line}\n" for line in lines)
    return HEAD + f"""\
@I.ir_module
class Module:
    @T.prim_func
    def f({params}):
{body}
    @R.function
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.f, (x,), out_sinfo=R.Tensor((4,), dtype="float32"))
        return y
"""


def npy(descr="<f4", shape="(2, 4)", data=bytes(32), fortran="False", version=1, magic=b"\x93NUMPY",
        header=None, length=None):
    """An .npy file, with any part of it wrong."""
    if header is None:
        header = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}"
    header = header.encode() if isinstance(header, str) else header
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    size = struct.pack("<H" if version == 1 else "<I", len(header) if length is None else length)
    return magic + bytes([version, 0]) + size + header + data


def npz(**members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in members.items():
            archive.writestr(name + ".npy", data)
    return out.getvalue()


def safetensors(header, data=bytes(32), length=None):
    header = header.encode()
    return struct.pack("<Q", len(header) if length is None else length) + header + data


class Case:
    def __init__(self, name, script, args="check FILE", wants="line", status=(1,), files=None,
                 keeps=None):
        """wants: "line" a message with file and line, "file" one that names the input file, "error"
        one at all, "" none.  keeps: a file that must be as it was."""
        self.name, self.args, self.wants = name, args.split(" "), wants
        self.script = script.encode() if isinstance(script, str) else script
        self.status, self.files, self.keeps = status, files or {}, keeps


def script_cases():
    rng = random.Random(20)
    for n in range(3):
        yield Case(f"64 KiB of random bytes, {n}", rng.randbytes(1 << 16))
    printable = bytes(range(32, 127)) + b"\n" * 8
    yield Case("64 KiB of random printable bytes", bytes(rng.choices(printable, k=1 << 16)))
    tokens = "( ) [ ] { } : , . = + - * / ** // def class if else for in with return x R.add 1 \"s\" @ -> \n".split(" ")
    yield Case("64 KiB of random tokens", " ".join(rng.choices(tokens, k=1 << 14)))
    for left, right in ("()", "[]", "{}"):
        yield Case(f"10,000 times {left}", f"x = {left * 10000}")
        yield Case(f"10,000 pairs of {left}{right}", f"x = {left * 10000}{right * 10000}\n")
        yield Case(f"10,000 times {right}", f"x = {right * 10000}")
    deep = 10000
    yield Case("10,000 brackets inside a function",
               function(f"y = {'(' * deep}x{')' * deep}", "return y"))
    yield Case("10,000 signs", function(f"y = R.const({'-' * deep}1)", "return y"))
    yield Case("10,000 times not", function(f"y = R.const({'not ' * deep}1)", "return y"))
    yield Case("10,000 nested calls",
               function(f"y = {'R.nn.relu(' * deep}x{')' * deep}", "return y"))
    yield Case("10,000 attributes", function(f"y = x{'.a' * deep}", "return y"))
    yield Case("10,000 subscripts", function(f"y = x{'[0]' * deep}", "return y"))
    yield Case("10,000 powers", function(f"y = R.const({'2 ** ' * deep}2)", "return y"))
    yield Case("10,000 summands", function(f"y = R.reshape(x, ({'0 + ' * deep}4,))", "return y"),
               status=(0, 1), wants="")
    yield Case("10,000 lambdas", "x = " + "lambda: " * deep + "1\n")
    yield Case("10,000 conditionals", "x = " + "1 if a else " * deep + "1\n")
    yield Case("10,000 nested types",
               function("return x", params=f"x: {'R.Tuple(' * deep}R.Object{')' * deep}"))
    blocks = "".join(f"{' ' * i}if x:\n" for i in range(2000))
    yield Case("2,000 nested blocks", blocks + " " * 2000 + "pass\n")
    loops = [f"{' ' * i}for i{i} in range(1):" for i in range(1000)] + [" " * 1000 + "Y[0] = X[0]"]
    yield Case("1,000 nested loops", kernel(*loops))
    yield Case("a NUL byte at the start", b"\0" + ADD.encode())
    yield Case("a NUL byte in a name", ADD.replace("main(x", "ma\0in(x"))
    yield Case("a NUL byte in a string", ADD.replace('"float32"', '"flo\0at32"'))
    yield Case("a NUL byte at the end", ADD + "\0")
    yield Case("a control character", ADD.replace("z = R", "z \x01= R"))
    yield Case("broken UTF-8", ADD.encode().replace(b"z = R", b"z\xff = R"))
    yield Case("CRLF", ADD.replace("\n", "\r\n"), status=(0,), wants="")
    yield Case("CR", ADD.replace("\n", "\r"), status=(0, 1), wants="")
    yield Case("an error in a CRLF file", ADD.replace("R.add", "R.ad").replace("\n", "\r\n"),
               wants="line 11")
    yield Case("a byte order mark", b"\xef\xbb\xbf" + ADD.encode(), status=(0,), wants="")
    yield Case("no newline at the end", ADD.rstrip("\n"), status=(0,), wants="")
    yield Case("an empty file", "", wants="file")
    yield Case("only a comment", "# nothing\n", wants="file")
    for quote in ("'", '"', "'''", '"""', 'r"', 'b"', 'f"'):
        yield Case(f"an unterminated {quote}", function(f"y = R.print({quote}abc", "return y"))
    yield Case("an unterminated string at the end", ADD + '"')
    yield Case("a backslash at the end", ADD + "\\")
    yield Case("a string with a bad escape", ADD.replace('"float32"', '"\\xzz"', 1))
    yield Case("mixed tabs and spaces", ADD.replace("            z =", "\t\t z ="))
    yield Case("an unindent that fits nothing", function("y = x", "  z = y", " return z"))
    yield Case("a line of 1 MiB", ADD + "x = " + "a" * (1 << 20) + " $\n")
    yield Case("100,000 wrong lines", "x = = 1\n" * 100000)
    yield Case("100,000 wrong statements in a function", function(*["y = R.foo(x)"] * 100000))


def number_cases():
    yield Case("an integer of 400 digits", function(f"y = R.const({'9' * 400})", "return y"))
    yield Case("an integer of a million digits", function(f"y = R.const({'9' * 1000000})"))
    yield Case("an integer of 2**64", function("y = R.const(18446744073709551616)", "return y"))
    yield Case("a hexadecimal integer too large", function("y = R.const(0x1ffffffffffffffffffff)"))
    yield Case("a float too large", function("y = R.const(1e999999999999)", "return y"),
               status=(0, 1), wants="")
    yield Case("a dimension of 2**70",
               function("return x", params=f"x: R.Tensor(({2**70},), dtype=\"float32\")"))
    yield Case("a negative dimension",
               function("return x", params="x: R.Tensor((-1,), dtype=\"float32\")"))
    yield Case("a shape whose size overflows", args="run FILE", wants="error",
               script=function("return x", params=f"x: R.Tensor(({2**40}, {2**40}), dtype=\"float32\")"))
    yield Case("a tensor of 2**44 bytes", args="run FILE", wants="error",
               script=function(f"y = R.zeros(R.shape([{2**42}]), dtype=\"float32\")", "return y"))
    yield Case("a dimension divided by zero",
               function("n = T.int64()", "y = R.match_cast(x, R.Tensor((n // 0, 2), \"float32\"))", "return y"))
    yield Case("an index map of 2**40", function(
        f"y = R.call_tir_inplace(Module.f, (x,), inplace_indices=[{2**40}], out_sinfo=R.Tensor((2, 2), dtype=\"float32\"))",
        "return y"))
    yield Case("a rank of 10**9", function("return x", params="x: R.Tensor(ndim=1000000000, dtype=\"float32\")"))
    yield Case("an unknown dtype", ADD.replace("float32", "float33"))
    yield Case("a dtype with 10**9 bits", ADD.replace("float32", "float1000000000"))


def run_cases():
    y = {"y.npy": npy()}

    def with_x(name, data, **options):
        return Case(name, FIXED, "run FILE --in x=@x.npy --in y=@y.npy", files={"x.npy": data, **y},
                    **{"wants": "x.npy", **options})

    good = npy()
    yield with_x("a good .npy", good, status=(0,), wants="")
    for cut in (0, 3, 6, 8, 9, 10, 40, 127, 128, 159):
        yield with_x(f".npy cut after {cut} bytes", good[:cut])
    yield with_x(".npy with bytes behind its end", good + b"x", status=(0, 1), wants="")
    yield with_x(".npy with the wrong magic", npy(magic=b"\x93NUMPX"))
    yield with_x(".npy of version 9", npy(version=9))
    yield with_x(".npy whose header claims 60 KiB", npy(length=60000))
    yield with_x(".npy whose header claims 4 GiB", npy(version=2, length=0xffffffff))
    yield with_x(".npy that claims more elements", npy(shape="(1000, 4)"))
    yield with_x(".npy that claims 2**62 elements", npy(shape=f"({2**62},)"))
    yield with_x(".npy whose size overflows", npy(shape=f"({2**33}, {2**33})"))
    yield with_x(".npy with a dimension of 2**70", npy(shape=f"({2**70},)"))
    yield with_x(".npy with a negative dimension", npy(shape="(-2, -4)"))
    yield with_x(".npy of 10,000 dimensions", npy(shape=f"({'1, ' * 10000})", version=2))
    yield with_x(".npy with objects", npy(descr="|O"))
    yield with_x(".npy with strings", npy(descr="<U4"))
    yield with_x(".npy with an unknown dtype", npy(descr="<f3"))
    yield with_x(".npy with records", npy(header="{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (8,), }"))
    yield with_x(".npy with a bad header", npy(header="{'descr': "))
    yield with_x(".npy with code as header", npy(header="__import__('os').system('false')"))
    yield with_x(".npy without shape", npy(header="{'descr': '<f4', 'fortran_order': False}"))
    yield with_x(".npy with two shapes", npy(header="{'descr': '<f4', 'fortran_order': False, 'shape': (2, 4), 'shape': (9, 9)}"),
                 status=(0, 1), wants="")
    yield with_x(".npy with brackets as header", npy(header="(" * 10000))
    yield with_x(".npy with NUL bytes as header", npy(header=b"\0" * 100))
    yield with_x("random bytes as .npy", random.Random(7).randbytes(4096))
    yield with_x("wrong dtype", npy(descr="<f8", data=bytes(64)), wants="error")
    yield with_x("wrong rank", npy(shape="(8,)"), wants="error")
    yield with_x("wrong dimension", npy(shape="(4, 2)"), wants="error")
    yield with_x("an empty array", npy(shape="(0, 4)", data=b""), wants="error")

    yield Case("a missing .npy", FIXED, "run FILE --in x=@missing.npy", wants="missing.npy")
    yield Case("a folder as .npy", FIXED, "run FILE --in x=@.", wants="error")
    yield Case("a device as .npy", FIXED, "run FILE --in x=@/dev/zero", wants="/dev/zero")
    yield Case("an input of no parameter", FIXED, "run FILE --in z=zeros", wants="error")
    yield Case("an input given twice", FIXED, "run FILE --in x=zeros --in x=ones", wants="error",
               status=(1, 2))
    for spec in ("", "nonsense", "@", "random:x", "2x3xf32=1 2 3", "2x4xf99=1", "-1x4:zeros",
                 "99999999999999999999x4:zeros", "2x4xf32=" + "9" * 5000, "x" * 100000):
        case = Case(f"an input spec `{spec[:30]}`", FIXED, "run FILE --in", wants="error",
                    status=(1, 2))
        case.args.append("x=" + spec)
        yield case
    both = "run FILE --in x=@x.npy --in y=@y.npy"
    yield Case("inconsistent symbolic dimensions", ADD, both, wants="error",
               files={"x.npy": npy(), "y.npy": npy(shape="(3, 4)", data=bytes(48))})
    yield Case("consistent symbolic dimensions", ADD, both, wants="", status=(0,),
               files={"x.npy": npy(), "y.npy": npy()})
    yield Case("a symbolic dimension against --dim", ADD, "run FILE --in x=@x.npy --dim n=3",
               wants="error", files={"x.npy": npy()}, status=(1, 2))
    for value in ("-1", "99999999999999999999", "x", ""):
        yield Case(f"--dim n={value}", ADD, f"run FILE --dim n={value}", wants="error", status=(1, 2))
    yield Case("--dim n=2**62", ADD, f"run FILE --dim n={2**62}", wants="error")
    yield Case("--dim of no symbol", ADD, "run FILE --dim k=2", wants="error", status=(1, 2))
    yield Case("an entry that is not there", ADD, "run FILE --entry nothing", wants="error")

    key = "run FILE --in x=@x.npz:x --in y=@y.npy"
    archive = npz(x=npy())
    yield Case("a good .npz", FIXED, key, files={"x.npz": archive, **y}, status=(0,), wants="")
    yield Case("a key that .npz lacks", FIXED, key, files={"x.npz": npz(a=npy()), **y}, wants="x.npz")
    yield Case(".npz cut short", FIXED, key, files={"x.npz": archive[:len(archive) // 2], **y}, wants="x.npz")
    yield Case(".npz with a damaged member", FIXED, key, wants="x.npz",
               files={"x.npz": archive.replace(b"NUMPY", b"NUMPX"), **y})
    yield Case("no .npz at all", FIXED, key, files={"x.npz": b"hello", **y}, wants="x.npz")
    key = "run FILE --in x=@x.safetensors:x --in y=@y.npy"
    row = '{"x": {"dtype": "F32", "shape": [2, 4], "data_offsets": [0, 32]}}'
    yield Case("good .safetensors", FIXED, key, files={"x.safetensors": safetensors(row), **y},
               status=(0,), wants="")
    for name, data in {
            "claims a header of 2**60 bytes": safetensors(row, length=2**60),
            "claims offsets past its end": safetensors(row.replace("[0, 32]", "[0, 3200]")),
            "claims offsets backwards": safetensors(row.replace("[0, 32]", "[32, 0]")),
            "claims another size": safetensors(row.replace("[2, 4]", "[2, 5]")),
            "claims a huge shape": safetensors(row.replace("[2, 4]", f"[{2**33}, {2**33}]")),
            "has no JSON": safetensors("nonsense"),
            "is nested 10,000 deep": safetensors("[" * 10000),
            "lacks the key": safetensors(row.replace('"x"', '"z"')),
            "is empty": b""}.items():
        yield Case(f".safetensors that {name}", FIXED, key, files={"x.safetensors": data, **y},
                   wants="x.safetensors")


def program_cases():
    """Programs that go wrong at run time."""
    yield Case("endless recursion", args="run FILE", wants="error", script=function(
        "y: R.Tensor((2, 2), dtype=\"float32\") = Module.main(x)", "return y").replace(
            '"float32"):', '"float32")) -> R.Tensor((2, 2), dtype="float32"):', 1))
    yield Case("a kernel that reads past its buffer", args="run FILE", wants="error",
               script=kernel("for i in range(4):", "    Y[i] = X[i + 1]"))
    yield Case("a kernel that writes before its buffer", args="run FILE", wants="error",
               script=kernel("for i in range(4):", "    Y[i - 1] = X[i]"))
    yield Case("a kernel with the wrong rank", kernel("for i in range(4):", "    Y[i, 0] = X[i]"))
    yield Case("a kernel with an undefined name", kernel("for i in range(4):", "    Y[i] = Z[i]"))
    yield Case("a kernel called with too few arguments", kernel("for i in range(4):", "    Y[i] = X[i]").replace("(x,)", "()"))
    yield Case("an undefined kernel", kernel("for i in range(4):", "    Y[i] = X[i]").replace("cls.f,", "cls.g,"))
    yield Case("a name defined twice", ADD + ADD[ADD.index("    @R.function"):])
    yield Case("a function that returns nothing", function("y = R.add(x, x)"))
    yield Case("other Python", HEAD + "import os\nos.system('false')\n")
    yield Case("a class without the decorator", ADD.replace("@I.ir_module\n", ""), status=(0, 1), wants="")


def output_cases():
    broken = FIXED.replace("R.add", "R.ad")
    out = {"out.npz": b"old", "out.py": b"old"}
    yield Case("no output for a wrong script", broken, "run FILE --out out.npz", files=out,
               keeps="out.npz")
    yield Case("no text for a wrong script", broken, "opt FILE -o out.py", files=out, keeps="out.py")
    yield Case("no output for a wrong input", FIXED, "run FILE --in x=@x.npy --out out.npz",
               wants="x.npy", files={**out, "x.npy": npy(shape="(9, 9)")}, keeps="out.npz")
    yield Case("an output folder that is not there", FIXED, "run FILE --out no/where/out.npz",
               wants="no/where/out.npz")
    yield Case("a missing script", None, "check FILE", wants="file")
    yield Case("a missing script for run", None, "run FILE", wants="file")
    yield Case("a folder as script", None, "check .", wants="error")


# What prints to standard output, and what `inlay check` of WRONG does there.
PRINTERS = ["run FILE", "run --interpret FILE", "opt FILE", "why FILE", "why --format=json FILE", "list ops", "list passes", "--help", "run --help",
            "--version", "explain E0301", "race FILE --pipelines debug,default", "check --diagnostics=json WRONG",
            "check --diagnostics=sarif FILE", "bisect FILE"]


def stream_problems(tool, command, stdout, folder):
    """What is printed into a closed or full standard output is missed: exit status 1 and a message."""
    folder = pathlib.Path(folder)
    (folder / "nasty.py").write_bytes(FIXED.encode())
    (folder / "wrong.py").write_bytes(FIXED.replace("R.add", "R.ad").encode())
    line = f"{tool} {command.replace('FILE', 'nasty.py').replace('WRONG', 'wrong.py')} {stdout}"
    done = subprocess.run(["sh", "-c", line], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, timeout=TIMEOUT)
    output = done.stderr.decode("utf-8", "replace")
    if done.returncode == 1 and "standard output cannot be written" in output:
        return []
    return [f"exit status {done.returncode}, not 1", *output.splitlines()[:5]]


def limit_memory():
    if SLOW == 1:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def is_found(wants, output):
    """Does the output say what is wanted?"""
    if not wants:
        return True
    if not re.search(r"^(inlay: )?error(\[E\d{4}\])?: ", output, re.MULTILINE):
        return False
    if wants.startswith("line"):
        number = wants[5:] or r"\d+"
        return re.search(rf"nasty\.py:{number}:\d+", output) is not None
    return wants == "error" or (wants if wants != "file" else "nasty.py") in output


def problems(tool, case, folder):
    folder = pathlib.Path(folder)
    if case.script is not None:
        (folder / "nasty.py").write_bytes(case.script)
    for name, data in case.files.items():
        (folder / name).write_bytes(data)
    args = [arg.replace("FILE", "nasty.py") for arg in case.args]
    try:
        done = subprocess.run([tool, *args], cwd=folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=TIMEOUT,
                              preexec_fn=limit_memory)
    except subprocess.TimeoutExpired:
        return [f"no end within {TIMEOUT} s"]
    output = done.stdout.decode("utf-8", "replace")
    found = []
    if done.returncode not in case.status:
        found.append(f"exit status {done.returncode}, not {' or '.join(map(str, case.status))}")
    if not is_found(case.wants, output):
        found.append(f"the output lacks a message ({case.wants})")
    if len(output) > 200000:
        found.append(f"{len(output)} characters of output")
    if case.keeps and (folder / case.keeps).read_bytes() != case.files[case.keeps]:
        found.append(f"{case.keeps} was changed")
    extra = {path.name for path in folder.iterdir()} - {"nasty.py", *case.files}
    if extra:
        found.append(f"left behind: {', '.join(sorted(extra))}")
    return found + [line[:200] for line in output.splitlines()[:20]] if found else []


def main(tool, wanted=""):
    tool = str(pathlib.Path(tool).resolve())
    cases = [case for make in (script_cases, number_cases, run_cases, program_cases, output_cases)
             for case in make() if wanted in case.name]
    tests = [(case.name, lambda folder, case=case: problems(tool, case, folder)) for case in cases]
    tests += [(f"{command} {stdout}", lambda folder, c=command, s=stdout: stream_problems(tool, c, s, folder))
              for command in PRINTERS for stdout in (">&-", "> /dev/full", "<&- >&-")
              if wanted in f"{command} {stdout}"]
    failed = 0
    print(f"1..{len(tests)}")
    for number, (name, check) in enumerate(tests, 1):
        with tempfile.TemporaryDirectory() as folder:
            found = check(folder)
        failed += bool(found)
        print(f"{'not ok' if found else 'ok'} {number} - {name.encode('unicode_escape').decode()}".replace("#", ""),
              flush=True)
        for line in found:
            print(f"# {line}")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
