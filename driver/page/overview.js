// What the page begins with, and the passes.

const kernels = data.kernels, timed = kernels.some(kernel => kernel.ms !== undefined);
const kernelTime = kernels.reduce((sum, kernel) => sum + (kernel.ms || 0), 0);
const slowest = [...kernels].sort((a, b) => (b.ms || 0) - (a.ms || 0));
const plans = Array.isArray(data.plan) ? data.plan : data.plan.functions || [data.plan];

const held = plan => (plan.arena_bytes || 0) + (plan.apart_bytes || 0);

function overview() {
  const changed = data.passes.filter(pass => pass.changed).length;
  const totals = data.totals, verdicts = Object.entries(totals.verdicts).filter(([, n]) => n);
  const peak = plans.reduce((a, b) => held(b) > held(a) ? b : a, plans[0] || {});
  const rows = [
    data.listed ? ["Model", data.script + ", " + count(lines.length, "line") + " as listed here, entry " + data.entry]
      : ["Script", data.script + ", " + count(lines.length, "line") + ", entry " + data.entry],
    ["Pipeline", data.pipeline],
    ["Passes", count(data.passes.length, "pass").replace("passs", "passes") + ", " + changed + " changed something, " +
      time(data.passes.reduce((sum, pass) => sum + pass.ms, 0))],
    ["In place", verdicts.length ? make("span", {}, link("In place", verdicts.map(([name, n]) => n + " " + name).join(", ")), "; saved: " + bytes(totals.saved_bytes) + ", missed: " + bytes(totals.missed_bytes)) : "there is nothing to decide"],
    ["Kernels", make("span", {}, count(data.kernel_count, "kernel") + (timed ? ", " + time(kernelTime) + " in a run" + (slowest.length ? "; the slowest: " : "") : ", not run"), timed && slowest.length ? link("Kernels", slowest[0].name + ", " + time(slowest[0].ms)) : null, disturbed())],
    ["Peak of memory", held(peak) ? make("span", {}, link("Memory", bytes(held(peak)) + " in " + peak.function), " (every value by itself: " + bytes(peak.unplanned_bytes) + ")" + heldMost(peak)) : "nothing is planned"],
  ];
  if (data.run) rows.push(["A run", time(data.run.ms) + " (quartiles " + time(data.run.lower) + " to " + time(data.run.upper) + ", " + count(data.run.rounds, "round") + "), " + data.run.machine]);
  if (data.why_no_times) rows.push(["No times", data.why_no_times]);
  return make("div", {}, make("div", { class: "box sums" }, table([["", false], ["", false]], rows)),
    ...(slowest.length ? [make("h2", {}, "Slowest kernels", make("span", { class: "hint" }, "  a click shows loops, code, and why they are so")), kernelTable(slowest.slice(0, 10), i => openKernel(slowest[i]))] : []));
}

// Kernels are timed in runs beside those of the whole, so that others on the machine may disturb the ones and not the others.
const disturbed = () => data.run && kernelTime > 1.2 * data.run.upper ? " (more than a run took: others used the machine, so believe the order more than the times)" : "";

const link = (tab, text) => make("a", { href: "#" + encodeURIComponent(tab) }, text);

// The largest storages at the step where most is in use.
function heldMost(plan) {
  const boxes = (plan.storages || []).filter(box => typeof box.size === "number" && box.size > 0);
  if (!boxes.length) return "";
  const { step } = peakOf(boxes), there = boxes.filter(box => box.lower <= step && step < box.upper).sort((a, b) => b.size - a.size);
  const names = there.slice(0, 3).map(box => box.id + " " + bytes(box.size)).join(", ");
  return "; most is in use at step " + step + ": " + names + (there.length > 3 ? " and " + (there.length - 3) + " more" : "");
}

// ---- passes

function passes() {
  const most = Math.max(...data.passes.map(pass => pass.ms), 1e-9);
  const view = make("div", { class: "box scroll", id: "diff" });
  const rows = data.passes.map((pass, i) => [String(i + 1), make("span", { class: "mono", title: pass.name }, short(pass.name, 36)), time(pass.ms),
    make("span", { class: pass.changed ? "bar" : "bar idle", style: "width:" + (120 * pass.ms / most).toFixed(1) + "px" }),
    pass.changed ? "changed" : ""]);
  const list = table([["", true], ["pass", false], ["time", true], ["", false], ["", false]], rows, i => {
    const pass = data.passes[i];
    view.replaceChildren(make("p", { style: "padding:8px 8px 0" }, make("b", { class: "mono" }, pass.name), " " + pass.doc));
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
  const slowest = data.passes.reduce((best, pass, i) => pass.changed && !(data.passes[best].changed && data.passes[best].ms >= pass.ms) ? i : best, 0);
  list.querySelectorAll("tr.pick")[slowest]?.click();
  return make("div", {}, make("p", { class: "hint" }, "A click on a pass tells what it does, and shows what it changed; the slowest that changed something is open."),
    make("div", { class: "columns" }, make("div", { class: "box scroll", id: "passes" }, list), view));
}
