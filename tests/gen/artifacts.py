#!/usr/bin/env python3
"""Generated programs as artifacts, with every loop shared among threads that may be, against NumPy.

The tool and its code generator take each iteration for worth a thread (broken/eager.c), so loops of a few elements are cut
into as many pieces as those of a model. A library is called with all sizes of its program, up and down, in an arena that has what the last call left
there, of the size that it says and larger ones, in which more slices of scratch have room; half of them run on threads of their own, the
others on a host that takes the pieces of a loop from the last one on. Prints TAP.

usage: gen/artifacts.py EAGER-TOOL EAGER-CODE-GENERATOR [--count N] [--seed S] [--from N]
"""
import argparse
import ctypes
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import warnings

import numpy_first  # noqa: F401 (in front of what needs it)
from artifact_calls import Function
from artifact_models import build_host, in_child
from gen import check, compare
from gen.graph import parts
from gen.oracle import inputs_of
from gen.script import text_of_program

TIMEOUT = 120 * int(os.environ.get("INLAY_SLOW", "1"))
AT_ONCE, SPARES, ROOM = 6, (0, 192, 1024, 1 << 18), 1 << 16  # bytes of an arena that it need not have
REFUSED = ("E0684", "E0740", "E0744")  # what an artifact cannot have: hosts, values of unknown size, recursion without a bound


def call_all(program, library, host):
    """Calls it, and says how many loops the host was given."""
    wants = check.expected(program)
    turns, first = range(len(program.envs)), {}
    given = ctypes.CDLL(str(host), ctypes.RTLD_GLOBAL) if host else None
    function = Function(library, room=ROOM)
    names = [argument["name"] for argument in function.row["arguments"]]
    for spare in SPARES:
        for i in [*turns, *reversed(turns)]:
            env = program.envs[i]
            found = function.call(dict(zip(names, parts(tuple(inputs_of(program, env))), strict=True)), spare)
            wrong = compare.difference(program, env, wants[i], found)
            assert not wrong, f"sizes {env}, {spare} bytes to spare: {wrong}"
            same = all(map(compare.is_same, first.setdefault(i, found), found))
            assert same, f"sizes {env}, {spare} bytes to spare: other bits than before"
    return ctypes.c_int.in_dll(given, "loops").value if given else 0


class Bench:
    def __init__(self, options, folder):
        self.options, self.folder, self.ran, self.shared = options, folder, 0, 0
        self.tool, self.host = folder / "inlay", build_host(folder)
        shutil.copy(options.tool, self.tool)
        (folder / "inlay-llvm.so").symlink_to(options.code.resolve())

    def fault(self, index):
        """What is wrong with a program; "": nothing."""
        program = check.program_at(f"{self.options.seed}c", index)
        rng = random.Random(f"{self.options.seed}:{index}:artifact")
        chosen = [f"--threads={rng.choice((2, 3))}", f"--vectors={rng.choice(('16', '32', 'target'))}", f"-O{rng.choice((1, 1, 2))}",
                  *rng.choice(([], [], ["--inplace=off"]))]
        (self.folder / "m.py").write_text(text_of_program(program))
        done = subprocess.run([self.tool, "compile", "m.py", "-o", f"m{index}.so", "--emit=so,json", *chosen], cwd=self.folder,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT, check=False)
        if done.returncode:
            return "" if any(f"error[{code}]" in done.stderr for code in REFUSED) else done.stderr
        self.ran += 1
        told = self.folder / "loops"

        def work():
            told.write_text(str(call_all(program, self.folder / f"m{index}.so", self.host if index % 2 else None)))

        told.write_text("0")
        why = in_child(work)
        self.shared += int(told.read_text())
        return f"{self.options.seed}c {index} {' '.join(chosen)}: {why}\n{text_of_program(program)}" if why else ""


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("tool", type=pathlib.Path)
    parser.add_argument("code", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=48)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--from", type=int, default=0, dest="begin")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    failed = number = 0
    with tempfile.TemporaryDirectory() as where:
        bench = Bench(options, pathlib.Path(where))
        for number, begin in enumerate(range(options.begin, options.begin + options.count, AT_ONCE), 1):
            faults = [fault for index in range(begin, begin + AT_ONCE) if (fault := bench.fault(index))]
            failed += bool(faults)
            print(f"{'not ok' if faults else 'ok'} {number} - programs {begin} to {begin + AT_ONCE - 1} of seed {options.seed}", flush=True)
            print("".join(f"# {line}\n" for fault in faults for line in fault.splitlines()[:120]), end="")
    is_enough = bench.ran * 2 > options.count and bench.shared > options.count
    print(f"{'ok' if is_enough else 'not ok'} {number + 1} - {bench.ran} programs ran, and the host was given {bench.shared} loops\n1..{number + 1}")
    return failed > 0 or not is_enough


if __name__ == "__main__":
    sys.exit(main())
