// What charts share: their place on the page, their looks, and the order in which they are drawn.

const CONFIG = {
  responsive: true,
  displaylogo: false,
  modeBarButtonsToRemove: ["toImage", "select2d", "lasso2d", "autoScale2d"]
};
const MARGIN = {l: 72, r: 20, t: 34, b: 52}; // pixels; fitting them to the labels would draw everything twice
const ROW = 15; // pixels of a line of text
const MOST_TICKS = 10;
const WIDEST_VIEW = 1e4; // between the lowest and the highest value: beyond it, what diverged would squash the rest
const FAR_ABOVE = 20; // times the median: as far as such a view goes
const MOST_ROWS = 5; // of names above a chart
const MULTIPLES = "multiples of the trained length";
const NOTHING_LEFT = "The filters and the list of series leave no series with such values";

/** Layout of a chart with two axes, whose titles are texts, and with whatever `more` there is. */
function layoutOf({xaxis, yaxis, ...more}) {
  const axis = {gridcolor: "#e6e6e6", zeroline: false, linecolor: "#888", ticks: "outside", tickcolor: "#888"};
  return {
    height: 440,
    margin: MARGIN,
    font: {family: "system-ui, DejaVu Sans, sans-serif", size: 13, color: "#1a1a1a"},
    paper_bgcolor: "#fff",
    plot_bgcolor: "#fff",
    hovermode: "closest",
    showlegend: false,
    hoverlabel: {align: "left"},
    xaxis: {...axis, ...xaxis, title: {text: xaxis.title}},
    yaxis: {...axis, ...yaxis, title: {text: yaxis.title}},
    ...more,
  };
}

/** Numbers as axes and ticks of lengths; on a log axis exactly these, thinned where they are too many. */
function lengthAxis(lengths, type, title) {
  if (type === "linear") return {type, title, rangemode: "tozero"};
  const every = Math.ceil(lengths.length / MOST_TICKS);
  const ticks = lengths.filter((_, index) => (lengths.length - 1 - index) % every === 0);
  return {type, title, tickvals: ticks, ticktext: ticks.map(tickText)};
}

/** Whole lengths in full, multiples in short. */
function tickText(tick) {
  return Number.isInteger(tick) ? String(tick) : short(tick);
}

/** {axis, note, top} of values. What is far above the rest is outside of the view, which ends at top, and the note says so. */
function valueAxis(values, type, title) {
  const positive = values.filter((value) => value > 0).sort((a, b) => a - b);
  if (positive.length === 0) return {axis: {type, title}, note: "", top: Infinity};
  const low = positive[0], high = positive[positive.length - 1];
  const isWide = high > low * WIDEST_VIEW;
  const top = isWide ? Math.min(low * WIDEST_VIEW, FAR_ABOVE * positive[Math.floor(positive.length / 2)]) : high;
  const axis = {type, title, ...(type === "log" ? logTicks(low, top) : {})};
  if (!isWide) return {axis, note: "", top: Infinity};
  axis.range = type === "log" ? [Math.log10(low) - 0.05, Math.log10(top)] : [0, top];
  return {axis, note: ` Values up to ${short(high)} are above the chart: zoom out to see them.`, top};
}

/** More ticks within a decade the fewer decades there are; Plotly's own would leave a narrow range with one or none. */
function logTicks(low, high) {
  const ratio = high / low;
  const steps = ratio < 4 ? null : ratio < 100 ? [1, 2, 3, 5] : ratio < 1e4 ? [1, 3] : [1];
  if (steps === null) return {nticks: 8};
  const ticks = [];
  for (let power = Math.floor(Math.log10(low)) - 1; power <= Math.log10(high) + 1; ++power) {
    ticks.push(...steps.map((step) => step * 10 ** power));
  }
  const text = (tick) => (tick >= 1e-3 && tick < 1e6 ? String(Number(tick.toPrecision(1))) : tick.toExponential(0));
  return {tickvals: ticks, ticktext: ticks.map(text)};
}

/** [band, line] of a series, or [line] where no point has an interval. points: {x, mean, low, high, text}. */
function seriesTraces(group, points, line = {}) {
  const outline = group.symbol.endsWith("-open") ? {width: 1.5} : {color: "#fff", width: 0.6};
  const drawn = {
    type: "scatter",
    mode: "lines+markers",
    name: plotText(group.label),
    x: points.x,
    y: points.mean,
    text: points.text,
    hoverinfo: "text",
    line: {color: group.color, dash: group.dash, width: 2},
    marker: {color: group.color, symbol: group.symbol, size: 7, line: outline},
    connectgaps: false,
    ...line,
  };
  const inside = points.x.map((_, index) => index).filter((index) => points.low[index] !== null && points.mean[index] !== null);
  if (inside.length === 0) return [drawn];
  const band = {
    type: "scatter",
    mode: "lines",
    hoverinfo: "skip",
    line: {width: 0},
    fill: "toself",
    fillcolor: translucent(group.color),
    x: [...inside, ...inside.slice().reverse()].map((index) => points.x[index]),
    y: [...inside.map((index) => points.high[index]), ...inside.slice().reverse().map((index) => points.low[index])],
    name: `${drawn.name}, interval`,
  };
  return [band, drawn];
}

function translucent(color) {
  const [red, green, blue] = [1, 3, 5].map((start) => parseInt(color.slice(start, start + 2), 16));
  return `rgba(${red}, ${green}, ${blue}, 0.15)`;
}

/** Vertical lines at trained lengths, or at 1 where lengths are multiples of them, named above the chart: a row each, so that
 *  names do not meet. */
function trainedMarks(groups, xType, inMultiples = false) {
  if (groups.length === 0) return {};
  const lengths = inMultiples ? [1] : ascending(groups.map((group) => group.trained));
  const line = {color: "#555", width: 1, dash: "dash"};
  const shapes = lengths.map((length) => ({type: "line", x0: length, x1: length, y0: 0, y1: 1, yref: "paper", line}));
  const place = {y: 1, yref: "paper", xanchor: "center", yanchor: "bottom", showarrow: false, borderpad: 0};
  const annotations = lengths.map((length, index) => {
    const x = xType === "log" ? Math.log10(length) : length;
    const text = inMultiples ? "trained length" : `trained length ${length}`;
    return {text, x, ...place, yshift: ROW * (index % MOST_ROWS), font: {size: 12, color: "#444"}};
  });
  const above = ROW * Math.min(lengths.length, MOST_ROWS); // below the buttons of the chart
  return {shapes, annotations, margin: {...MARGIN, t: MARGIN.t + above}};
}

/** Place of a chart {id, title, about, controls() -> [elements], figure() -> {traces, layout, note}}, or why there is none. */
function chartSection(chart) {
  const missing = data.absent[chart.id];
  const parts = missing ? [element("p", {class: "quiet absent"}, missing)] : [
    element("p", {class: "quiet"}, chart.about),
    ...(chart.isOfLast ? [lastNotice()] : []),
    element("div", {class: "controls"}, ...chart.controls()),
    element("div", {class: "chart", role: "img", "aria-label": chart.title}),
    element("p", {class: "quiet note"}),
  ];
  return element("section", {id: chart.id}, element("h2", {}, chart.title), ...parts);
}

/** Of sections that show the last evaluation whatever step is chosen: a place where `tellLast` says so. */
function lastNotice() {
  return element("p", {class: "bad last", role: "status"});
}

/** step: chosen for the chart of lengths; null for the last. */
function tellLast(step) {
  const text = step === null ? "" : `Here is the last evaluation, not that at step ${step}, which is chosen above.`;
  for (const notice of document.querySelectorAll(".last")) notice.textContent = text;
}

/** Of menus: chooser(chart)(name) takes the value chosen for `name` and draws the chart anew. */
function chooser(chart) {
  return (name) => (value) => {
    chart.chosen[name] = value;
    drawAll([chart]);
  };
}

/** A figure without anything in it, not even axes, and why. */
function nothing(note) {
  const place = {x: 0.5, y: 0.5, xref: "paper", yref: "paper", showarrow: false};
  const annotations = [{text: "nothing is shown", ...place, font: {size: 16, color: "#555"}}];
  return {traces: [], layout: layoutOf({xaxis: {visible: false}, yaxis: {visible: false}, annotations}), note};
}

async function draw(chart) {
  const {traces, layout, note} = chart.figure();
  const place = document.getElementById(chart.id);
  place.querySelector(".note").textContent = note;
  await Plotly.react(place.querySelector(".chart"), traces, layout, CONFIG);
}

const pending = new Set(); // charts to be drawn
let isDrawing = false;

/** Draws charts one by one, and lets the browser breathe between them. data-ready of the document tells when all are drawn. */
async function drawAll(charts) {
  charts.forEach((chart) => pending.add(chart));
  delete document.documentElement.dataset.ready;
  if (isDrawing) return;
  isDrawing = true;
  while (pending.size > 0) {
    await new Promise((resume) => setTimeout(resume));
    const [chart] = pending;
    pending.delete(chart);
    await draw(chart);
  }
  isDrawing = false;
  performance.mark("drawn");
  document.documentElement.dataset.ready = "true";
}
