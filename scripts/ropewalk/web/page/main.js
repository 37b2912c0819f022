// Puts the page together.

const charts = [extrapolation, position, training, bases, attention];

function summary() {
  const facts = data.summary.map((fact) => element("li", {}, fact));
  const notes = data.notes.map((note) => element("p", {class: "quiet"}, `notes: ${note}`));
  return [element("h1", {}, data.name), element("ul", {class: "facts"}, ...facts), ...notes];
}

/** A button that does something to the view, which everything then follows. */
function action(title, act) {
  const click = () => {
    act();
    update();
  };
  return element("button", {type: "button", click}, title);
}

/** The column on the left. */
function sideColumn() {
  return [
    element("h3", {}, "Series"),
    element("p", {class: "quiet", id: "shown", role: "status"}),
    element("div", {class: "actions"}, action("show all", () => view.hidden.clear()), action("hide all", hideAll)),
    element("div", {id: "series"}),
    element("h3", {}, "Filter"),
    element("p", {class: "quiet"}, "Acts on every chart and on the table."),
    element("div", {id: "filters"}),
    element("div", {class: "actions"}, action("reset filters", resetFilters)),
  ];
}

/** After a change of the filters or the list of series. */
function update() {
  updateSeries();
  updateTable();
  drawAll(charts.filter((chart) => !data.absent[chart.id]));
}

const PAPER = 700; // pixels of a page's width

function resizeCharts(width) {
  document.querySelectorAll(".chart.js-plotly-plot").forEach((chart) => Plotly.relayout(chart, width));
}

addEventListener("beforeprint", () => resizeCharts({width: PAPER}));
addEventListener("afterprint", () => resizeCharts({width: null, autosize: true}));

document.getElementById("summary").replaceChildren(...summary());
document.getElementById("sections").replaceChildren(...charts.map(chartSection));
document.getElementById("columns").after(tableSection());
document.getElementById("choose").replaceChildren(...sideColumn());
resetFilters();
update();
