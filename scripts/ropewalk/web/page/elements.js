// Pieces of the page. Whatever comes from a file becomes a text node, never HTML.

/** An element with attributes, where a function is a listener, and children: elements or texts. */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value !== false && value !== null) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

/** A labelled select over [value, title] pairs; changed(value) is called with the chosen one. */
function choice(title, options, current, changed) {
  const entries = options.map(([value, text], index) => element("option", {value: index, selected: value === current}, text));
  const select = element("select", {change: () => changed(options[select.value][0])}, ...entries);
  return element("label", {}, `${title} `, select);
}

const AXES = [["log", "log"], ["linear", "linear"]];

/** A labelled checkbox; changed(checked). */
function checkbox(title, checked, changed) {
  const box = element("input", {type: "checkbox", checked, change: () => changed(box.checked)});
  return element("label", {}, box, ` ${title}`);
}

/** "1 run", "2 runs". */
function plural(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** At most `digits` significant digits: 2.6e+04 from 10,000 on, "-" for what has no value. */
function short(value, digits = 3) {
  if (value === null || value === undefined || Number.isNaN(value)) return "-";
  const size = Math.abs(value);
  if (size >= 1e4 || (size > 0 && size < 1e-3)) {
    return value.toExponential(Math.min(digits - 1, 1)).replace(/e([+-])(\d)$/, "e$10$2");
  }
  return size >= 1000 ? value.toFixed(0) : String(Number(value.toPrecision(digits)));
}

/** Whole numbers with a thin space between thousands. */
function whole(value) {
  return value === null ? "-" : String(value).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** With so many decimals, and a thin space between thousands; in powers of ten where it is very large. */
function fixed(value, decimals) {
  if (value === null) return "-";
  if (Math.abs(value) >= 1e7) return value.toExponential(1);
  const [integer, part] = value.toFixed(decimals).split(".");
  return part === undefined ? whole(integer) : `${whole(integer)}.${part}`;
}

/** Decimals for the numbers of a column: so many that the least of them has `digits` significant ones, and at most 4. */
function decimalsOf(values, digits = 4) {
  const sizes = values.filter((value) => value > 0);
  if (sizes.length === 0) return 0;
  return Math.min(4, Math.max(0, digits - 1 - Math.floor(Math.log10(Math.min(...sizes)))));
}

/** Different numbers in order. */
function ascending(numbers) {
  return [...new Set(numbers)].sort((a, b) => a - b);
}

/** What Plotly shows as text takes some tags for itself. */
function plotText(text) {
  return String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

/** A setting's value as YAML has it; a dash for a run that does not have the setting. */
function settingText(value) {
  return value === null ? "–" : String(value);
}
