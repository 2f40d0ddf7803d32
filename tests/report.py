#!/usr/bin/env python3
"""`inlay report`: that the page has what it is to show, asks nobody for anything, and works in a browser. Prints TAP.

What needs a browser is skipped where there is no Chromium (Debian's package `chromium`).

usage: report.py TOOL ROOT [FILTER]
"""
import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import time

from browser import CHROMIUM, Browser
from cases import Cases
from measure import HEAD, Tool

SLOW = int(os.environ.get("INLAY_SLOW", "1"))
case = Cases(lambda name: "there is no chromium" if "browser" in name and not CHROMIUM else None)
SCRIPT = HEAD + """@R.function
def main(x: R.Tensor((16, 64), "float32"), w: R.Tensor((64, 64), "float32")) -> R.Tensor((16, 64), "float32"):
    a = R.matmul(x, w) # </script><b>&amp;
    b = R.nn.relu(a)
    c = R.flip(b, axis=0)
    d = R.flip(c, axis=1)
    return d
"""
# A function that holds less stands in front of the one that holds most.
TWO = HEAD + """@I.ir_module
class Module:
    @R.function(private=True)
    def less(x: R.Tensor((8, 8), "float32")) -> R.Tensor((8, 8), "float32"):
        a = R.nn.softmax(x)
        b = R.flip(a, axis=1)
        c = R.nn.softmax(b)
        d = R.flip(c, axis=1)
        return d

    @R.function
    def main(x: R.Tensor((16, 64), "float32"), y: R.Tensor((8, 8), "float32")):
        cls = Module
        a = R.nn.softmax(x)
        b = R.flip(a, axis=1)
        c = R.nn.softmax(b)
        d = cls.less(y)
        return (c, d)
"""
TABS = ["Overview", "Passes", "In place", "Memory", "Graph", "Kernels", "Roofline"]


class Page(html.parser.HTMLParser):
    """Elements, and what they ask for."""
    def __init__(self, text):
        super().__init__()
        self.asked, self.open = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.asked += [value for name, value in attributes if name in ("src", "href", "action", "data")]
        if tag not in ("meta", "link", "br", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag


def unfold(why):
    """What the page keeps once, in each remark, as `why` prints it."""
    def part(form, *values):
        values, form = list(values), why["forms"][form]
        reason = re.sub(r"\{\}", lambda _: str(values.pop(0)), form["text"])
        places = [{"line": values.pop(0), "text": label} for label in form["labels"]]
        return {key: form[key] for key in ("code", "pass", "verdict", "without")} | {"reason": reason, "places": places}
    keys = ("topic", "function", "subject", "line", "depth", "parts")
    return [dict(zip(keys, [*one[:3], one[3] or None, one[4], [part(*each) for each in one[5]]])) for one in why["remarks"]]


def report(tool, script, *args):
    path = tool.folder / "report.html"
    tool.run("report", script, "-o", str(path), "--rounds=2", *args)
    text = path.read_text()
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)[1])
    data["why"]["remarks"] = unfold(data["why"])
    return text, data


def long_script(count):
    kinds = ["R.matmul({}, w)", "R.nn.relu({})", "R.add({}, x)", "R.nn.softmax({})", "R.flip({}, axis=0)"]
    lines, value = [], "x"
    for i in range(count):
        lines.append(f"    v{i} = {kinds[i % 5].format(value)}")
        value = f"v{i}"
    return (HEAD + '@R.function\ndef main(x: R.Tensor((16, 64), "float32"), w: R.Tensor((64, 64), "float32")) -> R.Tensor((16, 64), "float32"):\n' +
            "\n".join(lines) + f"\n    return {value}\n")


@case
def the_page_stands_alone(tool):
    text, data = report(tool, SCRIPT)
    page = Page(text)
    assert page.open == [] and page.asked == [], (page.open, page.asked)
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text), "it names a server"
    assert "fetch(" not in text and "import(" not in text and "XMLHttpRequest" not in text
    assert data["source"] == SCRIPT and not data["listed"], "the script, with its own end of a script element"


@case
def it_shows_what_the_driver_knows(tool):
    _, data = report(tool, SCRIPT)
    names = [one["name"] for one in data["passes"]]
    assert names[0] == "LambdaLift" and names[2:6] == ["BlockChannels", "LegalizeOps", "DeadCodeElimination", "FoldConstant(limit=65536)"] and len(names) > 15, names
    legalize = data["passes"][names.index("LegalizeOps")]
    assert legalize["changed"] and "\n+" in legalize["diff"] and "matmul" in legalize["diff"], legalize
    assert not data["passes"][0]["changed"] and "diff" not in data["passes"][0]
    before, after = data["before"]["functions"], data["after"]["functions"]
    nodes = {node["n"]: node for node in before[0]["nodes"]}
    assert nodes["a"]["o"] == "matmul" and nodes["a"]["l"] == 8 and nodes["x"]["k"] == "param", nodes
    assert before[0]["nodes"][nodes["b"]["i"][0]]["n"] == "a", "an edge is the number of a node"
    fused = [node for node in after[0]["nodes"] if node["o"] == "fused_matmul_relu"]
    assert len(fused) == 1 and sorted(fused[0]["p"]) == [8, 9], after
    why = json.loads(tool.run("why", SCRIPT, "--format=json"))
    keys = ("function", "line", "value", "result", "verdict", "code", "bytes", "blocking_line")
    for one in data["decisions"]:
        assert [one[key] for key in keys] in [[other[key] for key in keys] for other in why], (one, why)
    assert [one["verdict"] for one in data["decisions"]], "there are some"
    plan = json.loads(tool.run("plan", SCRIPT, "--format=json"))
    assert data["plan"] == plan, "the plan is that of `plan`"
    kernel = next(one for one in data["kernels"] if one["name"] == "fused_matmul_relu")
    assert kernel["calls"] == 1 and kernel["ops"] == 2 * 16 * 64 * 64 + 16 * 64 and kernel["ms"] > 0, kernel
    assert "T.vectorized" in kernel["loops"] and "T.vectorized" not in kernel["noted"]
    lines, code = kernel["asm"][0::2], kernel["asm"][1::2]
    assert len(code) > 10 and any("ret" in one for one in code), code[:5]
    assert {8, 9} & set(lines), sorted(set(lines))
    assert any("mm" in one for one in code), "the loop that threads share is code of its own, and the code that counts"
    assert data["roof"]["gflops"] > 0 and data["run"]["rounds"] == 2
    assert all(one["doc"] for one in data["passes"]) and "operator" in legalize["doc"], legalize["doc"]
    assert data["totals"] == {key: value for key, value in json.loads(tool.run("why", SCRIPT, "--summary", "--format=json")).items() if key != "what_if"}


@case
def it_says_why(tool):
    """What `why` knows of loops, fusion and memory, word by word, and what helps."""
    _, data = report(tool, SCRIPT)
    asked = json.loads(tool.run("why", SCRIPT, "--loops", "--fusion", "--memory", "--format=json"))
    key = lambda one: json.dumps(one, sort_keys=True)
    assert sorted(map(key, data["why"]["remarks"])) == sorted(map(key, asked["remarks"])) and {one["topic"] for one in asked["remarks"]} == {"loop", "fusion", "memory"}
    loops = [one["function"] for one in data["why"]["remarks"] if one["topic"] == "loop"]
    assert {one["name"] for one in data["kernels"]} == set(loops), loops
    codes = {part["code"] for one in asked["remarks"] for part in one["parts"]}
    assert data["helps"] and set(data["helps"]) <= codes, data["helps"]
    for code, text in data["helps"].items():
        assert text in subprocess.run([tool.path, "explain", code], check=True, capture_output=True, text=True).stdout, code


@case
def rounds_are_as_many_as_asked_for(tool):
    def rounds(*args):
        path = tool.folder / "rounds.html"
        tool.run("report", SCRIPT, "-o", str(path), *args)
        return int(re.search(r'"rounds": (\d+)', path.read_text())[1])
    assert rounds() == 5 and rounds("--rounds=3") == 3 and rounds("--min-time=0.05") > 5


@case
def code_is_made_once(tool):
    """Kernels for the assembly, for the run and for their times: the object of each is one in the cache, with its assembly, and again."""
    cache, script, made = {**os.environ, "XDG_CACHE_HOME": str(tool.folder / "fresh")}, tool.folder / "once.py", []
    script.write_text(SCRIPT)
    for _ in range(2):
        subprocess.run([tool.path, "report", str(script), "-o", str(tool.folder / "once.html"), "--rounds=2"], check=True, env=cache)
        text = (tool.folder / "once.html").read_text()
        kernels = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)[1])["kernels"]
        assert all(kernel["asm"] for kernel in kernels), kernels
        made.append(int(re.search(r"objects: (\d+)", subprocess.run([tool.path, "cache", "show"], check=True, env=cache, capture_output=True, text=True).stdout)[1]))
    assert made == [len(kernels) + 2] * 2, "one of each kernel, and the functions with and without times"


@case
def models_are_listed(tool):
    """A file that is no text: its places are lines of a listing, which the page shows."""
    path = tool.folder / "report.html"
    subprocess.run([tool.path, "report", str(tool.root / "tests/fuzz/onnx/conv.onnx"), "-o", str(path), "--rounds=2"], check=True, capture_output=True)
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', path.read_text(), re.DOTALL)[1])
    lines = data["source"].splitlines()
    assert data["listed"] and lines[1:] == ["node `c`: c = Conv(x, w)", "node `y`: y = MaxPool(c)"], lines
    nodes = [node for node in data["before"]["functions"][0]["nodes"] if "Pool" in node["o"] or "pool" in node["o"]]
    assert nodes and all("MaxPool" in lines[node["l"] - 1] for node in nodes), nodes
    assert data["decisions"] and all(1 <= one["line"] <= len(lines) for one in data["decisions"]), data["decisions"]


@case
def other_forms(tool):
    dot = tool.run("report", SCRIPT, "--emit=dot")
    assert dot.startswith("digraph {") and dot.count("->") >= 4 and dot.count("{") == dot.count("}"), dot
    assert 'label="b = fused_matmul_relu"' in dot, dot
    if shutil.which("dot"):
        subprocess.run(["dot", "-Tsvg"], input=dot, text=True, check=True, stdout=subprocess.DEVNULL)
    assembly = tool.run("report", SCRIPT, "--emit=asm")
    assert "inlay_kernel_fused_matmul_relu:" in assembly and "\t.loc\t" in assembly


@case
def large_scripts_stay_small(tool):
    """2,000 ops: every line and node is there; bytes have a bound."""
    text, data = report(tool, long_script(2000))
    assert len(data["before"]["functions"][0]["nodes"]) == 2003, len(data["before"]["functions"][0]["nodes"])
    assert data["source"].count("\n") > 2000 and len(text) < 1_900_000, len(text)
    assert all(len(one.get("diff", "").splitlines()) <= 401 for one in data["passes"])
    assert all(len(one["asm"]) > 10 for one in data["kernels"]), "assembly is what runs, so there is no limit to it"


# What a reader does: every tab, clicks, and what must not happen; the answer goes into the title.
DRIVE = """
<script>
const faults = [];
addEventListener("error", event => faults.push(event.message));
addEventListener("load", () => setTimeout(() => { // frames may never come under virtual time
  const need = (holds, what) => { if (!holds) faults.push(what); };
  const tab = name => { [...document.querySelectorAll("nav button")].find(button => button.textContent === name).click(); };
  const click = element => element.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  const light = element => { // what the eye sees of a colour, from 0 to 1, where it is not see-through
    const [r, g, b, a] = getComputedStyle(element).backgroundColor.match(/[\\d.]+/g).map(Number);
    return a === 0 ? light(element.parentElement) : (0.3 * r + 0.6 * g + 0.1 * b) / 255;
  };
  const ink = element => { const [r, g, b] = getComputedStyle(element).color.match(/[\\d.]+/g).map(Number); return (0.3 * r + 0.6 * g + 0.1 * b) / 255; };
  need(light(document.body) < 0.5 === DARK, "the page is not as the system wants it");
  for (const name of TABS) {
    tab(name);
    for (const element of document.querySelectorAll("td, th, p, h2, pre, button, .badge, .note"))
      need(Math.abs(light(element) - ink(element)) > 0.25, name + ": cannot be read: " + element.outerHTML.slice(0, 80));
    need(document.getElementById("main").textContent.length > 20, name + " is empty");
    need(document.documentElement.scrollWidth <= innerWidth + 1, name + " is wider than the window");
    for (const element of innerWidth <= 400 ? document.querySelectorAll("body *") : [])
      need(element.getBoundingClientRect().right <= innerWidth + 1, name + " is cut at the side: " + element.outerHTML.slice(0, 80));
    for (const input of document.querySelectorAll("input")) {
      const words = getComputedStyle(input, "::placeholder").color.match(/[\\d.]+/g).map(Number);
      need(Math.abs(light(input) - (0.3 * words[0] + 0.6 * words[1] + 0.1 * words[2]) / 255) > 0.25, name + ": what may be asked cannot be read");
    }
  }
  const kernelNamed = () => document.querySelector("#kernel h2").firstChild.textContent;
  tab("Overview");
  const row = [...document.querySelectorAll("tr.pick")].pop();
  click(row);
  need(document.querySelector("nav .on").textContent === "Kernels" && kernelNamed() === row.cells[0].textContent, "a kernel of the overview does not open");
  tab("Overview");
  need(["In place", "Kernels", "Memory"].every(name => document.querySelector(`a[href="#${encodeURIComponent(name)}"]`)), "what is summed up leads nowhere");
  need(/most is in use at step \\d+: \\w+ [\\d.]+ KiB/.test(document.getElementById("main").textContent), "who holds most is not said");
  need(/saved: [\\d.]+ \\w*B, missed: [\\d.]+ \\w*B/.test(document.getElementById("main").textContent), "what it is worth is not said");
  for (const box of document.querySelectorAll(".box")) need(box.scrollWidth <= box.clientWidth, "a table of the overview is cut");
  const peakAt = document.querySelector('a[href="#Memory"]').textContent.split(" in ")[1];
  tab("Memory");
  need(document.querySelector("#main h2").firstChild.textContent === peakAt, "the function of the peak does not stand first");
  tab("Passes");
  const list = document.getElementById("passes");
  need(list.scrollWidth <= list.clientWidth, "times and marks of passes are out of sight");
  need(document.querySelectorAll("#diff .add, #diff .del").length > 0, "no pass is open");
  click([...document.querySelectorAll("tr.pick")].find(row => row.textContent.includes("LegalizeOps")));
  need(document.querySelectorAll("#diff .add, #diff .del").length > 0, "no difference is shown");
  tab("In place");
  need(document.querySelectorAll(".badge").length > 0, "no decision is shown");
  for (const note of document.querySelectorAll("#main .source .note")) need(note.getBoundingClientRect().right <= innerWidth, "a reason is cut at the side");
  const shown = () => [...document.querySelectorAll("#main .note")].filter(note => note.getClientRects().length);
  const rows = () => [...document.querySelectorAll(".source tr[data-line]")].filter(row => row.getClientRects().length).length;
  const lineOf = note => { let row = note.closest("tr"); while (!row.dataset.line) row = row.previousElementSibling; return row; };
  const all = shown().length, whole = rows(), search = document.getElementById("decision");
  const ask = words => { search.value = words; search.dispatchEvent(new Event("input")); };
  const button = [...document.querySelectorAll("[data-verdict]")].pop(), verdict = button.dataset.verdict;
  click(button);
  need(shown().length > 0 && shown().length === parseInt(button.textContent) && shown().every(note => note.textContent.startsWith(verdict)), "the verdict does not choose");
  need(rows() === new Set(shown().map(lineOf)).size, "lines without an answer stand there");
  need(document.getElementById("found").textContent.startsWith(shown().length + " of "), "the number of answers is wrong");
  click(button);
  ask("IP0");
  need(shown().length === all, "a code is not found");
  ask("r.flip");
  need(shown().length > 0 && rows() < whole, "a line is not found");
  ask("no such thing");
  need(shown().length === 0 && rows() === 0, "nothing is found, and something shown");
  ask("");
  need(shown().length === all && rows() === whole, "the whole script does not come back");
  tab("Memory");
  const rect = document.querySelector(".memory rect");
  need(rect, "no storage is drawn");
  const most = [...document.querySelectorAll("h2 .hint")].map(hint => /most in use: .* at step (\\d+)/.exec(hint.textContent));
  need(most.every(Boolean) && document.querySelectorAll(".memory .peak").length === most.length, "the peak is not said");
  rect.dispatchEvent(new MouseEvent("mouseenter"));
  rect.dispatchEvent(new MouseEvent("mousemove", { clientX: 300, clientY: 300 }));
  need(/steps \\d+ to \\d+/.test(document.getElementById("storage").textContent), "a storage says nothing");
  need(!document.getElementById("tip").hidden, "there is no tip");
  const roomy = document.querySelector(".roomy"), drawn = () => document.querySelector(".memory").getBoundingClientRect().width;
  if (roomy) {
    const whole = drawn();
    click(roomy);
    need(drawn() > 3 * whole, "steps have no more room than before");
    click(roomy);
    need(drawn() === whole, "the whole does not come back");
  }
  const because = document.querySelectorAll(".why .note");
  need(because.length > 2 && /holds \\d+ bytes at step \\d+/.test(because[0].textContent), "why memory is held is not said");
  click(because[1]);
  need(document.querySelector(".memory rect.on").dataset.storage === because[1].querySelector("b").textContent, "a remark shows no storage");
  tab("Graph");
  const nodes = [...document.querySelectorAll(".columns > :last-child .node.kernel")];
  click(nodes[0]);
  need(document.querySelectorAll(".columns > :first-child .node.near").length > 0, "the other side is dark");
  need(document.querySelectorAll("#fusion .note").length > 0, "fusion does not say why");
  const boxes = nodes.slice(0, 60).map(node => node.querySelector("rect").getBoundingClientRect());
  need(boxes.every((box, i) => i === 0 || box.top >= boxes[i - 1].bottom - 0.5), "nodes overlap");
  need(nodes.slice(0, 60).every(node => node.querySelector("text").getBoundingClientRect().right <= node.querySelector("rect").getBoundingClientRect().right + 1), "a label is wider than its node");
  const named = document.getElementById("node"), last = nodes[nodes.length - 1], box = last.closest(".scroll");
  named.value = last.querySelector("text").textContent;
  named.dispatchEvent(new Event("input"));
  need(last.classList.contains("near"), "a node is not found");
  const top = last.getBoundingClientRect().top - box.getBoundingClientRect().top;
  need(top >= 0 && top < box.clientHeight, "what is found is out of sight");
  tab("Kernels");
  click(document.querySelectorAll("tr.pick")[0]);
  const reasons = [...document.querySelectorAll("#kernel .why .note")];
  need(reasons.length > 0 && reasons.length === parseInt(document.querySelector("#kernel h2 .hint").textContent), "loops do not say why");
  click(reasons[0]);
  need(document.querySelector(".source tr.lit"), "a loop is on no line of the script");
  const helped = document.querySelector("#kernel .why .helped");
  if (helped) helped.dispatchEvent(new MouseEvent("mousemove", { clientX: 300, clientY: 300 }));
  need(!helped || /what helps: ./.test(document.getElementById("tip").textContent), "what helps is not said");
  const asm = document.querySelector("#asm [data-line]:not([data-line='0'])");
  if (asm) { click(asm); need(document.querySelector(".source tr.lit"), "no line of the script is lit"); }
  tab("Roofline");
  need(document.querySelectorAll("#roofline circle").length > 0, "no kernel under the roof");
  const written = [...document.querySelectorAll("#roofline text")].map(text => text.getBoundingClientRect());
  const dots = [...document.querySelectorAll("#roofline circle")].map(dot => dot.getBoundingClientRect());
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3;
  need(!written.some((a, i) => written.slice(i + 1).some(b => meet(a, b))), "texts of the roofline overlap");
  need(document.querySelectorAll("#main .name").length > 0 && !written.some(text => dots.some(dot => meet(dot, text))), "a text lies on a dot");
  need(document.getElementById("roofline").getBoundingClientRect().right <= innerWidth, "the roofline is cut");
  document.title = "faults: " + JSON.stringify(faults);
}, 50));
</script>
</body>"""


EMPTY = """
<script>
const faults = [];
addEventListener("error", event => faults.push(event.message));
addEventListener("load", () => setTimeout(() => {
  for (const button of document.querySelectorAll("nav button")) {
    button.click();
    const main = document.getElementById("main");
    if (main.textContent.length < 20 || /undefined|NaN/.test(main.textContent)) faults.push(button.textContent + ": " + main.textContent);
    if ([...main.querySelectorAll("table")].some(table => !table.querySelector("td"))) faults.push(button.textContent + " has a table of nothing");
  }
  document.title = "faults: " + JSON.stringify(faults);
}, 50));
</script>
</body>"""


def drive(tool, page, script, width=1400, is_dark=False):
    """The title of @page when @script has run in it."""
    (tool.folder / "driven.html").write_text(page.replace("</body>", script))
    end = time.monotonic() + 100 * SLOW
    with Browser() as browser:
        browser.open(f"file://{tool.folder}/driven.html", width, 900, is_dark)
        while not (title := browser.evaluate("document.title")).startswith("faults:") and time.monotonic() < end:
            time.sleep(0.05)
    return title


def browse(tool, script, width=1400, is_dark=False):
    text, _ = report(tool, script)
    said = drive(tool, text, DRIVE.replace("TABS", json.dumps(TABS)).replace("DARK", json.dumps(is_dark)), width, is_dark)
    assert said == "faults: []", said


@case
def in_a_browser(tool):
    browse(tool, SCRIPT)


@case
def in_a_browser_with_two_functions(tool):
    browse(tool, TWO)


@case
def in_a_browser_at_700(tool):
    browse(tool, SCRIPT, 700)


@case
def in_a_browser_with_nothing_to_do(tool):
    """No kernel, no decision, no storage: each tab says so."""
    text, data = report(tool, HEAD + '@R.function\ndef main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):\n    return x\n')
    assert data["kernels"] == [] and data["decisions"] == []
    said = drive(tool, text, EMPTY)
    assert said == "faults: []", said


@case
def in_a_browser_as_narrow_as_a_phone_and_dark(tool):
    browse(tool, SCRIPT, 400, is_dark=True)


@case
def in_a_browser_on_a_phone_with_2000_ops(tool):
    browse(tool, long_script(2000), 400)


@case
def in_a_browser_as_wide_as_can_be(tool):
    browse(tool, SCRIPT, 2560)


@case
def in_a_browser_with_2000_ops(tool):
    browse(tool, long_script(2000))


if __name__ == "__main__":
    case.main(Tool)
