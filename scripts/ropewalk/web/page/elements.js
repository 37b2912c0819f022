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

/** 2 h 05 min, 1 min 07 s, 12.3 s. */
function duration(seconds) {
  if (seconds === null) return "-";
  if (seconds < 60) return `${short(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  const two = (number) => String(Math.floor(number)).padStart(2, "0");
  return minutes < 60 ? `${minutes} min ${two(seconds % 60)} s` : `${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`;
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
