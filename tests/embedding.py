#!/usr/bin/env python3
"""The library as others get it: installed in a folder, found by pkg-config, linked by programs of their own.

Compiles examples/embedding.c and tests/embedding/*.c against what is installed, shared and static, runs them, and lets
their allocations fail.  The installation lies elsewhere than it was configured for.  Prints TAP.

usage: embedding.py ROOT BUILD SHIM REFUSING MISLED COMPILER...
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

WANTED = """\
line 21: `cache` in-place: every condition holds
last row: 90 91 92 93
"""


class Installed:
    def __init__(self, root, build, folder, compiler):
        self.root, self.folder, self.compiler = root, folder, compiler
        done = subprocess.run(["meson", "install", "-C", str(build), "--no-rebuild", "--quiet", "--destdir", str(folder)],
                              capture_output=True, text=True, env={k: v for k, v in os.environ.items() if k != "DESTDIR"})
        assert done.returncode == 0, done.stdout + done.stderr
        self.pc = next(folder.rglob("inlay.pc"))
        self.libraries = self.pc.parent.parent
        self.tool = next(folder.rglob("bin/inlay"))
        self.code_generator = self.libraries / "inlay/inlay-llvm.so"
        self.archive = self.libraries / "libinlay.a"

    def flags(self, *what):
        """pkg-config prefixes also what is installed in the system: that part is cut again."""
        text = subprocess.run(["pkg-config", *what, "inlay"], capture_output=True, text=True, check=True, env=os.environ | {
            "PKG_CONFIG_PATH": str(self.pc.parent), "PKG_CONFIG_SYSROOT_DIR": str(self.folder)}).stdout.split()
        return [word for word in text if not word.endswith(f"{self.folder}/usr/include")]

    def compile(self, source, output, *more, archive=False):
        libraries = self.flags("--libs")
        if archive:
            libraries = [str(self.archive), *re.search("Libs.private: (.*)", self.pc.read_text())[1].split()]
        command = [*self.compiler, "-g", "-iquote", str(self.root), "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter", str(self.root / source),
                   *self.flags("--cflags"), *more, *libraries, "-o", str(self.folder / output)]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return self.folder / output

    def run(self, program, *args, **environment):
        return subprocess.run([str(program), *args], capture_output=True, text=True, errors="replace", timeout=300,
                              cwd=self.folder, env=os.environ | {"LD_LIBRARY_PATH": str(self.libraries)} | environment)


def said(done):
    return f"exit code {done.returncode}\n{done.stdout}{done.stderr}"


def test_example(installed):
    done = installed.run(installed.compile("examples/embedding.c", "example"))
    assert done.returncode == 0 and done.stdout == WANTED and not done.stderr, said(done)


def test_page(installed):
    """The blocks of docs/embedding.md: as they stand there, in the program that they speak of."""
    blocks = re.findall(r"^```c\n(.*?)^```$", (installed.root / "docs/embedding.md").read_text(), re.MULTILINE | re.DOTALL)
    text = (installed.root / "tests/embedding/page.c").read_text()
    assert re.findall(r"#include BLOCK(\d)", text) == [str(i) for i in range(len(blocks))], f"{len(blocks)} blocks"
    named = []
    for i, block in enumerate(blocks):
        (installed.folder / f"block{i}.h").write_text(block)
        named.append(f'-DBLOCK{i}="{installed.folder}/block{i}.h"')
    done = installed.run(installed.compile("tests/embedding/page.c", "page", *named))
    assert done.returncode == 0 and not done.stderr, said(done)


def test_static_example(installed):
    """The archive cannot know where the code generator lies: it looks beside the program."""
    program = installed.compile("examples/embedding.c", "static", archive=True)
    done = installed.run(program, LD_LIBRARY_PATH="")
    assert done.returncode == 1 and "inlay-llvm.so" in done.stderr, said(done)
    (installed.folder / "inlay-llvm.so").symlink_to(installed.code_generator)
    done = installed.run(program, LD_LIBRARY_PATH="")
    assert done.returncode == 0 and done.stdout == WANTED, said(done)
    needed = subprocess.run(["readelf", "-d", str(program)], capture_output=True, text=True, check=True).stdout
    assert "libinlay" not in needed and "LLVM" not in needed, needed


def test_room(installed):
    """Caches that grow in buffers of the host, a hundred steps, until these are full."""
    done = installed.run(installed.compile("tests/embedding/room.c", "room", "-lm"))
    assert done.returncode == 0 and not done.stderr, said(done)


def test_into(installed):
    """Results and working memory of the host: nothing is allocated."""
    done = installed.run(installed.compile("tests/embedding/into.c", "into"))
    assert done.returncode == 0 and not done.stderr, said(done)


def test_calls(installed):
    done = installed.run(installed.compile("tests/embedding/calls.c", "calls", "-lcmocka", "-pthread"))
    assert done.returncode == 0, said(done)


def test_refused(installed):
    """What the checker of storage refuses runs on copies; what lies elsewhere than was proved does not run."""
    program = installed.compile("tests/embedding/refused.c", "refused", "-lcmocka")
    done = installed.run(program, installed.refusing, installed.misled)
    assert done.returncode == 0, said(done)


def test_tool(installed):
    done = installed.run(installed.tool, "run", str(installed.root / "examples/mlp.py"))
    assert done.returncode == 0 and "result" in done.stdout, said(done)


def test_cplusplus(installed):
    compiler = shutil.which("g++") or shutil.which("clang++-19")
    if not compiler:
        return
    source = installed.folder / "header.cc"
    source.write_text('#include <inlay/inlay.h>\nint main() { return inlay_version()[0] == 0; }\n')
    done = subprocess.run([compiler, "-std=c++14", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", str(source),
                           *installed.flags("--cflags")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def declared(installed):
    """The functions of the installed headers."""
    text = "".join(path.read_text() for path in sorted(installed.folder.rglob("include/inlay/*.h")))
    text = re.sub(r"/\*.*?\*/|^#.*?$", " ", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"\{[^{}]*\}|typedef [^;]*;", " ", re.sub(r'extern "C" \{', " ", text))
    return set(re.findall(r"\b(inlay_\w+)\(", text))


def defined(path, *options):
    text = subprocess.run(["nm", "--defined-only", *options, str(path)], capture_output=True, text=True, check=True).stdout
    return {match[1] for match in re.finditer(r" [A-Z] (\w+)(?:@@\w+)?$", text, re.MULTILINE)} - {"INLAY_0"}


def test_symbols(installed):
    wanted = declared(installed)
    assert len(wanted) > 20, wanted
    for path, options in ((installed.libraries / "libinlay.so", ["-D"]), (installed.archive, ["-g"])):
        names = {name for name in defined(path, *options) if not name.lstrip("_").startswith(("asan", "odr_asan", "sanitizer"))}
        assert names == wanted, f"{path.name}: {names ^ wanted}"


def test_short_memory(installed):
    program, counted = installed.folder / "calls", installed.folder / "count"
    shim = {"LD_PRELOAD": installed.shim}
    installed.run(program, "through", **shim, FAIL_COUNT=str(counted))
    total, ends = int(counted.read_text()), set()
    for at in range(1, total + 1, max(total // 60, 1)):
        for rest in ({}, {"FAIL_REST": "1"}):
            done = installed.run(program, "through", **shim, FAIL_AT=str(at), **rest)
            if "GNU MP: Cannot " in done.stderr:  # it has no way to say that memory is short, and ends the process
                continue
            assert done.returncode == 0 and not done.stderr, f"allocation {at} of {total}: {said(done)}"
            ends.add(done.stdout.strip().splitlines()[-1])
    assert ends == {"no session", "out of memory", "ready"}, ends


def main():
    root, build, shim, refusing, misled, *compiler = sys.argv[1:]
    tests = [(name, function) for name, function in globals().items() if name.startswith("test_")]
    if not shim:
        tests = [pair for pair in tests if pair[0] != "test_short_memory"]
    print(f"1..{len(tests)}")
    with tempfile.TemporaryDirectory() as folder:
        installed = Installed(pathlib.Path(root).resolve(), pathlib.Path(build).resolve(), pathlib.Path(folder), compiler)
        installed.shim = shim and str(pathlib.Path(shim).resolve())
        installed.refusing, installed.misled = (str(pathlib.Path(path).resolve()) for path in (refusing, misled))
        for number, (name, function) in enumerate(tests, 1):
            try:
                function(installed)
                print(f"ok {number} - {name[5:]}")
            except AssertionError as error:
                print(f"not ok {number} - {name[5:]}\n# " + str(error).replace("\n", "\n# "))


if __name__ == "__main__":
    main()
