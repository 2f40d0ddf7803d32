#!/usr/bin/env python3
"""Holds `inlay why --loops`, `--fusion` and `--memory` against the examples: each loop has a reason, in three forms that say the same.  Prints TAP.

Scripts of remark_programs.py, and the golden tests of golden/why, reach what examples do not: there is no reason that nothing reaches.

Text is for people, so it is only asked whether it is there; JSON is held against its schema; optimisation records are
read as YAML, if there is a reader of it, and by LLVM's own tool, if that is there.

usage: remarks.py TOOL ROOT [LLVM_BINDIR]
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from json_schema import hold_against
from remark_programs import PROGRAMS

try:
    import yaml
except ImportError:
    yaml = None

TIMEOUT = 120 * int(os.environ.get("INLAY_SLOW", "1"))
TOPICS = ["--loops", "--fusion", "--memory"]
# What is no reason on its own: a loop that is neither in lanes nor shared says why.
SERIAL, UNASKED = "LP006", "LP050"


SEEN = set()


def run(tool, *args):
    done = subprocess.run([tool, "why", *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=TIMEOUT)
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
    return done.stdout.decode()


def check_reasons(remarks):
    for item in remarks:
        codes = [part["code"] for part in item["parts"]]
        assert codes, item
        assert all(part["reason"] and "{" not in part["reason"] for part in item["parts"]), item
        assert codes[0] != SERIAL or len(codes) > 1, f"a serial loop without a reason: {item}"
        assert UNASKED not in codes, f"nobody looked at a loop: {item}"


if yaml:
    class Record(dict):
        """One document, with its tag."""

    class Loader(yaml.SafeLoader):
        pass

    def read_record(loader, suffix, node):
        record = Record(loader.construct_mapping(node, deep=True))
        record["tag"] = suffix
        return record

    Loader.add_multi_constructor("!", read_record)


def check_yaml(text, remarks):
    records = list(yaml.load_all(text, Loader))
    wanted = [(part["pass"], part["code"], item["function"]) for item in remarks for part in item["parts"]]
    assert [(r["Pass"], r["Name"], r["Function"]) for r in records] == wanted
    for record in records:
        assert record["tag"] in ("Passed", "Missed", "Analysis"), record
        assert all(isinstance(value, str) for argument in record["Args"] for key, value in argument.items() if key != "DebugLoc"), record
        for place in [record.get("DebugLoc"), *(argument.get("DebugLoc") for argument in record["Args"])]:
            assert place is None or (place["Line"] > 0 and place["Column"] > 0 and place["File"]), record


def check_llvm(reader, text):
    """llvm-remarkutil reads each record, or says that it cannot."""
    done = subprocess.run([reader, "count", "-", "--parser=yaml", "--count-by=remark-name"], input=text.encode(), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=TIMEOUT)
    assert done.returncode == 0, done.stdout.decode("utf-8", "replace")[:2000]


def check(tool, path, reader, topic):
    answer = json.loads(run(tool, topic, "--format=json", path))
    schema = json.loads((pathlib.Path(path).parents[1] / "docs/remarks.schema.json").read_text())
    hold_against(schema, answer, path)
    check_reasons(answer["remarks"])
    SEEN.update(part["code"] for item in answer["remarks"] for part in item["parts"])
    assert bool(run(tool, topic, "--all", path)) == bool(answer["remarks"])
    records = run(tool, topic, "--format=yaml", path)
    if yaml:
        check_yaml(records, answer["remarks"])
    if reader and records:
        check_llvm(reader, records)


def check_program(tool, folder, code, args, subject, text):
    """The reason is said, and of whom."""
    path = pathlib.Path(folder, f"{code}.py")
    path.write_text(text)
    items = json.loads(run(tool, *args, "--format=json", str(path)))["remarks"]
    said = {part["code"]: [] for item in items for part in item["parts"]}
    for item in items:
        for part in item["parts"]:
            said[part["code"]].append(f"{item['function']}.{item['subject']}")
    SEEN.update(said)
    assert code in said and (subject is None or subject in said[code]), said


def check_all_reached(tool, root):
    for path in sorted((root / "tests/golden/why").glob("*/*.py")):
        command = path.read_text().split("\n", 1)[0].partition(": why ")[2].split()
        answer = json.loads(run(tool, *command, "--format=json", str(path)))
        SEEN.update(part["code"] for item in answer.get("remarks", []) for part in item["parts"])
    rows = re.findall(r"^REMARK\((\w+), (\d+), ", (root / "analysis/remark.def").read_text(), re.M)
    missing = {f"{topic}{int(number):03}" for topic, number in rows} - SEEN
    assert rows and not missing, f"nothing reaches {sorted(missing)}"


def run_cases(cases):
    failed = False
    print(f"1..{len(cases)}")
    for i, (name, check_one, args) in enumerate(cases, 1):
        try:
            check_one(*args)
            print(f"ok {i} - {name}", flush=True)
        except AssertionError as error:
            failed = True
            print(f"not ok {i} - {name}", flush=True)
            print("# " + str(error).replace("\n", "\n# "))
    return failed


def main(tool, root, bindir=None):
    tool = str(pathlib.Path(tool).resolve())
    reader = pathlib.Path(bindir or "/nowhere") / "llvm-remarkutil"
    reader = str(reader) if reader.exists() else None
    root = pathlib.Path(root).resolve()
    scripts = sorted(root.glob("examples/*.py"))
    with tempfile.TemporaryDirectory() as folder:
        cases = [(f"{s.name} {t}", check, (tool, str(s), reader, t)) for s in scripts for t in TOPICS]
        cases += [(f"{p[0]} is reached", check_program, (tool, folder, *p)) for p in PROGRAMS]
        cases += [("all reasons are reached", check_all_reached, (tool, root))]
        failed = run_cases(cases)
    return failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
