#!/usr/bin/env python3
"""`inlay lsp`, asked by a scripted client: edits, layout, hover, definitions and hints. Prints TAP.

usage: lsp_answers.py TOOL ROOT [FILTER]
"""
import json
import random
import re
import subprocess
import time

from cases import Cases
from lsp_client import HEAD, SCRIPT, SLOW, URI, Client, codes, find, finish, hints, session, span
from measure import Tool

case = Cases()


# ---- code actions ----

def actions(client, uri, first, last=None, **context):
    last = last or first
    return client.request("textDocument/codeAction", {
        "textDocument": {"uri": uri}, "context": {"diagnostics": [], **context},
        "range": {"start": {"line": first[0], "character": first[1]}, "end": {"line": last[0], "character": last[1]}}})


def applied(text, action, uri=URI):
    edits = action["edit"]["changes"][uri]
    lines = text.split("\n")
    for edit in reversed(sorted(edits, key=lambda edit: span(edit["range"]))):
        (a, first), (b, last) = span(edit["range"])
        head = lines[a].encode("utf-16-le")[:2 * first].decode("utf-16-le")
        tail = lines[b].encode("utf-16-le")[2 * last:].decode("utf-16-le")
        lines[a:b + 1] = (head + edit["newText"] + tail).split("\n")
    return "\n".join(lines)


@case
def an_edit_that_mends(tool):
    """An edit that a message proposes mends the text."""
    text = SCRIPT.replace("R.exp(y)", "R.expp(y)")
    client = session(tool.path, text)
    assert codes(client.diagnostics(URI, 1)) == ["E0650"]
    found = actions(client, URI, find(text, "R.expp"), only=["quickfix"])
    assert found and all(item["kind"] == "quickfix" for item in found)
    assert found[0]["diagnostics"][0]["code"] == "E0650"
    assert any(applied(text, item) == SCRIPT for item in found), found
    row = find(text, "R.expp")[0]
    assert actions(client, URI, (row, 0), only=["quickfix"]) == found # a cursor in the line, in front of it
    assert actions(client, URI, (row, 0), (row, 3), only=["quickfix"]) == []
    assert actions(client, URI, (row + 1, 0), only=["quickfix"]) == []
    assert actions(client, URI, find(text, "R.expp"), only=["refactor"]) == []
    finish(client)


@case
def all_edits_at_once(tool):
    """All edits at once are those of `check --fix`."""
    text = SCRIPT.replace("        fine = R.exp(y)", "        fine = R.exp(y);")
    text = text.replace("for i in range(N):", "for i in range(N)").replace("R.function", "R.fuction")
    client = session(tool.path, text)
    assert client.diagnostics(URI, 1)
    for version in range(2, 6):
        found = actions(client, URI, (0, 0), only=["source.fixAll"])
        if not found:
            break
        assert found[0]["kind"] == "source.fixAll"
        text = applied(text, found[0])
        client.edit(URI, version, text)
    assert client.diagnostics(URI, version if found else version - 1) == [], text
    finish(client)


@case
def a_warning_that_is_meant(tool):
    """A warning can be said to be meant."""
    text = SCRIPT.replace("        return", "        unread = R.exp(fine)\n        return")
    text = text.replace('class Module:', 'class Module:  # ä')
    client = session(tool.path, text)
    assert codes(client.diagnostics(URI, 1)) == ["E0574"]
    found = [item for item in actions(client, URI, find(text, "unread")) if "allow" in item["title"]]
    assert len(found) == 1
    text = applied(text, found[0])
    assert "        # inlay: allow(E0574)\n        unread" in text
    client.edit(URI, 2, text)
    assert client.diagnostics(URI, 2) == []
    other = text.replace("allow(E0574)", "allow(E0321)")
    client.edit(URI, 3, other)
    assert codes(client.diagnostics(URI, 3)) == ["E0574"]
    found = [item for item in actions(client, URI, find(other, "unread")) if "allow" in item["title"]]
    assert "allow(E0574, E0321)" in applied(other, found[0])
    finish(client)


# ---- the layout ----

def formatted(client, text, uri="file:///layout.py"):
    client.open(uri, text)
    edits = client.request("textDocument/formatting", {"textDocument": {"uri": uri}, "options": {}})
    if not edits:
        return text
    assert len(edits) == 1
    ends = [0]
    for line in text.split("\n"):
        ends.append(ends[-1] + len(line) + 1)

    def offset(line, unit):
        rest = text[ends[line]:ends[line + 1]]
        return ends[line] + len(rest.encode("utf-16-le")[:2 * unit].decode("utf-16-le"))
    begin, end = (offset(*place) for place in span(edits[0]["range"]))
    return text[:begin] + edits[0]["newText"] + text[end:]


LAYOUTS = [
    ("x=R.add( a,b )", "x = R.add(a, b)"),
    ("y : R.Tensor((4 ,),dtype = 'float32')=x", "y: R.Tensor((4,), dtype='float32') = x"),
    ("a[ i+1,- j ]=-b[i]*( - 2 )  -x[1 :2]", "a[i + 1, -j] = -b[i] * (-2) - x[1 :2]"),
    ("f ( * args,k = -1 ) # é", "f(*args, k=-1)  # é"),
    ("def f(a:int=3,b = 2)->R.Tensor :\n  pass   ", "def f(a: int = 3, b=2) -> R.Tensor:\n    pass"),
    ("if  not a  and(b or c):\n   x+=1;y=2", "if not a and (b or c):\n    x += 1; y = 2"),
    ("d={'a':1,\n    'b' : [1,2] ,}", "d = {'a': 1,\n    'b': [1, 2],}"),
    ("@ T.prim_func ( private=True )\ndef f():\n  # in\n  pass\n  # end\n# out",
     "@T.prim_func(private=True)\ndef f():\n    # in\n    pass\n    # end\n# out"),
    ("x = 1\n\n\n\n\ny = 2\n\n", "x = 1\n\n\ny = 2"),
    ("for i,j in T.grid(4,n-1) :\n  x = [1,\n       # é\n       2]\n\n\n  y = 1",
     "for i, j in T.grid(4, n - 1):\n    x = [1,\n         # é\n         2]\n\n    y = 1"),
    ("x = (1 + \\\n  2)", "x = (1 + \\\n  2)"),
    ("s = '''a  =b\n c '''  +  \"x  y\"", "s = '''a  =b\n c ''' + \"x  y\""),
    ("x = a **b;y = 2.0 if a<b else lambda  u,v : u", "x = a **b; y = 2.0 if a < b else lambda u, v: u"),
]


@case
def layout_of_lines(tool):
    client = session(tool.path)
    for before, after in LAYOUTS:
        for end in ("\n", "\r\n"):
            text, wanted = ((HEAD + part + "\n").replace("\n", end) for part in (before, after))
            assert formatted(client, text) == wanted, (before, formatted(client, text))
            assert formatted(client, wanted) == wanted
    # what cannot be read, other Python, tabs: not touched
    for text in (HEAD + "x = (1,\n", HEAD + "x  = 'a\n", "import os\nx=1\n", HEAD + "if x:\n\ty=1\n", HEAD + "x=1\ry=2\n", ""):
        assert formatted(client, text) == text, text
    finish(client)


@case
def layout_of_scripts(tool):
    """Scripts of ours stay as they are, and become what they were where their blanks are others."""
    client, rng = session(tool.path), random.Random(5)
    for path in sorted((tool.root / "examples").glob("*.py")):
        text = path.read_text()
        assert formatted(client, text) == text, path
        for _ in range(0 if "load_json" in text else 3): # that is a string of many lines
            assert formatted(client, mangled(text, rng)) == text, path
    finish(client)


def mangled(text, rng):
    """Other blanks between words, and blocks that are indented by 2 or 7."""
    step, lines, depth, shift = rng.choice((2, 7)), [], 0, 0
    for line in text.split("\n"):
        body = line.lstrip(" ")
        indent = len(line) - len(body)
        if depth == 0:
            shift = indent // 4 * step - indent
        if "#" not in body and '"' * 3 not in body:
            parts = re.split(r'("[^"]*")', body) # strings stay
            for i in range(0, len(parts), 2):
                parts[i] = re.sub(r"(, | = | [-+*/<>] |[()])", lambda found: blanks(found.group(1), rng), parts[i])
            depth += sum(part.count(a) - part.count(b) for part in parts[::2] for a, b in ("()", "[]", "{}"))
            body = "".join(parts) + " " * rng.randrange(3)
        lines.append(" " * (indent + shift) * bool(body.strip()) + body.lstrip(" "))
    return "\n".join(lines)


def blanks(sign, rng):
    return " " * rng.randrange(3) + sign.strip() + " " * rng.randrange(3)


# ---- names ----

HOVERS = [ # what, which of them, what is shown
    ("first", 0, 'first: R.Tensor((4,), dtype="float32")'),
    ("first", 1, 'first: R.Tensor((4,), dtype="float32")'),
    ("fine", 0, 'fine: R.Tensor((n,), dtype="float32")'),
    ("x:", 0, 'x: R.Tensor((4,), dtype="float32")'),
    ("state[", 0, 'state: T.Buffer((4,), "float32")'),
    ("v_i]", 0, "v_i: T.int32"),
    ('n",)', 0, "n: T.int64"),
    ("double, (first", 0, 'def double(state: T.Buffer((N,), "float32"))'),
    ("main", 0, "# returns R.Tuple("),
    ("N,)", 0, "N = 4"),
    ("Module:", 0, "class Module"),
    ("cls.double", 0, "cls  # the module"),
    ("R.exp", 0, "R.exp(x: Expr)"),
    ("R.call_tir_inplace", 0, "inplace_indices: ints"),
    ("T.exp", 0, "e to the power of. Arguments: 1. Result: of the dtype of the first argument"),
]


@case
def hover_shows_types(tool):
    """Hover shows types, buffers, signatures, and what the tables say of operators."""
    client = session(tool.path, SCRIPT)
    for what, index, shown in HOVERS:
        found = client.at("hover", URI, find(SCRIPT, what, index))
        assert found and shown in found["contents"]["value"], (what, found)
    assert client.at("hover", URI, find(SCRIPT, "        return")) is None
    finish(client)


@case
def hover_is_plain_where_markdown_is_not_shown(tool):
    """The first line is what Emacs has room for below the text."""
    broken = SCRIPT + "\n    @R.function\n    def wrong(x: R.Tensor((4,), \"float32\")):\n        return R.addd(x, x)\n"
    for formats, kind in ((["plaintext"], "plaintext"), (["markdown", "plaintext"], "markdown"), (None, "markdown"), ([7], "plaintext"), ("markdown", "markdown")):
        client = Client(tool.path)
        client.start(formats=formats)
        client.open(URI, broken)
        assert client.diagnostics(URI, 1)
        for place in (find(broken, "updated ="), find(broken, "R.addd")):
            contents = client.at("hover", URI, place)["contents"]
            first = contents["value"].splitlines()[0]
            assert contents["kind"] == kind and (kind == "markdown" or "```" not in contents["value"] and "**" not in contents["value"]), contents
            assert kind == "markdown" or re.match(r"updated: R\.Tensor|R\.addd|E\d{4}", first), contents
        finish(client)


@case
def hover_says_what_hints_would(tool):
    """An editor that shows no hints asks for none: hover says what was decided nevertheless."""
    client = Client(tool.path)
    client.start(shows_hints=False)
    others = [URI + f".{i}.py" for i in range(2)]
    for uri in others:
        client.open(uri, SCRIPT)
        assert client.diagnostics(uri, 1) == []
    for uri in others:
        for _ in range(300 * SLOW):
            value = client.at("hover", uri, find(SCRIPT, "updated ="))["contents"]["value"]
            if "**new storage 16 B**: `" in value:
                break
            time.sleep(0.1)
        assert "**new storage 16 B**: `" in value and "IP001" in value, value
    finish(client)


@case
def hover_over_a_message(tool):
    """Hover over a message shows its page."""
    text = SCRIPT.replace("R.exp(y)", "R.expp(y)")
    client = session(tool.path, text)
    value = client.at("hover", URI, find(text, "R.expp"))["contents"]["value"]
    assert "E0650" in value and "`inlay explain E0650`" in value and "Fails" not in value, value
    finish(client)


DEFINITIONS = [ # what, which of them, where: what, which of them
    ("first", 2, "first", 0),
    ("double, (first", 0, 'double(state', 0),
    ("cls.double", 0, "cls = ", 0),
    ("Module\n", 0, "Module:", 0),
    ("state[", 1, "state: T", 0),
    ("v_i]", 1, "v_i =", 0),
    ("i)", 0, "i in", 0),
    ("N)", 0, "N = 4", 0),
    ("y)", 0, "y: R", 0),
]


@case
def definitions_uses_highlights(tool):
    """Definitions, uses and highlights of each kind of name."""
    client = session(tool.path, SCRIPT)
    for what, index, where, place in DEFINITIONS:
        found = client.at("definition", URI, find(SCRIPT, what, index))
        assert found and span(found["range"])[0] == find(SCRIPT, where, place), (what, found)
    assert client.at("definition", URI, find(SCRIPT, "R.exp")) is None
    uses = client.at("references", URI, find(SCRIPT, "first"), context={"includeDeclaration": True})
    assert [span(use["range"])[0] for use in uses] == [find(SCRIPT, "first", i) for i in range(3)]
    uses = client.at("references", URI, find(SCRIPT, "first"), context={"includeDeclaration": False})
    assert len(uses) == 2
    marks = client.at("documentHighlight", URI, find(SCRIPT, "double(state"))
    assert [mark["kind"] for mark in marks] == [3, 2, 2]
    assert len(client.at("references", URI, find(SCRIPT, "R.add"))) == 2
    finish(client)


@case
def the_outline(tool):
    """The outline has the module, its functions and constants."""
    client = session(tool.path, SCRIPT)
    found = client.at("documentSymbol", URI, (0, 0))
    assert [item["name"] for item in found] == ["N", "Module"], found
    assert [item["name"] for item in found[1]["children"]] == ["double", "main"]
    main = found[1]["children"][1]
    assert span(main["range"])[0] == find(SCRIPT, "@R.function")
    assert span(main["range"])[1] == find(SCRIPT, "\n", SCRIPT.count("\n") - 1)
    assert span(main["selectionRange"])[0] == find(SCRIPT, "main")
    finish(client)


# ---- hints ----

def labels(found):
    return {item["position"]["line"]: item["label"] for item in found}


@case
def hints_are_what_why_says(tool):
    """Hints say what became of the calls, as `why` does."""
    client = session(tool.path, SCRIPT)
    found = hints(client)
    line = lambda what: find(SCRIPT, what)[0]
    assert labels(found)[line("updated =")] == "new storage 16 B", found
    assert labels(found)[line("again =")] == "in place, fused", found
    updated = next(item for item in found if item["position"]["line"] == line("updated ="))
    assert updated["position"]["character"] == len(SCRIPT.splitlines()[line("updated =")])
    assert "IP001" in updated["tooltip"]["value"] and "read after the call" in updated["tooltip"]["value"]
    # each of them is a decision of `why`
    done = subprocess.run([tool.path, "why", "--format=json", "-"], input=SCRIPT, capture_output=True, text=True)
    lines = [item["line"] - 1 for item in json.loads(done.stdout)]
    assert sorted(labels(found)) == sorted(set(lines))
    assert labels(hints(client, URI, (line("again ="), 0), (line("again ="), 500))) == {line("again ="): "in place, fused"}
    assert "**in place, fused**" in client.at("hover", URI, find(SCRIPT, "again"))["contents"]["value"]
    finish(client)


@case
def hints_move_with_the_text(tool):
    """Hints move with the text, stay while there is a mistake, and are made anew."""
    client = session(tool.path, SCRIPT)
    before = hints(client)
    client.edit(URI, 2, ((0, 0), (0, 0), "# ä\n# b\n("))
    moved = hints(client)
    assert [(item["position"]["line"], item["label"]) for item in moved] == \
        [(item["position"]["line"] + 2, item["label"]) for item in before]
    client.edit(URI, 3, ((2, 0), (2, 1), ""))
    assert labels(hints(client)) == labels(moved)
    text = SCRIPT.replace("return (updated, again, fine)", "return (again, fine)")
    client.edit(URI, 4, text)
    assert labels(hints(client))[find(text, "updated =")[0]] == "removed"
    finish(client)


@case
def hints_are_given_up(tool):
    """A question about hints is given up when the text changes, and other questions do not wait for it."""
    big = HEAD + '@R.function\ndef main(x: R.Tensor((64, 64), "float32")):\n    v0 = x\n' + \
        "".join(f"    v{i + 1} = R.matmul(R.nn.softmax(v{i}), x)\n" for i in range(1500)) + "    return v1500\n"
    client = session(tool.path, big)
    client.diagnostics(URI, 1)
    waiting = client.ask("textDocument/inlayHint", {"textDocument": {"uri": URI}, "range": {
        "start": {"line": 0, "character": 0}, "end": {"line": 10, "character": 0}}})
    assert client.at("hover", URI, find(big, "v7 "))
    assert waiting not in client.answers
    client.edit(URI, 2, SCRIPT)
    assert client.answer(waiting)["error"]["code"] == -32801
    assert "in place, fused" in labels(hints(client)).values()
    finish(client)


# ---- other names, and what may stand here ----

def completed(client, text, where, version=[1]):
    """Labels and texts behind each, of what may stand where @where ends."""
    row, column = find(text, where)
    found = client.at("completion", URI, (row, column + len(where)))
    return {item["label"]: (applied(text, {"edit": {"changes": {URI: [item["textEdit"]]}}}), item) for item in found}


@case
def what_may_stand_behind_a_dot(tool):
    text = SCRIPT.replace("R.exp(y)", "R.nn.re").replace("T.exp(", "T.ex(").replace("cls.double, (after", "cls.d, (after")
    client = session(tool.path, text)
    found = completed(client, text, "R.nn.re")
    after, item = found["nn.relu"]
    assert after == text.replace("R.nn.re\n", "R.nn.relu\n") and item["detail"].startswith("(") and item["documentation"], item
    assert all(label.startswith("nn.re") for label in found) and not any("tuple_get" in label for label in found), found.keys()
    assert completed(client, text, "T.ex")["exp"][0] == text.replace("T.ex(", "T.exp(")
    assert completed(client, text, "cls.d,") == {} and list(completed(client, text, "cls.d")) == ["double"]
    assert "def double(" in completed(client, text, "cls.d")["double"][1]["detail"]
    assert completed(client, text, "return (upd") == {}
    row, column = find(text, "R.add(x")
    assert len(client.at("completion", URI, (row, column + 2))) > 150, "all operators behind R."
    finish(client)


@case
def another_name(tool):
    """Each place that means it, also within strings, and nothing else; what would mean something else is refused."""
    client = session(tool.path, SCRIPT)

    def renamed(what, new, index=0):
        edit = client.at("rename", URI, find(SCRIPT, what, index), newName=new)
        return applied(SCRIPT, {"edit": edit})

    def refused(what, new, text=SCRIPT):
        answer = client.answer(client.ask("textDocument/rename", {"textDocument": {"uri": URI}, "newName": new, "position": dict(zip(("line", "character"), find(text, what)))}))
        return answer["error"]["message"]
    assert renamed("first", "begin") == SCRIPT.replace("first", "begin")
    assert renamed("double", "twice") == renamed("double, (first", "twice") == SCRIPT.replace("def double", "def twice").replace("cls.double", "cls.twice")
    assert renamed("N = 4", "COUNT") == SCRIPT.replace("N = 4", "COUNT = 4").replace("(N", "(COUNT")
    assert renamed("v_i", "at") == SCRIPT.replace("v_i", "at")
    assert renamed('n",)', "rows") == SCRIPT.replace('"n"', '"rows"')
    assert "already" in refused("first", "after") and "already" in refused("first", "x")
    for wrong in ("", "1st", "a-b", "lambda", "a b"):
        assert "no name" in refused("first", wrong), wrong
    assert "no name of this script" in refused("R.add", "sum")
    client.edit(URI, 2, SCRIPT.replace("R.exp(y)", "R.expp(y)"))
    assert "mistakes" in refused("first", "begin")
    finish(client)


if __name__ == "__main__":
    case.main(Tool)
