// Kernels with their loops and assembly beside the script.

function kernelRow(kernel) {
  const share = kernel.ms ? kernel.roof / kernel.ms : 0;
  return [make("span", { class: "mono" }, short(kernel.name, 52)), String(kernel.line || ""), String(kernel.calls === undefined ? kernel.sites : kernel.calls),
    kernel.ms !== undefined ? time(kernel.ms) : "", kernel.ms !== undefined && kernelTime ? (100 * kernel.ms / kernelTime).toFixed(1) + " %" : "",
    kernel.ms ? (kernel.ops / kernel.ms / 1e6).toFixed(1) : "", kernel.ms ? (kernel.bytes / kernel.ms / 1e6).toFixed(1) : "", share ? percent(share) : ""];
}
const KERNEL_COLUMNS = [["kernel", false], ["line", true, "of the first call in the script"], ["calls", true, "in a run"], ["time", true, "of all its calls in a run, the median"],
  ["share", true, "of the time of all kernels"], ["GFLOP/s", true, "what it computes: 10^9 operations on numbers in a second"], ["GB/s", true, "what it touches: 10^9 bytes of tensors in a second, each byte counted once a call"],
  ["of the roof", true, "the time that this machine needs at least for as many operations and bytes, in percent of the time that it took: 100 % is as fast as can be"]];
function kernelTable(list, pick) {
  return make("div", { class: "box scroll kernels" }, table(KERNEL_COLUMNS, list.map(kernelRow), pick));
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
  const items = remarksOf("loop", kernel.name), missed = items.filter(isMissed).length;
  const why = remarkBox(items, "34vh", numbers => text.light(numbers.length ? numbers : own, true));
  const view = make("div", {}, make("h2", {}, kernel.name, make("span", { class: "hint" }, "  " + count(items.length, "loop") + (missed ? ", " + missed + " of them with something missed" : ""))),
    why && make("p", { class: "hint" }, "why its loops are as they are, inner ones further to the right; pointing at a sentence with dots below tells what helps"), why,
    make("div", { class: "columns" }, make("div", {}, make("p", {}, choice), make("div", { class: "box scroll" }, loops)),
    make("div", {}, make("p", { class: "hint" }, "assembly; a click shows the line of the script"), make("div", { class: "box scroll" }, assembly))),
    make("p", { class: "hint" }, "the script"), make("div", { class: "box scroll", style: "max-height:40vh" }, text));
  requestAnimationFrame(() => text.light(own, true));
  return view;
}

const kernelPicked = make("div", { id: "kernel" });
function openKernel(kernel) {
  show("Kernels");
  kernelPicked.replaceChildren(kernelView(kernel));
  scrollTo(0, kernelPicked.getBoundingClientRect().top + scrollY - document.querySelector("header").offsetHeight);
}

function kernelPage() {
  const search = make("input", { type: "search", placeholder: "name of a kernel" });
  const holder = make("div");
  const show = () => {
    const found = slowest.filter(kernel => kernel.name.includes(search.value));
    holder.replaceChildren(kernelTable(found, i => kernelPicked.replaceChildren(kernelView(found[i]))));
  };
  search.addEventListener("input", show);
  show();
  if (!slowest.length) return make("p", { class: "hint" }, "No call of a kernel is left in this program: it has nothing to compute.");
  kernelPicked.replaceChildren(kernelView(slowest[0]));
  return make("div", {}, data.kernel_count > kernels.length ? make("p", { class: "hint" }, kernels.length + " of " + data.kernel_count + " kernels are here.") : null, search, holder, kernelPicked);
}
