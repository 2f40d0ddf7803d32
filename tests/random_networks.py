#!/usr/bin/env python3
"""Random networks of convolutions: with channels in blocks (BlockChannels) they compute what they compute without.

Convolutions of all channels and of each by itself, pools, joins, gates, residuals and what is computed element by element, of channels
that blocks divide and such that they do not, in any order; a value may be read by any number of ops, and be a result. `inlay run
--check` holds each against the script as the interpreter computes it, and compiled code to the last bit against the interpreted
module behind the passes, with vectors of 16, 32 and 64 bytes. Products are rounded, as in the script: differences that cancel would else be
large. Prints TAP.

usage: random_networks.py TOOL [--count N] [--seed N]
"""
import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

PASSES = ("BlockChannels(lanes={lanes}),LegalizeOps,FoldConstant,AnnotateTIROpPattern,FuseOps,FuseTIR,ViewCalls,DeadCodeElimination,"
          "ElideConcat,ResolveInplace,ScheduleCPU(vector_bytes={bytes},fma=\"off\"),PackConstants,LowerIntrin(fma=\"off\"),ToNonDataflow,ReorderForPeak,InplaceCalls,"
          "CallTIRRewrite,PassDestinations,KillAfterLastUse,PlanMemory")
HEAD = """from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((%s), "float32")%s):
        with R.dataflow():
"""
CHANNELS = [3, 6, 8, 8, 12, 16, 16, 16, 24, 32, 32, 48]
UNARY = ["R.nn.relu({})", "R.sigmoid({})", "R.clip({}, 0, 6)", "R.nn.silu({})", "R.multiply({}, R.const(0.5, \"float32\"))", "R.exp(R.nn.relu(R.negative({})))"]
AT_ONCE = 5


class Network:
    """Lines of a script, and by name the shape of each value: (channels, height, width)."""

    def __init__(self, rng):
        self.rng, self.lines, self.shapes, self.count = rng, [], {"x": (rng.choice(CHANNELS), rng.randint(7, 22), rng.randint(7, 22))}, 0
        self.batch = rng.choice(["1", "2", "n"])

    def line(self, value, shape):
        self.count += 1
        name = f"v{self.count}"
        self.lines.append(f"{name} = {value}")
        self.shapes[name] = shape
        return name

    def weight(self, *shape):
        """A constant; its numbers are eighths."""
        start = self.rng.randint(1, 1000)

        def part(shape):
            nonlocal start
            if not shape:
                start = start * 5 % 1009
                return start % 13 / 8 - 0.75
            return [part(shape[1:]) for _ in range(shape[0])]
        return f'R.const({part(shape)}, "float32")'

    def recent(self, fits=lambda shape: True):
        found = [name for name, shape in self.shapes.items() if shape and fits(shape)][-4:]
        return self.rng.choice(found) if found else None

    def convolution(self, is_deep):
        name = self.recent(lambda shape: min(shape[1:]) > 2)
        if not name:
            return
        channels, *extents = self.shapes[name]
        outputs = channels if is_deep else self.rng.choice(CHANNELS)
        window, stride, dilation, pad = self.rng.choice([(1, 1, 1, 0), (3, 1, 1, 1), (3, 2, 1, 1), (3, 1, 2, 2), (2, 1, 1, 0), (3, 1, 1, 0)])
        shape = tuple((extent + 2 * pad - dilation * (window - 1) - 1) // stride + 1 for extent in extents)
        if min(shape) < 1:
            return
        weight = self.weight(outputs, 1 if is_deep else channels, window, window)
        groups = channels if is_deep else 1
        made = self.line(f"R.nn.conv2d({name}, {weight}, strides={[stride] * 2}, padding={[pad] * 4}, dilation={[dilation] * 2}, groups={groups})",
                         (outputs, *shape))
        if self.rng.random() < 0.5:
            self.line(f"R.add({made}, {self.weight(1, outputs, 1, 1)})", self.shapes[made])

    def pool(self):
        name = self.recent(lambda shape: min(shape[1:]) > 3)
        if name:
            channels, *extents = self.shapes[name]
            window, stride, pad = self.rng.choice([(2, 2, 0), (3, 2, 1), (3, 1, 1)])
            kind = self.rng.choice(["max", "avg"])
            self.line(f"R.nn.{kind}_pool2d({name}, pool_size={[window] * 2}, strides={[stride] * 2}, padding={[pad] * 4})",
                      (channels, *((extent + 2 * pad - window) // stride + 1 for extent in extents)))

    def unary(self):
        name = self.recent()
        self.line(self.rng.choice(UNARY).format(name), self.shapes[name])

    def residual(self):
        name = self.recent()
        other = self.recent(lambda shape: shape == self.shapes[name])
        self.line(f"R.{self.rng.choice(['add', 'multiply', 'subtract', 'maximum'])}({name}, {other})", self.shapes[name])

    def gate(self):
        """Of each channel, of its mean; or of each place."""
        name = self.recent()
        channels, *extents = self.shapes[name]
        if self.rng.random() < 0.3:
            self.line(f"R.multiply({name}, R.sigmoid(R.mean({name}, axis=[1], keepdims=True)))", (channels, *extents))
            return
        mean = self.line(f"R.mean({name}, axis=[{self.rng.choice(['2, 3', '-1, -2'])}], keepdims=True)", (channels, 1, 1))
        if self.rng.random() < 0.5:
            mean = self.line(f"R.nn.conv2d({mean}, {self.weight(channels, channels, 1, 1)})", (channels, 1, 1))
        self.line(f"R.multiply(R.sigmoid({mean}), {name})", (channels, *extents))

    def join(self):
        name = self.recent()
        parts = [name] + [part for part in (self.recent(lambda shape: shape[1:] == self.shapes[name][1:]),) if part]
        self.line(f"R.concat(({', '.join(parts)},), axis=1)", (sum(self.shapes[part][0] for part in parts), *self.shapes[name][1:]))

    def other(self):
        """What takes no blocks."""
        name = self.recent()
        channels, height, width = self.shapes[name]
        self.line(*self.rng.choice([(f"R.permute_dims({name}, (0, 1, 3, 2))", (channels, width, height)), (f"R.nn.softmax({name}, axis=1)", self.shapes[name]),
                                    (f"R.flip({name}, axis=1)", self.shapes[name])]))

    def script(self):
        steps = [lambda: self.convolution(False)] * 5 + [lambda: self.convolution(True)] * 2 + [self.pool, self.unary, self.unary, self.residual, self.residual,
                                                                                              self.gate, self.join, self.other]
        self.convolution(False)
        self.convolution(False)
        for _ in range(self.rng.randint(4, 12)):
            self.rng.choice(steps)()
        images = [name for name, shape in self.shapes.items() if shape and name != "x"]
        results = sorted({images[-1], self.rng.choice(images), self.rng.choice(images)})
        channels, height, width = self.shapes["x"]
        batch = '"n"' if self.batch == "n" else self.batch
        text = HEAD % (f"{batch}, {channels}, {height}, {width}", "")
        text += "".join(f"            {line}\n" for line in self.lines) + f"            R.output({', '.join(results)})\n"
        return text + f"        return ({', '.join(results)},)\n"


def run(tool, path, script, is_open, lanes):
    path.write_text(script)
    command = [tool, "run", str(path), "--check", "--no-cache", "-p", PASSES.format(lanes=lanes, bytes=4 * lanes)] + ["--dim", "n=3"] * is_open
    result = subprocess.run(command, capture_output=True, text=True)
    return "" if result.returncode == 0 else f"{' '.join(command)}: exit {result.returncode}\n{result.stderr}\n{script}"


def has_blocks(tool, path, lanes):
    return f'"NCHW{lanes}c"' in subprocess.run([tool, "opt", str(path), "-p", f"BlockChannels(lanes={lanes})"], capture_output=True, text=True).stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    failed = blocked = 0
    print(f"1..{options.count // AT_ONCE + 1}")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "network.py"
        for number in range(options.count // AT_ONCE):
            faults = []
            for index in range(number * AT_ONCE, (number + 1) * AT_ONCE):
                network = Network(random.Random(f"{options.seed}:{index}"))
                lanes = (4, 8, 16)[index % 3]
                fault = run(options.tool, path, network.script(), network.batch == "n", lanes)
                blocked += has_blocks(options.tool, path, lanes)
                faults += [fault] if fault else []
            failed += bool(faults)
            print(f"{'not ok' if faults else 'ok'} {number + 1} - networks {number * AT_ONCE} to {(number + 1) * AT_ONCE - 1} of seed {options.seed}")
            for fault in faults:
                print("# " + fault.replace("\n", "\n# "))
    is_enough = blocked * 2 > options.count
    print(f"{'ok' if is_enough else 'not ok'} {options.count // AT_ONCE + 1} - half of them have blocks # {blocked} of {options.count}")
    return failed > 0 or not is_enough


if __name__ == "__main__":
    sys.exit(main())
