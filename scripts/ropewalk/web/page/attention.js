// Entropy and mean distance of attention by head, of one series at a time.

const attention = {
  id: "attention",
  title: "Attention by head",
  about: "Mean over the queries of non-overlapping windows at the end of training, and over seeds. Uniform: equal weight on every key up to the query.",
  chosen: {quantity: "mean_distance", group: null, x: "log", y: "linear"},

  controls() {
    const choose = (name) => (value) => {
      this.chosen[name] = value;
      drawAll([this]);
    };
    this.menu = element("span");
    return [this.menu,
      choice("quantity", [["mean_distance", `mean distance, ${data.token}s`], ["entropy", "entropy, nats"]], "mean_distance", choose("quantity")),
      choice("length axis", AXES, "log", choose("x")), choice("axis", AXES, "linear", choose("y"))];
  },

  /** The chosen series, or the first if the filters have taken that one; its menu has those that are left. */
  chooseGroup() {
    const groups = shownGroups().filter((group) => group.attention);
    const group = groups.find((each) => each === this.chosen.group) ?? groups[0];
    this.menu.replaceChildren(choice("series", groups.map((each) => [each, each.label]), group, (chosen) => {
      this.chosen.group = chosen;
      drawAll([this]);
    }));
    return group;
  },

  figure() {
    const group = this.chooseGroup();
    if (!group) return {traces: [], layout: layoutOf({xaxis: {}, yaxis: {}}), note: "The filters leave no series that recorded attention."};
    const {lengths, heads} = group.attention;
    const isDistance = this.chosen.quantity === "mean_distance";
    const traces = heads.flatMap((head, index) => {
      const [mean, low, high, seeds] = head[this.chosen.quantity];
      const text = lengths.map((length, place) =>
        `layer ${head.layer}, head ${head.head}<br>length ${length}: ${meanText([mean[place], low[place], high[place], seeds[place]])}`);
      const look = {label: `layer ${head.layer}, head ${head.head}`, color: head.color, dash: "solid", symbol: head.symbol};
      return seriesTraces(look, {x: lengths, mean, low, high, seeds, text}).map((trace) => ({...trace, legendgroup: String(index),
        showlegend: trace.mode === "lines+markers"}));
    });
    const uniform = lengths.map((length) => (isDistance ? (length - 1) / 4 : meanLog(length)));
    traces.push({type: "scatter", mode: "lines", name: "uniform", x: lengths, y: uniform, line: {color: "#777", dash: "dot", width: 1.5},
      hoverinfo: "text", text: lengths.map((length, index) => `uniform attention<br>length ${length}: ${short(uniform[index])}`)});
    const title = isDistance ? `mean distance, ${data.token}s` : "entropy, nats";
    const {axis, note} = valueAxis(traces.flatMap((trace) => trace.y), this.chosen.y, title);
    const layout = layoutOf({xaxis: lengthAxis(lengths, this.chosen.x, `context length, ${data.token}s`), yaxis: axis, showlegend: true,
      legend: {orientation: "v"}, ...trainedMarks([group], this.chosen.x)});
    return {traces, layout, note: `${group.label}: ${plural(group.attention.seeds, "seed")}.${note}`};
  },
};

/** Mean of ln n for n = 1 … length: the entropy of uniform attention, mean over queries. */
function meanLog(length) {
  let sum = 0;
  for (let keys = 2; keys <= length; ++keys) sum += Math.log(keys);
  return sum / length;
}
