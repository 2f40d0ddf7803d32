#!/usr/bin/env python3
"""Holds `inlay why --loops`, `--fusion` and `--memory` against the examples: each loop has a reason, in three forms that say the same.  Prints TAP.

Text is for people, so it is only asked whether it is there; JSON is held against its schema; optimisation records are
read as YAML, if there is a reader of it, and by LLVM's own tool, if that is there.

usage: remarks.py TOOL ROOT [LLVM_BINDIR]
"""
import json
import os
import pathlib
import subprocess
import sys

from json_schema import hold_against

try:
    import yaml
except ImportError:
    yaml = None

TIMEOUT = 120 * int(os.environ.get("INLAY_SLOW", "1"))
TOPICS = ["--loops", "--fusion", "--memory"]
# What is no reason on its own: a loop that is neither in lanes nor shared says why.
SERIAL, UNASKED = "LP006", "LP050"


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
    assert bool(run(tool, topic, "--all", path)) == bool(answer["remarks"])
    records = run(tool, topic, "--format=yaml", path)
    if yaml:
        check_yaml(records, answer["remarks"])
    if reader and records:
        check_llvm(reader, records)


def main(tool, root, bindir=None):
    tool = str(pathlib.Path(tool).resolve())
    reader = pathlib.Path(bindir or "/nowhere") / "llvm-remarkutil"
    reader = str(reader) if reader.exists() else None
    scripts = sorted(pathlib.Path(root).resolve().glob("examples/*.py"))
    print(f"1..{len(scripts) * len(TOPICS)}")
    failed = False
    for i, (script, topic) in enumerate((s, t) for s in scripts for t in TOPICS):
        name = f"{script.name} {topic}"
        try:
            check(tool, str(script), reader, topic)
            print(f"ok {i + 1} - {name}", flush=True)
        except AssertionError as error:
            failed = True
            print(f"not ok {i + 1} - {name}", flush=True)
            print("# " + str(error).replace("\n", "\n# "))
    return failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
