// What is shown of the data: which runs and series are left by the filters and the list of series. A series is a group of runs
// that differ in their seed alone, so a filter by settings takes or leaves it whole, and no mean has to be worked out here.

const data = JSON.parse(document.getElementById("data").textContent);

const view = {
  statuses: new Set(data.statuses),
  filters: data.settings.map(() => () => true), // a predicate on the value for each setting
  hidden: new Set(), // indices of series that are switched off in the list
};

function passesFilters(group) {
  return view.filters.every((holds, index) => holds(group.settings[index]));
}

function runIsShown(run) {
  return view.statuses.has(run.status) && passesFilters(data.groups[run.group]);
}

/** Indices of series of which a run is left by the filters. */
function filteredGroups() {
  return ascending(data.runs.filter(runIsShown).map((run) => run.group));
}

/** The series that charts of done runs show. */
function shownGroups() {
  if (!view.statuses.has("done")) return [];
  const indices = filteredGroups().filter((index) => !view.hidden.has(index) && data.groups[index].done > 0);
  return indices.map((index) => data.groups[index]);
}

/** Points of a chart out of [mean, low, high, seeds], each a list; hovering calls a point name(index) and tells its values as
 *  `tell` has them. */
function pointsOf(x, values, name, tell = meanText) {
  const [mean, low, high] = values;
  const text = mean.map((_, index) => `${name(index)}: ${tell(values.map((part) => part[index]))}`);
  return {x, mean, low, high, text};
}

/** "mean [low, high], 4 seeds" of [mean, low, high, seeds]; one seed has no interval. */
function meanText([mean, low, high, seeds]) {
  return `${estimateText(mean, low, high)}, ${plural(seeds, "seed")}`;
}

function estimateText(mean, low, high) {
  return low === null ? short(mean) : `${short(mean)} [${short(low)}, ${short(high)}]`;
}
