#!/usr/bin/env python3
"""`inlay lsp`, asked by a scripted client: the session, texts, and what is said of them. Prints TAP.

usage: lsp.py TOOL ROOT [FILTER]
"""
import json
import random
import subprocess

from cases import Cases
from lsp_client import HEAD, SCRIPT, URI, Client, codes, find, finish, hints, session, span
from measure import Tool

case = Cases()


# ---- the session ----

@case
def says_what_there_is(tool):
    """Initialize says what there is, and exit is 0 after a shutdown."""
    client = Client(tool.path, "--stdio")
    capabilities = client.start()["capabilities"]
    assert capabilities["positionEncoding"] == "utf-16" and capabilities["textDocumentSync"]["change"] == 2
    for name in ("hover", "definition", "references", "documentSymbol", "inlayHint", "documentHighlight", "documentFormatting", "rename"):
        assert capabilities[name + "Provider"] is True, name
    assert capabilities["completionProvider"]["triggerCharacters"] == ["."]
    finish(client)


@case
def without_a_shutdown(tool):
    """Without a shutdown the exit code is 1, also where the client goes away."""
    client = session(tool.path)
    client.tell("exit")
    assert client.end() == (1, "")
    assert session(tool.path, SCRIPT).end() == (1, "")


@case
def wrong_order_and_unknown_methods(tool):
    """Requests in a wrong order, unknown ones and broken ones are answered with their codes."""
    client = Client(tool.path)
    assert client.error("textDocument/hover") == -32002
    client.tell("textDocument/didOpen", {"textDocument": {"uri": URI, "text": "("}}) # nobody was asked to
    client.start()
    assert client.error("initialize") == -32600
    assert client.error("textDocument/unknown") == -32601
    assert client.error("$/unknown") == -32601
    client.tell("$/unknown")
    client.tell("unknown/at all", [1, 2])
    assert client.error("textDocument/hover", {"textDocument": {"uri": URI}}) == -32602
    assert client.error("textDocument/inlayHint", {"textDocument": {"uri": "file:///none"}}) == -32602
    assert client.error("textDocument/hover", [7]) == -32602
    assert client.error("initialized") == -32601 # that is no request
    client.tell("shutdown") # nor is that a notification
    client.request("shutdown")
    assert client.error("textDocument/hover") == -32600
    client.tell("exit")
    assert client.end() == (0, "")


@case
def what_is_no_message(tool):
    """What is no message is answered or passed over, and the session goes on."""
    client = session(tool.path, SCRIPT)
    client.diagnostics(URI, 1)
    for text in ("{", "", "\0", "[]", "[1]", "7", "null", '{"id": 1}', '{"method": 7, "id": "x"}', "\xff\xfe",
                 "[" * 5000, '{"jsonrpc": "2.0", "method"'):
        client.send_text(text)
        error = client.read()["error"]["code"]
        assert error in (-32700, -32600), (text, error)
    for header in ("Content-Length: x\r\n\r\n", "Content-Length: -5\r\n\r\n", "Content-Type: a\r\n\r\n",
                   "Content-Length: 99999999999999999999\r\n\r\n", "\r\n\r\n", "Content-Length: \r\n\r\n"):
        client.write(header.encode())
        assert client.read()["error"]["code"] == -32700, header
    client.write(b"x" * 100000 + b"\r\n\r\n")
    assert client.read()["error"]["code"] == -32700
    assert client.at("hover", URI, find(SCRIPT, "first"))
    finish(client)


@case
def messages_in_pieces(tool):
    """Messages may come in pieces, with other headers, and many at once."""
    client = session(tool.path)
    body = json.dumps({"jsonrpc": "2.0", "id": "a", "method": "textDocument/hover", "params": None}).encode()
    message = b"content-type: x\r\nCONTENT-LENGTH:%d\r\n\r\n" % len(body) + body
    for byte in message:
        client.write(bytes([byte]))
    assert client.read()["id"] == "a"
    client.write(message * 50)
    assert [client.read()["id"] for _ in range(50)] == ["a"] * 50
    finish(client)


@case
def parameters_of_wrong_kinds(tool):
    """Parameters of wrong kinds do no harm."""
    client = session(tool.path, SCRIPT)
    document = {"textDocument": {"uri": URI}}
    odd = [None, 7, "x", [], {}, {"line": -1, "character": 1e99}, {"line": "x"}, {"line": 1e9, "character": 3}]
    for value in odd:
        for method in ("hover", "definition", "references", "documentHighlight", "codeAction", "documentSymbol"):
            client.request("textDocument/" + method, {**document, "position": value, "range": value, "context": value})
        client.tell("textDocument/didOpen", {"textDocument": value})
        client.tell("textDocument/didChange", {"textDocument": value, "contentChanges": value})
        client.tell("textDocument/didChange", {**document, "contentChanges": [value]})
        client.tell("textDocument/didClose", {"textDocument": value})
    client.edit(URI, 9, SCRIPT)
    assert client.diagnostics(URI, 9) == []
    finish(client)


# ---- the text, and places in it ----

@case
def places_in_utf_16(tool):
    """Diagnostics stand at places in UTF-16, whatever is in front of them."""
    text = SCRIPT.replace("        fine =", '        odd = R.const("ä😀"), R.nothing_such(x)\n        fine =')
    client = session(tool.path, text)
    found = client.diagnostics(URI, 1)
    assert found and span(found[-1]["range"])[0] == find(text, "R.nothing_such"), found
    # an emoji counts as two, and half of it is none: an edit there is in front of it
    where = find(text, "😀")
    client.edit(URI, 2, ((where[0], where[1] + 1), (where[0], where[1] + 2), "u"))
    assert "äu" in text.replace("😀", "u") and client.diagnostics(URI, 2)
    finish(client)


@case
def edits_of_all_kinds(tool):
    """Edits of all kinds give the text that they should give."""
    for seed, end in ((1, "\n"), (2, "\r\n"), (3, "\r")):
        rng = random.Random(seed)
        lines = ["from tvm.script import ir as I # ä😀", "N = 4", "x = ümlaut", "", "# 中文", "y = 😀😀"]
        client = session(tool.path, end.join(lines))
        client.diagnostics(URI, 1)
        for version in range(2, 30):
            changes = []
            for _ in range(rng.randrange(1, 4)):
                a, b = sorted((rng.randrange(len(lines)), rng.randrange(len(lines))))
                first, last = rng.randrange(len(lines[a]) + 1), rng.randrange(len(lines[b]) + 1)
                if a == b:
                    first, last = min(first, last), max(first, last)
                new = rng.choice(["", "é", "z = 1", "a😀b", end + "k = ", "ä" + end + end, "  "])
                units = lambda text: len(text.encode("utf-16-le")) // 2
                changes.append(((a, units(lines[a][:first])), (b, units(lines[b][:last])), new))
                whole = lines[a][:first] + new + lines[b][last:]
                lines[a:b + 1] = whole.split(end)
            client.edit(URI, version, *changes)
        told = client.diagnostics(URI, 29)
        client.edit(URI, 40, end.join(lines))
        assert client.diagnostics(URI, 40) == told, (seed, lines)
        finish(client)


@case
def the_last_of_several_edits(tool):
    """Of several edits in a row the last one counts."""
    client = session(tool.path, SCRIPT)
    for version in range(2, 60):
        client.edit(URI, version, ((0, 0), (0, 0), "#" if version % 2 else ""))
    client.edit(URI, 60, SCRIPT.replace("R.exp(y)", "R.expp(y)"))
    assert codes(client.diagnostics(URI, 60)) == ["E0650"]
    assert len(client.notes) < 58, len(client.notes)
    finish(client)


@case
def documents_know_nothing_of_each_other(tool):
    """Documents know nothing of each other, and closing takes messages back."""
    client = session(tool.path, SCRIPT)
    others = [f"file:///nowhere/{i}.py" for i in range(5)] + ["untitled:Untitled-1", "file://host/x%zz%00.py", "x"]
    for i, uri in enumerate(others):
        client.open(uri, SCRIPT.replace("R.exp(y)", f"R.wrong_{i}(y)"), 7)
    assert client.diagnostics(URI, 1) == []
    for i, uri in enumerate(others):
        found = client.diagnostics(uri, 7)
        assert len(found) == 1 and f"wrong_{i}" in found[0]["message"], found
        assert client.at("definition", uri, find(SCRIPT, "first", 1))["uri"] == uri
    client.tell("textDocument/didClose", {"textDocument": {"uri": others[0]}})
    client.wait(lambda message: message.get("params", {}).get("uri") == others[0] and
                message["params"]["diagnostics"] == [])
    assert client.error("textDocument/hover", {"textDocument": {"uri": others[0]}}) == -32602
    assert client.at("hover", others[1], find(SCRIPT, "first"))
    finish(client)


@case
def huge_and_empty_texts(tool):
    """A text of 10 MB, one of one line, and an empty one."""
    client = session(tool.path, HEAD + "# " + "x" * 10_000_000)
    assert codes(client.diagnostics(URI, 1)) == ["E0150"]
    client.edit(URI, 2, HEAD + "[" * 200_000)
    assert codes(client.diagnostics(URI, 2)) == ["E0112"]
    client.edit(URI, 3, "")
    assert client.diagnostics(URI, 3) == []
    assert client.at("hover", URI, (5, 5)) is None
    client.edit(URI, 4, SCRIPT)
    assert client.diagnostics(URI, 4) == []
    finish(client)


# ---- messages ----

@case
def other_python(tool):
    """Editors send each file of Python: of what is no script nothing is said."""
    other = "import os # from tvm.script\n\n\nclass A(B):\n    def f(self, *args):\n        yield 1\n"
    client = session(tool.path, other)
    assert client.diagnostics(URI, 1) == []
    for version, more in enumerate(('x = """\n@R.function\ndef f(x):\n"""\n', "x = 'a\\'b'\n'''\nfrom tvm.script import\n'''\n",
                                    "# @I.ir_module\n@property\ndef prim_func(): ...\n", "'''\n@T.prim_func\n"), 10):
        client.edit(URI, version, other + more)
        assert client.diagnostics(URI, version) == [], more
    assert client.at("hover", URI, (3, 7)) is None and hints(client) == []
    assert client.at("documentSymbol", URI, (0, 0)) == []
    for version, mark in enumerate(("from tvm.script import relax as R", "@R.function", "    @tvm.script.ir_module",
                                    "@T.prim_func(private=True)", 'x = "a#b" # "\n@relax.function # yes'), 20):
        client.edit(URI, version, other + mark + "\ndef f(*x):\n    pass\n")
        assert client.diagnostics(URI, version), mark
    finish(client)


@case
def what_the_compiler_says(tool):
    """Diagnostics have what the compiler says: code, severity, notes, related places."""
    text = SCRIPT.replace("        return", '        unread = R.exp(fine)\n        wrong = R.add(x, R.reshape(y, (3,)))\n        return')
    client = session(tool.path, text)
    found = client.diagnostics(URI, 1)
    done = subprocess.run([tool.path, "check", "--diagnostics=json", "-"], input=text, capture_output=True, text=True)
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(item["code"], item["message"].splitlines()[0]) for item in found if item["severity"] == 1] == \
        [(item["code"]["code"], item["message"]) for item in said if item["level"] == "error"]
    assert all(item["source"] == "inlay" for item in found)
    finish(client)


@case
def a_strict_session(tool):
    """A strict session refuses what `check --inplace=strict` refuses, with the other place."""
    client = session(tool.path, SCRIPT, URI, "--inplace=strict")
    found = client.diagnostics(URI, 1)
    assert codes(found) == ["E0301"], found
    assert span(found[0]["relatedInformation"][0]["location"]["range"])[0] == find(SCRIPT, "R.add(x, first)")
    finish(client)


@case
def a_mistake_in_one_function(tool):
    """A mistake in one function leaves warnings, names and types of the others."""
    text = SCRIPT.replace("        return", "        unread = R.exp(fine)\n        return") + \
        "\n    @R.function\n    def broken(z: R.Tensor((4,), \"float32\")):\n        w = R.exp(z\n        return w\n"
    client = session(tool.path, text)
    found = client.diagnostics(URI, 1)
    assert "E0574" in codes(found) and any(item["severity"] == 1 for item in found), found
    assert 'R.Tensor((4,), dtype="float32")' in client.at("hover", URI, find(text, "first"))["contents"]["value"]
    assert 'z: R.Tensor((4,), dtype="float32")' in client.at("hover", URI, find(text, "z: R"))["contents"]["value"]
    # and nothing is said of what calls the broken one
    text = text.replace("fine = R.exp(y)", "fine = cls.broken(x)")
    client.edit(URI, 2, text)
    assert "E0574" not in codes(client.diagnostics(URI, 2))
    finish(client)


@case
def texts_that_are_cut_anywhere(tool):
    """A text that is cut anywhere is looked at, and so is what stands in it."""
    client = session(tool.path, "")
    version = 1
    for path in sorted((tool.root / "examples").glob("*.py"))[:4]:
        text = path.read_text()
        for cut in range(0, len(text), max(1, len(text) // 40)):
            version += 1
            client.edit(URI, version, text[:cut] + text[cut + 7:])
            where = find(text[:cut] + "@", "@", (text[:cut] + "@").count("@") - 1)
            for method in ("hover", "definition", "references", "documentHighlight", "documentSymbol"):
                client.at(method, URI, where)
    finish(client)


if __name__ == "__main__":
    case.main(Tool)
