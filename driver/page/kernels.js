// Kernels with their loops and assembly beside the script.

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
