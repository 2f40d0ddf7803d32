#!/usr/bin/env python3
"""Right scripts, each broken in some thirty ways as people break them: what is said, where, and what --fix makes of it.

tests/trial/base/NAME.py is right; tests/trial/breaks/NAME.py lists the breaks, (text, what stands there instead, the mistake in
a few words). tests/trial/said/NAME.json has for each what was judged by hand: the first message (code, line, columns), how many
there are, how the edits that are sure of themselves leave the script (`base`: as it was; or the lines that differ from that), and
the edits that are shown only, of which the right one is marked by `base`. A break that is silent is `null`: there is no other.

usage: trial.py TOOL [--bless]
"""
import concurrent.futures
import difflib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent / "trial"


def breaks_of(name):
    found = {}
    exec(compile((FOLDER / "breaks" / f"{name}.py").read_text(), name, "exec"), found)
    return found["BREAKS"]


def difference(before, after):
    lines = difflib.unified_diff(before.split("\n"), after.split("\n"), lineterm="", n=0)
    return [line for line in lines if not line.startswith(("---", "+++", "@@"))]


def check(tool, folder, *arguments):
    done = subprocess.run([tool, "check", *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return done.stdout


def messages_of(text):
    return [m for m in map(json.loads, text.splitlines()) if m["code"] and m["spans"]]


def edited(text, spans):
    raw = text.encode()
    for span in sorted(spans, key=lambda span: -span["byte_start"]):
        raw = raw[:span["byte_start"]] + span["suggested_replacement"].encode() + raw[span["byte_end"]:]
    return raw.decode()


def shown(message, broken, base):
    """The edits of a message, `base` for the one that gives the script back."""
    found = []
    for child in message["children"]:
        spans = [s for s in child["spans"] if s["suggested_replacement"] is not None]
        if spans:
            found.append("base" if edited(broken, spans) == base else child["message"])
    return found


def said(tool, base, broken):
    """What is said of @broken, as it stands in the files."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "script.py")
        path.write_text(broken)
        messages = messages_of(check(tool, folder, "--diagnostics=json", path.name))
        if not messages:
            return None
        check(tool, folder, "--fix", path.name)
        fixed = path.read_text()
    first = messages[0]
    place = next(s for s in first["spans"] if s["is_primary"])
    result = {"code": first["code"]["code"], "line": place["line_start"],
              "columns": [place["column_start"], place["column_end"]], "messages": len(messages)}
    if fixed == base:
        result["fixed"] = "base"
    elif fixed != broken:
        result["fixed"] = difference(base, fixed)
    else:
        result["shown"] = shown(first, broken, base)
    return result


def trials():
    """(name, base, broken, mistake) of all breaks"""
    for path in sorted((FOLDER / "base").glob("*.py")):
        base = path.read_text()
        for number, (old, new, mistake) in enumerate(breaks_of(path.stem), 1):
            assert base.count(old) == 1, (path.stem, number, old)
            yield path.stem, base, base.replace(old, new), mistake


def bless(names, results):
    (FOLDER / "said").mkdir(exist_ok=True)
    for name in sorted(set(names)):
        lines = [json.dumps(r, ensure_ascii=False) for n, r in zip(names, results) if n == name]
        (FOLDER / "said" / f"{name}.json").write_text("[\n" + ",\n".join(lines) + "\n]\n")


def main(tool, is_blessed):
    tool = str(pathlib.Path(tool).resolve())
    all_trials = list(trials())
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda t: said(tool, t[1], t[2]), all_trials))
    names = [t[0] for t in all_trials]
    if is_blessed:
        bless(names, results)
        return 0
    wanted = {name: json.loads((FOLDER / "said" / f"{name}.json").read_text()) for name in set(names)}
    failed = 0
    print(f"1..{len(all_trials) + len(wanted)}")
    for number, ((name, _, _, mistake), result) in enumerate(zip(all_trials, results), 1):
        index = number - 1 - names.index(name)
        expected = wanted[name][index] if index < len(wanted[name]) else "no line"
        is_fine = result == expected
        failed += not is_fine
        print(f"{'ok' if is_fine else 'not ok'} {number} - {name} {index + 1}: {mistake}")
        if not is_fine:
            print(f"# it was {json.dumps(expected)}\n# it is  {json.dumps(result)}")
    for number, name in enumerate(sorted(wanted), len(all_trials) + 1):
        right = messages_of(check(tool, FOLDER / "base", "--diagnostics=json", f"{name}.py"))
        failed += bool(right)
        print(f"{'not ok' if right else 'ok'} {number} - {name} is right: {[m['message'] for m in right]}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], "--bless" in sys.argv))
