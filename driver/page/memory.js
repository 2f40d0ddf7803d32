// Storages: program order from left to right, offsets upwards.

const COLORS = ["#8ecae6", "#a7d08c", "#f4b678", "#c9a7eb", "#f2a1a1", "#9ad1c9", "#e0cf7c", "#b9c4d0", "#f1a7d1", "#a3b8f0"];
function memory() {
  const all = make("div");
  const info = make("p", { class: "mono", id: "storage" }, "Point at a storage: it tells its bytes, its steps, and the values that lie there one after the other.");
  for (const plan of [...plans].sort((a, b) => held(b) - held(a))) { // what the overview names stands first
    const boxes = (plan.storages || []).filter(box => typeof box.size === "number" && box.size > 0);
    if (!boxes.length) continue;
    const peak = peakOf(boxes);
    all.append(make("h2", {}, plan.function || "plan", make("span", { class: "hint" }, "  most in use: " + bytes(peak.bytes) + " at step " + peak.step)));
    all.append(make("p", { class: "hint" }, bytes(plan.arena_bytes) + " in one arena" + (plan.apart_bytes ? ", " + bytes(plan.apart_bytes) + " in storages of their own" + (plan.arena_bytes ? " (above the dashed line)" : "") : "") +
      "; no plan has less than " + bytes(plan.lower_bound_bytes) + "; every value by itself: " + bytes(plan.unplanned_bytes)));
    const drawing = planBox(boxes, info);
    all.append(drawing);
    const why = remarkBox(remarksOf("memory", plan.function), "40vh", (numbers, item) => drawing.light(item.subject));
    if (why) all.append(make("p", { class: "hint" }, "why it is so, first what is held at the peak; a click shows the storage above"), why);
  }
  if (!all.childElementCount) return make("p", { class: "hint" }, "No function takes storage of a size that is known: give sizes with --dim.");
  return make("div", {}, info, all);
}

// The whole from left to right; of a long program, if that is asked for, with room for each step.
function planBox(boxes, info) {
  const fit = Math.max(main.clientWidth - (main.clientWidth > 900 ? 146 : 126), 220), roomy = Math.min(16000, 6 * Math.max(...boxes.map(box => box.upper)));
  const holder = make("div", { class: "box scroll" }, drawPlan(boxes, info, fit)), element = make("div", {}, holder);
  element.light = name => holder.firstChild.light(name);
  if (roomy <= fit) return element;
  const button = make("button", { class: "roomy", onclick: () => {
    holder.replaceChildren(drawPlan(boxes, info, button.classList.toggle("on") ? roomy : fit));
  } }, "with room for each step");
  element.prepend(make("p", { class: "choices" }, button));
  return element;
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
function drawPlan(boxes, info, width) {
  const last = Math.max(...boxes.map(box => box.upper), 1);
  const planned = boxes.filter(box => typeof box.offset === "number"), apart = boxes.filter(box => typeof box.offset !== "number");
  const height = Math.max(...planned.map(box => box.offset + box.size), 0);
  let top = height;
  const placed = planned.map(box => [box, box.offset]);
  for (const box of apart) { placed.push([box, top]); top += box.size; }
  const left = 80, tall = 380;
  const svg = draw("svg", { width: width + left + 20, height: tall + 50, class: width < 3 * last ? "memory fine" : "memory" });
  const x = step => left + width * step / last, y = offset => tall + 10 - tall * offset / Math.max(top, 1);
  for (let i = 0; i <= 4; i++) {
    draw("line", { x1: left, x2: left + width, y1: y(top * i / 4), y2: y(top * i / 4), stroke: "var(--grid)" }, svg);
    draw("text", { x: left - 6, y: y(top * i / 4) + 4, "text-anchor": "end", class: "faint" }, svg, bytes(Math.round(top * i / 4)));
  }
  const marks = Math.max(2, Math.min(10, Math.floor(width / 45))); // numbers of steps do not touch
  for (const step of new Set(Array.from({ length: marks + 1 }, (_, i) => Math.round(last * i / marks)))) {
    draw("text", { x: x(step), y: tall + 28, "text-anchor": "middle", class: "faint" }, svg, String(step));
  }
  draw("text", { x: left - 20, y: tall + 28, "text-anchor": "end", class: "faint" }, svg, "step");
  if (apart.length && height) draw("line", { x1: left, x2: left + width, y1: y(height), y2: y(height), stroke: "var(--bad)", "stroke-dasharray": "4 3" }, svg);
  placed.forEach(([box, offset], i) => {
    const w = Math.max(x(box.upper) - x(box.lower), 1), h = Math.max(y(offset) - y(offset + box.size), 1.5);
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
  draw("text", { x: middle, y: tall + 44, "text-anchor": middle > left + width / 2 ? "end" : "start" }, svg, "most in use");
  svg.light = name => {
    for (const rect of svg.querySelectorAll("rect"))
      if (rect.classList.toggle("on", rect.dataset.storage === name)) rect.scrollIntoView({ block: "nearest", inline: "center" });
  };
  return svg;
}
