#!/usr/bin/env python3
"""What people and scripts expect of a command line: help, versions, colours, JSON, folders, completions. Prints TAP.

usage: conventions.py TOOL ROOT [FILTER]
"""
import json
import os
import pathlib
import pty
import re
import shutil
import subprocess
import sys
import sysconfig

from cases import Cases
from json_schema import hold_against
from measure import HEAD, Tool

NEEDED = {"dpkg-query": "packages_are_all", "zsh": "completions_of_zsh", "fish": "completions_of_fish", "man": "the_manual_page"}
case = Cases(lambda name: next((f"there is no {tool}" for tool, where in NEEDED.items()
                                if where == name and not shutil.which(tool)), None))
WRONG = HEAD + "@R.function\ndef main(x: R.Tensor((4,), \"float32\")):\n    return R.expp(x)\n"
RIGHT = WRONG.replace("expp", "exp")


def call(tool, *args, status=0, text="", **environment):
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE")}
    done = subprocess.run([tool.path, *map(str, args)], input=text, capture_output=True, text=True, timeout=60,
                          cwd=tool.folder, env=kept | environment)
    assert done.returncode == status, (done.returncode, done.stdout, done.stderr)
    return done.stdout + done.stderr


def commands(tool):
    listed = call(tool, "--help").split("commands:\n")[1].split("\n\n")[0]
    return [line.split()[0] for line in listed.splitlines()]


def options(tool, command):
    return re.findall(r"^  (?:-\w, )?--([\w-]+)", call(tool, "help", command), re.MULTILINE)


# ---- help and versions ----

@case
def help_of_each_command(tool):
    assert call(tool, "help") == call(tool, "--help")
    for command in commands(tool):
        text = call(tool, "help", command)
        assert text == call(tool, command, "--help") and f"usage: inlay {command} " in text
        for line in text.splitlines(): # no option runs into its text
            words = line.strip().replace(", --", ",--").split(" ")
            assert not line.startswith("  -") or len(line) <= 36 or line[36] == " " or len(words) == 1, line
    assert "there is no command `nothing`" in call(tool, "help", "nothing", status=2)
    assert "takes" in call(tool, "help", "run", "check", status=2)


@case
def versions(tool):
    short = call(tool, "--version")
    assert re.fullmatch(r"inlay \d+\.\d+\.\d+\n", short), short
    assert call(tool, "-V") == short and call(tool, "run", "--version") == short
    long = call(tool, "--version", "--verbose")
    assert long.startswith(short)
    for key in ("commit: ", "llvm: 19.", "processor: ", "machine: ", "features:"):
        assert "\n" + key in long, (key, long)


# ---- colours ----

@case
def colours(tool):
    said = call(tool, "--color=always", "check", "m.py", status=2)
    assert "options stand behind the command: `inlay check --color=always ..`" in said, said
    """--color says it, then NO_COLOR, then FORCE_COLOR; without them a terminal."""
    def is_coloured(*args, **environment):
        return "\33[" in call(tool, "check", "-", *args, status=1, text=WRONG, **environment)
    assert not is_coloured()
    assert is_coloured("--color=always") and is_coloured("--color=always", NO_COLOR="1")
    assert is_coloured(FORCE_COLOR="1") and is_coloured(CLICOLOR_FORCE="1")
    assert not is_coloured(FORCE_COLOR="0") and not is_coloured(FORCE_COLOR="")
    assert not is_coloured(FORCE_COLOR="1", NO_COLOR="1")
    assert not is_coloured("--color=never", FORCE_COLOR="1")
    assert "--color takes auto|always|never" in call(tool, "check", "--color=red", "-", status=2)


def on_a_terminal(tool, text, *args):
    """What a terminal shows of it, and the exit code."""
    ours, theirs = pty.openpty()
    environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"} | {"TERM": "xterm"}
    process = subprocess.Popen([tool.path, *args], stdin=subprocess.PIPE, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    process.communicate(text.encode())
    shown = b""
    while True:
        try:
            data = os.read(ours, 4096)
        except OSError: # the other end is closed
            break
        shown += data
        if not data:
            break
    os.close(ours)
    return shown, process.returncode


@case
def colours_on_a_terminal(tool):
    for args, wanted in (((), True), (("--color=never",), False)):
        shown, _ = on_a_terminal(tool, WRONG, "check", "-", *args)
        assert (b"\33[" in shown) == wanted and b"E0650" in shown, shown


@case
def no_page_for_a_terminal(tool):
    shown, status = on_a_terminal(tool, RIGHT, "report", "-")
    assert status == 2 and b"-o report.html" in shown and b"<html" not in shown, shown[:200]
    assert "<html" in call(tool, "report", "-", text=RIGHT, status=0), "a pipe gets it"


@case
def a_file_is_no_command(tool):
    assert "`inlay run model.onnx`" in call(tool, "model.onnx", status=2) and "`inlay run a.py`" in call(tool, "a.py", status=2)


# ---- JSON ----

def schema(tool, name):
    found = json.loads((tool.root / f"docs/{name}.schema.json").read_text())
    assert re.fullmatch(rf"urn:inlay:schema:{name}:\d+", found["$id"])
    return found


@case
def lists_as_json(tool):
    described = schema(tool, "list")
    topics = described["properties"]["topic"]["enum"]
    named = re.search(r"list \[OPTION...\] (\S+)", call(tool, "help", "list")).group(1)
    assert sorted(named.split("|")) == sorted(topics)
    for topic in topics:
        found = json.loads(call(tool, "list", topic, "--format=json"))
        hold_against(described, found, topic)
        assert found["topic"] == topic and found["items"]
        text = call(tool, "list", topic)
        for item in found["items"]: # both say the same
            assert (item.get("name") or item["code"]) in text and (item.get("doc") or item["title"]) in text, item


@case
def answers_as_json(tool):
    script = tool.root / "examples/use_after_update.py"
    why = json.loads(call(tool, "why", script, "--format=json"))
    assert why
    hold_against(schema(tool, "why"), why, "why")
    described, seen = schema(tool, "plan"), set()
    for name in ("use_after_update", "decoder", "kv_cache", "gated", "generate"):
        plan = json.loads(call(tool, "plan", tool.root / f"examples/{name}.py", "--format=json"))
        hold_against(described, plan, f"plan of {name}")
        seen |= {key for one in plan["functions"] for key in one}
    assert seen == set(described["properties"]["functions"]["items"]["properties"]), "each key is met"
    stats = call(tool, "run", script, "--stats=json", "--no-cache").splitlines()[-1]
    hold_against(schema(tool, "stats"), json.loads(stats), "stats")
    lines = call(tool, "check", "--diagnostics=json", "-", status=1, text=WRONG).splitlines()
    assert lines
    for line in lines:
        hold_against(schema(tool, "diagnostics"), json.loads(line), "diagnostics")


# ---- folders ----

@case
def folders_of_check(tool):
    deep = tool.folder / "all/b/c"
    deep.mkdir(parents=True)
    (tool.folder / "all/.hidden").mkdir()
    for name, text in (("all/z.py", WRONG), ("all/b/a.py", RIGHT), ("all/b/c/w.py", WRONG), ("all/.hidden/x.py", WRONG),
                       ("all/other.py", "import os\nclass A(B): pass\nx = '''\n" + WRONG + "'''\n"), ("all/text.txt", WRONG)):
        (tool.folder / name).write_text(text)
    (deep / "up").symlink_to(tool.folder / "all")
    lines = call(tool, "check", "--diagnostics=short", "all", status=1).splitlines()
    assert [line.split(":")[0] for line in lines] == ["all/b/c/w.py", "all/z.py"], lines
    assert call(tool, "check", "--fix", "all/", status=0).count("made in all/") == 2
    assert "expp" not in (deep / "w.py").read_text() and "expp" in (tool.folder / "all/.hidden/x.py").read_text()
    assert call(tool, "check", "all") == ""
    (tool.folder / "none").mkdir()
    assert "there is no script in the folder" in call(tool, "check", "none", status=1)


# ---- what is made of the tables ----

@case
def completions_of_bash(tool):
    """Each command and option of --help is offered, and values of those that have a choice."""
    (tool.folder / "inlay.bash").write_text(call(tool, "help", "bash"))
    (tool.folder / "script.py").write_text("")

    def complete(*words):
        quoted = " ".join(f"'{word}'" for word in words)
        program = (f"compopt() {{ :; }}; source ./inlay.bash; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; "
                   "_inlay; printf '%s\\n' \"${COMPREPLY[@]}\"")
        done = subprocess.run(["bash", "--norc", "-c", program], capture_output=True, text=True, cwd=tool.folder)
        assert done.returncode == 0 and not done.stderr, done.stderr
        return done.stdout.split()
    names = commands(tool)
    assert complete("inlay", "") == names
    assert complete("inlay", "ch") == ["check"]
    for name in names:
        assert [word.rstrip("=").lstrip("-") for word in complete("inlay", name, "--")] == options(tool, name), name
    assert complete("inlay", "check", "--inplace", "=", "s") == ["strict"]
    assert complete("inlay", "check", "--inplace", "=") == ["auto", "strict", "off"]
    assert complete("inlay", "list", "pa") == ["passes"]
    assert complete("inlay", "run", "scr") == ["script.py"]


@case
def completions_of_zsh(tool):
    """They are read without a word, and offer what --help shows."""
    path = tool.folder / "_inlay"
    path.write_text(call(tool, "help", "zsh"))
    program = ("compdef() { :; }; _describe() { :; }; _arguments() { print -l -- \"$@\"; }; _files() { :; }; "
               "words=(inlay $1 ''); CURRENT=3; source ./_inlay $1")
    for name in commands(tool):
        done = subprocess.run(["zsh", "-f", "-c", program, "zsh", name], capture_output=True, text=True, cwd=tool.folder)
        assert done.returncode == 0 and not done.stderr, (name, done.stderr)
        assert re.findall(r"^--([\w-]+)", done.stdout, re.MULTILINE) == options(tool, name), (name, done.stdout)


@case
def completions_of_fish(tool):
    (tool.folder / "inlay.fish").write_text(call(tool, "help", "fish"))
    def complete(line):
        done = subprocess.run(["fish", "--no-config", "-c", f"source inlay.fish; complete -C '{line}'"], capture_output=True,
                              text=True, cwd=tool.folder, env=os.environ | {"HOME": str(tool.folder)})
        assert done.returncode == 0 and not done.stderr, done.stderr
        return [row.split("\t")[0] for row in done.stdout.splitlines()]
    assert set(commands(tool)) <= set(complete("inlay "))
    for name in ("check", "run", "lsp"):
        found = {word.split("=")[0].lstrip("-") for word in complete(f"inlay {name} --")}
        assert found == set(options(tool, name)), (name, found)
    assert complete("inlay check --inplace=st") == ["--inplace=strict"]


@case
def the_manual_page(tool):
    """It is read without a warning, and has each command and option."""
    (tool.folder / "inlay.1").write_text(call(tool, "help", "man"))
    done = subprocess.run(["man", "--warnings", "-l", "./inlay.1"], capture_output=True, text=True, cwd=tool.folder,
                          env=os.environ | {"MANWIDTH": "200", "LC_ALL": "C.UTF-8", "MAN_KEEP_FORMATTING": ""})
    text = re.sub(r"\x1b\[[0-9;]*m|.\x08", "", done.stdout)
    text = text.replace("\u2010", "-").replace("\u2212", "-")
    assert done.returncode == 0 and not done.stderr, done.stderr
    for name in commands(tool):
        assert f"inlay {name}" in text, name
        missing = [option for option in options(tool, name) if "--" + option not in text]
        assert not missing, (name, missing)


# ---- the first minute ----

def run(program, *args, status=0, **environment):
    done = subprocess.run([program, *map(str, args)], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL,
                          env=os.environ | environment)
    assert done.returncode == status, (done.returncode, done.stdout, done.stderr)
    return done.stdout + done.stderr


@case
def the_tour(tool):
    """`make run` ends with one screen, which tells how to go on."""
    text = run(tool.root / "scripts/tour.sh", tool.path)
    assert len(text.splitlines()) <= 40 and "E0397" in text and "[3. 5. 7. 9.]" in text and "help" in text, text
    assert "docs/tutorial.md" in text and (tool.root / "docs/tutorial.md").exists(), text
    steps = run("make", "-n", "-C", tool.root, "run")
    assert "scripts/build.sh inlay inlay-llvm.so" in steps and "scripts/tour.sh build/inlay" in steps, steps


@case
def what_a_wheel_lacks(tool):
    """Who makes a wheel hears of all that is missing before anything is made."""
    headers = sysconfig.get_paths() | {"include": str(tool.folder)}
    program = f"import pathlib, runpy, sys, sysconfig; sysconfig.get_paths = lambda: {headers!r}; pathlib.Path.glob = lambda *_: []; " \
              f"sys.argv = ['wheel', {str(tool.folder)!r}]; sys.path.insert(0, {str(tool.root / 'scripts')!r}); runpy.run_path({str(tool.root / 'scripts/wheel')!r})"
    (tool.folder / "build.ninja").touch()
    text = run(sys.executable, "-c", program, status=1, PATH=str(tool.folder))
    assert text == "wheel: there is no Python.h and no patchelf here; on Debian: apt-get install libpython3-dev patchelf\n", text


@case
def packages_without_sudo(tool):
    """Who may not install is told the line for who may."""
    for name in ("sh", "dirname", "dpkg-query"):
        (tool.folder / name).symlink_to(shutil.which(name) or "/bin/true")
    (tool.folder / "id").write_text("#!/bin/sh\necho 1000\n")
    (tool.folder / "id").chmod(0o755)
    text = run(tool.root / "scripts/setup.sh", "--tests", status=1, PATH=str(tool.folder), DPKG_INFO=str(tool.folder))
    assert "apt-get install --no-install-recommends clang-format-19 clang-tidy-19" in text and "Permission" not in text, text


@case
def packages_are_all(tool):
    """Each library that is linked comes with a package that setup.sh names, or with what that depends on: others may be there by chance."""
    listed = re.search(r'^build="(.*?)"', (tool.root / "scripts/setup.sh").read_text(), re.DOTALL | re.MULTILINE)[1].split()
    needs = {}
    for line in run("dpkg-query", "-W", "-f", "${Package}|${Pre-Depends}, ${Depends}\n").splitlines():
        package, depends = line.split("|", 1)
        needs[package] = re.findall(r"(?:^|[,|])\s*([\w.+-]+)", depends)
    known, open_ones = set(), list(listed)
    while open_ones:
        package = open_ones.pop()
        open_ones += needs.get(package, []) if package not in known else []
        known.add(package)
    linked = set(re.findall(r"/usr/lib/\S+\.so\b", (pathlib.Path(tool.path).parent / "build.ninja").read_text()))
    assert len(linked) >= 6, linked
    for library in sorted(linked):
        owners = set(re.findall(r"^([\w.+-]+)", run("dpkg-query", "-S", library), re.MULTILINE))
        assert owners & known, (library, owners)


@case
def the_setup_is_quiet(tool):
    log = (pathlib.Path(tool.path).parent / "meson-logs/meson-log.txt").read_text()
    assert "DEPRECATION" not in log and "WARNING" not in log
    assert re.search(r"apt-get install make git\b", (tool.root / "README.md").read_text())


@case
def libraries_are_found_where_they_are_installed(tool):
    """Below /usr/local Debian's loader and pkg-config look into lib; what meson chooses depends on the packages that are there (lib64 without dpkg-dev)."""
    asked = subprocess.run(["meson", "introspect", "--buildoptions", str(tool.root / "meson.build")], capture_output=True, text=True, check=True)
    assert [one["value"] for one in json.loads(asked.stdout) if one["name"] == "libdir"] == ["lib"]


@case
def skipped_tests_are_named(tool):
    """`make test` says what was skipped, and how to get it."""
    sys.path.insert(0, str(tool.root / "scripts"))
    import test as all_tests
    skipped = {}
    for name, out in (("inlay:tool / a", "1..2\nok 1 - x # SKIP there is no gdb\nok 2 - y\n"), ("b", "1..0 # SKIP there is no gdb\n")):
        all_tests.note_skips({"name": name, "stdout": out, "result": "OK"}, skipped)
    all_tests.note_skips({"name": "c", "result": "SKIP"}, skipped)
    all_tests.note_skips({"name": "d", "stdout": "ok 1 - SKIP\n", "result": "OK"}, skipped)
    assert skipped == {"there is no gdb": [2, {"a", "b"}], "no reason is given": [1, {"c"}]}, skipped


@case
def the_installation(tool):
    build = pathlib.Path(tool.path).parent
    run("meson", "install", "-C", build, "--no-rebuild", "--quiet", "--destdir", tool.folder)
    there = {path.relative_to(tool.folder).as_posix() for path in tool.folder.rglob("*")}
    for end in ("bin/inlay", "/inlay/inlay-llvm.so", "man/man1/inlay.1", "bash-completion/completions/inlay", "site-functions/_inlay",
                "vendor_completions.d/inlay.fish", "doc/inlay/LICENSE", "doc/inlay/README.md", "doc/inlay/docs/language.md",
                "doc/inlay/examples/kv_cache.py"):
        assert any(path.endswith(end) for path in there), end
    readme = next(path for path in tool.folder.rglob("doc/inlay/README.md"))
    for link in re.findall(r"\]\(([^)#:]+)", readme.read_text()):
        assert (readme.parent / link).exists(), f"README.md leads to {link}, which is not installed"
    page = next(path for path in tool.folder.rglob("inlay.1"))
    assert page.read_text() == call(tool, "help", "man")
    assert not any("bin/inlay-llvm" in path for path in there)


if __name__ == "__main__":
    case.main(lambda path, root, folder: Tool(str(pathlib.Path(path).resolve()), pathlib.Path(root).resolve(), folder))
