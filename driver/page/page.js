// Draws the object of the element `data`. Everything on the page is made here; nothing is fetched.
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const SVG = "http://www.w3.org/2000/svg";

// ---- small words

// An element with properties and children; text stays text.
function make(name, properties, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties || {}))
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class") element.className = value;
    else if (key === "style") element.style.cssText = value;
    else element.setAttribute(key, value);
  element.append(...children.filter(child => child !== null && child !== undefined));
  return element;
}

function draw(name, attributes, parent, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  if (parent) parent.append(element);
  return element;
}

function bytes(n) {
  if (n === null || n === undefined) return "?";
  if (typeof n !== "number") return String(n);
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let i = 0;
  while (n >= 1024 && i < 4) { n /= 1024; i++; }
  return (i ? n.toFixed(n < 10 ? 2 : 1) : n) + " " + units[i];
}

function time(ms) {
  return ms >= 1000 ? (ms / 1000).toFixed(2) + " s" : ms >= 1 ? ms.toFixed(2) + " ms" : ms >= 0.001 ? (ms * 1000).toFixed(2) + " µs"
    : (ms * 1e6).toFixed(0) + " ns";
}

const short = (text, n) => text.length > n ? text.slice(0, n - 1) + "…" : text;
const count = (n, word) => n + " " + word + (n === 1 ? "" : "s");

const tip = document.getElementById("tip");
function tips(element, text) {
  element.addEventListener("mousemove", event => {
    tip.hidden = false;
    tip.textContent = typeof text === "function" ? text() : text;
    const box = tip.getBoundingClientRect();
    tip.style.left = Math.min(event.clientX + 14, innerWidth - box.width - 6) + "px";
    tip.style.top = Math.min(event.clientY + 14, innerHeight - box.height - 6) + "px";
  });
  element.addEventListener("mouseleave", () => { tip.hidden = true; });
}

// A table: columns are [title, is a number]; rows are lists of cells, and maybe what a click does.
function table(columns, rows, pick) {
  const body = make("tbody");
  rows.forEach((cells, i) => {
    const row = make("tr", pick ? { class: "pick", "data-row": i } : {});
    cells.forEach((cell, j) => row.append(make("td", { class: columns[j][1] ? "number" : "" }, cell)));
    if (pick) row.addEventListener("click", () => {
      body.querySelectorAll("tr.on").forEach(other => other.classList.remove("on"));
      row.classList.add("on");
      pick(i);
    });
    body.append(row);
  });
  const head = make("tr");
  for (const [title, isNumber] of columns) head.append(make("th", { class: isNumber ? "number" : "" }, title));
  return make("table", {}, columns.some(([title]) => title) ? make("thead", {}, head) : "", body);
}

// The script with its numbers of lines; rows can be found by them.
const lines = data.source.split("\n");
if (lines[lines.length - 1] === "") lines.pop();
function source(marks) {
  const body = make("tbody"), rows = new Map();
  lines.forEach((text, i) => {
    const row = make("tr", { "data-line": i + 1 }, make("td", { class: "no mono" }, String(i + 1)), make("td", {}, make("pre", {}, text || " ")));
    rows.set(i + 1, row);
    body.append(row);
    for (const note of marks ? marks(i + 1) || [] : []) body.append(make("tr", {}, make("td"), make("td", {}, note)));
  });
  const element = make("table", { class: "source" }, body);
  element.light = (numbers, scrolls) => {
    rows.forEach(row => row.classList.remove("lit"));
    const lit = numbers.filter(n => rows.has(n));
    lit.forEach(n => rows.get(n).classList.add("lit"));
    const box = element.closest(".scroll");
    if (scrolls && lit.length && box) box.scrollTop = rows.get(Math.min(...lit)).offsetTop - box.clientHeight / 3;
  };
  element.row = n => rows.get(n);
  return element;
}

// ---- overview

const kernels = data.kernels, timed = kernels.some(kernel => kernel.ms !== undefined);
const kernelTime = kernels.reduce((sum, kernel) => sum + (kernel.ms || 0), 0);
const slowest = [...kernels].sort((a, b) => (b.ms || 0) - (a.ms || 0));
const plans = Array.isArray(data.plan) ? data.plan : data.plan.functions || [data.plan];

function overview() {
  const changed = data.passes.filter(pass => pass.changed).length;
  const verdicts = {};
  for (const decision of data.decisions) verdicts[decision.verdict] = (verdicts[decision.verdict] || 0) + 1;
  const held = plan => (plan.arena_bytes || 0) + (plan.apart_bytes || 0);
  const peak = plans.reduce((a, b) => held(b) > held(a) ? b : a, plans[0] || {});
  const rows = [
    data.listed ? ["Model", data.script + ", " + count(lines.length, "line") + " as listed here, entry " + data.entry]
      : ["Script", data.script + ", " + count(lines.length, "line") + ", entry " + data.entry],
    ["Pipeline", data.pipeline],
    ["Passes", count(data.passes.length, "pass").replace("passs", "passes") + ", " + changed + " changed something, " +
      time(data.passes.reduce((sum, pass) => sum + pass.ms, 0))],
    ["In place", Object.entries(verdicts).map(([name, n]) => n + " " + name).join(", ") || "no call is in place"],
    ["Kernels", count(data.kernel_count, "kernel") + (timed ? ", " + time(kernelTime) + " in a run; the slowest: " + slowest[0].name + ", " + time(slowest[0].ms) : ", not run")],
    ["Peak of memory", held(peak) ? bytes(held(peak)) + " in " + peak.function + " (every value by itself: " + bytes(peak.unplanned_bytes) + ")" : "nothing is planned"],
  ];
  if (data.run) rows.push(["A run", time(data.run.ms) + " (quartiles " + time(data.run.lower) + " to " + time(data.run.upper) + ", " + count(data.run.rounds, "round") + "), " + data.run.machine]);
  if (data.why_no_times) rows.push(["No times", data.why_no_times]);
  return make("div", {}, make("div", { class: "box" }, table([["", false], ["", false]], rows)), make("h2", {}, "Slowest kernels"), kernelTable(slowest.slice(0, 10)));
}

// ---- passes

function passes() {
  const most = Math.max(...data.passes.map(pass => pass.ms), 1e-9);
  const view = make("div", { class: "box scroll", id: "diff" }, make("p", { class: "hint", style: "padding:8px" }, "A pass that changed something shows what when it is clicked."));
  const rows = data.passes.map((pass, i) => [String(i + 1), make("span", { class: "mono" }, short(pass.name, 60)), time(pass.ms),
    make("span", { class: pass.changed ? "bar" : "bar idle", style: "width:" + (120 * pass.ms / most).toFixed(1) + "px" }),
    pass.changed ? "changed" : ""]);
  const list = table([["", true], ["pass", false], ["time", true], ["", false], ["", false]], rows, i => {
    const pass = data.passes[i];
    view.replaceChildren();
    if (!pass.diff) view.append(make("p", { class: "hint", style: "padding:8px" }, pass.changed ? "The text is too long to compare." : "It changed nothing."));
    const text = make("pre", { style: "padding:8px" });
    for (const line of (pass.diff || "").split("\n")) {
      const kind = line.startsWith("+") ? "add" : line.startsWith("-") ? "del" : line.startsWith("@@") ? "hunk" : "";
      text.append(make("div", { class: kind }, line || " "));
    }
    if (pass.left) text.append(make("div", { class: "hint" }, pass.left + " lines more: inlay opt --print-changed"));
    view.append(text);
    view.scrollTop = 0;
  });
  return make("div", { class: "columns" }, make("div", { class: "box scroll" }, list), view);
}

// ---- in place

const CLASS = { "in-place": "inplace" };
function inPlace() {
  const byLine = new Map();
  for (const decision of data.decisions) {
    if (!byLine.has(decision.line)) byLine.set(decision.line, []);
    byLine.get(decision.line).push(decision);
  }
  const note = decision => {
    const says = decision.reason || "";
    const element = make("div", { class: "note" }, make("span", { class: "badge " + (CLASS[decision.verdict] || decision.verdict) }, decision.verdict), " ",
      make("b", {}, (decision.value || "") + (decision.result ? " → " + decision.result : "")), " ", says + (decision.bytes !== null && decision.bytes !== undefined ? " (" + bytes(decision.bytes) + ")" : ""));
    if (decision.blocking_line || decision.alias_line) {
      element.style.cursor = "pointer";
      element.addEventListener("click", () => text.light([decision.blocking_line, decision.alias_line].filter(Boolean), true));
      element.append(make("span", { class: "hint" }, " - click shows what is against it"));
    }
    return element;
  };
  const text = source(n => {
    const here = byLine.get(n) || [];
    return here.length > 8 ? [...here.slice(0, 8).map(note), make("div", { class: "note" }, (here.length - 8) + " more on this line: inlay why --all")] : here.map(note);
  });
  byLine.forEach((_, n) => text.row(n) && text.row(n).classList.add("mark"));
  const outside = data.decisions.filter(decision => !text.row(decision.line)).length;
  const bad = data.decisions.filter(decision => decision.verdict === "copy");
  const jump = (list, name) => list.length ? make("button", { onclick: () => text.light([list[0].line], true) }, name) : null;
  return make("div", {}, make("p", {}, count(data.decisions.length, "decision") + ", " + bad.length + " of them copies. ", jump(bad, "first copy"),
    outside ? make("span", { class: "hint" }, " " + outside + " are on no line of the script.") : null), make("div", { class: "box scroll" }, text));
}

// ---- memory

const COLORS = ["#8ecae6", "#a7d08c", "#f4b678", "#c9a7eb", "#f2a1a1", "#9ad1c9", "#e0cf7c", "#b9c4d0", "#f1a7d1", "#a3b8f0"];
function memory() {
  const all = make("div");
  const info = make("p", { class: "mono", id: "storage" }, "Point at a storage, or click it.");
  for (const plan of plans) {
    const boxes = (plan.storages || []).filter(box => typeof box.size === "number" && box.size > 0);
    if (!boxes.length) continue;
    all.append(make("h2", {}, plan.function || "plan", make("span", { class: "hint" }, "  " + bytes(plan.arena_bytes) + " planned, " + bytes(plan.apart_bytes) + " apart" + (plan.apart_bytes && plan.arena_bytes ? " (above the dashed line)" : "") + ", lower bound " + bytes(plan.lower_bound_bytes) +
      ", every value by itself " + bytes(plan.unplanned_bytes) + "; most in use: " + bytes(peakOf(boxes).bytes) + " at step " + peakOf(boxes).step)));
    all.append(make("div", { class: "box scroll" }, drawPlan(boxes, info)));
  }
  if (!all.childElementCount) return make("p", { class: "hint" }, "No function takes storage of a size that is known: give sizes with --dim.");
  return make("div", {}, info, all);
}

function describe(box) {
  const owners = (box.owners || []).map(owner => (owner.name || owner) + (owner.from !== undefined ? " from step " + owner.from : "")).join(", ");
  return (box.id || box.name || "") + ": " + bytes(box.size) + (typeof box.offset === "number" ? " at " + box.offset : ", storage of its own") + ", steps " + box.lower + " to " + box.upper +
    (box.line ? ", line " + box.line : "") + (owners ? "\n" + owners : "") + (box.ends ? "\nends as " + box.ends : "");
}

// The step at which most bytes are in use, the first if there are several.
function peakOf(boxes) {
  const change = new Map();
  for (const box of boxes) {
    change.set(box.lower, (change.get(box.lower) || 0) + box.size);
    change.set(box.upper, (change.get(box.upper) || 0) - box.size);
  }
  const peak = { step: 0, bytes: 0 };
  let now = 0;
  for (const step of [...change.keys()].sort((a, b) => a - b)) {
    now += change.get(step);
    if (now > peak.bytes) Object.assign(peak, { step, bytes: now });
  }
  return peak;
}

// Program order from left to right, offsets upwards; what has storage of its own is stacked above the plan.
function drawPlan(boxes, info) {
  const last = Math.max(...boxes.map(box => box.upper), 1);
  const planned = boxes.filter(box => typeof box.offset === "number"), apart = boxes.filter(box => typeof box.offset !== "number");
  const height = Math.max(...planned.map(box => box.offset + box.size), 0);
  let top = height;
  const placed = planned.map(box => [box, box.offset]);
  for (const box of apart) { placed.push([box, top]); top += box.size; }
  const width = Math.max(900, Math.min(4000, last * 6)), tall = 380, left = 90;
  const svg = draw("svg", { width: width + left + 20, height: tall + 50, class: "memory" });
  const x = step => left + width * step / last, y = offset => tall + 10 - tall * offset / Math.max(top, 1);
  for (let i = 0; i <= 4; i++) {
    draw("line", { x1: left, x2: left + width, y1: y(top * i / 4), y2: y(top * i / 4), stroke: "var(--grid)" }, svg);
    draw("text", { x: left - 6, y: y(top * i / 4) + 4, "text-anchor": "end", class: "faint" }, svg, bytes(Math.round(top * i / 4)));
  }
  for (const step of new Set(Array.from({ length: 11 }, (_, i) => Math.round(last * i / 10)))) {
    draw("text", { x: x(step), y: tall + 28, "text-anchor": "middle", class: "faint" }, svg, String(step));
  }
  draw("text", { x: left + width / 2, y: tall + 44, "text-anchor": "middle", class: "faint" }, svg, "steps of the program");
  if (apart.length && height) draw("line", { x1: left, x2: left + width, y1: y(height), y2: y(height), stroke: "var(--bad)", "stroke-dasharray": "4 3" }, svg);
  placed.forEach(([box, offset], i) => {
    const w = Math.max(x(box.upper) - x(box.lower), 2), h = Math.max(y(offset) - y(offset + box.size), 1.5);
    const rect = draw("rect", { x: x(box.lower), y: y(offset + box.size), width: w, height: h, fill: COLORS[i % COLORS.length], "data-storage": box.id || box.name || i }, svg);
    tips(rect, () => describe(box));
    rect.addEventListener("mouseenter", () => { info.textContent = describe(box).replace(/\n/g, "; "); });
    rect.addEventListener("click", () => {
      svg.querySelectorAll(".on").forEach(other => other.classList.remove("on"));
      rect.classList.add("on");
    });
    const label = String(box.id || box.name || "");
    if (h > 14 && w > label.length * 7 + 6) draw("text", { x: x(box.lower) + 4, y: y(offset + box.size) + h / 2 + 4, "pointer-events": "none", class: "within" }, svg, label);
  });
  const peak = peakOf(boxes), middle = x(peak.step + 0.5); // it stands between what ends and what begins there
  draw("line", { x1: middle, x2: middle, y1: 10, y2: tall + 10, stroke: "#1c2733", "stroke-dasharray": "2 3", class: "peak", "pointer-events": "none" }, svg);
  return svg;
}

// ---- graph

const ROW = 26, LANES = 14;
function drawGraph(nodes, pick) {
  // Edges run in lanes at the left: the nearest lane that is free over their rows.
  const edges = [], ends = [];
  nodes.forEach((node, to) => new Set(node.i).forEach(from => edges.push([from, to])));
  edges.sort((a, b) => (a[1] - a[0]) - (b[1] - b[0]) || a[0] - b[0]);
  for (const edge of edges) {
    let lane = 0;
    if (edge[1] - edge[0] > 1) {
      lane = 1;
      while (lane < LANES && (ends[lane] || []).some(([from, to]) => edge[0] < to && from < edge[1])) lane++;
      (ends[lane] = ends[lane] || []).push(edge);
      if (ends[lane].length > 200) ends[lane].shift();
    }
    edge.push(lane);
  }
  const left = 12 + 9 * LANES, wide = 430;
  const svg = draw("svg", { width: left + wide + 10, height: nodes.length * ROW + 10, class: "graph" });
  const paths = edges.map(([from, to, lane]) => {
    const y1 = from * ROW + 18, y2 = to * ROW + 10, x1 = left - 9 * lane;
    return draw("path", { d: lane ? `M${left} ${y1}H${x1 + 4}Q${x1} ${y1} ${x1} ${y1 + 4}V${y2 - 4}Q${x1} ${y2} ${x1 + 4} ${y2}H${left}` : `M${left + 14} ${y1 + 4}V${y2 - 6}` }, svg);
  });
  const groups = nodes.map((node, i) => {
    const group = draw("g", { class: "node " + node.k, "data-node": i }, svg);
    draw("rect", { x: left, y: i * ROW + 4, width: wide, height: ROW - 6, rx: 3 }, group);
    draw("text", { x: left + 8, y: i * ROW + 18 }, group, short(node.k === "param" ? node.n : (node.n ? node.n + " = " : "") + node.o, 58));
    tips(group, () => (node.n ? node.n + " = " : "") + node.o + "\n" + node.t + (node.l ? "\nline " + node.l : "") + (node.p.length ? "\nmade of lines " + node.p.join(", ") : ""));
    group.addEventListener("click", () => choose(i, true));
    return group;
  });
  function clear() {
    svg.querySelectorAll(".on,.near").forEach(element => element.classList.remove("on", "near"));
  }
  function choose(i, tells) {
    clear();
    groups[i].classList.add("on");
    edges.forEach(([from, to], e) => {
      if (from !== i && to !== i) return;
      paths[e].classList.add("on");
      groups[from === i ? to : from].classList.add("near");
    });
    if (tells) pick(nodes[i]);
  }
  svg.light = numbers => { // the nodes that stand on these lines
    clear();
    const found = groups.filter((_, i) => [nodes[i].l, ...nodes[i].p].some(n => n && numbers.includes(n)) && nodes[i].k !== "param");
    found.forEach(group => group.classList.add("near"));
    const box = svg.closest(".scroll");
    if (found.length && box) box.scrollTop = Number(found[0].dataset.node) * ROW - box.clientHeight / 3;
    return found.length;
  };
  return svg;
}

function graph() {
  const column = (title, part) => {
    const element = make("div"), lists = part.functions.filter(one => one.nodes.length);
    const drawings = [];
    element.append(make("h2", {}, title, make("span", { class: "hint" }, "  " + count(lists.reduce((sum, one) => sum + one.nodes.length, 0), "node") + ", behind " + (part.behind || "?"))));
    const box = make("div", { class: "box scroll" });
    for (const one of lists) {
      const drawing = drawGraph(one.nodes, node => element.tell(node.p.length ? node.p : [node.l]));
      drawings.push(drawing);
      box.append(make("div", { class: "hint mono", style: "padding:6px 10px 0" }, one.name), drawing);
    }
    element.append(box);
    element.light = numbers => drawings.forEach(drawing => drawing.light(numbers));
    return element;
  };
  const before = column("Before fusion", data.before), after = column("After fusion", data.after.functions.length ? data.after : data.before);
  before.tell = numbers => after.light(numbers);
  after.tell = numbers => before.light(numbers);
  return make("div", {}, make("p", { class: "hint" }, "A click on a node shows what it reads and who reads it, and on the other side what it became, or was made of."),
    make("div", { class: "columns" }, before, after));
}

// ---- kernels

function kernelRow(kernel) {
  const share = kernel.ms ? kernel.roof / kernel.ms : 0;
  return [make("span", { class: "mono" }, short(kernel.name, 52)), String(kernel.line || ""), String(kernel.calls === undefined ? kernel.sites : kernel.calls),
    kernel.ms !== undefined ? time(kernel.ms) : "", kernel.ms !== undefined && kernelTime ? (100 * kernel.ms / kernelTime).toFixed(1) + " %" : "",
    kernel.ms ? (kernel.ops / kernel.ms / 1e6).toFixed(1) : "", kernel.ms ? (kernel.bytes / kernel.ms / 1e6).toFixed(1) : "", share ? (100 * share).toFixed(0) + " %" : ""];
}
const KERNEL_COLUMNS = [["kernel", false], ["line", true], ["calls", true], ["time", true], ["of kernels", true], ["GFLOP/s", true], ["GB/s", true], ["of the roof", true]];
function kernelTable(list, pick) {
  return make("div", { class: "box scroll", style: "max-height:40vh" }, table(KERNEL_COLUMNS, list.map(kernelRow), pick));
}

// Loops and assembly of one kernel beside the script; lines light up together.
function kernelView(kernel) {
  const text = source();
  const own = kernel.places.length ? kernel.places : [kernel.line];
  const assembly = make("pre", { style: "padding:8px", id: "asm" });
  for (let i = 0; i + 1 < kernel.asm.length; i += 2) {
    const line = kernel.asm[i];
    assembly.append(make("div", { "data-line": line, onclick: () => text.light([line], true), style: "cursor:pointer" }, String(line || "").padStart(5) + "  " + kernel.asm[i + 1].replace(/\t/g, "    ")));
  }
  if (!kernel.asm.length) assembly.append(make("div", { class: "hint" }, "No code of its own: it equals another kernel, is inlined, or code was not asked for."));
  const loops = make("pre", { style: "padding:8px", id: "loops" }, kernel.loops);
  const choice = make("select", { onchange: event => { loops.textContent = event.target.value === "0" ? kernel.loops : kernel.noted; } },
    make("option", { value: 0 }, "loops as compiled"), kernel.noted ? make("option", { value: 1 }, "loops before schedules") : null);
  const view = make("div", {}, make("h2", {}, kernel.name), make("div", { class: "columns" }, make("div", {}, make("p", {}, choice), make("div", { class: "box scroll" }, loops)),
    make("div", {}, make("p", { class: "hint" }, "assembly; a click shows the line of the script"), make("div", { class: "box scroll" }, assembly))),
    make("p", { class: "hint" }, "the script"), make("div", { class: "box scroll", style: "max-height:40vh" }, text));
  requestAnimationFrame(() => text.light(own, true));
  return view;
}

function kernelPage() {
  const view = make("div", { id: "kernel" }), search = make("input", { type: "search", placeholder: "name of a kernel" });
  const holder = make("div");
  const show = () => {
    const found = slowest.filter(kernel => kernel.name.includes(search.value));
    holder.replaceChildren(kernelTable(found, i => view.replaceChildren(kernelView(found[i]))));
  };
  search.addEventListener("input", show);
  show();
  if (slowest.length) view.append(kernelView(slowest[0]));
  return make("div", {}, data.kernel_count > kernels.length ? make("p", { class: "hint" }, kernels.length + " of " + data.kernel_count + " kernels are here.") : null, search, holder, view);
}

// ---- roofline

function roofline() {
  const list = kernels.filter(kernel => kernel.ms && kernel.ops > 0 && kernel.bytes > 0);
  if (!data.roof || !list.length) return make("p", { class: "hint" }, "There are no measured times of kernels that compute and move something.");
  const width = 900, height = 460, left = 70, peak = data.roof.gflops;
  const bands = Object.entries(data.roof.gb_per_s).map(([size, rate]) => [Number(size), rate]);
  const intensities = list.map(kernel => kernel.ops / kernel.bytes), speeds = list.map(kernel => kernel.ops / kernel.ms / 1e6);
  const low = Math.min(0.05, ...intensities) / 1.5, high = Math.max(64, ...intensities) * 1.5;
  const bottom = Math.min(peak / 1000, ...speeds) / 1.5, top = peak * 2;
  const x = v => left + width * Math.log(v / low) / Math.log(high / low), y = v => 10 + height - height * Math.log(v / bottom) / Math.log(top / bottom);
  const svg = draw("svg", { width: width + left + 30, height: height + 50, class: "memory", id: "roofline" });
  for (let power = Math.ceil(Math.log10(low)); 10 ** power <= high; power++) {
    draw("line", { x1: x(10 ** power), x2: x(10 ** power), y1: 10, y2: height + 10, stroke: "var(--grid)" }, svg);
    draw("text", { x: x(10 ** power), y: height + 26, "text-anchor": "middle", class: "faint" }, svg, String(10 ** power));
  }
  for (let power = Math.ceil(Math.log10(bottom)); 10 ** power <= top; power++) {
    draw("line", { x1: left, x2: left + width, y1: y(10 ** power), y2: y(10 ** power), stroke: "var(--grid)" }, svg);
    draw("text", { x: left - 6, y: y(10 ** power) + 4, "text-anchor": "end", class: "faint" }, svg, String(Number((10 ** power).toPrecision(3))));
  }
  draw("text", { x: left + width / 2, y: height + 44, "text-anchor": "middle" }, svg, "operations per byte");
  draw("text", { x: left + 6, y: 20 }, svg, "GFLOP/s");
  const ends = bands.length ? [bands[0], bands[bands.length - 1]] : [];
  const drawn = new Set();
  for (const [size, rate] of ends) {
    if ([...drawn].some(other => Math.abs(other / rate - 1) < 0.2)) continue; // the lines would be one
    drawn.add(rate);
    const from = Math.max(low, bottom / rate), knee = peak / rate;
    draw("path", { d: `M${x(from)} ${y(from * rate)}L${x(knee)} ${y(peak)}L${x(high)} ${y(peak)}`, fill: "none", stroke: "var(--blue)" }, svg);
    draw("text", { x: x(from * 1.15), y: y(from * 1.15 * rate) + 16, class: "faint" }, svg, rate.toFixed(0) + " GB/s up to " + bytes(size));
  }
  draw("text", { x: left + width - 4, y: y(peak) - 6, "text-anchor": "end", class: "faint" }, svg, peak.toFixed(0) + " GFLOP/s");
  const info = make("p", { class: "mono" }, "The size of a dot is its share of the time. Point at one.");
  const labels = []; // places of those that stand already: a new one goes below
  const free = (at, down) => {
    while (labels.some(([left, top]) => Math.abs(left - at) < 200 && Math.abs(top - down) < 12)) down += 12;
    labels.push([at, down]);
    return down;
  };
  [...list].sort((a, b) => b.ms - a.ms).forEach((kernel, i) => {
    const radius = 4 + 14 * Math.sqrt(kernel.ms / kernelTime);
    const dot = draw("circle", { cx: x(kernel.ops / kernel.bytes), cy: y(kernel.ops / kernel.ms / 1e6), r: radius, fill: COLORS[i % COLORS.length], "fill-opacity": .8, stroke: "var(--ink)", "data-kernel": kernel.name }, svg);
    const says = () => kernel.name + ": " + time(kernel.ms) + ", " + (kernel.ops / kernel.ms / 1e6).toFixed(1) + " GFLOP/s, " + (kernel.bytes / kernel.ms / 1e6).toFixed(1) + " GB/s, " +
      (100 * kernel.roof / kernel.ms).toFixed(0) + " % of the roof";
    tips(dot, says);
    dot.addEventListener("mouseenter", () => { info.textContent = says(); });
    if (i < 8) draw("text", { x: x(kernel.ops / kernel.bytes) + radius + 3, y: free(x(kernel.ops / kernel.bytes) + radius + 3, y(kernel.ops / kernel.ms / 1e6) + 4), "pointer-events": "none" }, svg, short(kernel.name, 28));
  });
  return make("div", {}, make("p", { class: "hint" }, "The roof was measured on this machine: multiply-adds in registers, and the bandwidth for working sets of the sizes that were met."), info, make("div", { class: "box" }, svg));
}

// ---- the page

document.getElementById("script").textContent = data.script;
document.getElementById("summary").textContent = ["-p " + short(data.pipeline, 100), data.run ? time(data.run.ms) + " a run" : "", "inlay " + data.inlay].filter(Boolean).join(" \u00b7 ");
const pages = { Overview: overview, Passes: passes, "In place": inPlace, Memory: memory, Graph: graph, Kernels: kernelPage, Roofline: roofline };
const made = new Map(), tabs = document.getElementById("tabs"), main = document.getElementById("main");
function show(name) {
  for (const button of tabs.children) button.classList.toggle("on", button.textContent === name);
  if (!made.has(name)) made.set(name, pages[name]());
  main.replaceChildren(made.get(name));
  if (location.hash.slice(1) !== encodeURIComponent(name)) history.replaceState(null, "", "#" + encodeURIComponent(name));
  scrollTo(0, 0);
}
for (const name of Object.keys(pages)) tabs.append(make("button", { onclick: () => show(name) }, name));
addEventListener("hashchange", () => { const name = decodeURIComponent(location.hash.slice(1)); if (pages[name]) show(name); });
const first = decodeURIComponent(location.hash.slice(1));
show(pages[first] ? first : "Overview");
