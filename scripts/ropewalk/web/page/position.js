// Loss by the index in the window, a line a series.

/** 1, 2, 4, … up to a length. */
function doublings(length) {
  return Array.from({length: Math.floor(Math.log2(length)) + 1}, (_, power) => 2 ** power);
}

const position = {
  id: "position",
  title: "Loss by position in the window",
  about: "Last evaluation, non-overlapping windows. Bins that grow with the position, a point the mean over a bin's scored " +
    "tokens; lines and bands as above.",
  isOfLast: true,
  chosen: {length: null, x: "log", y: "linear"},

  controls() {
    const lengths = ascending(Object.keys(data.bins).map(Number));
    this.chosen.length = lengths[lengths.length - 1];
    const choose = chooser(this);
    return [
      choice(`window, ${data.token}s`, lengths.map((length) => [length, String(length)]), this.chosen.length, choose("length")),
      choice("position axis", AXES, "log", choose("x")),
      choice("loss axis", AXES, "linear", choose("y")),
    ];
  },

  pointsOf(group) {
    const values = group.position[this.chosen.length];
    if (!values) return null;
    const bins = data.bins[this.chosen.length];
    const name = ([first, last]) => (first === last ? first : `${first} to ${last}`);
    const middles = bins.map(([first, last]) => Math.sqrt(first * last));
    return pointsOf(middles, values, (index) => `${plotText(group.label)}<br>position ${name(bins[index])}`);
  },

  figure() {
    const drawn = shownGroups().map((group) => [group, this.pointsOf(group)]).filter(([, points]) => points !== null);
    if (drawn.length === 0) return nothing(`${NOTHING_LEFT}.`);
    const traces = drawn.flatMap(([group, points]) => seriesTraces(group, points, {mode: "lines"}));
    const {axis, note} = valueAxis(drawn.flatMap(([, points]) => points.mean), this.chosen.y, `loss, nats per ${data.token}`);
    const beyond = drawn.map(([group]) => group).filter((group) => group.trained < this.chosen.length);
    const title = `position in the window, ${data.token}s, the first being 1`;
    const xaxis = lengthAxis(doublings(this.chosen.length), this.chosen.x, title);
    const layout = layoutOf({xaxis, yaxis: axis, ...trainedMarks(beyond, this.chosen.x)});
    const bins = data.bins[this.chosen.length];
    const widest = Math.max(...bins.map(([first, last]) => last - first + 1));
    return {traces, layout, note: `${plural(bins.length, "bin")} of up to ${plural(widest, "position")}.${note}`};
  },
};
