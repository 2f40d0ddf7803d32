// The graph before and after fusion.

const ROW = 26, LANES = 14, LETTER = 6.9; // pixels, of the letters of labels the widest that fonts have
// Pixels that a column has for its drawing: two stand side by side where there is room.
const columnWidth = () => (main.clientWidth > 900 ? (main.clientWidth - 54) / 2 : main.clientWidth - 20) - 4;
function drawGraph(nodes, pick) {
  // Edges run in lanes at the left: the nearest lane that is free over their rows.
  const edges = [], ends = [], room = columnWidth(), most = room < 500 ? 5 : LANES;
  nodes.forEach((node, to) => new Set(node.i).forEach(from => edges.push([from, to])));
  edges.sort((a, b) => (a[1] - a[0]) - (b[1] - b[0]) || a[0] - b[0]);
  for (const edge of edges) {
    let lane = 0;
    if (edge[1] - edge[0] > 1) {
      lane = 1;
      while (lane < most && (ends[lane] || []).some(([from, to]) => edge[0] < to && from < edge[1])) lane++;
      (ends[lane] = ends[lane] || []).push(edge);
      if (ends[lane].length > 200) ends[lane].shift();
    }
    edge.push(lane);
  }
  const left = 12 + 9 * Math.max(1, ...edges.map(edge => edge[2])), wide = Math.max(120, Math.min(430, room - left - 10));
  const svg = draw("svg", { width: left + wide + 10, height: nodes.length * ROW + 10, class: "graph" });
  const paths = edges.map(([from, to, lane]) => {
    const y1 = from * ROW + 18, y2 = to * ROW + 10, x1 = left - 9 * lane;
    return draw("path", { d: lane ? `M${left} ${y1}H${x1 + 4}Q${x1} ${y1} ${x1} ${y1 + 4}V${y2 - 4}Q${x1} ${y2} ${x1 + 4} ${y2}H${left}` : `M${left + 14} ${y1 + 4}V${y2 - 6}` }, svg);
  });
  const groups = nodes.map((node, i) => {
    const group = draw("g", { class: "node " + node.k, "data-node": i }, svg);
    draw("rect", { x: left, y: i * ROW + 4, width: wide, height: ROW - 6, rx: 3 }, group);
    draw("text", { x: left + 8, y: i * ROW + 18 }, group, short(node.k === "param" ? node.n : (node.n ? node.n + " = " : "") + node.o, Math.floor((wide - 12) / LETTER)));
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
  const mark = holds => {
    clear();
    const found = groups.filter((_, i) => holds(nodes[i]));
    found.forEach(group => group.classList.add("near"));
    return found;
  };
  svg.light = numbers => mark(node => node.k !== "param" && [node.l, ...node.p].some(n => n && numbers.includes(n)));
  svg.find = words => mark(node => words !== "" && (node.n + " = " + node.o).toLowerCase().includes(words));
  return svg;
}

function graph() {
  const column = (title, part) => {
    const element = make("div"), lists = part.functions.filter(one => one.nodes.length);
    const drawings = [];
    element.append(make("h2", {}, title, make("span", { class: "hint" }, "  " + count(lists.reduce((sum, one) => sum + one.nodes.length, 0), "node") + ", behind " + (part.behind || "?"))));
    const box = make("div", { class: "box scroll" });
    for (const one of lists) {
      const drawing = drawGraph(one.nodes, node => element.tell(node.p.length ? node.p : [node.l], node));
      drawings.push(drawing);
      box.append(make("div", { class: "hint mono", style: "padding:6px 10px 0" }, one.name), drawing);
    }
    element.append(box);
    const look = group => { // in the box there are several functions
      if (group) box.scrollTop += group.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 3;
    };
    let found = [], at = 0;
    element.light = numbers => look(drawings.flatMap(drawing => drawing.light(numbers))[0]);
    element.find = words => {
      found = drawings.flatMap(drawing => drawing.find(words));
      look(found[at = 0]);
      return found.length;
    };
    element.next = () => look(found[at = (at + 1) % Math.max(found.length, 1)]);
    return element;
  };
  const before = column("Before fusion", data.before), after = column("After fusion", data.after.functions.length ? data.after : data.before);
  const why = make("div", { id: "fusion" });
  const tell = (other, numbers, node) => {
    other.light(numbers);
    const items = data.why.remarks.filter(item => item.topic === "fusion" && (item.subject === node.n || item.function === node.o));
    why.replaceChildren(remarkBox(items, "24vh", lit => [before, after].forEach(side => side.light(lit))) || "");
  };
  before.tell = (numbers, node) => tell(after, numbers, node);
  after.tell = (numbers, node) => tell(before, numbers, node);
  const search = make("input", { type: "search", placeholder: "value or operator", id: "node" }), said = make("span", { class: "hint" });
  search.addEventListener("input", () => {
    const found = [before, after].map(side => side.find(search.value.trim().toLowerCase()));
    said.textContent = search.value.trim() ? found[0] + " before, " + found[1] + " after; Enter goes on to the next" : "";
  });
  search.addEventListener("keydown", event => { if (event.key === "Enter") [before, after].forEach(side => side.next()); });
  return make("div", {}, make("p", { class: "asks" }, search, said), make("p", { class: "hint" }, "A click on a node shows what it reads and who reads it, and on the other side what it became, or was made of; and why it is one kernel with others, or is not."), why,
    make("div", { class: "columns" }, before, after));
}
