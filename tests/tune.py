#!/usr/bin/env python3
"""`inlay tune`: what it finds, what it refuses, and that what it saves can be replayed. Prints TAP.

usage: tune.py TOOL ROOT [FILTER]
"""
import json
import pathlib
import re

from cases import Cases
from measure import HEAD, PRODUCT, Tool

case = Cases()
# One schedule away from being 10 times as fast.
SPACE = "optional ScheduleCPU # the rest stays\n"


def tune(tool, script, *args, status=0):
    return tool.run("tune", script, "--format=json", *args, status=status)


@case
def finds_what_is_missing(tool):
    """From `unscheduled` on, a schedule is worth much; it is found, named, saved, and the file is the pipeline."""
    (tool.folder / "space.txt").write_text("more ScheduleCPU\nmovable ScheduleCPU\n")
    big = PRODUCT.replace("96", "128").replace("80", "128").replace("64", "128")
    found = json.loads(tune(tool, big, "-p", "unscheduled", "--budget=8s", f"--space={tool.folder}/space.txt", f"--save={tool.folder}/best.txt"))
    assert found["is_better"] and "ScheduleCPU" in found["pipeline"], found
    assert found["best"]["min_ms"] < found["start"]["min_ms"] / 2, (found["start"], found["best"])
    assert [worth["what"] for worth in found["worth"]] == ["with ScheduleCPU"], found["worth"]
    assert found["worth"][0]["ratio"] > 2, found["worth"]
    text = (tool.folder / "best.txt").read_text()
    assert text.startswith("# inlay tune ") and "times as fast as `unscheduled`" in text, text
    # `-p @best.txt` is what was found
    ours = tool.run("opt", big, "-p", f"@{tool.folder}/best.txt")
    assert ours == tool.run("opt", big, "-p", found["pipeline"]), "replay"
    row, = tool.rows("race", big, "--rounds=1", "--pipelines", f"{tool.folder}/best.txt")
    assert row["is_close"], row


@case
def never_worse_than_the_start(tool):
    """Where there is nothing to find the answer is the start, also if a choice makes it slower."""
    (tool.folder / "space.txt").write_text(SPACE)
    found = json.loads(tune(tool, PRODUCT, "--budget=2s", f"--space={tool.folder}/space.txt"))
    assert not found["is_better"] and "ScheduleCPU" in found["pipeline"] and found["worth"] == [], found
    assert {choice["choice"] for choice in found["choices"]} <= {"without ScheduleCPU", "with ScheduleCPU"} and found["tried"] > 0, found["choices"]
    text = tool.run("tune", PRODUCT, "--budget=1s", f"--space={tool.folder}/space.txt")
    assert "nothing was found that is faster for certain: `default` is the answer" in text, text


@case
def other_results_are_not_taken(tool):
    """A pipeline that rounds in another way than it may is never taken, however fast it is."""
    (tool.folder / "space.txt").write_text("more ScheduleCPU\nmovable ScheduleCPU\n")
    found = json.loads(tune(tool, PRODUCT, "-p", "unscheduled", "--tolerance=1e-12", "--budget=2s", f"--space={tool.folder}/space.txt"))
    assert found["different"] > 0 and found["measured"] == 0 and not found["is_better"], found


@case
def refused_orders_are_counted(tool):
    (tool.folder / "space.txt").write_text("optional LegalizeOps\nmovable ToNonDataflow\n")
    script = HEAD + ("@R.function\ndef main(x: R.Tensor((8,), \"float32\")) -> R.Tensor((8,), \"float32\"):\n"
                     "    with R.dataflow():\n        y = R.exp(x)\n        R.output(y)\n    return y\n")
    found = json.loads(tune(tool, script, "-p", "debug", "--budget=1s", f"--space={tool.folder}/space.txt"))
    assert found["refused"] > 0 and found["tried"] == found["refused"] + found["different"] + found["same"] + found["measured"], found


@case
def spaces_that_say_nonsense(tool):
    for text, word in (("sometimes FuseOps\n", "not `sometimes`"), ("optional Fuse\n", "no pass `Fuse`"), ("values FuseOps depth=1\n", "no option `depth`"),
                       ("values FuseOps\n", "PASS option=a,b"), ("optional FuseOps twice\n", "a pass and no more"), ("# nothing\n", "nothing to try")):
        (tool.folder / "space.txt").write_text(text)
        import subprocess
        (tool.folder / "script.py").write_text(PRODUCT)
        done = subprocess.run([tool.path, "tune", tool.folder / "script.py", f"--space={tool.folder}/space.txt"], capture_output=True, text=True)
        assert done.returncode == 1 and "E0701" in done.stderr and word in done.stderr, (text, done.stderr)


@case
def choices_are_those_of_passes(tool):
    """Every row of passes/tune.def names a pass, and an option that it has with a value that it takes."""
    table = (tool.root / "passes/tune.def").read_text()
    passes = (tool.root / "passes/passes.def").read_text()
    rows = re.findall(r"^(OPTIONAL|VALUES|MORE|MOVABLE)\((\w+)(?:, (\w+), \"([^\"]*)\")?\)", table, re.MULTILINE)
    assert len(rows) > 20, rows
    for kind, name, option, values in rows:
        row = re.search(rf"^PASS\({name}, \w+, \w+, \"((?:[^\"\\]|\\.)*)\"", passes, re.MULTILINE)
        assert row, name
        assert not option or re.search(rf"\b{option}: ", row[1]), (name, option)
        assert (kind == "VALUES") == bool(values), (kind, values)


if __name__ == "__main__":
    case.main(Tool)
