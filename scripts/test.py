#!/usr/bin/env python3
"""Runs every test: the build with gcc, then the one with clang-19 and its sanitizers.

The last line counts single checks (TAP lines), not meson's test programs.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ASAN = ["-Db_sanitize=address,undefined", "-Db_lundef=false"] + ["-Dwerror=true"] * bool(os.environ.get("INLAY_WERROR"))
BUILDS = [
    # folder, compiler, options of meson setup, options of meson test
    ("build", None, [], []),
    ("build-asan", "clang-19", ASAN, ["--no-suite", "lint", "--no-suite", "plants", "--no-suite", "docs", "--timeout-multiplier", "4"]),
]
CHECK = re.compile(r"^(not )?ok\b(.*)", re.MULTILINE)
SKIP = re.compile(r"^(?:ok\b.*|1\.\.0 *)# SKIP *(.*)", re.MULTILINE)
FAILURE = re.compile(r"^not ok\b.*\n(?:#.*\n)*", re.MULTILINE)
SHOWN_LINES = 30  # of one failure


def build(folder, compiler, options):
    """True if the folder is set up and built."""
    env = dict(os.environ, **({"CC": compiler} if compiler else {}))
    if not (ROOT / folder / "build.ninja").exists():
        if subprocess.run(["meson", "setup", folder, *options], cwd=ROOT, env=env).returncode:
            return False
    print(f"building {folder}", flush=True)
    counted = {"NINJA_STATUS": "%f of %t, %es: "} if sys.stdout.isatty() else {}
    return subprocess.run(["ninja", "-C", folder, *([] if counted else ["--quiet"])], cwd=ROOT,
                          env=dict(os.environ, **counted)).returncode == 0


def show(folder, test):
    """Prints what failed in one test program."""
    failures = FAILURE.findall(test.get("stdout", "")) or [
        f"{test['result']}\n{test.get('stdout', '')}{test.get('stderr', '')}"]
    for failure in failures:
        lines = failure.splitlines()
        print(f"== {folder}: {test['name']}: {lines[0]}")
        for line in lines[1:SHOWN_LINES]:
            print(f"   {line}")


def note_skips(test, skipped):
    """Adds to @skipped, reason -> [how many, tests], what @test left out."""
    reasons = SKIP.findall(test.get("stdout", "")) or ["no reason is given"] * (test["result"] == "SKIP")
    for reason in reasons:
        row = skipped.setdefault(reason.strip(), [0, set()])
        row[0] += 1
        row[1].add(test["name"].split(" / ")[-1])


def show_skips(skipped):
    for reason, (count, names) in sorted(skipped.items(), key=lambda item: -item[1][0]):
        print(f"{count:5} skipped in {', '.join(sorted(names))}: {reason}")


def counts(folder, skipped):
    """[passed, failed, skipped] checks of the last run in the folder; prints the failures."""
    result = [0, 0, 0]
    for line in (ROOT / folder / "meson-logs/testlog.json").read_text().splitlines():
        test = json.loads(line)
        checks = CHECK.findall(test.get("stdout", ""))
        note_skips(test, skipped)
        bad = sum(1 for no, _ in checks if no)
        skips = sum(1 for no, rest in checks if not no and "# SKIP" in rest)
        good = len(checks) - bad - skips
        if not checks:
            good, skips = int(test["result"] == "OK"), int(test["result"] == "SKIP")
        if test["result"] not in ("OK", "SKIP"):
            bad = max(bad, 1)
            show(folder, test)
        result = [a + b for a, b in zip(result, (good, bad, skips))]
    return result


def main():
    total, skipped = [0, 0, 0], {}
    for folder, compiler, setup_options, test_options in BUILDS:
        print(f"== {folder}", flush=True)
        if not build(folder, compiler, setup_options):
            print(f"{folder}: the build failed")
            total[1] += 1
            continue
        log = ROOT / folder / "meson-logs/testlog.json"
        log.unlink(missing_ok=True)
        subprocess.run(["meson", "test", "-C", folder, "--no-rebuild", *test_options], cwd=ROOT)
        result = counts(folder, skipped) if log.exists() else [0, 1, 0]
        total = [a + b for a, b in zip(total, result)]
    show_skips(skipped)
    print(f"{total[0]} passed, {total[1]} failed")
    return total[1] != 0


if __name__ == "__main__":
    sys.exit(main())
