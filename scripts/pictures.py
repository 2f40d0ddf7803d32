#!/usr/bin/env python3
"""Draws the pictures of docs/ from what the tool says, and from bench/roofline/measured.json; tests/pictures.py compares.

Colours are in a style sheet with a second set for dark pages, so a picture is legible on both.

usage: pictures.py TOOL ROOT
"""
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile
from xml.sax.saxutils import escape

# Plain rules, not variables, which few viewers but browsers know: (what is coloured, on light pages, on dark ones).
COLOURS = [("text", "fill", "#1f2328", "#e6edf3"), (".faint", "fill", "#59636e", "#9198a1"), (".on", "fill", "#1f2328", "#ffffff"), (".page", "fill", "#ffffff", "#0d1117"),
           (".line", "stroke", "#8c959f", "#7d8590"), (".grid", "stroke", "#d8dee4", "#30363d"), (".mark", "stroke", "#b5232f", "#ff7b72"), (".box", "stroke", "#8c959f", "#7d8590"),
           (".tip", "fill", "#8c959f", "#7d8590"), (".hot", "fill", "#b5232f", "#ff7b72"), (".a", "fill", "#9ecae1", "#1f6391"), (".b", "fill", "#a1d99b", "#2c7032"),
           (".c", "fill", "#fdd0a2", "#8a5413"), (".d", "fill", "#bcbddc", "#5d5a9e"), (".e", "fill", "#fdae9b", "#96422f")]
STYLE = ("<style>\ntext{font:12px monospace}.head{font-weight:bold}.line,.grid,.mark,.empty{fill:none}.mark{stroke-width:2}.box{stroke-width:.7}\n"
         + "".join(f"{what}{{{how}:{light}}}" for what, how, light, _ in COLOURS)
         + "\n@media (prefers-color-scheme:dark){" + "".join(f"{what}{{{how}:{dark}}}" for what, how, _, dark in COLOURS) + "}\n</style>\n")
LETTER, HIGH = 7.25, 12 # of a text


class Picture:
    def __init__(self, width, height, title):
        self.width, self.height = width, height
        self.parts, self.texts = [f"<title>{escape(title)}</title>\n", STYLE, f'<rect class="page" width="{width}" height="{height}"/>\n'], []

    def text(self, x, y, words, kind="", anchor="start"):
        self.texts.append((x, y, words, anchor))
        self.parts.append(f'<text x="{x:g}" y="{y:g}"{f" class={chr(34)}{kind}{chr(34)}" if kind else ""}'
                          f'{f" text-anchor={chr(34)}{anchor}{chr(34)}" if anchor != "start" else ""}>{escape(words)}</text>\n')

    def box(self, x, y, width, height, kind, tip=""):
        assert x >= 0 and y >= 0 and x + width <= self.width and y + height <= self.height, f"a box leaves the picture: {tip}"
        body = f"><title>{escape(tip)}</title></rect>" if tip else "/>"
        self.parts.append(f'<rect class="box {kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"{body}\n')

    def path(self, where, kind="line"):
        self.parts.append(f'<path class="{kind}" d="{where}"/>\n')

    def arrow(self, x, y, to_x, to_y, kind="line"):
        """A line with a tip at its end."""
        angle = math.atan2(to_y - y, to_x - x)
        self.path(f"M{x:g} {y:g} L{to_x:g} {to_y:g}", kind)
        corners = [(to_x - 8 * math.cos(angle + turn), to_y - 8 * math.sin(angle + turn)) for turn in (0.4, -0.4)]
        self.path(f"M{to_x:g} {to_y:g} " + " ".join(f"L{a:.1f} {b:.1f}" for a, b in corners) + " Z", "tip" if kind != "mark" else "hot")

    def svg(self):
        """The picture, in which no text leaves it or lies on another one."""
        places = []
        for x, y, words, anchor in self.texts:
            width = LETTER * len(words)
            left = x - {"start": 0, "middle": width / 2, "end": width}[anchor]
            assert left >= 0 and left + width <= self.width and HIGH <= y <= self.height, f"`{words}` leaves the picture"
            for a, b, c, d, other in places:
                assert left >= c or left + width <= a or y - HIGH >= d or y + 2 <= b, f"`{words}` lies on `{other}`"
            places.append((left, y - HIGH, left + width, y + 2, words))
        return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" viewBox="0 0 {self.width} {self.height}">\n'
                + "".join(self.parts) + "</svg>\n")


def ask(tool, *args):
    return subprocess.run([tool, *map(str, args)], capture_output=True, text=True, check=True).stdout


# ---- storage and names of a step with caches ----

def storages(tool, root):
    """Names from left to right, in the order of the script; one lane for each storage."""
    script = root / "examples/kv_cache.py"
    text = ask(tool, "opt", script)
    main = text[text.index("    def main("):]
    params = re.findall(r"(\w+): (R\.Tensor|T\.int64)", main[:main.index("->")])
    donated = [int(n) for n in re.search(r'"relax.inplace_arg": \[([^]]*)\]', main)[1].split(",")]
    calls = re.findall(r"(\w+)(?:: .*?)? = R\.call_tir(?:_inplace)?\(cls\.(\w+), \(([^)]*)\)", main)
    taken = {d["result"]: d["value"] for d in json.loads(ask(tool, "why", "--all", "--format=json", script)) if d["verdict"] == "in-place"}
    sizes = {d["result"]: d["bytes"] for d in json.loads(ask(tool, "why", "--all", "--format=json", script))}
    tensors = [name for name, kind in params if kind == "R.Tensor"]
    lane_of, lanes = {}, []
    for name in tensors:
        lane_of[name] = len(lanes)
        lanes.append((name, "donated by the caller" if [n for n, _ in params].index(name) in donated else "the caller's, only read"))
    for result, _, _ in calls:
        if result in taken:
            lane_of[result] = lane_of[taken[result]]
        else:
            lane_of[result] = len(lanes)
            lanes.append((result, f"taken by the run, {sizes[result]} bytes"))
    p = Picture(1000, 96 + 52 * len(lanes), "Storages and names of examples/kv_cache.py")
    left, step, top = 252, 220, 64
    p.text(12, 24, "One lane a storage, one box a name. What is updated in place stays in its lane.", "head")
    columns = {"": 0} | {result: i + 1 for i, (result, _, _) in enumerate(calls)}
    for result, kernel, _ in calls:
        p.text(left + columns[result] * step + 15, 50, f"{kernel}()", "faint", "middle")
    for i, (name, what) in enumerate(lanes):
        y = top + 52 * i
        p.path(f"M12 {y - 4} H988", "grid")
        p.text(12, y + 16, name, "head")
        p.text(12, y + 32, what, "faint")
    box_of = {}
    for name in lane_of:
        x = left + columns.get(name, 0) * step - (40 if name in columns else 0)
        kind = "b" if name in taken else "c" if name in columns else "a"
        p.box(x, top + 52 * lane_of[name] + 6, 110, 28, kind)
        p.text(x + 55, top + 52 * lane_of[name] + 25, name, "on", "middle")
        box_of[name] = (x, top + 52 * lane_of[name] + 20)
    for result, _, args in calls:
        x, y = box_of[result]
        for name in args.split(", "):
            if name in box_of and taken.get(result) != name:
                p.path(f"M{box_of[name][0] + 110:g} {box_of[name][1]:g} H{x - 12:g} V{y:g} H{x:g}", "line")
        if result in taken:
            start = box_of[taken[result]]
            p.arrow(start[0] + 110, start[1], x, y, "mark")
            p.text(start[0] + 116, start[1] - 8, "in place")
    foot = top + 52 * len(lanes) + 16
    p.text(12, foot, f"{len(taken)} calls in place, 0 copies: thin lines are reads. `inlay why examples/kv_cache.py` says the same in words.", "faint")
    return p.svg()


# ---- the pipeline with its properties ----

def pipeline(tool, root):
    passes = {p["name"]: p for p in json.loads(ask(tool, "list", "passes", "--format=json"))["items"]}
    steps = next(p["passes"] for p in json.loads(ask(tool, "list", "pipelines", "--format=json"))["items"] if p["name"] == "default")
    names = re.findall(r"(\w+)(?:\([^)]*\))?(?:,|$)", steps)
    folders = list(dict.fromkeys(p["folder"] for p in passes.values()))
    columns, width, step = 4, 214, 242
    rows = math.ceil(len(names) / columns)
    p = Picture(1000, 104 + 78 * rows, "The pipeline `default` and its properties")
    p.text(12, 24, "`default`, and what its passes need of a module (above) and give it (below)", "head")
    for i, folder in enumerate(folders):
        p.box(12 + 150 * i, 36, 14, 14, "abcde"[i])
        p.text(32 + 150 * i, 48, f"passes/{folder}")
    for i, name in enumerate(names):
        row, column = divmod(i, columns)
        x, y = 22 + step * column, 88 + 78 * row
        info = passes[name]
        p.box(x, y, width, 28, "abcde"[folders.index(info["folder"])], info["doc"])
        p.text(x + width / 2, y + 19, name, "on", "middle")
        if info["needs"]:
            p.text(x + 4, y - 6, f"needs {info['needs']}", "faint")
        if info["gives"]:
            p.text(x + 4, y + 43, f"gives {info['gives']}", "faint")
        if i + 1 < len(names) and column + 1 < columns:
            p.arrow(x + width, y + 14, x + step, y + 14)
        elif i + 1 < len(names):
            p.path(f"M{x + width - 20} {y + 28} v22 H8 v42 h6", "line")
            p.arrow(12, y + 92, 22, y + 92)
    p.text(12, 90 + 78 * rows, "A property is tested on the module, whoever made it so: scripts may have it from the start.", "faint")
    return p.svg()


# ---- panels of a product ----

PRODUCT = """\
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor((512, 512), "float32"), b: R.Tensor((512, 512), "float32")) -> R.Tensor((512, 512), "float32"):
        return R.matmul(a, b)
"""


def panels(tool, root):
    """The extents are those of the loops that the pass makes."""
    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder) / "product.py"
        script.write_text(PRODUCT)
        text = ask(tool, "opt", script, "-p", 'LegalizeOps,ScheduleCPU(vector_bytes=32, l2_bytes=1048576, fma="on")').replace("T.int64", "")
    count, depth, wide = map(int, re.search(r"panels = T\.alloc_buffer\(\(\((\d+)\), \((\d+)\), \((\d+)\)\)\)", text).groups())
    tasks, (outer, inner) = int(re.findall(r"in T\.parallel\(\((\d+)\)\)", text)[1]), map(int, re.search(r"T\.grid\(\((\d+)\), \((\d+)\)\)", text).groups())
    high = int(re.search(r"acc = T\.alloc_local\(\(\((\d+)\), \(\d+\)\)\)", text)[1])
    rows = int(re.search(rf"\+ ic \* \((\d+)\) \+ r", text)[1])
    lanes, unit = 32 // 4, 220 / depth
    p = Picture(1000, 520, "How a product of 512 x 512 x 512 is computed")
    p.text(12, 24, f"ScheduleCPU on a product of {depth} x {depth} x {count * wide}, vectors of 32 bytes", "head")
    a, b, c = (60, 262), (340, 32), (340, 262)
    for (x, y), name, wider in ((a, "a", depth), (b, "b, as panels", count * wide), (c, "result", count * wide)):
        p.box(x, y, unit * wider, unit * depth, "empty")
    for i in range(1, count):
        p.path(f"M{b[0] + unit * wide * i:g} {b[1]} v{unit * depth:g}", "grid" if i % inner else "line")
    for i in range(1, outer):
        p.path(f"M{a[0]} {a[1] + unit * rows * i:g} h{unit * depth:g}", "line")
        p.path(f"M{c[0]} {c[1] + unit * rows * i:g} h{unit * count * wide:g}", "line")
    for i in range(1, tasks):
        p.path(f"M{c[0] + unit * wide * inner * i:g} {c[1]} v{unit * depth:g}", "line")
    panel, strip = inner + 2, rows * 1 + high * 8 # those that are shown
    p.box(b[0] + unit * wide * panel, b[1], unit * wide, unit * depth, "b")
    p.box(a[0], a[1] + unit * strip, unit * depth, unit * high, "a")
    tile = (c[0] + unit * wide * panel, c[1] + unit * strip)
    p.box(*tile, unit * wide, unit * high, "e")
    p.text(a[0], a[1] - 8, "a")
    p.text(b[0] - 10, b[1] + 16, "b", "", "end")
    p.text(c[0] - 10, c[1] + 216, "out", "", "end")
    x, y, cell = 640, 330, 19
    p.path(f"M{tile[0] + unit * wide:g} {tile[1]:g} L{x} {y}", "mark")
    p.path(f"M{tile[0] + unit * wide:g} {tile[1] + unit * high:g} L{x} {y + cell * high}", "mark")
    for row in range(high):
        for vector in range(wide // lanes):
            p.box(x + cell * lanes * vector, y + cell * row, cell * lanes, cell, "e" if (row + vector) % 2 else "c")
    p.text(x, y - 10, f"acc: {high} x {wide}, {high * wide // lanes} registers")
    words = [f"{count} panels of {wide} columns: b lies", "as the innermost loop reads it",
             f"{tasks} tasks of {inner} panels, one", "thread each", f"{outer} blocks of {rows} rows of a stay in", "L2 for all panels of a task",
             f"a tile of {high} rows and one panel:", f"{high * wide // lanes} vectors of {lanes} lanes, which stay in", f"registers for {depth} multiply-adds"]
    for i, line in enumerate(words):
        p.text(600, 56 + 20 * i + 8 * sum(i >= n for n in (2, 4, 6)), line)
    p.text(12, 506, "Extents are those of the loops that `inlay opt` prints.", "faint")
    return p.svg()


# ---- roofline ----

NAMES = {"fused_tir_sigmoid_multiply": "x * sigmoid(x), 16 MiB", "softmax": "softmax 512 x 512", "matmul": "product 512 x 512 x 512", "matmul_1": "product 1 x 512 x 2048",
         "matmul_2": "product 128 x 512 x 2048", "rms_norm": "rms_norm 128 x 512"}


def roofline(tool, root):
    made = json.loads((root / "bench/roofline/measured.json").read_text())
    kernels = [k for k in made["kernels"] if k["bound"]]
    assert {k["name"] for k in kernels} == set(NAMES), "measure again: the kernels are others now"
    peak, bands = made["roof"]["gflops"], sorted((int(size), speed) for size, speed in made["roof"]["gb_per_s"].items())
    p = Picture(1000, 470, "Kernels under the roof of a machine")
    left, right, top, bottom = 80, 960, 70, 396
    low, wide = (0.1, 256), (2, 2 ** math.ceil(math.log2(peak * 1.3)))

    def x(value):
        return left + (right - left) * math.log(value / low[0]) / math.log(low[1] / low[0])

    def y(value):
        return bottom - (bottom - top) * math.log(value / wide[0]) / math.log(wide[1] / wide[0])

    machine = made["machine"]
    p.text(12, 24, "Kernels under the roof: what they compute for each byte, and how fast", "head")
    p.text(12, 44, f"{machine['processor']}, one thread, load {machine['load_before']:.0f}: others used the machine, too. Medians, {made['rounds']} rounds.", "faint")
    for tick in (0.1, 1, 10, 100):
        p.path(f"M{x(tick):.1f} {top} V{bottom}", "grid")
        p.text(x(tick), bottom + 20, f"{tick:g}", "faint", "middle")
    for tick in (4, 16, 64, 256):
        if tick <= wide[1]:
            p.path(f"M{left} {y(tick):.1f} H{right}", "grid")
            p.text(left - 8, y(tick) + 4, f"{tick}", "faint", "end")
    p.text((left + right) / 2, bottom + 44, "operations for each byte that is read or written once", "", "middle")
    p.text(12, top - 8, "GFLOP/s")
    for size, speed in (bands[0], bands[-1]):
        begin, knee = max(low[0], wide[0] / speed), peak / speed
        p.path(f"M{x(begin):.1f} {y(speed * begin):.1f} L{x(knee):.1f} {y(peak):.1f}", "line")
    p.path(f"M{x(peak / bands[0][1]):.1f} {y(peak):.1f} H{right}", "line")
    p.text(right, y(peak) - 8, f"multiply-adds in registers: {peak:.0f} GFLOP/s", "faint", "end")
    words = [f"{speed:.0f} GB/s: sets of {size // 1024 if size < 2 ** 20 else size // 2 ** 20} {'KiB' if size < 2 ** 20 else 'MiB'}" for size, speed in (bands[0], bands[-1])]
    p.text(x(0.32), y(bands[0][1] * 0.24), words[0], "faint")
    p.text(x(0.16), y(bands[-1][1] * 0.16) + 30, words[1], "faint")
    taken = []
    for k in sorted(kernels, key=lambda k: -k["gflops"]):
        intensity = k["gflops"] / k["gb_per_s"]
        px, py = x(intensity), y(k["gflops"])
        p.parts.append(f'<circle class="hot" cx="{px:.1f}" cy="{py:.1f}" r="5"><title>{escape(NAMES[k["name"]])}</title></circle>\n')
        words = f"{NAMES[k['name']]}: {100 * k['roof_share']:.0f} %"
        below = py + 5
        while any(abs(below - other) < 16 and abs(px - place) < 8 * 36 for place, other in taken):
            below += 16
        taken.append((px, below))
        if px + 14 + LETTER * len(words) < right:
            p.text(px + 12, below, words)
        else:
            p.text(px - 12, below, words, "", "end")
    p.text(12, 460, "Percentages are of the roof for the kernel's own bytes (`inlay bench`). Drawn from bench/roofline/measured.json.", "faint")
    return p.svg()


PICTURES = {"docs/storages.svg": storages, "docs/pipeline.svg": pipeline, "docs/panels.svg": panels, "docs/roofline.svg": roofline}


def drawn(tool, root):
    """Path -> picture, as the tool says now."""
    tool, root = str(pathlib.Path(tool).resolve()), pathlib.Path(root).resolve()
    return {root / name: draw(tool, root) for name, draw in PICTURES.items()}


if __name__ == "__main__":
    for path, picture in drawn(*sys.argv[1:3]).items():
        path.write_text(picture)
