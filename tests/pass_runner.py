#!/usr/bin/env python3
"""What becomes of passes that are wrong, and what can be watched while passes run. Prints TAP.

BROKEN is the tool with the passes of tests/broken, which break the module, lie, crash or change the meaning: each must be
found, named, and left in a reproducer that shows it again. DOUBTING is the tool with a checker of storage that takes no update in place.

usage: pass_runner.py TOOL BROKEN DOUBTING EXAMPLES [--sanitized]
"""
import json
import os
import pathlib
import pty
import re
import shutil
import subprocess
import sys
import tempfile

SCRIPT = """from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        a = R.exp(x)
        b = a
        c = R.subtract(b, y)
        d = R.multiply(c, a)
        return d
"""
# An update that is asked for, and a result that finds room.
# Sizes of n rows, and of n + 1, which share bytes.
PLACES = """\
from tvm.script import ir as I
from tvm.script import relax as R


@R.function
def main(x: R.Tensor(("n", 64), "float32"), y: R.Tensor((1, 64), "float32")):
    a = R.flip(R.add(x, x), axis=0)
    b = R.flip(R.concat([a, y], axis=0), axis=0)
    c = R.flip(R.exp(b), axis=0)
    return R.sum(R.flip(c, axis=0))
"""
UPDATES = """from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def neg(a: T.Buffer((4,), "float32")):
        for i in range(4):
            a[i] = T.float32(0) - a[i]

    @T.prim_func(private=True)
    def twice(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(4):
            b[i] = a[i] + a[i]

    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        t = R.call_tir(cls.twice, (x,), out_ty=R.Tensor((4,), "float32"))
        u = R.call_tir_inplace(cls.neg, (t,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        v = R.call_tir(cls.twice, (u,), out_ty=R.Tensor((4,), "float32"))
        return v
"""
BAD = "inlay-reproducer.py"


class Fault(Exception):
    pass


CHAIN = """\
from tvm.script import ir as I, relax as R

@I.ir_module
class M:
    @R.function
    def main(x: R.Tensor((8,), "float32")) -> R.Tensor((8,), "float32"):
        a = R.exp(x)
        b = R.sin(a)
        return R.add(a, b)
"""


def expect(is_right, *what):
    if not is_right:
        raise Fault("\n".join(map(str, what)))


class Tests:
    def __init__(self, tool, broken, doubting, examples):
        self.examples = examples
        self.tool = str(tool)
        self.folder = pathlib.Path(tempfile.mkdtemp())
        # beside the code generator, as the tool looks for it
        self.broken = str(self.folder / "inlay-broken")
        shutil.copy(broken, self.broken)
        self.doubting = str(self.folder / "inlay-doubting")
        shutil.copy(doubting, self.doubting)
        if (tool.parent / "inlay-llvm.so").exists():
            (self.folder / "inlay-llvm.so").symlink_to(tool.parent / "inlay-llvm.so")
        self.script = self.folder / "script.py"
        self.script.write_text(SCRIPT)

    def run(self, tool, *args, status, cwd=None):
        """Standard output and error."""
        done = subprocess.run([tool, *map(str, args)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              cwd=cwd or self.folder, timeout=120)
        expect(done.returncode == status, f"{args}: exit status {done.returncode}, not {status}", done.stdout, done.stderr)
        return done.stdout, done.stderr

    def reproduces(self, name, code, *options):
        """A wrong pass: what is said, what is left, and that this shows it again, elsewhere."""
        reproducer = self.folder / BAD
        reproducer.unlink(missing_ok=True)
        order = f"fix(CanonicalizeBindings),{name}"
        _, errors = self.run(self.broken, "opt", *options, "-p", order, self.script, status=3)
        expect("this is a bug in Inlay" in errors, errors)
        expect(not code or code in errors and f"`{name}`" in errors, errors)
        text = reproducer.read_text()
        head = text.splitlines()[0]
        expect(head == " ".join(["# inlay opt --inplace=auto", *options, f"-p '{name}'"]), head)
        expect("a = R.exp(x)" in text.replace(': R.Tensor((4,), dtype="float32")', ""), "not the script's module", text)
        expect("b = a" not in text and "subtract(a, y)" in text, "not the module in front of the pass", text)
        expect(not (self.folder / "inlay-reproducer.tmp").exists(), "a file was left")
        _, errors = self.run(self.broken, "opt", BAD, status=3)
        expect(reproducer.read_text() == text, "replaying changed the reproducer", errors)
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir(exist_ok=True)
        shutil.copy(reproducer, elsewhere / "again.py")
        _, errors = self.run(self.broken, "opt", "again.py", status=3, cwd=elsewhere)
        expect((not code or code in errors) and "remark[E0912]" in errors or not code, errors)
        # the module is right: without the pass all is well, and the tool has no such pass
        self.run(self.tool, "opt", "-p", "", elsewhere / "again.py", status=0)
        _, errors = self.run(self.tool, "opt", elsewhere / "again.py", status=1)
        expect("error[E0901]" in errors, errors)

    # ---- wrong passes

    def test_artifact_of_broken_storage(self):
        """The checker of storage stands in front of artifacts as of runs, and nothing is written."""
        order = "LambdaLift,LegalizeOps,ViewCalls,ResolveInplace(fresh=false),ToNonDataflow,CallTIRRewrite,KillAfterLastUse"
        script = self.folder / "chain.py"
        script.write_text(CHAIN)
        for emit in ("o", "ll", "h"):
            target = self.folder / f"chain.{emit}"
            _, errors = self.run(self.broken, "compile", script, "-o", target, "-p", f'{order},Plant(bug="kill_early")', status=3)
            expect("E0317" in errors and not target.exists(), emit, errors)
            self.run(self.broken, "compile", script, "-o", target, "-p", order, status=0)

    def test_broken_module(self):
        self.reproduces("BreakModule", "E0903")

    def test_untrue_unchanged(self):
        self.reproduces("ChangeSecretly", "E0906", "--check-each")

    def test_broken_text(self):
        self.reproduces("BreakText", "E0907", "--roundtrip-each")

    def test_crash(self):
        self.reproduces("Crash", None)

    def test_crash_in_run(self):
        self.run(self.broken, "run", "-p", "CanonicalizeBindings,Crash", self.script, status=3)
        expect("-p 'Crash'" in (self.folder / BAD).read_text().splitlines()[0])

    def test_crash_behind_options(self):
        """The reproducer has options in the way they were given, and passes of files."""
        (self.folder / "passes.txt").write_text("CanonicalizeBindings # gone\nEarly(size=8, name='a, b')\nCrash")
        self.run(self.broken, "opt", "--inplace=off", "-p", "@passes.txt", self.script, status=3)
        text = (self.folder / BAD).read_text()
        expect(text.startswith("# inlay opt --inplace=off -p 'Crash'\n") and "b = a" not in text, text)

    def test_changed_meaning(self):
        _, errors = self.run(self.broken, "run", "--check", "-p", "ChangeMeaning,debug", self.script, status=4)
        expect("E0811" in errors, errors)
        self.run(self.broken, "run", "--check", "-p", "ChangeMeaning,ChangeMeaning,debug", self.script, status=0)

    def test_fixed_point_that_does_not_settle(self):
        _, errors = self.run(self.broken, "opt", "-p", "fix(limit=7, CanonicalizeBindings, Flip)", self.script, status=1)
        expect("E0910" in errors and "after 7 rounds: by `Flip`\n" in errors, errors)

    # ---- experiments

    def test_bisect(self):
        order = "CanonicalizeBindings,EliminateCommonSubexpr,ChangeMeaning,debug"
        out, _ = self.run(self.broken, "bisect", "-p", order, self.script, status=4)
        lines = out.splitlines()
        expect([line.split()[:2] for line in lines[:3]] ==
               [["1", "CanonicalizeBindings"], ["2", "EliminateCommonSubexpr"], ["3", "ChangeMeaning"]], out)
        expect(lines[1].endswith(" no change") and " value 0 is " in lines[2], out)
        expect("R.subtract(a, y)" in next(line for line in lines if line.startswith("- ")), out)
        expect("R.subtract(y, a)" in next(line for line in lines if line.startswith("+ ")), out)
        expect("LegalizeOps" not in out, out)

    def test_bisect_of_broken_module(self):
        out, errors = self.run(self.broken, "bisect", "-p", "CanonicalizeBindings,BreakModule,debug", self.script, status=3)
        expect("  2  BreakModule                  leaves a module that is not well-formed\n" in out, out)
        expect("E0903" in errors and "\n- " in out and "\n+ " in out, out, errors)

    def test_bisect_in_fixed_point(self):
        """Two changes of meaning make none: the pass is named in the round in which it does harm."""
        out, _ = self.run(self.broken, "bisect", "-p", "fix(limit=3, ChangeMeaning)", self.script, status=4)
        expect(out.startswith("  1  ChangeMeaning "), out)

    def test_bisect_asks_all(self):
        """Where two passes undo each other the end is right; only who asks behind each pass finds the first."""
        order = "ChangeMeaning,EliminateCommonSubexpr,ChangeMeaning,debug"
        out, _ = self.run(self.broken, "bisect", "-p", order, self.script, status=0)
        expect(out.startswith("  1  ChangeMeaning                not asked\n") and "compiled code                the same" in out, out)
        out, _ = self.run(self.broken, "bisect", "--all", "-p", order, self.script, status=4)
        expect(out.startswith("  1  ChangeMeaning                value 0 is "), out)

    def test_bisect_of_many(self):
        """One of 40 steps that change something is found, and few of them are asked."""
        order = ",".join(["ChangeMeaning,ChangeMeaning"] * 19 + ["ChangeMeaning", "LegalizeOps", "ResolveInplace"])
        out, _ = self.run(self.broken, "bisect", "-p", order, self.script, status=4)
        expect("ChangeMeaning                value 0 is " in out and out.count("not asked") > 20, out)

    def test_bisect_without_the_interpreter(self):
        """A script that takes the interpreter long is judged by compiled code, and the pass is the same."""
        script = self.folder / "large.py"
        script.write_text(self.script.read_text().replace("(4,)", "(2000000,)"))
        out, _ = self.run(self.broken, "bisect", "-p", "EliminateCommonSubexpr,ChangeMeaning,debug", script, status=4)
        expect("  2  ChangeMeaning                value 0 is " in out and "LegalizeOps" not in out, out)

    def test_race(self):
        out, errors = self.run(self.broken, "race", self.script, "--repeat", "1", "--pipelines", "debug", "ChangeMeaning,debug",
                               "fix(Flip)", "--format", "json", status=1)
        rows = json.loads(out)
        expect([row["pipeline"] for row in rows] == ["debug", "ChangeMeaning,debug", "fix(Flip)"], out)
        expect(rows[0]["difference"] == 0 and rows[0]["is_close"], out)
        expect(rows[1]["difference"] > 0.1 and not rows[1]["is_close"], out)
        expect(rows[2]["code"] == "E0910" and rows[2]["run_ms"] is None and "E0910" in errors, out, errors)
        out, _ = self.run(self.broken, "race", self.script, "--repeat", "1", "--pipelines", "debug", "ChangeMeaning,debug",
                          status=4)
        expect(out.count("(too much)") == 1, out)

    def test_reduce_to_what_a_pass_gets_wrong(self):
        keep = f"{self.broken} run --check -p ChangeMeaning,debug; test $? = 4"
        script = self.folder / "large.py"
        lines = SCRIPT.replace("(4,)", "(64,)").splitlines(keepends=True)
        lines[11:11] = [f"        e{i} = R.tanh({'d' if i == 0 else f'e{i - 1}'})\n" for i in range(40)]
        script.write_text("".join(lines).replace("return d", "return e39"))
        out, _ = self.run(self.broken, "reduce", "--keep", keep.replace("debug;", "debug {};"), script, "-o", "small.py",
                          status=0)
        small = (self.folder / "small.py").read_text()
        expect(not out and small.count("R.subtract") == 1 and small.count("\n") == 9, out, small)
        expect("(1,)" in small or "()" in small, small)
        self.run(self.broken, "run", "--check", "-p", "ChangeMeaning,debug", "small.py", status=4)

    def test_reduce_leaves_scripts(self):
        """Whatever is taken away, what is left passes `check` and prints as itself."""
        for script in sorted(self.examples.glob("*.py")):
            out, errors = self.run(self.tool, "reduce", "--keep", f"{self.tool} check", script, status=0)
            small = self.folder / "small.py"
            small.write_text(out)
            expect(self.run(self.tool, "opt", small, status=0)[0] == out, script, out)
            expect(out.count("\n") <= 12 and "E0915" in errors, script, out)

    # ---- orders and options

    def test_what_the_checker_cannot_follow(self):
        """What was decided is taken back, whether it was asked for or found; a promise that cannot be kept is an error."""
        asked, apart = self.folder / "asked.py", "--passes=ResolveInplace,ToNonDataflow,InplaceCalls,CallTIRRewrite,KillAfterLastUse"
        asked.write_text(UPDATES)
        plain, _ = self.run(self.tool, "run", "--in=x=iota", apart, asked, status=0)
        result, said = self.run(self.doubting, "run", "--in=x=iota", apart, asked, status=0)
        expect(result == plain, plain, result)
        expect(said.count("warning[E0337]") == 2 and "`t` gets storage" in said and "`u` gets storage" in said, said)
        said, _ = self.run(self.doubting, "why", apart, asked, status=0)
        expect("`t` is copied before the call" in said and said.count("note: IP029 in `main`") == 2, said)
        asked.write_text(UPDATES.replace("inplace_indices=[0]", "inplace_indices=[0], strict=True"))
        _, said = self.run(self.doubting, "run", apart, asked, status=1)
        expect("[IP029]" in said and "the call is strict" in said, said)
        self.run(self.tool, "run", apart, asked, status=0)

    def test_plans_that_are_not_followed(self):
        """A plan with symbols is taken back: one of ordered sizes for another plan, that one with a warning; one of numbers stays."""
        script, plan = self.folder / "places.py", "--passes=LegalizeOps,CallTIRRewrite,KillAfterLastUse,PlanMemory"
        numbers = plan.replace("=", '=BindSymbolicVars(dims="n=5"),', 1)
        for text, warnings in (PLACES, 0), (PLACES.replace("R.concat([a, y], axis=0)", "R.exp(a)"), 1):
            script.write_text(text)
            planned, said = self.run(self.tool, "opt", plan, script, status=0)
            expect("alloc_storage" in planned and not said, planned, said)
            planned, said = self.run(self.doubting, "opt", plan, script, status=0)
            expect("alloc_storage" not in planned, planned)
            expect(said.count("warning[E0342]: `main` keeps separate buffers") == warnings, said)
            expect(not warnings or "it may be that `a_dest` " in said and "BindSymbolicVars" in said, said)
            planned, said = self.run(self.doubting, "opt", numbers, script, status=0)
            expect("alloc_storage" in planned and not said, planned, said)

    def test_order(self):
        _, errors = self.run(self.broken, "opt", "-p", "Late,LegalizeOps", self.script, status=1)
        expect("E0905" in errors and "pass `LegalizeOps` is missing or comes too late" in errors, errors)
        _, errors = self.run(self.broken, "opt", "-p", "Early(size=8),LegalizeOps,Early(size=8)", self.script, status=1)
        expect("E0908" in errors and "<passes>:1:27" in errors, errors)
        self.run(self.broken, "opt", "-p", "fix(Early(size=8)),LegalizeOps,Late", self.script, status=0)

    def test_options(self):
        for options, code in [("", "E0909"), ("(size=x)", "E0909"), ("(size=8, name=3)", "E0909"), ("(size=8, size2=8)", "E0904")]:
            _, errors = self.run(self.broken, "opt", "-p", "Early" + options, self.script, status=1)
            expect(code in errors and 'its options: size: int, name: string = "a, b"' in errors, options, errors)
        for options in ['(size=8,name="a, b")', "( size = 8 , name = 'a, b' , )", '(size=8)', '(\nsize=8 # eight\n)']:
            self.run(self.broken, "opt", "-p", "Early" + options, self.script, status=0)

    # ---- watching

    def test_dumps_parse(self):
        dumps = self.folder / "dumps"
        for script in sorted(self.examples.glob("*.py")):
            self.run(self.tool, "opt", "-p", "CanonicalizeBindings,default,ToNonDataflow", "--dump-ir", dumps, "-o", os.devnull,
                     script, status=0)
            names = sorted(path.name for path in dumps.iterdir())
            expect(names[:2] == ["000_input.py", "001_CanonicalizeBindings.py"] and names[-1].endswith("_ToNonDataflow.py"), names)
            for path in dumps.iterdir():
                again = self.run(self.tool, "opt", path, status=0)[0]
                expect(again == path.read_text(), f"{script.name}: {path.name} prints differently")
            shutil.rmtree(dumps)

    def test_dump_folder_is_a_file(self):
        _, errors = self.run(self.tool, "opt", "-p", "debug", "--dump-ir", self.script, self.script, status=1)
        expect("E0702" in errors, errors)

    def test_colours_on_a_terminal_only(self):
        command = [self.tool, "opt", "--print-changed", "-p", "CanonicalizeBindings", "-o", os.devnull, str(self.script)]
        plain = subprocess.run(command, capture_output=True, timeout=60).stderr
        expect(b"- " in plain and b"\033" not in plain, plain)
        ours, theirs = pty.openpty()
        environment = {**os.environ, "TERM": "xterm"}
        environment.pop("NO_COLOR", None)
        done = subprocess.Popen(command, stderr=theirs, env=environment)
        os.close(theirs)
        seen = b""
        try:
            while part := os.read(ours, 4096):
                seen += part
        except OSError: # how a terminal ends
            pass
        done.wait(timeout=60)
        expect(b"\033[31m-" in seen and b"\033[32m+" in seen, seen)
        colourless = re.sub(rb"\033\[\d*m|\r", b"", seen)
        expect(colourless == plain, seen)


def main():
    tool, broken, doubting, examples = (pathlib.Path(arg).resolve() for arg in sys.argv[1:5])
    tests = Tests(tool, broken, doubting, examples)
    names = [name for name in dir(Tests) if name.startswith("test_")]
    if "--sanitized" in sys.argv: # a crash is the sanitizer's to report
        names = [name for name in names if not name.startswith("test_crash")]
    failed = 0
    print(f"1..{len(names)}")
    for number, name in enumerate(names, 1):
        try:
            getattr(tests, name)()
            print(f"ok {number} - {name}")
        except (Fault, OSError, subprocess.SubprocessError) as error:
            failed += 1
            print(f"not ok {number} - {name}")
            print("# " + str(error).rstrip().replace("\n", "\n# "))
    shutil.rmtree(tests.folder)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
