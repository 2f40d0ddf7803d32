#!/usr/bin/env python3
"""Writes docs/performance.md and its picture from what run.py and ../kernels.py measured.

usage: page.py FOLDER [--slow FOLDER] [--kernels FILE] [--llama FILE]

FOLDER: with the .bench.json of run.py and the .busy.json of busy.py. The other FOLDER: rows of engines that the first has not,
from runs of their own; their time over ours in that run counts. FILE: of kernels.py and llama.py --export.
"""
import argparse
import json
import math
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PEERS = {"onnxruntime": "ONNX Runtime 1.32", "openvino": "OpenVINO 2026.4", "torch": "torch 2.15, eager", "inductor": "torch 2.15, Inductor",
         "tvm": "TVM 0.27, default"}
PAGE = """# Performance

<!-- Made by bench/models/page.py from what bench/models/run.py and bench/kernels.py measured. -->

Time of a peer over the time of Inlay: above 1, Inlay takes less. {machine}

![Whole models: the best peer's time over ours](performance.svg)

How it is measured: each engine is a process that has loaded the model; in a round each is called for some tenths of a second, one after the other in an order that turns; a figure is
the median of the rounds' medians. Results are compared with those of ONNX Runtime before anything is timed. The machine also did other work (the load is told by row), so a
ratio within 0.1 of another is the same. Peak memory is what loading and running add to a process that has imported the engine; torch keeps its weights twice while it loads.
"Differs": its results are more than 0.2 % of the largest off those of ONNX Runtime with all vectors of the machine. With AVX2 alone sums of products of bytes saturate in ONNX Runtime; ours have the same bits
with all vectors. OpenVINO rounds quantised layers in its own way.{slow}
`scripts/peers --plans --artifacts`, `tests/models/make.py`, `bench/models/extra.py` and `bench/models/run.py` repeat it.

{tables}
{kernels}"""
SLOW = " torch and TVM were measured in runs of their own, in turn with Inlay: their ratios are of those runs."
HEADS = {(1, "target"): "One thread", (2, "target"): "Two threads", (1, "32"): "One thread, as a machine with AVX2 has it (`scripts/avx2`)",
         (2, "32"): "Two threads, as a machine with AVX2 has it"}


def best(row):
    """The peer that takes least, and its time over ours."""
    ours = row["engines"]["inlay"].get("ms")
    times = {name: row["engines"][name]["ms"] for name in PEERS if "ms" in row["engines"].get(name, {})}
    if not ours or not times:
        return None, None
    name = min(times, key=times.get)
    return name, times[name] / ours


def cell(row, name):
    ours, said = row["engines"]["inlay"].get("ms"), row["engines"].get(name, {})
    if "another result" in (said.get("problem") or ""):
        return "differs"
    return "-" if not ours or "ms" not in said else f"{said['ms'] / ours:.2f}"


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else float("nan")


def table(head, rows):
    lines = [f"## {head}", "", "| model | ours, ms | " + " | ".join(PEERS.values()) + " | best peer | ours, MiB | least of the peers, MiB | load |",
             "|---|---|" + "---|" * len(PEERS) + "---|---|---|---|"]
    for row in rows:
        own, ratio = row["engines"]["inlay"], best(row)[1]
        if "ms" not in own:
            lines.append(f"| {row['name']} | {own['problem']} |" + " - |" * (len(PEERS) + 4))
            continue
        memory = [said["mib"] for name, said in row["engines"].items() if name != "inlay" and "mib" in said]
        lines.append(f"| {row['name']} | {own['ms']:.2f} | " + " | ".join(cell(row, name) for name in PEERS) +
                     f" | {f'**{ratio:.2f}**' if ratio else '-'} | {own['mib']:.0f} | {f'{min(memory):.0f}' if memory else '-'} | {row['load']:.1f} |")
    ratios = {name: [row["engines"][name]["ms"] / row["engines"]["inlay"]["ms"] for row in rows if "ms" in row["engines"].get(name, {})] for name in PEERS}
    lines.append("| geometric mean | | " + " | ".join(f"{mean(r):.2f}" if r else "-" for r in ratios.values()) +
                 f" | **{mean([best(row)[1] for row in rows if best(row)[1]]):.2f}** | | | |")
    return "\n".join(lines) + "\n"


def picture(rows):
    """Bars from 1 to the left and to the right, on a scale of logarithms."""
    left, width, step, top = 150, 420, 22, 34
    low, high = math.log(0.4), math.log(2.5)

    def x(ratio):
        return left + (min(max(math.log(ratio), low), high) - low) / (high - low) * width

    height = top + step * len(rows) + 24
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="760" height="{height}" viewBox="0 0 760 {height}" font-family="sans-serif" font-size="12">',
           f'<rect width="760" height="{height}" fill="white"/>',
           f'<text x="{x(1):.0f}" y="14" text-anchor="middle" fill="#444">one thread: time of the best peer / time of Inlay</text>']
    for tick in (0.5, 0.8, 1, 1.25, 2):
        out.append(f'<line x1="{x(tick):.1f}" y1="{top - 6}" x2="{x(tick):.1f}" y2="{height - 22}" stroke="{"#444" if tick == 1 else "#ddd"}"/>')
        out.append(f'<text x="{x(tick):.1f}" y="{height - 8}" text-anchor="middle" fill="#444">{tick}</text>')
    for i, row in enumerate(rows):
        name, ratio = best(row)
        y, edge = top + i * step, x(ratio)
        out.append(f'<text x="{left - 8}" y="{y + 11}" text-anchor="end">{row["name"]}</text>')
        out.append(f'<rect x="{min(edge, x(1)):.1f}" y="{y}" width="{abs(edge - x(1)):.1f}" height="14" fill="{"#2a7" if ratio >= 1 else "#c73"}"/>')
        out.append(f'<text x="{left + width + 12}" y="{y + 11}">{ratio:.2f}  {PEERS[name].split(" 2")[0].split(" 1")[0].split(" 0")[0]}</text>')
    return "\n".join([*out, "</svg>", ""])


def kernel_table(path):
    made = json.loads(path.read_text())
    lines = ["## Kernels, one thread, beside ONNX Runtime", "", "| kernel | ours, ms | ONNX Runtime over ours |", "|---|---|---|"]
    lines += [f"| {row['name']} | {row['ms']:.3f} | {row['ratio']:.2f} |" for row in made]
    return "\n".join([*lines, f"| geometric mean | | {mean([row['ratio'] for row in made]):.2f} |", ""])


def llama_table(path):
    rows = json.loads(path.read_text())
    lines = ["## A step of a decoder, one thread, beside llama.cpp", "",
             f"A random model of GPT-2's form with 124 million parameters behind a cache of {rows[0]['past']} tokens (`bench/models/llama.py`): the same weights in all engines, keys and values in float32,",
             "8 and 4 bits in blocks of 32 (`q8_0`, `q4_0`; here `MatMulNBits`, computed in float32, while llama.cpp rounds the data to 8 bits as well). Least of the rounds' medians of processor time. \"Reading\" is",
             "the time in which NumPy reads as many bytes as the GGUF file has; \"apart\" the largest difference of a logit from llama.cpp's and ONNX Runtime's, over the largest logit." +
             (" llama.cpp ran without its repacked weights, with which it crashed on this machine." if rows[0].get("plain") else ""), "",
             "| weights | MB | ours, ms | llama.cpp over ours | ONNX Runtime over ours | ours over reading | apart | load |", "|---|---|---|---|---|---|---|---|"]
    for row in rows:
        ms, off = row["ms"], row["off"]
        lines.append(f"| {row['kind']} | {row['mb']:.0f} | {ms['inlay']:.2f} | **{ms['llama.cpp'] / ms['inlay']:.2f}** | {ms['onnxruntime'] / ms['inlay']:.2f} | "
                     f"{ms['inlay'] / ms['reading']:.2f} | {off['llama.cpp']:.0e}, {off['onnxruntime']:.0e} | {row['load']:.1f} |")
    return "\n".join([*lines, ""])


def busy_table(rows):
    engines = [name for name in ["inlay", *PEERS] if any(name in row["engines"] for row in rows)]
    lines = ["## Two threads beside a process that keeps a core busy", "",
             "Three threads want two cores then. Time of two threads over the time of one: with the machine to themselves, and beside a loop that never waits (`bench/models/busy.py`).", "",
             "| model | " + " | ".join(f"{PEERS.get(name, 'ours')}, alone | beside" for name in engines) + " | load |",
             "|---|" + "---|---|" * len(engines) + "---|"]

    def ratios(row, name):
        said = row["engines"].get(name)
        return [said[kind][1] / said[kind][0] for kind in ("alone", "beside")] if said else []

    for row in rows:
        cells = [f"{ratio:.2f}" for name in engines for ratio in ratios(row, name) or [math.nan] * 2]
        lines.append(f"| {row['name']} | {' | '.join(cells)} | {row['load']:.1f} |".replace("nan", "-"))
    means = [mean([ratios(row, name)[i] for row in rows if ratios(row, name)]) for name in engines for i in range(2)]
    return "\n".join([*lines, f"| geometric mean | {' | '.join(f'{value:.2f}' for value in means)} | |", ""])


def rows_of(folder, kind):
    return [json.loads(path.read_text()) for path in sorted(folder.glob(f"*.{kind}.json"))]


def join(rows, others):
    """Adds to @rows the engines that only @others have."""
    known = {(row["name"], row["threads"], row["vectors"]): row["engines"] for row in rows}
    for other in others:
        engines = known.get((other["name"], other["threads"], other["vectors"]), {})
        for name in other["engines"].keys() - engines.keys():
            said = dict(other["engines"][name])
            if "ms" in said:
                said["ms"] *= engines["inlay"]["ms"] / other["engines"]["inlay"]["ms"]
            engines[name] = said


def processor():
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    name = next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    has = next(line for line in lines if line.startswith("flags"))
    kind = "AVX-512" if "avx512f" in has else "AVX2" if "avx2" in has else "no AVX2"
    return f"Measured on {name} with {kind}, {sum(line.startswith('processor') for line in lines)} cores of a virtual machine."


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    for name in ("--slow", "--kernels", "--llama"):
        parser.add_argument(name, type=pathlib.Path)
    options = parser.parse_args()
    rows, tables = rows_of(options.folder, "bench"), []
    if options.slow:
        join(rows, rows_of(options.slow, "bench"))
    for (threads, vectors), head in HEADS.items():
        found = [row for row in rows if (row["threads"], str(row["vectors"])) == (threads, vectors)]
        found.sort(key=lambda row: -(best(row)[1] or 0))
        if found:
            tables.append(table(head, found))
        if found and (threads, vectors) == (1, "target"):
            (ROOT / "docs/performance.svg").write_text(picture([row for row in found if best(row)[1]]))
    busy = rows_of(options.folder, "busy")
    more = [busy_table(busy)] if busy else []
    more += [table_of(path) for table_of, path in ((kernel_table, options.kernels), (llama_table, options.llama)) if path]
    (ROOT / "docs/performance.md").write_text(PAGE.format(machine=processor(), tables="\n".join(tables), kernels="\n".join(more), slow=SLOW if options.slow else ""))


main()
