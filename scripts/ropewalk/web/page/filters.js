// Filters by status and by every setting that differs. A filter of a setting keeps a predicate on its value in `view.filters`.

const FEW_VALUES = 12; // of a setting: a checkbox for each

/** A checkbox for an item of a set, which all charts and the table follow. */
function memberBox(title, set, item) {
  return checkbox(title, true, (checked) => {
    if (checked) set.add(item);
    else set.delete(item);
    update();
  });
}

function filterOf(path, title, ...parts) {
  return element("fieldset", {"data-filter": path}, element("legend", {title: path}, title), ...parts);
}

function statusFilter() {
  view.statuses = new Set(data.statuses);
  const count = (status) => data.runs.filter((run) => run.status === status).length;
  const boxes = data.statuses.map((status) => memberBox(`${status} (${count(status)})`, view.statuses, status));
  return filterOf("status", "status", ...boxes);
}

function valueFilter(setting, index) {
  const chosen = new Set(setting.values);
  view.filters[index] = (value) => chosen.has(value);
  const boxes = setting.values.map((value) => memberBox(settingText(value), chosen, value));
  const filter = filterOf(setting.path, setting.name, ...boxes);
  filter.classList.toggle("few", setting.values.every((value) => settingText(value).length < 9));
  return filter;
}

/** From and to of numbers that are too many for a box each; runs without the setting have a box of their own. */
function rangeFilter(setting, index) {
  const numbers = setting.values.filter((value) => value !== null);
  const range = {from: -Infinity, to: Infinity};
  const without = new Set([null]);
  view.filters[index] = (value) => (value === null ? without.has(null) : range.from <= value && value <= range.to);
  const bound = (name, extreme) => {
    const open = range[name];
    const changed = () => {
      range[name] = input.value === "" ? open : Number(input.value);
      update();
    };
    const input = element("input", {type: "number", step: "any", placeholder: extreme, change: changed});
    return element("label", {}, `${name} `, input);
  };
  const others = numbers.length < setting.values.length ? [memberBox("runs without it", without, null)] : [];
  const bounds = [bound("from", numbers[0]), bound("to", numbers[numbers.length - 1])];
  return filterOf(setting.path, setting.name, ...bounds, ...others);
}

/** A list of which several can be chosen, for texts that are too many for a box each. */
function listFilter(setting, index) {
  const options = setting.values.map((value, place) => element("option", {value: place, selected: true}, settingText(value)));
  const changed = () => {
    const chosen = new Set([...select.selectedOptions].map((option) => setting.values[option.value]));
    view.filters[index] = (value) => chosen.has(value);
    update();
  };
  const select = element("select", {multiple: true, size: 8, "aria-label": setting.path, change: changed}, ...options);
  view.filters[index] = () => true;
  return filterOf(setting.path, setting.name, select);
}

function settingFilter(setting, index) {
  if (setting.values.length <= FEW_VALUES) return valueFilter(setting, index);
  const areNumbers = setting.values.every((value) => value === null || typeof value === "number");
  return (areNumbers ? rangeFilter : listFilter)(setting, index);
}

/** Filters that leave everything, in place of those there are. */
function resetFilters() {
  document.getElementById("filters").replaceChildren(statusFilter(), ...data.settings.map(settingFilter));
}
