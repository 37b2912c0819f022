// The list of series: the legend of all charts, in which each can be switched off.

const GLYPHS = {
  circle: "●", square: "■", diamond: "◆", cross: "✚", x: "✖", star: "★", pentagon: "⬟", hexagon: "⬢",
  "triangle-up": "▲", "triangle-down": "▼", "triangle-left": "◀", "triangle-right": "▶",
  "circle-open": "○", "square-open": "□", "diamond-open": "◇", "x-open": "✕", "star-open": "☆", "pentagon-open": "⬠",
  "triangle-up-open": "△", "triangle-down-open": "▽",
};
const DASHES = {solid: "", dash: "6 3", dot: "2 2", dashdot: "6 2 2 2", longdash: "10 3", longdashdot: "10 3 2 3"};

function svg(tag, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

/** A piece of the line of a series with its marker. */
function swatch({color, dash, symbol}) {
  const picture = svg("svg", {width: 34, height: 12, "aria-hidden": "true"});
  const stroke = {stroke: color, "stroke-width": 2, "stroke-dasharray": DASHES[dash]};
  const marker = svg("text", {x: 17, y: 10, "text-anchor": "middle", "font-size": 11, fill: color});
  marker.textContent = GLYPHS[symbol];
  picture.append(svg("line", {x1: 0, x2: 34, y1: 6, y2: 6, ...stroke}), marker);
  return picture;
}

function seedsText({done, total}) {
  return done === total ? plural(total, "seed") : `${done} of ${plural(total, "seed")} done`;
}

function seriesButton(index) {
  const group = data.groups[index];
  const isShown = !view.hidden.has(index);
  const click = () => {
    if (isShown) view.hidden.add(index);
    else view.hidden.delete(index);
    update();
  };
  const name = element("span", {class: "name"}, `${group.label} `, element("span", {class: "quiet"}, seedsText(group)));
  const attributes = {class: "series", type: "button", "data-series": index, "aria-pressed": String(isShown), click};
  return element("button", attributes, swatch(group), name);
}

/** The series that the filters leave; the focus stays on the one that has it. */
function updateSeries() {
  const focused = document.activeElement?.dataset.series;
  const indices = filteredGroups();
  document.getElementById("series").replaceChildren(...indices.map(seriesButton));
  if (focused !== undefined) document.querySelector(`[data-series="${focused}"]`)?.focus();
  const runs = data.runs.filter(runIsShown).length;
  const text = `${indices.length} of ${data.groups.length} series, ${runs} of ${plural(data.runs.length, "run")}`;
  document.getElementById("shown").textContent = text;
}

function hideAll() {
  filteredGroups().forEach((index) => view.hidden.add(index));
}
