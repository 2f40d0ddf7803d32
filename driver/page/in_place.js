// The decisions on the lines of the script, all of them or those that are asked for.

const CLASS = { "in-place": "inplace" };
const AT_ONCE = 8; // decisions on a line where nothing is asked for
const VERDICTS = { "in-place": "the result is written where the argument lies", copy: "the argument is copied first, since somebody needs what was there", fresh: "the result gets new storage",
  view: "the result is a look at the argument's storage", elided: "a copy that the program asks for is not made" };

// What a decision says, with what a click shows of what stands against it.
function decisionNote(decision, show) {
  const size = decision.bytes !== null && decision.bytes !== undefined ? bytes(decision.bytes) + ", " : "";
  const element = make("div", { class: "note" }, make("span", { class: "badge " + (CLASS[decision.verdict] || decision.verdict) }, decision.verdict), " ",
    make("b", {}, (decision.value || "") + (decision.result ? " → " + decision.result : "")), " " + (decision.reason || "") + " (" + size + decision.code + ")");
  if (decision.help) element.append(make("div", {}, "help: " + decision.help));
  if (decision.blocking_line || decision.alias_line) {
    element.style.cursor = "pointer";
    element.addEventListener("click", () => show([decision.blocking_line, decision.alias_line].filter(Boolean)));
    element.insertBefore(make("span", { class: "hint" }, " - click shows what is against it"), element.querySelector("div"));
  }
  return element;
}

// Buttons of which one at most is pressed: @counts is a map of name to number.
function choices(counts, pick) {
  const holder = make("span", { class: "choices" });
  for (const [name, n] of counts) {
    const button = make("button", { "data-verdict": name }, n + " " + name);
    button.addEventListener("click", () => {
      const isOn = !button.classList.contains("on");
      for (const other of holder.children) other.classList.remove("on");
      button.classList.toggle("on", isOn);
      pick(isOn ? name : null);
    });
    holder.append(button);
  }
  return holder;
}

function inPlace() {
  const byLine = new Map(), counts = new Map(), entries = [];
  for (const decision of data.decisions) {
    counts.set(decision.verdict, (counts.get(decision.verdict) || 0) + 1);
    const words = [decision.value, decision.result, decision.reason, decision.code, decision.function, lines[decision.line - 1]];
    const entry = { decision, words: words.filter(Boolean).join("\n").toLowerCase(), note: decisionNote(decision, numbers => text.light(numbers, true)) };
    if (!byLine.has(decision.line)) byLine.set(decision.line, []);
    byLine.get(decision.line).push(entry);
    entries.push(entry);
  }
  const text = source(n => (byLine.get(n) || []).map(entry => entry.note));
  byLine.forEach((_, n) => text.row(n) && text.row(n).classList.add("mark"));
  const search = make("input", { type: "search", placeholder: "value, line, reason or IP code", id: "decision" });
  const said = make("span", { class: "hint", id: "found" });
  let verdict = null;
  // Without a question the whole script stands there; with one, the lines whose decisions answer it.
  const update = () => {
    const wanted = search.value.trim().toLowerCase(), asks = wanted !== "" || verdict !== null;
    let found = 0, held = 0;
    for (let n = 1; n <= lines.length; n++) {
      let here = 0;
      for (const entry of byLine.get(n) || []) {
        const fits = (verdict === null || entry.decision.verdict === verdict) && entry.words.includes(wanted);
        here += fits;
        const isShown = fits && (asks || here <= AT_ONCE);
        held += fits && !isShown;
        entry.note.closest("tr").hidden = !isShown;
      }
      text.row(n).hidden = asks && here === 0;
      found += here;
    }
    const outside = entries.filter(entry => !text.row(entry.decision.line)).length;
    said.textContent = [asks ? found + " of " + count(entries.length, "decision") : count(entries.length, "decision"),
      held ? held + " more stand on lines with many: a search shows them" : "", outside ? outside + " are on no line of the script" : ""].filter(Boolean).join("; ");
  };
  search.addEventListener("input", update);
  const buttons = choices([...counts].sort((a, b) => b[1] - a[1]), name => { verdict = name; update(); });
  update();
  const meanings = [...counts.keys()].filter(name => VERDICTS[name]).map(name => name + ": " + VERDICTS[name]).join("; ");
  if (!entries.length) said.textContent = "No call of this program has a result that could lie where an argument lay.";
  return make("div", {}, make("p", { class: "asks" }, search, buttons, said), meanings ? make("p", { class: "hint" }, meanings + ".") : null, make("div", { class: "box scroll" }, text));
}
