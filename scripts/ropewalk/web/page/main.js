// Puts the page together.

const charts = [extrapolation, position, training, bases, attention];

function summary() {
  const facts = data.summary.map((fact) => element("li", {}, fact));
  const notes = data.notes.map((note) => element("p", {class: "quiet"}, `notes: ${note}`));
  return [element("h1", {}, data.name), element("ul", {class: "facts"}, ...facts), ...notes];
}

/** After a change of the filters or the list of series. */
function update() {
  updateSeries();
  updateTable();
  drawAll(charts.filter((chart) => !data.absent[chart.id]));
}

document.getElementById("summary").replaceChildren(...summary());
document.getElementById("sections").replaceChildren(...charts.map(chartSection));
document.getElementById("columns").after(tableSection());
buildControls();
update();
