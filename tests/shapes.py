"""What the tests of shapes of programs share: cases with NumPy's results, each run at three widths of vectors, with one thread or two."""
import pathlib
import subprocess
import sys
import tempfile

from gen import numpy_first  # noqa: F401 (in front of what needs it)
import numpy
from part import SLOW

HEAD = """from tvm.script import ir as I, relax as R, tirx as T

@I.ir_module
class Module:
"""
WAYS = [(16, 1), (32, 2), (64, 1), (64, 2)]  # bytes of a vector, threads
RNG = numpy.random.default_rng(3)
CASES = []


def whole(*shape):
    return RNG.integers(-4, 5, shape).astype("float32")


def literal(array):
    return f'R.reshape(R.const({array.reshape(-1).astype(int).tolist()}, "float32"), R.shape({list(array.shape)}))'


def case(name, text, inputs, wanted, tolerance=0):
    """@tolerance: of a number below 1, and relative above; 0 for whole numbers, whose sums are exact."""
    CASES.append((name, HEAD + text, inputs, wanted, tolerance))


def misfit(tool, folder, text, inputs, wanted, tolerance, options):
    """Why the results are not the wanted ones; "": they are."""
    (folder / "m.py").write_text(text)
    given = []
    for name, array in inputs.items():
        numpy.save(folder / f"{name}.npy", array)
        given += ["--in", f"{name}=@{folder / name}.npy"]
    done = subprocess.run([tool, "run", folder / "m.py", "--check", "--out", folder / "out.npz", *options, *given],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        return done.stderr
    with numpy.load(folder / "out.npz") as archive:
        found = [archive[name] for name in sorted(archive.files)]
    if [a.shape for a in found] != [a.shape for a in wanted]:
        return f"shapes {[a.shape for a in found]}"
    return "\n".join(f"result {i}: {a} is not {b}" for i, (a, b) in enumerate(zip(found, wanted))
                     if not numpy.allclose(a, b, rtol=tolerance, atol=tolerance))


def main():
    count = failed = 0
    with tempfile.TemporaryDirectory() as where:
        for number, (name, text, inputs, wanted, tolerance) in enumerate(CASES):
            for vectors, threads in WAYS if SLOW == 1 else [WAYS[number % len(WAYS)]]:
                count += 1
                why = misfit(sys.argv[1], pathlib.Path(where), text, inputs, wanted, tolerance,
                             [f"--vectors={vectors}", f"--threads={threads}"])
                failed += bool(why)
                print(f"{'not ok' if why else 'ok'} {count} - {name}, vectors of {vectors} bytes, {threads} threads")
                print("\n".join(f"# {line}" for line in why.splitlines()[:20]), end="\n" if why else "")
    print(f"1..{count}")
    return failed != 0
