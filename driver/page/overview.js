// What the page begins with, and the passes.

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
