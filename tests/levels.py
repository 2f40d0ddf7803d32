#!/usr/bin/env python3
"""Artifacts for several levels of x86-64: each level gives its bits, machines use what they have, and nothing else. Prints TAP.

Other machines are played by qemu-x86_64, where it is installed (scripts/peers-targets).

usage: levels.py TOOL ROOT
"""
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile

TIMEOUT = 120 * int(os.environ.get("INLAY_SLOW", "1"))
NAMES = ["x86-64-v2", "x86-64-v3", "x86-64-v4"]
MACHINES = {"qemu64": 0, "Nehalem": 1, "Haswell": 2}  # how many of the levels qemu's processors have
SCRIPT = """
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((40, "n"), "float32"), w: R.Tensor(("n", 24), "float32")) -> R.Tensor((40, 24), "float32"):
        cls = Module
        with R.dataflow():
            y = R.matmul(x, w)
            h = R.astype(R.nn.gelu(y), "float16")
            z = cls.scaled(R.nn.softmax(R.astype(h, "float32"), axis=-1))
            R.output(z)
        return z

    @R.function(private=True)
    def scaled(x: R.Tensor((40, 24), "float32")) -> R.Tensor((40, 24), "float32"):
        return R.multiply(x, R.const(3, "float32"))

    @R.function
    def bump(state: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        R.func_attr({"relax.inplace_arg": [0]})
        return R.add(state, R.sum(state))
"""
HOST = """
#include "m.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>
static _Alignas(64) unsigned char arena[1 << 16];
static _Alignas(64) float x[40 * 8], w[8 * 24], z[40 * 24], state[64];
static void *first(void *out)
{
    _Alignas(64) float own[64] = {1};
    _Alignas(64) unsigned char memory[4096];
    *(int32_t *)out = m_bump(own, 64, memory);
    return NULL;
}
int main(void)
{
    pthread_t threads[16];
    int32_t found[16];
    char text[256];
    for (int i = 0; i < 16; i++) pthread_create(&threads[i], NULL, first, &found[i]);
    for (int i = 0; i < 16; i++) pthread_join(threads[i], NULL);
    for (int i = 1; i < 16; i++) if (found[i] != found[0]) return 1;
    int32_t status = m_main(x, w, z, 8, arena);
    int64_t shape[] = {64};
    inlay_dltensor s = {state, {1, 0}, 1, {2, 32, 1}, shape, NULL, 0};
    inlay_dltensor *args[] = {&s};
    struct inlay_run_error error;
    int32_t checked = m_bump_dl(args, NULL, 1, NULL, 0, arena, sizeof(arena), &error);
    printf("%s %d %d %d\\n", m_cpu() ? m_cpu() : "none", (int)found[0], (int)status, (int)checked);
    printf("%s | %s\\n", m_message(status, text, sizeof(text)), checked ? error.message : "");
    const char *names[] = {"x86-64-v2", "x86-64-v3", "x86-64-v4", "x86-64", "v2", "", NULL};
    for (int i = 0; i < 7; i++) {
        int used = m_use_cpu(names[i]);
        printf("%d %s; ", used, m_cpu() ? m_cpu() : "none");
    }
    printf("%d\\n", (int)(m_main_arena_bytes(8) <= sizeof(arena)));
    return 0;
}
"""
REFUSED = [("v2,v2", "is there twice"), ("v3,x86-64-v3,v2", "is there twice"), ("v2,v9", "`v9` is no level"), ("v2,", "`` is no level"),
           (",", "is no level"), ("v2,host", "`host` is no level"), ("v2,cortex-a53", "`cortex-a53` is no level"), ("v2, v3", "` v3` is no level")]


def run(*args, folder=None):
    return subprocess.run([str(a) for a in args], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT, cwd=folder, check=False)


def here():
    """How many of the levels this machine has."""
    flags = set(re.search(r"^flags\s*:(.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M).group(1).split())
    needed = [{"sse4_2", "ssse3", "popcnt", "cx16", "lahf_lm"}, {"avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"},
              {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}]
    count = 0
    while count < 3 and needed[count] <= flags:
        count += 1
    return count


class Tests:
    def __init__(self, tool, folder):
        self.tool, self.folder = tool, folder
        self.count = self.failed = 0

    def put(self, is_good, text, why=""):
        self.count += 1
        self.failed += not is_good
        print(f"{'ok' if is_good else 'not ok'} {self.count} - {text}")
        if not is_good:
            print("\n".join("# " + line for line in str(why).splitlines()))

    def compile(self, *options, name="m"):
        (self.folder / name).mkdir(exist_ok=True)
        return run(self.tool, "compile", "../m.py", "-o", "m.so", *options, folder=self.folder / name)

    def build(self, source, *options, name="m", library="m.o"):
        compiler = os.environ.get("CC", "cc").split()
        return run(*compiler, "-std=c11", "-D_GNU_SOURCE", "-I.", "-o", "program", source, library, *options, "-lm", "-lpthread", folder=self.folder / name)

    def refusals(self):
        for cpu, why in REFUSED:
            made = self.compile("--cpu=" + cpu, name="refused")
            self.put(made.returncode == 1 and "E0755" in made.stderr and why in made.stderr, f"--cpu={cpu}", made.stderr)
        for options, why in ((["--target=aarch64"], "E0755"), (["--features=+fma", "--target=x86_64"], "E0755"), (["--target=z80"], "E0758")):
            made = self.compile("--cpu=v2,v3", *options, name="refused")
            self.put(made.returncode == 1 and why in made.stderr, " ".join(options), made.stderr)
        self.put(not list((self.folder / "refused").iterdir()), "nothing is written")
        other = run(self.tool, "opt", "--cpu=v2,v3", "-p", "ScheduleCPU", "m.py", folder=self.folder)
        self.put(other.returncode == 1 and "E0719" in other.stderr, "opt takes one processor", other.stderr)
        (self.folder / "named.py").write_text(SCRIPT.replace("bump", "use_cpu"))
        named = run(self.tool, "compile", "named.py", "-o", "m.o", "--cpu=v2,v3", folder=self.folder)
        self.put(named.returncode == 1 and "E0741" in named.stderr, "a function with the name of the chooser", named.stderr)

    def sums(self):
        """Every level has the bits that an artifact for it alone has."""
        for options in (["-O0"], ["-O2"], ["-O3", "--threads=4"]):
            wanted = []
            for cpu in NAMES:
                made = self.compile("--emit=o,h,c", f"--cpu={cpu}", "--target=x86_64", *options, name="alone")
                main = (self.folder / "alone/m_main.c").read_text() if made.returncode == 0 else made.stderr
                wanted.append(re.findall(r"\{UINT64_C\((\w+)\)", main))
            made = self.compile("--emit=so,o,a,h,c,json", "--cpu=v4,x86-64-v2,v3", "--target=x86_64", *options)
            main = (self.folder / "m/m_main.c").read_text() if made.returncode == 0 else made.stderr
            found = re.findall(r"\{UINT64_C\((\w+)\)", main)
            self.put(found == [level[i] for i in range(2) for level in wanted], f"{' '.join(options)}: levels have the results of their own schedules", f"{wanted}\n{found}")
            for library in ("m.o", "m.a", "m.so"):
                built = self.build("m_main.c", "-Wl,-rpath,.", library=library)
                done = run("./program", folder=self.folder / "m") if built.returncode == 0 else built
                self.put(done.returncode == 0 and done.stdout.count("same bits") == 2 * here() and done.stdout.count("has it not") == 3 - here(),
                         f"{' '.join(options)}: {library} gives them", done.stdout + done.stderr)

    def machines(self):
        (self.folder / "m/host.c").write_text(HOST)
        programs = []
        for source in ("host.c", "m_main.c"):
            built = self.build(source, "-static")
            self.put(built.returncode == 0, f"{source} is built", built.stderr)
            programs.append(shutil.copy(self.folder / "m/program", self.folder / f"{source[:-2]}.static"))
        for machine, count in [(None, here()), *MACHINES.items()]:
            if machine and not shutil.which("qemu-x86_64"):
                self.put(True, f"{machine} # SKIP there is no qemu-x86_64")
                continue
            start = ["qemu-x86_64", "-cpu", machine] if machine else []
            done = run(*start, programs[0])
            best = NAMES[count - 1] if count else "none"
            status = 0 if count else 11
            lines = [f"{best} {status} {status} {status}"]
            lines.append("no error | " if count else "the processor has not what the code needs | this processor has not what the code needs, "
                         "which is compiled for x86-64-v2 and above")
            now, chosen = best, ""
            for i in range(3):
                now = NAMES[i] if i < count else now
                chosen += f"{0 if i < count else 11} {now}; "
            chosen += f"11 {now}; " * 3 + f"{status} {best}; 1"
            self.put(done.returncode == 0 and done.stdout.splitlines() == [*lines, chosen], f"{machine or 'this machine'} uses {best}",
                     "\n".join([*lines, chosen]) + "\n" + done.stdout + done.stderr)
            done = run(*start, programs[1])
            self.put(done.returncode == 0 and done.stdout.count("same bits") == 2 * count and "WRONG" not in done.stdout,
                     f"{machine or 'this machine'} computes the same bits", done.stdout + done.stderr)

    def trust(self):
        manifest = json.loads((self.folder / "m/m.json").read_text())
        self.put(manifest["cpu"] == NAMES, "the manifest names them", manifest["cpu"])
        shown = run(self.tool, "inspect", "m/m.so", folder=self.folder)
        self.put("x86-64-v2 or x86-64-v3 or x86-64-v4" in shown.stdout, "inspect names them", shown.stdout)
        for library in ("m.so", "m.o", "m.a"):
            good = run(self.tool, "verify", f"m/{library}", "--against", "m.py", "--dim", "n=8", folder=self.folder)
            self.put(good.returncode == 0, f"verify {library}", good.stderr)
        (self.folder / "other.py").write_text(SCRIPT.replace("R.const(3", "R.const(4"))
        bad = run(self.tool, "verify", "m/m.so", "--against", "other.py", "--dim", "n=8", folder=self.folder)
        self.put(bad.returncode == 4 and "on x86-64-v2" in bad.stderr, "verify says on which level", bad.stderr)
        data = (self.folder / "m/m.so").read_bytes()
        again = self.compile("--emit=so", "--cpu=v4,x86-64-v2,v3", "--target=x86_64", "-O3", "--threads=4", name="again")
        self.put(again.returncode == 0 and (self.folder / "again/m.so").read_bytes() == data, "the same bytes again", again.stderr)

    def weights(self):
        data = ", ".join(f"{i % 97}.5" for i in range(4096))
        script = (SCRIPT.split("    @R.function\n", maxsplit=1)[0] + "    @R.function\n    def main(x: R.Tensor((4096,), \"float32\")) -> R.Tensor((4096,), \"float32\"):\n"
                  f"        return R.add(x, R.const([{data}], \"float32\"))\n")
        (self.folder / "m.py").write_text(script)
        sizes = []
        for cpu in ("v2", "v2,v3", "v2,v3,v4"):
            made = self.compile("--cpu=" + cpu.replace("v2", "x86-64-v2"), "--target=x86_64", "--strip", name="weights")
            sizes.append((self.folder / "weights/m.so").stat().st_size if made.returncode == 0 else made.stderr)
        for cpu in ("x86-64-v2", "v2,v3,v4"):
            made = self.compile("--emit=o,h,c", "--weights", "--cpu=" + cpu, "--target=x86_64", name="file")
            sizes.append((self.folder / "file/m.safetensors").stat().st_size if made.returncode == 0 else made.stderr)
        built = self.build("m_main.c", name="file")
        done = run("./program", folder=self.folder / "file") if built.returncode == 0 else built
        self.put(done.returncode == 0 and done.stdout.count("same bits") == here() and sizes[-1] == sizes[-2], "levels share a file of weights",
                 f"{sizes}\n{done.stdout}{done.stderr}")
        self.put(16384 < sizes[0] and sizes[2] - sizes[0] < 12000, "levels share constants", sizes)


def main():
    if platform.machine() != "x86_64":
        print("1..0 # SKIP this machine has no levels of x86-64")
        return 0
    with tempfile.TemporaryDirectory() as name:
        tests = Tests(os.path.abspath(sys.argv[1]), pathlib.Path(name))
        (tests.folder / "m.py").write_text(SCRIPT)
        tests.refusals()
        tests.sums()
        tests.machines()
        tests.trust()
        tests.weights()
        print(f"1..{tests.count}")
        return tests.failed > 0


sys.exit(main())
