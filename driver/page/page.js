// The tabs; what they show is made when it is first looked at.

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
