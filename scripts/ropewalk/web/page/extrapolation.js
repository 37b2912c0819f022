// A metric against the evaluated length, a line a series.

const VALUES = [["curves", "as measured"], ["relative", "relative to the trained length"]];
if (data.baseline !== null) VALUES.push(["difference", `difference from ${data.baseline}`]);

const extrapolation = {
  id: "extrapolation",
  title: "Beyond the trained length",
  about: "A line a series: mean over the seeds of its done runs. Band: their range for 2 or 3 seeds, the 95 % bootstrap " +
    "interval of the mean from 4 on; one seed has none. Relative: each run over its own value at its trained length, then the " +
    `mean. ${data.baseline === null ? "" : "Difference: seed by seed, of the seeds that both have, then the mean."}`,
  chosen: {metric: 0, protocol: 0, step: 0, values: "curves", length: "tokens", x: "log", y: null},

  controls() {
    const choose = chooser(this);
    const named = (items) => items.map((item, index) => [index, item.title]);
    const steps = data.steps.map((step, index) => [index, step === null ? "last" : String(step)]);
    const chooseStep = (index) => {
      tellLast(data.steps[index]);
      choose("step")(index);
    };
    return [
      choice("metric", named(data.metrics), 0, choose("metric")),
      choice("protocol", named(data.protocols), 0, choose("protocol")),
      choice("evaluation at step", steps, 0, chooseStep),
      choice("values", VALUES, "curves", choose("values")),
      choice("lengths", [["tokens", `${data.token}s`], ["multiples", MULTIPLES]], "tokens", choose("length")),
      choice("length axis", AXES, "log", choose("x")),
      choice("metric axis", [[null, "automatic"], ...AXES], null, choose("y")),
    ];
  },

  get inMultiples() {
    return this.chosen.length === "multiples";
  },

  get isDifference() {
    return this.chosen.values === "difference";
  },

  pointsOf(group) {
    const values = group[this.chosen.values][this.chosen.metric]?.[this.chosen.protocol]?.[this.chosen.step];
    if (!values) return null;
    const x = group.lengths.map((length) => (this.inMultiples ? length / group.trained : length));
    const name = (index) => `${plotText(group.label)}<br>length ${group.lengths[index]}`;
    return pointsOf(x, values, name, this.isDifference ? differenceText : meanText);
  },

  titleOf(metric) {
    if (this.isDifference) return `${metric.title}, difference from ${plotText(data.baseline)}`;
    return this.chosen.values === "relative" ? `${metric.title}, times that at the trained length` : metric.axis;
  },

  /** Differences have both signs, so that their axis is linear whatever is chosen. */
  valueAxis(drawn) {
    const metric = data.metrics[this.chosen.metric];
    const title = this.titleOf(metric);
    if (this.isDifference) return {axis: {type: "linear", title, zeroline: true, zerolinecolor: "#888"}, note: ""};
    return valueAxis(drawn.flatMap(([, points]) => points.mean), this.chosen.y ?? metric.scale, title);
  },

  figure() {
    const shown = shownGroups().filter(({label}) => !this.isDifference || label !== data.baseline);
    const drawn = shown.map((group) => [group, this.pointsOf(group)]).filter(([, points]) => points !== null);
    const others = shown.length > drawn.length ? `, ${shown.length - drawn.length} without such a value` : "";
    if (drawn.length === 0) return nothing(`${NOTHING_LEFT}${others}.`);
    const traces = drawn.flatMap(([group, points]) => seriesTraces(group, points));
    const {axis, note} = this.valueAxis(drawn);
    const title = this.inMultiples ? `context length, ${MULTIPLES}` : `context length, ${data.token}s`;
    const layout = layoutOf({
      xaxis: lengthAxis(ascending(drawn.flatMap(([, points]) => points.x)), this.chosen.x, title),
      yaxis: axis,
      ...trainedMarks(drawn.map(([group]) => group), this.chosen.x, this.inMultiples),
    });
    return {traces, layout, note: `${drawn.length} series drawn${others}.${note}${thinnedNote()}`};
  },
};

/** "mean [low, high], 4 pairs, lower than rope" of [mean, low, high, pairs]. */
function differenceText([mean, low, high, pairs]) {
  const sign = low !== null && high < 0 ? "lower" : low !== null && low > 0 ? "higher" : "undecided";
  const verdict = sign === "undecided" ? sign : `${sign} than ${plotText(data.baseline)}`;
  return `${estimateText(mean, low, high)}, ${plural(pairs, "pair")}, ${verdict}`;
}

/** That the menu of steps has not all there are. */
function thinnedNote() {
  const inMenu = data.steps.length - 1;
  return inMenu > 0 && inMenu < data.evaluations ? ` The menu of steps has ${inMenu} of ${data.evaluations} evaluations.` : "";
}
