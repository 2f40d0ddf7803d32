#!/usr/bin/env python3
"""What `inlay compile`, `inspect` and `verify` refuse, and how artifacts behave where they are not used as meant.

Every refusal must have its exit code and its words, and leave the folder as it was.  Prints TAP.

usage: artifact_errors.py TOOL ROOT
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TIMEOUT = 60 * int(os.environ.get("INLAY_SLOW", "1"))
IS_SANITIZED = "ASAN_OPTIONS" in os.environ
HEAD = """from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
"""
ADD = HEAD + """    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), y: R.Tensor((4,), "float32")) -> R.Tensor(("n", 4), "float32"):
        n = T.int64()
        out = R.add(x, y)
        return out
"""
TWO = HEAD + """    @R.function
    def f(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return R.add(x, x)

    @R.function
    def f_dl(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return R.add(x, x)
"""
WORD = HEAD + """    @R.function
    def main(register: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return R.add(register, register)
"""
STATE = HEAD + """    @R.function
    def main(state: R.Tensor((8,), "float32"), x: R.Tensor((8,), "float32"), i: R.Tensor((2,), "int64")) -> R.Tuple(
            R.Tensor((8,), "float32"), R.Tensor((2,), "float32")):
        R.func_attr({"relax.inplace_arg": [0]})
        new = R.add(state, x)
        sums = R.cumsum(x, axis=0)
        taken = R.take(sums, i, axis=0)
        return (new, taken)
"""
BIG = HEAD + """    @R.function
    def main(x: R.Tensor((64, 64), "float32")) -> R.Tensor((64, 64), "float32"):
        y = R.matmul(x, x)
        z = R.matmul(y, x)
        return z
"""
WIDE = HEAD + """    @R.function
    def main(x: R.Tensor(("n", 64), "float32")) -> R.Tensor(("n", 64), "float32"):
        y = R.matmul(x, R.matmul(R.permute_dims(x), x))
        return y
"""
PRINT = HEAD + """    @R.function(pure=False)
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        _ = R.print(x, format="{}")
        return R.add(x, x)
"""
PACKED = HEAD + """    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        y = R.call_pure_packed("my.thing", x, sinfo_args=R.Tensor((4,), "float32"))
        return y
"""
RECURSION = HEAD + """    @R.function(private=True)
    def down(x: R.Tensor((4,), "float32"), i: R.Prim("int64")) -> R.Tensor((4,), "float32"):
        cls = Module
        if R.prim_value(i > 0):
            y: R.Tensor((4,), "float32") = cls.down(x, R.prim_value(i - 1))
            r = R.add(y, y)
        else:
            r = x
        return r

    @R.function
    def main(x: R.Tensor((4,), "float32"), n: R.Prim("int64")) -> R.Tensor((4,), "float32"):
        cls = Module
        r: R.Tensor((4,), "float32") = cls.down(x, R.prim_value(n))
        return r
"""
GROWING = HEAD + """    @R.function(private=True)
    def longer(x: R.Tensor(("n",), "float32"), s: R.Tensor((1,), "float32"), i: R.Prim("int64")) -> R.Tensor((1,), "float32"):
        n = T.int64()
        BOUNDS
        cls = Module
        if R.prim_value(i > 0):
            y = R.concat((x, s), axis=0)
            z = R.sum(y, axis=0, keepdims=True)
            r: R.Tensor((1,), "float32") = cls.longer(y, z, R.prim_value(i - 1))
        else:
            r = s
        return r

    @R.function
    def main(x: R.Tensor((4,), "float32"), i: R.Prim("int64")) -> R.Tensor((1,), "float32"):
        cls = Module
        s = R.sum(x, axis=0, keepdims=True)
        r: R.Tensor((1,), "float32") = cls.longer(x, s, R.prim_value(i))
        return r
"""
# name, script, arguments, exit code, words; {0} is the folder
REFUSALS = [
    ("unknown suffix", ADD, "-o m.xyz", 2, "what to write"),
    ("no suffix", ADD, "-o m", 2, "what to write"),
    ("no output", ADD, "", 2, "where to"),
    ("unknown kind", ADD, "-o m.so --emit=o,exe", 2, "`exe`"),
    ("bad prefix", ADD, "-o m.o --prefix=a-b", 2, "--prefix takes a C name"),
    ("bad limit", ADD, "-o m.o --max-arena=12Q", 2, "number of bytes"),
    ("no such folder", ADD, "-o none/m.o", 1, "none/m.o"),
    ("a folder", ADD, "-o folder.o", 1, "is a folder"),
    ("full disk", ADD, "-o full.o", 1, "cannot be written"),
    ("full disk, several files", ADD, "-o full.o --emit=o,h,json", 1, "cannot be written"),
    ("header in no folder", ADD, "-o m.o --header none/m.h", 1, "none/m.h"),
    ("no linker", ADD, "-o m.so", 1, "E0745", {"CC": "/none/cc"}),
    ("a linker that fails", ADD, "-o m.so --emit=o,so,h", 1, "E0745", {"CC": "false"}),
    ("two entries with one name", TWO, "-o m.o", 1, "E0741"),
    ("a reserved word", WORD, "-o m.o", 1, "E0742"),
    ("a reserved name", ADD.replace("def main", "def register"), "-o m.o --prefix=", 1, "E0742"),
    ("a bad limit of the stack", ADD, "-o m.o --max-stack=-1", 2, "number of bytes"),
    ("an arena over the limit", BIG, "-o m.o --max-arena=16K", 1, "E0746"),
    ("an arena without a limit", WIDE, "-o m.o --max-arena=1M -p debug", 1, "E0746"),
    ("a value that is not in place", BIG, "-o m.o --require-inplace=z", 1, "z"),
    ("printing", PRINT, "-o m.o", 1, "does not print"),
    ("packed functions", PACKED, "-o m.o", 1, "packed functions"),
    ("recursion that is no loop", RECURSION, "-o m.o", 1, "private functions whose last act is the call"),
    ("a loop that takes more in each turn", GROWING.replace("        BOUNDS\n", ""), "-o m.o", 1, "tir_var_upper_bound"),
    ("a script with an error", ADD.replace("R.add", "R.ad"), "-o m.o", 1, "R.add"),
]


def run(tool, args, folder, env=None):
    done = subprocess.run([tool, *args], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=TIMEOUT, env={**os.environ, **(env or {})})
    return done.returncode, done.stdout + done.stderr


def files(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def refuse(tool, folder, script, args, code, words, env=None):
    (folder / "m.py").write_text(script)
    (folder / "folder.o").mkdir()
    (folder / "full.o").symlink_to("/dev/full")
    before = files(folder)
    status, output = run(tool, ["compile", "m.py", *args.split()], folder, env)
    assert status == code, f"exit status {status}, not {code}: {output}"
    assert words in output, f"`{words}` is not in: {output}"
    assert files(folder) == before, f"files were left: {set(files(folder)) - set(before)}"


def compile_to(tool, folder, script, *args):
    (folder / "m.py").write_text(script)
    status, output = run(tool, ["compile", "m.py", *args], folder)
    assert status == 0, output


def reproducible(tool, folder):
    """The same bytes again, in another folder too."""
    kinds = "--emit=o,a,so,ll,bc,s,h,c,json,pc,cmake"
    for name in ("one", "two"):
        (folder / name).mkdir()
        compile_to(tool, folder / name, ADD, "-o", "m.o", kinds)
    names = files(folder / "one")
    assert names == files(folder / "two") and len(names) == 12, names
    for name in names:
        assert (folder / "one" / name).read_bytes() == (folder / "two" / name).read_bytes(), f"{name} differs"
    texts = {(folder / "one" / "m.s").read_bytes()}
    for _ in range(12):  # what was emitted before lies at other addresses each time
        compile_to(tool, folder / "two", ADD, "-o", "m.o", "--emit=o,s")
        texts.add((folder / "two" / "m.s").read_bytes())
    assert len(texts) == 1, f"{len(texts)} texts of assembly"


def no_arena(tool, folder):
    """Results are computed where the caller wants them, and described there."""
    for script in (ADD, TWO.replace("f_dl", "g")):
        compile_to(tool, folder, script, "-o", "m.o", "--max-arena=0")


def small(tool, folder):
    """What the runtime, three doors and the manifest take beside the code of the script."""
    compile_to(tool, folder, ADD.replace('"n", 4', "16,").replace("(4,)", "(16,)").replace("        n = T.int64()\n", ""), "-o", "m.so",
               "--strip")
    size = (folder / "m.so").stat().st_size
    assert size <= 16 << 10, f"{size} bytes"


def symbols(path, *options):
    out = subprocess.run(["nm", *options, path], capture_output=True, text=True, check=True).stdout
    return {(line.split()[-2], line.split()[-1].split("@")[0]) for line in out.splitlines() if len(line.split()) > 1}


def symbols_are_promised(tool, folder):
    compile_to(tool, folder, STATE, "-o", "m.so", "--emit=so,o,a")
    promised = {"m_main", "m_main_dl", "m_main_arena_bytes", "m_message", "__tvm_ffi_main"}
    libc = {"memcpy", "memmove", "memset", "memcmp", "strlen", "strcmp", "strncmp", "strcspn"}
    for path, options in ((folder / "m.so", ["-D"]), (folder / "m.o", ["-g"]), (folder / "m.a", ["-g"])):
        found = {(kind, name) for kind, name in symbols(path, *options) if name not in ("m.o:",)}
        assert {name for kind, name in found if kind == "T"} == promised, f"{path.name}: {found}"
        wanted = {name for kind, name in found if kind == "U"} - {"_GLOBAL_OFFSET_TABLE_"}
        assert wanted <= libc, f"{path.name} needs {wanted - libc}"
        rest = {name for kind, name in found if kind not in "TUwv"}
        assert not rest, f"{path.name} shows {rest}"
    sections = subprocess.run(["readelf", "-SW", folder / "m.so"], capture_output=True, text=True, check=True).stdout
    assert "init_array" not in sections, "there are constructors" # one destructor frees the blocks of tvm-ffi's door
    dynamic = subprocess.run(["readelf", "-dW", folder / "m.so"], capture_output=True, text=True, check=True).stdout
    needed = set(re.findall(r"NEEDED.*\[(.*?)\]", dynamic))
    assert needed <= {"libc.so.6", "libm.so.6"}, needed
    assert "Library soname: [m.so]" in dynamic, dynamic


def build(folder, name, source, flags, libs):
    (folder / f"{name}.c").write_text(source)
    compiler = os.environ.get("CC", "cc").split()
    subprocess.run([*compiler, "-std=gnu11", "-Wall", "-Werror", "-I.", *flags, f"{name}.c", *libs, "-o", name], cwd=folder,
                   check=True)


def execute(folder, name):
    done = subprocess.run([folder / name], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=TIMEOUT)
    assert done.returncode == 0, f"exit status {done.returncode}: {done.stdout}{done.stderr}"


def host(folder, root, name, flags=(), libs=("m.o", "-lm")):
    build(folder, name, (root / "tests/artifact" / f"{name}.c").read_text(), list(flags), list(libs))
    execute(folder, name)


def doors(tool, folder, root):
    """Wrong arguments at each door."""
    compile_to(tool, folder, STATE, "-o", "m.o", "--emit=o,h")
    host(folder, root, "doors")


def no_memory(tool, folder, root):
    """A thousand calls take nothing from the heap."""
    compile_to(tool, folder, STATE, "-o", "m.o", "--emit=o,h")
    host(folder, root, "no_memory", ["-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free,--wrap=aligned_alloc"])


def stack(tool, folder, root):
    """What a call takes of its thread's stack is no more than the header says, and that is no more than it must be."""
    compile_to(tool, folder, STATE, "-o", "m.o", "--emit=o,h,json")
    if not IS_SANITIZED:
        host(folder, root, "stack", ["-O1", "-Wl,-z,now"], ["m.o", "-lm", "-lpthread"])
    limit = json.loads((folder / "m.json").read_text())["functions"][0]["stack_bytes"]
    assert f"#define M_MAIN_STACK_BYTES {limit}u" in (folder / "m.h").read_text()
    assert f"stack: {limit} bytes" in run(tool, ["inspect", "m.o"], folder)[1]
    compile_to(tool, folder, STATE, "-o", "m.o", f"--max-stack={limit}")
    for kinds in ("o", "h", "ll,json"):
        before = files(folder)
        status, output = run(tool, ["compile", "m.py", "-o", "n.o", f"--emit={kinds}", f"--max-stack={limit - 1}"], folder)
        assert status == 1 and "E0752" in output and files(folder) == before, output


def typed(tool, folder, root):
    """What the documents say is typed links and runs as it stands, with nothing in the environment that finds libraries."""
    compile_to(tool, folder, STATE, "-o", "m.so", "--emit=o,so,h,c,pc")
    commands = re.findall(r"^(cc m_main\.c .*? && \./a\.out)", (root / "docs/artifacts.md").read_text(), re.M)
    assert len(commands) == 2, commands
    if shutil.which("pkg-config"):
        commands.append("cc m_main.c $(pkg-config --cflags --libs m) && cd / && \"$OLDPWD\"/a.out")
    env = {name: text for name, text in os.environ.items() if name not in ("LD_LIBRARY_PATH", "CC")}
    for command in commands:
        done = subprocess.run(["sh", "-c", command], cwd=folder, env={**env, "PKG_CONFIG_PATH": str(folder)}, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=TIMEOUT, check=False)
        assert done.returncode == 0 and "the same bits" in done.stdout, f"{command}: {done.stdout}{done.stderr}"


def sanitized(tool, folder, root, flags):
    compile_to(tool, folder, STATE, "-o", "m.o", "--emit=o,h")
    probe = subprocess.run([*os.environ.get("CC", "cc").split(), *flags, "-x", "c", "-", "-o", folder / "probe"],
                           input="int main(void){return 0;}", text=True, capture_output=True, check=False)
    if probe.returncode == 0:
        host(folder, root, "threads", [*flags, "-g"], ["m.o", "-lm", "-lpthread"])


def inspected(tool, folder):
    compile_to(tool, folder, STATE, "-o", "m.so", "--emit=so,o,a")
    for name in ("m.so", "m.o", "m.a"):
        status, output = run(tool, ["inspect", name], folder)
        assert status == 0 and "m_main: main(state" in output, output
        status, output = run(tool, ["inspect", name, "--format=json"], folder)
        assert status == 0 and '"symbol": "m_main"' in output, output
    for name, data in (("text.so", b"no artifact"), ("empty.so", b""), ("cut.so", (folder / "m.so").read_bytes()[:3000]),
                       ("cut.a", (folder / "m.a").read_bytes()[:200]), ("head.o", (folder / "m.o").read_bytes()[:40])):
        (folder / name).write_bytes(data)
        status, output = run(tool, ["inspect", name], folder)
        assert status == 1 and "E0747" in output, f"{name}: {status} {output}"
    foreign = (folder / "m.so").read_bytes().replace(b"\0abi 1\n", b"\0abi 7\n")
    (folder / "foreign.so").write_bytes(foreign)
    status, output = run(tool, ["verify", "foreign.so", "--against", "m.py"], folder)
    assert status == 1 and "E0747" in output and "ABI" in output, output


def verified(tool, folder):
    compile_to(tool, folder, STATE, "-o", "m.so", "--emit=so,o,a")
    (folder / "other.py").write_text(STATE.replace("R.add", "R.subtract"))
    for name in ("m.so", "m.o", "m.a"):
        status, output = run(tool, ["verify", name, "--against", "m.py"], folder)
        assert status == 0 or "E0803" in output, output
        status, output = run(tool, ["verify", name, "--against", "other.py"], folder)
        assert status == 4 and "E0748" in output, f"{status} {output}"


BY_INTERPRETER, BY_CODE = "as the interpreter computes it", "as code without schedules, fusion and results in place computes it"
LARGE = HEAD + """    @R.function
    def main(x: R.Tensor((192, 192), "float32"), y: R.Tensor((192, 192), "float32")) -> R.Tensor((192, 192), "float32"):
        R.func_attr({"relax.inplace_arg": [0]})
        with R.dataflow():
            z = R.add(x, R.matmul(R.nn.relu(x), y))
            R.output(z)
        return z
"""
SEVERAL = HEAD + """    @R.function
    def f(x: R.Tensor(("n", 4), "float32")) -> R.Tensor(("n", 4), "float32"):
        return R.add(x, x)

    @R.function
    def g(y: R.Tensor(("m", 4), "float32"), t: R.Tuple(R.Tensor((2,), "float32"))) -> R.Tuple(R.Tensor(("m", 4), "float32"), R.Tensor((2,), "float32")):
        return (R.exp(y), t[0])
"""


def held_against(tool, folder):
    """Who says what is right: by work, or as asked."""
    def verify(name, *options):
        return run(tool, ["verify", "m.so", "--against", name, *options], folder)

    (folder / "other.py").write_text(LARGE.replace("R.add", "R.subtract"))
    compile_to(tool, folder, LARGE, "-o", "m.so")
    for options, how in (([], BY_CODE), (["--oracle=compiled"], BY_CODE), (["--oracle=interpreter"], BY_INTERPRETER)):
        status, output = verify("m.py", *options)
        assert status == 0 and output == f"main: {how}\n", f"{options}: {status} {output}"
        status, output = verify("other.py", *options)
        assert status == 4 and "E0748" in output and how not in output, f"{options}: {status} {output}"
    compile_to(tool, folder, SEVERAL, "-o", "m.so")
    for options, how in (([], BY_INTERPRETER), (["--oracle=compiled"], BY_CODE)):
        status, output = verify("m.py", "--dim", "n=4", "--dim", "m=3", "--in", "y=3x4:ones", "--in", "t.0=2:iota", *options)
        assert status == 0 and output == f"f: {how}\ng: {how}\n", f"{options}: {status} {output}"
    for options, message in ((["--dim", "n=4"], "E0710"), (["--dim", "n=4", "--dim", "m=3", "--dim", "k=3"], "E0712"),
                             (["--dim", "n=4", "--dim", "m=3", "--in", "z=4x4:ones"], "E0706"), (["--dim", "n=4", "--dim", "m=3", "--in", "t.1=2:iota"], "E0706")):
        status, output = verify("m.py", *options)
        assert status == 1 and message in output, f"{options}: {status} {output}"


def main():
    tool, root = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    tests = [(row[0], lambda folder, row=row: refuse(tool, folder, *row[1:])) for row in REFUSALS]
    tests += [
        ("the same bytes again", lambda folder: reproducible(tool, folder)),
        ("no arena for results", lambda folder: no_arena(tool, folder)),
        ("size", lambda folder: small(tool, folder)),
        ("symbols", lambda folder: symbols_are_promised(tool, folder)),
        ("inspect", lambda folder: inspected(tool, folder)),
        ("verify", lambda folder: verified(tool, folder)),
        ("verify: by what", lambda folder: held_against(tool, folder)),
        ("wrong arguments", lambda folder: doors(tool, folder, root)),
        ("no memory from the heap", lambda folder: no_memory(tool, folder, root)),
        ("commands of the documents", lambda folder: typed(tool, folder, root)),
        ("the stack of a thread", lambda folder: stack(tool, folder, root)),
        ("threads", lambda folder: sanitized(tool, folder, root, [])),
        ("threads: address", lambda folder: sanitized(tool, folder, root, ["-fsanitize=address,undefined"])),
        ("threads: thread", lambda folder: sanitized(tool, folder, root, ["-fsanitize=thread"])),
    ]
    print(f"1..{len(tests)}")
    failed = 0
    for i, (name, test) in enumerate(tests, 1):
        folder = pathlib.Path(tempfile.mkdtemp())
        try:
            test(folder)
            print(f"ok {i} - {name}")
        except (AssertionError, subprocess.CalledProcessError) as error:
            failed += 1
            print(f"not ok {i} - {name}")
            print("\n".join("# " + line for line in str(error).splitlines()))
        shutil.rmtree(folder)
    return failed > 0


sys.exit(main())
