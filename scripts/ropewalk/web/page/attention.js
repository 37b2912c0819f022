// Entropy and mean distance of attention by head, of one series at a time.

const attention = {
  id: "attention",
  title: "Attention by head",
  about: "Mean over the queries of non-overlapping windows at the end of training, and over seeds. Uniform: equal weight on " +
    "every key up to the query.",
  chosen: {quantity: "mean_distance", group: null, bands: false, x: "log", y: "linear"},

  controls() {
    const choose = chooser(this);
    this.menu = element("span");
    const quantities = [["mean_distance", this.titleOf("mean_distance")], ["entropy", this.titleOf("entropy")]];
    return [
      this.menu,
      choice("quantity", quantities, "mean_distance", choose("quantity")),
      choice("bands", [[false, "none"], [true, "over seeds"]], false, choose("bands")),
      choice("length axis", AXES, "log", choose("x")),
      choice("axis", AXES, "linear", choose("y")),
    ];
  },

  titleOf(quantity) {
    return quantity === "entropy" ? "entropy, nats" : `mean distance, ${data.token}s`;
  },

  /** The chosen series, or the first if the filters have taken that one; its menu has those that are left. */
  chooseGroup() {
    const groups = shownGroups().filter((group) => group.attention);
    const group = groups.find((each) => each === this.chosen.group) ?? groups[0];
    this.menu.replaceChildren(choice("series", groups.map((each) => [each, each.label]), group, chooser(this)("group")));
    return group;
  },

  figure() {
    const group = this.chooseGroup();
    if (!group) return nothing("The filters and the list of series leave no series that recorded attention.");
    const {lengths, heads, seeds} = group.attention;
    const traces = [...heads.flatMap((head) => this.headTraces(head, lengths)), this.uniform(lengths)];
    const {axis, note} = valueAxis(traces.flatMap((trace) => trace.y), this.chosen.y, this.titleOf(this.chosen.quantity));
    const xaxis = lengthAxis(lengths, this.chosen.x, `context length, ${data.token}s`);
    const layout = layoutOf({xaxis, yaxis: axis, showlegend: true, ...trainedMarks([group], this.chosen.x)});
    return {traces, layout, note: `${group.label}: ${plural(seeds, "seed")}.${note}`};
  },

  headTraces(head, lengths) {
    const label = `layer ${head.layer}, head ${head.head}`;
    const points = pointsOf(lengths, head[this.chosen.quantity], (index) => `${label}<br>length ${lengths[index]}`);
    const traces = seriesTraces({...head, label}, points).filter((trace) => this.chosen.bands || trace.fill === undefined);
    return traces.map((trace) => ({...trace, legendgroup: label, showlegend: trace.mode === "lines+markers"}));
  },

  /** Of attention that gives every key up to the query the same weight. */
  uniform(lengths) {
    const y = lengths.map((length) => (this.chosen.quantity === "entropy" ? meanLog(length) : (length - 1) / 4));
    const text = lengths.map((length, index) => `uniform attention<br>length ${length}: ${short(y[index])}`);
    const line = {color: "#777", dash: "dot", width: 1.5};
    return {type: "scatter", mode: "lines", name: "uniform", x: lengths, y, line, hoverinfo: "text", text};
  },
};

/** Mean of ln n for n = 1 … length: the entropy of uniform attention, mean over queries. */
function meanLog(length) {
  let sum = 0;
  for (let keys = 2; keys <= length; ++keys) sum += Math.log(keys);
  return sum / length;
}
