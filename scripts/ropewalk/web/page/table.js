// The table of runs: sorted by a column, left by the filters and by a text, each row opening its config.

const EXPLAINED = "The first column opens a run's config and message. Effective length: the longest whose loss is within 2 % " +
  "of the trained length's. Gained: tokens past the trained length before perplexity is 1 % above its own. ≥: nothing longer " +
  "was evaluated. *: of an evaluation before the end, since the run is not done.";

const rows = {sorted: {column: 0, ascending: true}, text: "", made: []};

const FORMATS = {
  text: (value) => (value === null ? "-" : String(value)),
  number: fixed,
  whole,
  tenths: (value) => fixed(value, 1),
  bound: boundText,
};

const OF_EVALUATIONS = new Set(["number", "bound"]); // kinds of columns: what an evaluation found

/** [value] is a lower bound. */
function boundText(value) {
  return Array.isArray(value) ? `≥ ${whole(value[0])}` : whole(value);
}

function details(run) {
  const facts = run.facts.map(([name, value]) => element("p", {}, `${name}: ${value}`));
  const message = run.message ? [element("p", {class: "bad"}, run.message)] : [];
  const cell = element("td", {colspan: data.columns.length}, ...message, ...facts, element("pre", {}, run.config));
  return element("tr", {class: "details"}, cell);
}

/** The first cell opens and closes what a run's config and message are. */
function opener(run, text) {
  const click = () => {
    const isOpen = button.getAttribute("aria-expanded") === "true";
    button.setAttribute("aria-expanded", String(!isOpen));
    const row = button.closest("tr");
    if (isOpen) row.nextElementSibling.remove();
    else row.after(details(run));
  };
  const button = element("button", {class: "open", type: "button", "aria-expanded": "false", click}, text);
  return button;
}

/** What a run that is not done says of an earlier step than others has a star. */
function tableCell(run, column, index) {
  const text = FORMATS[column.kind](run.cells[index], column.decimals);
  const isEarly = OF_EVALUATIONS.has(column.kind) && run.status !== "done" && run.cells[index] !== null;
  const attributes = {class: column.kind !== "text" && "number", title: isEarly && `evaluated at step ${run.evaluated}`};
  return element("td", attributes, index === 0 ? opener(run, text) : isEarly ? `* ${text}` : text);
}

function tableRow(run) {
  const cells = data.columns.map((column, index) => tableCell(run, column, index));
  return element("tr", {class: run.status, "data-run": run.id}, ...cells);
}

/** Numbers by size, before texts; what has no value last, whichever way. */
function compareCells(a, b, ascending) {
  const plain = (value) => (Array.isArray(value) ? value[0] : value);
  const [x, y] = [plain(a), plain(b)];
  if (x === null || y === null) return (x === null) - (y === null);
  return ascending ? orderOf(x, y) : -orderOf(x, y);
}

function orderOf(x, y) {
  const areNumbers = [x, y].map((value) => typeof value === "number");
  if (areNumbers[0] && areNumbers[1]) return x - y;
  return areNumbers[1] - areNumbers[0] || String(x).localeCompare(String(y), "en", {numeric: true});
}

function matchesText(run) {
  const text = rows.text.toLowerCase();
  return text === "" || [run.id, run.status, run.message, ...run.cells].some((cell) => String(cell).toLowerCase().includes(text));
}

/** Rows that are open stay open. */
function updateTable() {
  const {column, ascending} = rows.sorted;
  const shown = rows.made.filter(({run}) => runIsShown(run) && matchesText(run));
  shown.sort((a, b) => compareCells(a.run.cells[column], b.run.cells[column], ascending) || a.place - b.place);
  const withDetails = ({row}) => (row.nextElementSibling?.className === "details" ? [row, row.nextElementSibling] : [row]);
  document.querySelector("#runs tbody").replaceChildren(...shown.flatMap(withDetails));
  document.querySelectorAll("#runs th").forEach((head, index) => {
    head.setAttribute("aria-sort", index !== column ? "none" : ascending ? "ascending" : "descending");
  });
  document.querySelector("#runs .note").textContent = `${shown.length} of ${plural(data.runs.length, "run")}.`;
}

function columnHead(column, index) {
  const click = () => {
    rows.sorted = {column: index, ascending: rows.sorted.column === index ? !rows.sorted.ascending : true};
    updateTable();
  };
  const button = element("button", {type: "button", title: column.about, click}, column.title);
  return element("th", {scope: "col", class: column.kind !== "text" && "number"}, button);
}

function tableSection() {
  data.columns.forEach((column, index) => {
    if (column.kind === "number") column.decimals = decimalsOf(data.runs.map((run) => run.cells[index]));
  });
  rows.made = data.runs.map((run, place) => ({run, place, row: tableRow(run)}));
  const input = () => {
    rows.text = search.value;
    updateTable();
  };
  const search = element("input", {type: "search", input});
  const heads = element("tr", {}, ...data.columns.map(columnHead));
  const table = element("table", {}, element("thead", {}, heads), element("tbody"));
  const parts = [
    element("h2", {}, "Runs"),
    element("p", {class: "quiet"}, EXPLAINED),
    lastNotice(),
    element("p", {class: "controls"}, element("label", {}, "with the text ", search), element("a", {href: "#choose"}, "filters")),
    element("div", {class: "wide", tabindex: "0", role: "region", "aria-label": "Table of runs"}, table),
    element("p", {class: "quiet note"}),
  ];
  return element("section", {id: "runs"}, ...parts, ...damagedList());
}

function damagedList() {
  if (data.problems.length === 0) return [];
  const items = data.problems.map((problem) => element("li", {}, problem));
  return [element("h3", {class: "bad"}, "Files left out"), element("ul", {id: "problems"}, ...items)];
}
