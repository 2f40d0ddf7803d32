// Kernels under what the machine can do.

const NAMED = 16; // kernels, the slowest ones
const ofRoof = kernel => percent(kernel.roof / kernel.ms);

// Names stand in a column of their own, in the order of their dots, each at the end of a line; below them what the roof is.
function namesBeside(svg, placed, roof, right, height) {
  placed.sort((a, b) => a.y - b.y || b.x - a.x);
  let down = 20;
  draw("text", { x: right + 8, y: down, class: "faint" }, svg, "the slowest, of the roof");
  placed.forEach((at, i) => {
    down = Math.max(Math.min(at.y + 4, height - 15 * (placed.length + roof.length - i)), down + 15);
    const line = draw("path", { d: `M${at.x + at.r} ${at.y}L${right - 14} ${down - 4}H${right + 4}`, fill: "none", stroke: "var(--node)", "stroke-dasharray": "1 2" }, svg);
    svg.insertBefore(line, svg.querySelector("circle"));
    draw("text", { x: right + 8, y: down, class: "name" }, svg, short(at.kernel.name, 36) + " " + ofRoof(at.kernel));
  });
  roof.forEach((text, i) => draw("text", { x: right + 8, y: height + 10 - 15 * (roof.length - 1 - i), class: "faint" }, svg, text));
}

// The same as lines of text with the colours of the dots, where there is no room beside.
function namesBelow(placed, roof) {
  const dot = color => make("span", { class: "dot", style: "background:" + color });
  return make("div", {}, ...roof.map(text => make("p", { class: "hint" }, text)), make("p", { class: "hint" }, "the slowest, of the roof"),
    ...placed.map(at => make("p", { class: "mono name" }, dot(at.color), at.kernel.name + " " + ofRoof(at.kernel))));
}

function roofline() {
  const list = kernels.filter(kernel => kernel.ms && kernel.ops > 0 && kernel.bytes > 0);
  if (!data.roof || !list.length) return make("p", { class: "hint" }, "There are no measured times of kernels that compute and move something.");
  const isNarrow = main.clientWidth < 700, left = isNarrow ? 46 : 70, names = isNarrow ? 0 : 290; // names stand below where there is no room beside
  const height = isNarrow ? 340 : 460, width = Math.max(220, Math.min(1400, main.clientWidth - left - names - 46)), peak = data.roof.gflops;
  const bands = Object.entries(data.roof.gb_per_s).map(([size, rate]) => [Number(size), rate]);
  const intensities = list.map(kernel => kernel.ops / kernel.bytes), speeds = list.map(kernel => kernel.ops / kernel.ms / 1e6);
  const low = Math.min(0.05, ...intensities) / 1.5, high = Math.max(64, ...intensities) * 1.5;
  const bottom = Math.min(peak / 1000, ...speeds) / 1.5, top = peak * 2;
  const x = v => left + width * Math.log(v / low) / Math.log(high / low), y = v => 10 + height - height * Math.log(v / bottom) / Math.log(top / bottom);
  const svg = draw("svg", { width: left + width + names, height: height + 50, class: "memory", id: "roofline" });
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
  const drawn = new Set(), roof = ["flat: " + peak.toFixed(0) + " GFLOP/s"];
  for (const [size, rate] of ends) {
    if ([...drawn].some(other => Math.abs(other / rate - 1) < 0.2)) continue; // the lines would be one
    drawn.add(rate);
    const from = Math.max(low, bottom / rate), knee = peak / rate;
    draw("path", { d: `M${x(from)} ${y(from * rate)}L${x(knee)} ${y(peak)}L${x(high)} ${y(peak)}`, fill: "none", stroke: "var(--blue)" }, svg);
    roof.push("slope: " + rate.toFixed(0) + " GB/s up to " + bytes(size));
  }
  const info = make("p", { class: "mono" }, "The size of a dot is its share of the time. Point at one.");
  const byTime = [...list].sort((a, b) => b.ms - a.ms), placed = [];
  byTime.forEach((kernel, i) => {
    const at = { x: x(kernel.ops / kernel.bytes), y: y(kernel.ops / kernel.ms / 1e6), r: 4 + 14 * Math.sqrt(kernel.ms / kernelTime), color: COLORS[i % COLORS.length], kernel };
    const dot = draw("circle", { cx: at.x, cy: at.y, r: at.r, fill: at.color, "fill-opacity": .8, stroke: "var(--ink)", "data-kernel": kernel.name }, svg);
    const says = () => kernel.name + ": " + time(kernel.ms) + ", " + (kernel.ops / kernel.ms / 1e6).toFixed(1) + " GFLOP/s, " + (kernel.bytes / kernel.ms / 1e6).toFixed(1) + " GB/s, " + ofRoof(kernel) + " of the roof";
    tips(dot, says);
    dot.addEventListener("mouseenter", () => { info.textContent = says(); });
    if (i < NAMED) placed.push(at);
  });
  if (!isNarrow) namesBeside(svg, placed, roof, left + width, height);
  return make("div", {}, make("p", { class: "hint" }, "The roof was measured on this machine: multiply-adds in registers, and the bandwidth for working sets of the sizes that were met."), info,
    make("div", { class: "box" }, svg), isNarrow ? namesBelow(placed, roof) : null);
}
