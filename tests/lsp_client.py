"""A client of `inlay lsp`: sends messages, keeps what comes back."""
import json
import os
import select
import subprocess
import time

SLOW = int(os.environ.get("INLAY_SLOW", "1"))


class Client:
    def __init__(self, tool, *options):
        self.process = subprocess.Popen([tool, "lsp", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, bufsize=0)
        self.number, self.buffer = 0, b""
        self.answers, self.notes = {}, []

    # ---- the wire ----

    def write(self, data):
        self.process.stdin.write(data)

    def send_text(self, text):
        data = text if isinstance(text, bytes) else text.encode()
        self.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))

    def send(self, **message):
        self.send_text(json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False))

    def read(self, seconds=20 * SLOW):
        """The next message; None at the end of the stream or when nothing comes."""
        end = time.monotonic() + seconds
        while True:
            head, found, rest = self.buffer.partition(b"\r\n\r\n")
            if found:
                length = int(head.split(b":")[1])
                if len(rest) >= length:
                    self.buffer = rest[length:]
                    return json.loads(rest[:length])
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                return None
            data = os.read(self.process.stdout.fileno(), 1 << 16)
            if not data:
                return None
            self.buffer += data

    def wait(self, wanted):
        """Reads till @wanted(message) is true; the message."""
        while (message := self.read()) is not None:
            if "method" in message:
                self.notes.append(message)
            else:
                self.answers[message["id"]] = message
            if wanted(message):
                return message
        raise AssertionError("the server is silent")

    # ---- the protocol ----

    def ask(self, method, params=None):
        """Sends a request; its number."""
        self.number += 1
        self.send(id=self.number, method=method, params=params or {})
        return self.number

    def answer(self, number):
        """The whole answer to a request."""
        if number not in self.answers:
            self.wait(lambda message: message.get("id") == number and "method" not in message)
        return self.answers.pop(number)

    def request(self, method, params=None):
        """The result of a request, which must be no error."""
        answer = self.answer(self.ask(method, params))
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def error(self, method, params=None):
        return self.answer(self.ask(method, params))["error"]["code"]

    def tell(self, method, params=None):
        self.send(method=method, params=params or {})

    def start(self, shows_hints=True, formats=None):
        capabilities = {"textDocument": {**({"inlayHint": {}} if shows_hints else {}), **({"hover": {"contentFormat": formats}} if formats else {})}}
        result = self.request("initialize", {"processId": None, "rootUri": None, "capabilities": capabilities})
        self.tell("initialized")
        return result

    def open(self, uri, text, version=1):
        self.tell("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "python", "version": version,
                                                            "text": text}})

    def edit(self, uri, version, *changes):
        """Each change is a whole text, or ((line, unit), (line, unit), text)."""
        items = [{"text": change} if isinstance(change, str) else
                 {"range": {"start": place(change[0]), "end": place(change[1])}, "text": change[2]}
                 for change in changes]
        self.tell("textDocument/didChange", {"textDocument": {"uri": uri, "version": version},
                                             "contentChanges": items})

    def diagnostics(self, uri, version):
        """What is published for that version."""
        def is_it(message):
            params = message.get("params", {})
            return (message.get("method") == "textDocument/publishDiagnostics" and params["uri"] == uri and
                    params.get("version") == version)
        found = next((note for note in self.notes if is_it(note)), None) or self.wait(is_it)
        return found["params"]["diagnostics"]

    def at(self, method, uri, where, **more):
        return self.request("textDocument/" + method,
                            {"textDocument": {"uri": uri}, "position": place(where), **more})

    def stop(self):
        """Ends the session as it should be; the exit code, and what was said on standard error."""
        self.request("shutdown")
        self.tell("exit")
        return self.end()

    def end(self):
        self.process.stdin.close()
        errors = self.process.stderr.read().decode()
        return self.process.wait(20 * SLOW), errors


def place(where):
    return {"line": where[0], "character": where[1]}


def find(text, what, index=0):
    """(line, unit) of the @index-th @what, in UTF-16."""
    at = -1
    for _ in range(index + 1):
        at = text.index(what, at + 1)
    line = text.count("\n", 0, at)
    column = text[text.rfind("\n", 0, at) + 1:at]
    return line, len(column.encode("utf-16-le")) // 2


def span(found):
    """((line, unit), (line, unit)) of a range."""
    return tuple((found[end]["line"], found[end]["character"]) for end in ("start", "end"))


# ---- what both rooms of tests talk about ----

HEAD = "from tvm.script import ir as I\nfrom tvm.script import relax as R\nfrom tvm.script import tirx as T\n\n"
URI = "file:///scripts/one%20two.py"
SCRIPT = HEAD + """N = 4

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def double(state: T.Buffer((N,), "float32")):
        for i in range(N):
            with T.sblock("double"):
                v_i = T.axis.spatial(N, i)
                state[v_i] = T.exp(state[v_i]) * T.float32(2)

    @R.function
    def main(x: R.Tensor((4,), "float32"), y: R.Tensor(("n",), "float32")):
        cls = Module
        first = R.add(x, R.const(1.0, "float32"))
        updated = R.call_tir_inplace(cls.double, (first,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        after = R.add(x, first)
        fine = R.exp(y)
        again = R.call_tir_inplace(cls.double, (after,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        return (updated, again, fine)
"""


def session(tool, text=None, uri=URI, *options):
    client = Client(tool, *options)
    client.start()
    if text is not None:
        client.open(uri, text)
    return client


def finish(client):
    code, errors = client.stop()
    assert code == 0 and errors == "", (code, errors)


def codes(diagnostics):
    return [item["code"] for item in diagnostics]


def hints(client, uri=URI, first=(0, 0), last=(10_000, 0)):
    return client.request("textDocument/inlayHint", {
        "textDocument": {"uri": uri},
        "range": {"start": {"line": first[0], "character": first[1]}, "end": {"line": last[0], "character": last[1]}}})
