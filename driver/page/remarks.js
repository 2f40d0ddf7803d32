// Why loops, calls and storage are as they are: what `inlay why --loops --fusion --memory` says.

// The page has each form of a remark once, and of a remark what goes into it (driver/page_remarks.c).
function remarkPart([form, ...values]) {
  const { text, labels, ...rest } = data.why.forms[form], reason = text.replaceAll("{}", () => values.shift());
  return { ...rest, reason, places: labels.map(label => ({ line: values.shift(), text: label })) };
}
data.why.remarks = data.why.remarks.map(([topic, owner, subject, line, depth, parts]) => ({ topic, function: owner, subject, line, depth, parts: parts.map(remarkPart) }));

const SAYS = { done: ["inplace", "done"], missed: ["fresh", "missed"], note: ["", "note"] };
const remarksOf = (topic, name) => data.why.remarks.filter(item => item.topic === topic && item.function === name);
const isMissed = item => item.parts.some(part => part.verdict === "missed");

// One sentence; pointing at it tells what helps.
function sentence(part) {
  const help = data.helps[part.code];
  const element = make("span", {}, (part.without ? "no " + part.without + ": " : "") + part.reason + " ", make("span", { class: "hint" }, part.code));
  if (help) {
    element.className = "helped";
    tips(element, part.code + " - what helps: " + help);
  }
  return element;
}

// What became of one thing, and why it did not become more; a click goes to its lines.
function remarkNote(item, show, said) {
  const [look, word] = SAYS[isMissed(item) ? "missed" : item.parts[0].verdict], line = item.line ? " (line " + item.line + ")" : "";
  const note = make("div", { class: "note", style: "padding-left:" + (8 + 16 * item.depth) + "px" }, make("span", { class: "badge " + look }, word), " ", make("b", {}, item.subject), line + " ");
  const isNew = part => !part.nest || !said.has(part.reason);
  item.parts.filter(isNew).forEach((part, i) => note.append(i ? "; " : "", sentence(part)));
  item.parts.filter(part => part.nest).forEach(part => said.add(part.reason));
  if (show) {
    note.classList.add("goes");
    note.addEventListener("click", () => show([item.line, ...item.parts.flatMap(part => part.places.map(place => place.line))].filter(Boolean), item));
  }
  return note;
}

// A box of notes; null: there are none.
function remarkBox(items, height, show) {
  if (!items.length) return null;
  const said = new Set(); // of nests: once is enough
  return make("div", { class: "box scroll why", style: "padding:5px 0;max-height:" + height }, ...items.map(item => remarkNote(item, show, said)));
}
