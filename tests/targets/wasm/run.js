// Runs a test program of an artifact under Node: `node run.js PROGRAM.wasm`, whose main is called `program`.
// What it wants of a C library is here; mathematics is JavaScript's.
const fs = require("fs");

const MASK = (1n << 64n) - 1n;
let memory;
const bytes = () => new Uint8Array(memory.buffer);
const view = () => new DataView(memory.buffer);

function text(at) {
  let end = at;
  while (bytes()[end] !== 0) end++;
  return new TextDecoder().decode(bytes().subarray(at, end));
}

function printf(format, list) {
  const next = (size) => {
    list = Math.ceil(list / size) * size;
    list += size;
    return list - size;
  };
  const line = text(format).replace(/%(?:\.(\d+))?([sgdu%])/g, (_, digits, letter) => {
    if (letter === "s") return text(view().getUint32(next(4), true));
    if (letter === "g") return Number(view().getFloat64(next(8), true).toPrecision(Number(digits || 6))).toString();
    return letter === "%" ? "%" : view().getInt32(next(4), true).toString();
  });
  process.stdout.write(line);
  return line.length;
}

function compare(a, b, size, isText) {
  for (let i = 0; i < size; i++) {
    const x = bytes()[a + i], y = bytes()[b + i];
    if (x !== y) return x - y;
    if (isText && x === 0) break;
  }
  return 0;
}

function frexp(value, at) {
  let exponent = 0;
  if (value !== 0 && Number.isFinite(value)) {
    while (Math.abs(value) >= 1) { value /= 2; exponent++; }
    while (Math.abs(value) < 0.5) { value *= 2; exponent--; }
  }
  view().setInt32(at, exponent, true);
  return value;
}

const library = {
  printf, frexp,
  memcpy: (to, from, size) => (bytes().copyWithin(to, from, from + size), to),
  memmove: (to, from, size) => (bytes().copyWithin(to, from, from + size), to),
  memset: (to, value, size) => (bytes().fill(value, to, to + size), to),
  memcmp: (a, b, size) => compare(a, b, size, false),
  strncmp: (a, b, size) => compare(a, b, size, true),
  strlen: (at) => text(at).length,
  strcspn: (at, set) => { const letters = text(set); let n = 0; for (const c of text(at)) { if (letters.includes(c)) break; n++; } return n; },
  ldexp: (value, exponent) => value * 2 ** exponent,
};
// sinf, exp, ..: as far as JavaScript has them
const mathematics = (name) => {
  const f = Math[name] || Math[name.replace(/f$/, "")];
  if (f) return name.endsWith("f") && !Math[name] ? (...args) => Math.fround(f(...args)) : f;
  return () => { throw new Error(`there is no ${name}`); };
};

const module_ = new WebAssembly.Module(fs.readFileSync(process.argv[2]));
const imports = { env: {} };
for (const { name } of WebAssembly.Module.imports(module_)) imports.env[name] = library[name] || mathematics(name);
const { exports: program } = new WebAssembly.Instance(module_, imports);
memory = program.memory;
process.exitCode = program.program();
