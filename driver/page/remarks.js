// Why loops, calls and storage are as they are: what `inlay why --loops --fusion --memory` says.

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
function remarkNote(item, show) {
  const [look, word] = SAYS[isMissed(item) ? "missed" : item.parts[0].verdict], line = item.line ? " (line " + item.line + ")" : "";
  const note = make("div", { class: "note", style: "padding-left:" + (8 + 16 * item.depth) + "px" }, make("span", { class: "badge " + look }, word), " ", make("b", {}, item.subject), line + " ");
  item.parts.forEach((part, i) => note.append(i ? "; " : "", sentence(part)));
  if (show) {
    note.classList.add("goes");
    note.addEventListener("click", () => show([item.line, ...item.parts.flatMap(part => part.places.map(place => place.line))].filter(Boolean), item));
  }
  return note;
}

// A box of notes; null: there are none.
function remarkBox(items, height, show) {
  if (!items.length) return null;
  return make("div", { class: "box scroll why", style: "padding:5px 0;max-height:" + height }, ...items.map(item => remarkNote(item, show)));
}
