#!/usr/bin/env python3
"""What is compiled once is not compiled again, and never the wrong thing is taken for it.  Prints TAP.

usage: cache.py TOOL
"""
import os
import pathlib
import re
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import zipfile

TIMEOUT = 120 * int(os.environ.get("INLAY_SLOW", "1"))
HEAD = """from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
"""
KERNEL = """    @T.prim_func(private=True)
    def {name}(x: T.Buffer((64, 40), "{dtype}"), y: T.Buffer((64, 40), "{dtype}")):
        for i in T.{loop}(64):
            for j in T.vectorized(40):
                with T.sblock("b"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    y[vi, vj] = x[vi, vj] * T.{dtype}({factor}) + T.{dtype}({offset})

"""
MAIN = """    @R.function
    def main(x: R.Tensor((64, 40), "{dtype}")) -> R.Tensor((64, 40), "{dtype}"):
        cls = Module
"""
CHECKED = HEAD + """    @T.prim_func(private=True)
    def pick(x: T.Buffer((8,), "float32"), at: T.Buffer((4,), "int64"), y: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("b"):
                vi = T.axis.spatial(4, i)
                y[vi] = x[at[vi]]

    @R.function
    def main(x: R.Tensor((8,), "float32"), at: R.Tensor((4,), "int64")) -> R.Tensor((4,), "float32"):
        cls = Module
        return R.call_tir(cls.pick, (x, at), out_sinfo=R.Tensor((4,), "float32"))
"""


def script(count, dtype="float32", changed=None, value="0.125", loop="serial"):
    """A chain of kernels that differ by their constants, which LLVM keeps in memory under names that repeat."""
    kernels = "".join(KERNEL.format(name=f"k{i}", dtype=dtype, loop=loop, factor=f"1.{i + 1:02}", offset=value if i == changed else f"0.{i + 1:02}")
                      for i in range(count))
    calls = "".join(f"        y{i} = R.call_tir(cls.k{i}, ({f'y{i - 1}' if i else 'x'},), out_sinfo=R.Tensor((64, 40), \"{dtype}\"))\n"
                    for i in range(count))
    return HEAD + kernels + MAIN.format(dtype=dtype) + calls + f"        return y{count - 1}\n"


class Suite:
    def __init__(self, tool, folder):
        self.tool, self.folder, self.count, self.failed, self.made = tool, folder, 0, 0, 0

    def put(self, is_good, text, why=""):
        self.count += 1
        self.failed += not is_good
        print(f"{'ok' if is_good else 'not ok'} {self.count} - {text}")
        if not is_good:
            print("".join(f"# {line}\n" for line in str(why).splitlines()[:30]), end="")

    def home(self):
        self.made += 1
        return self.folder / f"home{self.made}"

    def run(self, home, text, *args, command="run", environment=None, **more):
        path = self.folder / "script.py"
        path.write_text(text)
        passes = ("-p", "debug") if command == "run" else () # kernels stay as they are
        return self.tool_at(home, command, path, *passes, *args, environment=environment, **more)

    def tool_at(self, home, *args, environment=None, **more):
        variables = {name: value for name, value in os.environ.items() if name not in ("XDG_CACHE_HOME", "INLAY_CACHE_BYTES")}
        variables |= {"XDG_CACHE_HOME": str(home)} | (environment or {})
        return subprocess.run([str(a) for a in (self.tool, *args)], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT,
                              check=False, env=variables, **more)


def objects(home):
    return {path: path.read_bytes() for path in pathlib.Path(home).glob("inlay/??/*")}


def hits(suite):
    """The second time nothing is compiled, whatever happens in between to other scripts."""
    home, text = suite.home(), script(12)
    plain = suite.run(home, text, "--no-cache", "--check")
    suite.put(plain.returncode == 0 and not home.exists(), "--no-cache keeps nothing", plain.stderr)
    first = suite.run(home, text)
    kept = objects(home)
    suite.put(first.returncode == 0 and first.stdout == plain.stdout and len(kept) == 14, "an object for each kernel and the functions, and a record of the whole",
              f"{len(kept)}\n{first.stderr}{first.stdout}{plain.stdout}")
    again = suite.run(home, text)
    suite.put(again.stdout == first.stdout and objects(home) == kept, "the second run adds none")
    changed = suite.run(home, script(12, changed=5))
    suite.put(changed.returncode == 0 and changed.stdout != first.stdout and len(objects(home)) == 16, "one kernel changed is one object more, and a record",
              len(objects(home)))
    mode = (home / "inlay").stat().st_mode & 0o777
    suite.put(mode == 0o700 and not list(home.glob("inlay/**/*.*")), "the folder is the user's alone, and nothing half is in it", oct(mode))
    raced = suite.run(home, text, "--pipelines", "default", command="race")
    suite.put(raced.returncode == 0, "race uses it", raced.stderr)


def misses(suite):
    """Whatever is in the code is in the key."""
    home, count, small = suite.home(), 0, script(2, loop="parallel")
    variants = {"a script": (small, []), "another constant": (script(2, changed=1, loop="parallel"), []),
                "another constant in its last place": (script(2, changed=1, value="0.12500001", loop="parallel"), []),
                "another dtype": (script(2, dtype="float64", loop="parallel"), []), "another loop": (script(2), []), "-O1": (small, ["-O1"]), "-O0": (small, ["-O0"]),
                "-O3": (small, ["-O3"]), "shorter vectors": (small, ["--vectors=16"]), "another line": ("\n" + small, []), "--stats": (small, ["--stats"]),
                "--check-memory": (small, ["--check-memory"])}
    if os.uname().machine == "x86_64":
        variants["another processor"] = (small, ["--cpu=x86-64-v2"])
    for name, (text, args) in variants.items():
        with_it, without = suite.run(home, text, *args), suite.run(home, text, *args, "--no-cache")
        strip = lambda done: re.sub(r"\S*_ms\S*.*|compile.*|run .*", "", done.stdout)
        now = len(objects(home))
        is_new = now > count or name == "--stats"  # which may well be the same code
        suite.put(with_it.returncode == without.returncode == 0 and strip(with_it) == strip(without) and is_new, f"{name} is not taken for another",
                  f"{count} {now}\n{with_it.stdout}{without.stdout}{with_it.stderr}")
        count = now
    for text, line in ((CHECKED, 12), ("\n\n" + CHECKED, 14), (CHECKED, 12), (CHECKED.replace("x[at", "renamed[at").replace("pick(x", "pick(renamed"), 12)):
        done = suite.run(home, text, "--in=at=4xi64=1 2 9 3")
        name = "renamed" if "renamed" in text else "x"
        suite.put(done.returncode == 1 and f"script.py:{line}:" in done.stderr and f"`{name}`" in done.stderr, f"messages say line {line} and `{name}`",
                  done.stderr)


def artifact(suite, home, text, *args):
    """All bytes of a compiled script and what is said of it."""
    # (what shows passes makes them run, whatever is known of the whole)
    done = suite.run(home, text, "-o", suite.folder / "m.o", "--emit=o,h,json", "-p", "debug", "--time-passes", *args, command="compile")
    return [path.read_bytes() for path in sorted(suite.folder.glob("m.*"))] if done.returncode == 0 else done.stderr


def artifacts(suite):
    """Files are the same bytes whoever made them: threads, the folder, or both."""
    home, text = suite.home(), script(12)
    plain = artifact(suite, home, text, "--no-cache", "--compile-threads=1")
    suite.put(len(plain) == 3 and not home.exists(), "an artifact without a folder", plain)
    suite.put(artifact(suite, home, text) == plain and len(objects(home)) == 14, "kernels, functions and runtime are kept", len(objects(home)))
    kept = objects(home)
    suite.put(artifact(suite, home, text) == plain and objects(home) == kept, "the second artifact is the same, of the same objects")
    for threads in (2, 5):
        suite.put(artifact(suite, suite.home(), text, f"--compile-threads={threads}") == plain, f"and with {threads} threads")
    for path in sorted(kept)[::2]:
        path.unlink()
    suite.put(artifact(suite, home, text) == plain and objects(home) == kept, "half of them made again")
    for path, data in kept.items():
        path.write_bytes(data[:-9] + bytes([data[-9] ^ 4]) + data[-8:])
    suite.put(artifact(suite, home, text) == plain and objects(home) == kept, "damage is mended, also that of what is said of the stack")
    changed = artifact(suite, home, script(12, changed=5))
    suite.put(len(changed) == 3 and changed != plain and len(objects(home)) == 16, "one kernel changed is that kernel and the functions anew",
              len(objects(home)))
    limit = suite.run(home, text, "-o", suite.folder / "m.o", "-p", "debug", "--max-stack=8", command="compile")
    suite.put(limit.returncode == 1 and "E0752" in limit.stderr, "a stack that is too large is that of kept objects, too", limit.stderr)
    stack = {name: artifact(suite, suite.home(), text, *args) for name, args in (("-O0", ["-O0"]), ("-O3", ["-O3"]))}
    suite.put(all(stack[f"-O{i}"] == artifact(suite, suite.home(), text, f"-O{i}", "--no-cache") for i in (0, 3)) and stack["-O0"] != plain, "-O0 and -O3")


BOUND = HEAD + """    @R.function
    def main(x: R.Tensor((4,), "float32"), w: R.Tensor((4,), "float32")):
        y = R.multiply(x, w)
        return y
"""
MISSED = HEAD + """    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = R.add(x, x)
        return y
"""


def numpy_file(path, *values):
    """A float32 vector as .npy."""
    head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({len(values)},), }}".encode()
    head += b" " * (-(len(head) + 11) % 64) + b"\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + struct.pack(f"<{len(values)}f", *values))


def whole(suite):
    """The second time that the same artifact is asked for, nothing is done but writing it; and what was said is said again."""
    home, folder, text = suite.home(), suite.folder / "whole", script(3)
    folder.mkdir()
    compiler, log = folder / "compiler", folder / "log"

    def build(text, *args, **environment):
        log.write_text("")
        for path in folder.glob("m*"):
            path.unlink()
        done = suite.run(home, text, "-o", folder / "m.so", "--emit=so,h", *args, command="compile", environment={"CC": str(compiler)} | environment)
        return done, [path.read_bytes() for path in sorted(folder.glob("m*"))], len(log.read_text().splitlines())

    def linker(more=""):
        compiler.write_text(f"#!/bin/sh\necho linked >> {log}\n{more}exec cc \"$@\"\n")
        compiler.chmod(0o755)
    linker()
    first = build(text)
    suite.put(first[0].returncode == 0 and len(first[1]) == 2 and first[2] == 1, "a library is linked", first[0].stderr)
    again = build(text)
    suite.put(again[0].returncode == 0 and again[1] == first[1] and again[2] == 0, "and not a second time", again[0].stderr)
    for name, args in {"no cache": ["--no-cache"], "passes are timed": ["--time-passes"]}.items():
        done = build(text, *args)
        suite.put(done[1] == first[1] and done[2] == 1 and ("ToNonDataflow" in done[0].stderr) == ("--time-passes" in args), f"but where {name}", done[0].stderr)
    for name, (other, args, environment) in {"another script": (script(3, changed=1), [], {}), "its lines": ("\n" + text, [], {}),
                                             "-O1": (text, ["-O1"], {}), "a prefix": (text, ["--prefix=other"], {}), "--strip": (text, ["--strip"], {}), "--threads": (text, ["--threads=2"], {}),
                                             "PATH": (text, [], {"PATH": os.environ["PATH"] + ":/nowhere"})}.items():
        done, plain = build(other, *args, **environment), build(other, *args, "--no-cache", **environment)
        suite.put(done[0].returncode == 0 and done[1] == plain[1] and done[2] == 1, f"{name} is another artifact", done[0].stderr)
    linker("# changed\n")
    changed = build(text)
    suite.put(changed[1] == first[1] and changed[2] == 1 and build(text)[2] == 0, "another linker links again")
    for name, data in {path: path.read_bytes() for path in objects_of_files(home)}.items():
        name.write_bytes(data[:200] + bytes([data[200] ^ 1]) + data[201:])
    mended = build(text)
    suite.put(mended[1] == first[1] and mended[2] == 1 and build(text)[2] == 0, "damage is mended", mended[0].stderr)
    (folder / "m.so").unlink()
    (folder / "m.so").mkdir()
    refused = suite.run(home, text, "-o", folder / "m.so", "--emit=so,h", command="compile", environment={"CC": str(compiler)})
    suite.put(refused.returncode == 1 and "E0702" in refused.stderr and "m.so" in refused.stderr, "what cannot be written is said", refused.stderr)
    (folder / "m.so").rmdir()
    missing = build(text, CC=str(folder / "nobody"))
    suite.put(missing[0].returncode == 1 and not missing[1], "a linker that is not there is missed", missing[0].stderr)
    bound = ["-p", f"BindParams(file=\"{folder / 'w.npz'}\"),default"]
    seen = []
    for values in ((1, 2, 3, 4), (1, 2, 3, 5), (1, 2, 3, 4)):
        numpy_file(folder / "w.npy", *values)
        with zipfile.ZipFile(folder / "w.npz", "w") as archive:
            archive.write(folder / "w.npy", "w.npy")
        seen.append([build(BOUND, *bound), build(BOUND, *bound), build(BOUND, *bound, "--no-cache")])
    suite.put(all(one[0][0].returncode == 0 and one[0][1] == one[1][1] == one[2][1] and one[1][2] == 0 for one in seen) and
              seen[0][0][1] != seen[1][0][1] and seen[0][0][1] == seen[2][0][1] and seen[1][0][2] == 1, "a file that passes read", seen[0][0][0].stderr)
    warned = [build(MISSED, "-Winplace-missed") for _ in range(2)]
    suite.put("warning" in warned[0][0].stderr and warned[0][0].stderr == warned[1][0].stderr and warned[0][1] == warned[1][1], "a warning comes again",
              warned[0][0].stderr)


LARGE = HEAD + """    @R.function(pure=False)
    def main(x: R.Tensor((64, 40), "float32")) -> R.Tensor((64, 40), "float32"):
        a = R.arange(0, 2560, 1, dtype="float32")
        b = R.reshape(a, (64, 40))
        c = R.add(b, R.const(0.5, "float32"))
        y = R.multiply(x, c)
        R.print(format="now")
        return y
"""
OPEN = HEAD + """    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        y = R.add(x, x)
        return y
"""
TIMES = re.compile(r"time: .*|\S*_ms\S* \S*")


def again(suite):
    """The second run of a script has neither passes nor compilation, and is otherwise what it was."""
    home, text = suite.home(), script(6)

    def ran(text, *args, **more):
        return suite.run(home, text, *args, **more)

    def has_record(text, *args):
        """Is the run the same, twice, and is a record all that the second one needs?"""
        plain, first = ran(text, *args, "--no-cache"), ran(text, *args)
        before = set(objects(home))
        ran(text, *args, "--roundtrip-each")  # which has objects, and no record
        strip = lambda done: (done.returncode, TIMES.sub("", done.stdout), done.stderr)
        again = ran(text, *args)
        return strip(plain) == strip(first) == strip(again), first, before

    is_same, first, _ = has_record(text)
    for path in objects(home):
        path.unlink()
    ran(text)
    everything = objects(home)
    largest = max(everything, key=lambda path: len(everything[path]))
    for path in everything:
        if path != largest:
            path.unlink()
    done = ran(text)
    suite.put(is_same and done.stdout == first.stdout and set(objects(home)) == {largest}, "a record is all that a run needs", done.stderr)
    done = ran(text, "--in", "x=64x40=ones")
    suite.put(done.stdout == ran(text, "--in", "x=64x40=ones", "--no-cache").stdout and done.stdout != first.stdout and set(objects(home)) == {largest},
              "with other inputs as well", done.stdout + done.stderr)
    variants = {"--stats": ["--stats"], "--stats=json": ["--stats=json"], "three runs": ["--repeat=3"], "one thread": ["--threads=1"], "-O0": ["-O0"],
                "not in place": ["--inplace=off"]}
    for name, args in variants.items():
        same, done, _ = has_record(text, *args)
        suite.put(same and done.returncode == 0, f"the same with {name}", done.stderr + done.stdout)
    for name, (text, *args) in {"a constant that passes made, and a line that is printed": (LARGE, "-p", "default"), "open shapes": (OPEN, "--dim", "n=5"),
                                "an index that is out of range": (CHECKED, "--in=at=4xi64=1 2 9 3"),
                                "lines below": ("\n" + CHECKED, "--in=at=4xi64=1 2 9 3")}.items():
        same, done, _ = has_record(text, *args)
        suite.put(same and done.returncode == ("E0" in done.stderr) and (len(done.stdout) > 0) == (done.returncode == 0), f"the same with {name}",
                  done.stderr + done.stdout)
    suite.put("E06" in done.stderr or "script.py:13" in done.stderr, "an error in its place", done.stderr)
    watched = [ran(text, "--in=at=4xi64=1 2 0 3", "--print-after=ToNonDataflow") for _ in range(2)]
    suite.put("def main" in watched[0].stderr and watched[0].stderr == watched[1].stderr, "what passes print is printed again", watched[1].stderr)
    checked = [ran(LARGE, "--check") for _ in range(2)]
    suite.put(checked[0].returncode == 0 and checked[0].stdout == checked[1].stdout, "--check", checked[1].stderr)


def damage(suite):
    home, text = suite.home(), script(6)
    good = suite.run(home, text)
    kept = objects(home)
    for name, change in {"a bit": lambda b: b[:70] + bytes([b[70] ^ 1]) + b[71:], "the end": lambda b: b[:-1], "all": lambda b: b"",
                         "something behind": lambda b: b + b"x", "zeros": lambda b: bytes(len(b))}.items():
        for path, data in kept.items():
            path.write_bytes(change(data))
        done = suite.run(home, text)
        suite.put(done.returncode == 0 and done.stdout == good.stdout and not done.stderr and objects(home) == kept, f"damage to {name} is mended", done.stderr)
    swapped = list(kept)
    for path in kept: # whole, but of something else: by nobody's accident
        path.unlink()
    swapped[0].mkdir()
    done = suite.run(home, text)
    suite.put(done.returncode == 0 and done.stdout == good.stdout and len(objects_of_files(home)) == len(kept) - 1, "a folder in the place of a file", done.stderr)


def objects_of_files(home):
    return [path for path in pathlib.Path(home).glob("inlay/??/*") if path.is_file()]


def places(suite):
    text = script(3)
    good = suite.run(suite.home(), text, "--no-cache").stdout
    file = suite.folder / "file"
    file.write_text("")
    shared, linked, foreign = suite.home(), suite.home(), suite.home()
    for home in (shared, foreign):
        (home / "inlay").mkdir(parents=True)
    (shared / "inlay").chmod(0o777)
    linked.mkdir()
    (linked / "inlay").symlink_to(suite.folder / "nowhere")
    cases = {"a file in its place": file, "no such place": "/dev/null/x", "a path that is not absolute": "relative", "a folder that others may write": shared,
             "a link to nothing": linked}
    if os.geteuid() == 0:
        os.chown(foreign / "inlay", 12345, 12345)
        cases["somebody else's folder"] = foreign
    for name, home in cases.items():
        done = suite.run(home, text, environment={"HOME": "/dev/null"}, cwd=suite.folder)
        suite.put(done.returncode == 0 and done.stdout == good and not done.stderr and not objects_of_files(suite.folder / str(home)), name, done.stderr)
    done = suite.run("", text, environment={"HOME": str(suite.folder / "me")})
    suite.put(done.returncode == 0 and (suite.folder / "me/.cache/inlay").is_dir(), "without XDG_CACHE_HOME it is in ~/.cache", done.stderr)

    def full():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
    home = suite.home()
    done = suite.run(home, text, preexec_fn=full)
    suite.put(done.returncode == 0 and done.stdout == good and not done.stderr and not objects(home), "a full disk is no error, and leaves nothing", done.stderr)


def limit(suite):
    home, bytes_of = suite.home(), lambda home: sum(len(data) for data in objects(home).values())
    largest = 0
    for i in range(8):
        suite.run(home, script(4, changed=1, value=f"0.5{i}"), environment={"INLAY_CACHE_BYTES": "40K"})
        largest = max(largest, bytes_of(home))
    suite.put(0 < bytes_of(home) and largest <= 40 << 10, "it keeps to its limit", largest)
    before = objects(home)
    suite.run(home, script(4, changed=1, value="0.57"), environment={"INLAY_CACHE_BYTES": "40K"})
    suite.put(objects(home) == before, "what was used last is kept")
    wrong = suite.run(home, script(1), environment={"INLAY_CACHE_BYTES": "much"})
    suite.put(wrong.returncode == 2 and "INLAY_CACHE_BYTES" in wrong.stderr, "a limit that is no number", wrong.stderr)
    shown = suite.tool_at(home, "cache", "show")
    suite.put(shown.returncode == 0 and f"objects: {len(before)}\nbytes: {bytes_of(home)}\n" in shown.stdout, "inlay cache show", shown.stdout)
    cleared = suite.tool_at(home, "cache", "clear")
    suite.put(cleared.returncode == 0 and "objects: 0\nbytes: 0\n" in cleared.stdout and not objects(home), "inlay cache clear", cleared.stdout)
    wrong = suite.tool_at(home, "cache", "drop")
    suite.put(wrong.returncode == 2 and "show and clear" in wrong.stderr, "inlay cache drop", wrong.stderr)


def company(suite):
    """Several at once on one folder, and any number of threads: the same bytes."""
    home, text = suite.home(), script(16)
    path = suite.folder / "script.py"
    path.write_text(text)
    environment = dict(os.environ, XDG_CACHE_HOME=str(home))
    started = [subprocess.Popen([suite.tool, "run", "-p", "debug", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment) for _ in range(6)]
    outputs = {one.communicate(timeout=TIMEOUT) for one in started}
    suite.put(len(outputs) == 1 and len(objects(home)) == 18 and not list(home.glob("inlay/**/*.*")), "six at once", outputs)
    one = {path.name: data for path, data in objects(home).items()}
    for threads in (1, 2, 5):
        other = suite.home()
        done = suite.run(other, text, f"--compile-threads={threads}")
        suite.put(done.returncode == 0 and {path.name: data for path, data in objects(other).items()} == one, f"the same bytes with {threads} threads", done.stderr)


def main():
    with tempfile.TemporaryDirectory() as folder:
        suite = Suite(os.path.abspath(sys.argv[1]), pathlib.Path(folder))
        for part in (hits, misses, artifacts, whole, again, damage, places, limit, company):
            part(suite)
    print(f"1..{suite.count}")
    return 1 if suite.failed else 0


if __name__ == "__main__":
    sys.exit(main())
