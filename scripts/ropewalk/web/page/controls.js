// The column on the left: filters by status and by every setting that differs, and the list of series, which is the legend of all
// charts.

const FEW_VALUES = 12; // of a setting: a checkbox for each

function statusFilter() {
  const boxes = data.statuses.map((status) => {
    const count = data.runs.filter((run) => run.status === status).length;
    return checkbox(`${status} (${count})`, true, (checked) => {
      checked ? view.statuses.add(status) : view.statuses.delete(status);
      update();
    });
  });
  return element("fieldset", {"data-filter": "status"}, element("legend", {}, "status"), ...boxes);
}

function valueFilter(setting, index) {
  const chosen = new Set(setting.values);
  view.filters[index] = (value) => chosen.has(value);
  const boxes = setting.values.map((value) => checkbox(settingText(value), true, (checked) => {
    checked ? chosen.add(value) : chosen.delete(value);
    update();
  }));
  const isShort = setting.values.every((value) => settingText(value).length < 9);
  return element("fieldset", {"data-filter": setting.path, class: isShort && "few"},
                 element("legend", {title: setting.path}, setting.name), ...boxes);
}

/** From and to of numbers that are too many for a box each; runs without the setting have a box of their own. */
function rangeFilter(setting, index) {
  const numbers = setting.values.filter((value) => value !== null);
  const range = {from: -Infinity, to: Infinity, without: true};
  view.filters[index] = (value) => (value === null ? range.without : range.from <= value && value <= range.to);
  const bound = (name, empty) => {
    const placeholder = name === "from" ? Math.min(...numbers) : Math.max(...numbers);
    const input = element("input", {type: "number", step: "any", placeholder, change: () => {
      range[name] = input.value === "" ? empty : Number(input.value);
      update();
    }});
    return element("label", {}, `${name} `, input);
  };
  const without = checkbox("runs without it", true, (checked) => {
    range.without = checked;
    update();
  });
  return element("fieldset", {"data-filter": setting.path}, element("legend", {title: setting.path}, setting.name),
                 bound("from", -Infinity), bound("to", Infinity), ...(numbers.length < setting.values.length ? [without] : []));
}

/** A list of which several can be chosen, for texts that are too many for a box each. */
function listFilter(setting, index) {
  const options = setting.values.map((value, place) => element("option", {value: place, selected: true}, settingText(value)));
  const select = element("select", {multiple: true, size: 8, "aria-label": setting.path, change: () => {
    const chosen = new Set([...select.selectedOptions].map((option) => setting.values[option.value]));
    view.filters[index] = (value) => chosen.has(value);
    update();
  }}, ...options);
  return element("fieldset", {"data-filter": setting.path}, element("legend", {title: setting.path}, setting.name), select);
}

function settingFilter(setting, index) {
  if (setting.values.length <= FEW_VALUES) return valueFilter(setting, index);
  const areNumbers = setting.values.every((value) => value === null || typeof value === "number");
  return (areNumbers ? rangeFilter : listFilter)(setting, index);
}

function buildFilters() {
  const parts = [statusFilter(), ...data.settings.map(settingFilter)];
  document.getElementById("filters").replaceChildren(...parts);
  view.statuses = new Set(data.statuses);
}

const GLYPHS = {circle: "●", square: "■", diamond: "◆", cross: "✚", x: "✖", star: "★", pentagon: "⬟", hexagon: "⬢",
  "triangle-up": "▲", "triangle-down": "▼", "triangle-left": "◀", "triangle-right": "▶"};
const DASHES = {solid: "", dash: "6 3", dot: "2 2", dashdot: "6 2 2 2", longdash: "10 3", longdashdot: "10 3 2 3"};

/** A piece of the line of a series with its marker. */
function swatch(group) {
  const svg = (tag, attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  };
  const picture = svg("svg", {width: 34, height: 12, "aria-hidden": "true"});
  const line = svg("line", {x1: 0, x2: 34, y1: 6, y2: 6, stroke: group.color, "stroke-width": 2, "stroke-dasharray": DASHES[group.dash]});
  const marker = svg("text", {x: 17, y: 10, "text-anchor": "middle", "font-size": 11, fill: group.color});
  marker.textContent = GLYPHS[group.symbol] ?? "●";
  picture.append(line, marker);
  return picture;
}

function seriesButton(index) {
  const group = data.groups[index];
  const seeds = group.done === group.total ? plural(group.total, "seed") : `${group.done} of ${plural(group.total, "seed")} done`;
  return element("button", {class: "series", type: "button", "data-series": index, "aria-pressed": String(!view.hidden.has(index)),
    click: () => {
      view.hidden.has(index) ? view.hidden.delete(index) : view.hidden.add(index);
      update();
    }}, swatch(group), element("span", {class: "name"}, `${group.label} `, element("span", {class: "quiet"}, seeds)));
}

/** The series that the filters leave; the focus stays on the one that has it. */
function updateSeries() {
  const focused = document.activeElement?.dataset.series;
  const indices = filteredGroups();
  document.getElementById("series").replaceChildren(...indices.map(seriesButton));
  if (focused !== undefined) document.querySelector(`[data-series="${focused}"]`)?.focus();
  const runs = data.runs.filter(runIsShown).length;
  document.getElementById("shown").textContent =
    `${indices.length} of ${data.groups.length} series, ${runs} of ${plural(data.runs.length, "run")}`;
}

function actions(...named) {
  const buttons = named.map(([name, act]) => element("button", {type: "button", click: () => {
    act();
    update();
  }}, name));
  return element("div", {class: "actions"}, ...buttons);
}

function buildControls() {
  document.getElementById("choose").replaceChildren(
    element("h3", {}, "Series"),
    element("p", {class: "quiet", id: "shown", role: "status"}),
    actions(["show all", () => view.hidden.clear()], ["hide all", () => filteredGroups().forEach((index) => view.hidden.add(index))]),
    element("div", {id: "series"}),
    element("h3", {}, "Filter"),
    element("p", {class: "quiet"}, "Acts on every chart and on the table."),
    element("div", {id: "filters"}),
    actions(["reset filters", buildFilters]));
  buildFilters();
}
