// Draws the object of the element `data`. Everything on the page is made here; nothing is fetched.
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const SVG = "http://www.w3.org/2000/svg";

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

const percent = share => (100 * share).toFixed(share < 0.01 ? 1 : 0) + " %";
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

// A table: columns are [title, is a number, what pointing at the title tells]; rows are lists of cells, and maybe what a click does.
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
  for (const [title, isNumber, meaning] of columns) {
    head.append(make("th", { class: (isNumber ? "number" : "") + (meaning ? " helped" : "") }, title));
    if (meaning) tips(head.lastChild, meaning);
  }
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
    lit.forEach(n => { rows.get(n).classList.add("lit"); rows.get(n).hidden = false; });
    const box = element.closest(".scroll");
    if (scrolls && lit.length && box) box.scrollTop = rows.get(Math.min(...lit)).offsetTop - box.clientHeight / 3;
  };
  element.row = n => rows.get(n);
  return element;
}
