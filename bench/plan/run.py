#!/usr/bin/env python3
"""Plans of memory against their bound, and how long they take; README.md has a table.

usage: run.py TOOL [--data FOLDER] [--sizes N,N...] [--orders] [NETWORK...]

--orders: what the order of operators makes of it, instead.

FOLDER has published instances, NAME.CAPACITY.csv (those of the project MiniMalloc have this form).  Time is that of the
whole command on a table of the storages, in seconds of processor time.
"""
import argparse
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

from networks import BRANCHING, NETWORKS

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def plan(tool, *args):
    """(what is printed, or None; seconds)"""
    before = seconds()
    done = subprocess.run([tool, "plan", *map(str, args)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode > 1:
        raise SystemExit(done.stderr)
    return done.stdout if done.returncode == 0 else None, seconds() - before


def height(text):
    report = json.loads(text)
    return report["arena_bytes"], report["lower_bound_bytes"]


def instances(tool, folder):
    print("| instance | items | bound | greedy | default budget | s | capacity | s |\n|---|---|---|---|---|---|---|---|")
    for file in sorted(pathlib.Path(folder).glob("*.csv")):
        capacity = file.name.split(".")[1]
        items = len(file.read_text().splitlines()) - 1
        greedy, bound = height(plan(tool, file, "--format=json", "--plan-budget=0")[0])
        text, time = plan(tool, file, "--format=json")
        found, found_time = plan(tool, file, f"--capacity={capacity}", "--format=csv")
        print(f"| {file.name.split('.')[0]} | {items} | {bound} | {greedy / bound:.3f} | {height(text)[0] / bound:.3f} | {time:.2f} | "
              f"{capacity if found else 'not found'} | {found_time:.2f} |", flush=True)


def rows_of(tool, file):
    """One row a function with storages: name, number, bytes, bound, without reuse."""
    text, _ = plan(tool, file, "--format=json")
    for function in json.loads(text)["functions"]:
        if function["storages"] and not function["open"]:
            yield function


def table_time(tool, function, folder):
    file = pathlib.Path(folder) / "table.csv"
    lines = [f"{i},{s['lower']},{s['upper']},{s['size']},64" for i, s in enumerate(function["storages"])]
    file.write_text("\n".join(["id,lower,upper,size,alignment", *lines]) + "\n")
    text, time = plan(tool, file, "--format=json")
    return *height(text), time


def put(tool, name, file, folder):
    for f in rows_of(tool, file):
        taken, bound = f["arena_bytes"] + f["apart_bytes"], f["lower_bound_bytes"]
        packed, packed_bound, time = table_time(tool, f, folder)
        print(f"| {name} | {len(f['storages'])} | {f['unplanned_bytes']} | {f['inplace_bytes']} | {taken} | {bound} | {taken / bound:.4f} | "
              f"{packed / packed_bound:.4f} | {time:.2f} |", flush=True)


def orders(tool, sizes):
    """Bytes in the order of the script, and reordered in front of the in-place decisions, and behind them."""
    def listed(option):
        lines = subprocess.run([tool, "list", "pipelines"], capture_output=True, text=True, check=True).stdout.splitlines()
        return lines[lines.index("default") + 2].strip().replace("ReorderForPeak,", "").replace("InplaceCalls", option)

    ways = [listed(way) for way in ("InplaceCalls", "ReorderForPeak,InplaceCalls", "InplaceCalls,ReorderForPeak")]
    print("| program | as written | reordered in front of InplaceCalls | behind it |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "network.py"
        for name, make in {**NETWORKS, **BRANCHING}.items():
            for size in sizes:
                file.write_text(make(size).script())
                texts = [plan(tool, file, "--format=json", "-p", way)[0] for way in ways]
                found = [sum(f["arena_bytes"] + f["apart_bytes"] for f in json.loads(text)["functions"]) for text in texts]
                print(f"| {name}, {size} operators | {' | '.join(map(str, found))} |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--data")
    parser.add_argument("--sizes", default="10,100,1000,10000")
    parser.add_argument("networks", nargs="*", default=["examples", *NETWORKS])
    parser.add_argument("--orders", action="store_true")
    options = parser.parse_intermixed_args()
    if options.orders:
        return orders(options.tool, list(map(int, options.sizes.split(","))))
    if options.data:
        instances(options.tool, options.data)
        print()
    print("| program | storages | without reuse | of it in place | bytes | bound | ratio | all in one piece | s |\n|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name in options.networks:
            if name == "examples":
                for file in sorted((ROOT / "examples").glob("*.py")):
                    put(options.tool, file.stem, file, folder)
                continue
            for size in map(int, options.sizes.split(",")):
                file = pathlib.Path(folder) / "network.py"
                file.write_text(NETWORKS[name](size).script())
                put(options.tool, f"{name}, {size} operators", file, folder)


if __name__ == "__main__":
    sys.exit(main())
