// Training curves, a line a run, whatever its status.

const training = {
  id: "training",
  title: "Training",
  about: "A line a run of every status, in the colour of its series; of failed and diverged runs, the last recorded step is " +
    "marked with a cross, at the edge if it is outside of the view.",
  chosen: {quantity: null, y: "log"},

  controls() {
    const choose = chooser(this);
    this.chosen.quantity = data.training[0].name;
    const quantities = data.training.map(({name, title}) => [name, title]);
    return [choice("quantity", quantities, this.chosen.quantity, choose("quantity")), choice("axis", AXES, "log", choose("y"))];
  },

  /** The lines of all runs of a series in one trace: gaps part them. */
  tracesOf(index, runs) {
    const group = data.groups[index];
    const empty = () => ({type: "scatter", hoverinfo: "text", x: [], y: [], text: []});
    const stroke = {color: group.color, dash: group.dash, width: 1};
    const line = {...empty(), mode: "lines", name: plotText(group.label), connectgaps: false, opacity: 0.8, line: stroke};
    const cross = {color: group.color, symbol: "x", size: 9};
    const end = {...empty(), mode: "markers", name: `${line.name}, ended early`, cliponaxis: false, marker: cross};
    for (const run of runs) this.addRun(run, group, line, end);
    return end.x.length > 0 ? [line, end] : [line];
  },

  addRun(run, group, line, end) {
    const [mean, low, high] = run.train[this.chosen.quantity];
    const name = `${plotText(group.label)}, seed ${run.seed}`;
    run.train.step.forEach((step, index) => {
      line.x.push(step);
      line.y.push(mean[index]);
      const range = low ? `, ${short(low[index])} to ${short(high[index])}` : "";
      line.text.push(`${name}<br>step ${step}: ${short(mean[index])}${range}`);
    });
    for (const part of [line.x, line.y, line.text]) part.push(null);
    if (run.status !== "failed" && run.status !== "diverged") return;
    const last = mean.findLastIndex((value) => value !== null);
    if (last < 0) return;
    end.x.push(run.train.step[last]);
    end.y.push(mean[last]);
    end.text.push(`${name}: ${run.status} ${plotText(run.message)}`);
  },

  figure() {
    const isDrawn = (run) => runIsShown(run) && !view.hidden.has(run.group) && run.train[this.chosen.quantity];
    const runs = data.runs.filter(isDrawn);
    if (runs.length === 0) return nothing("The filters and the list of series leave no run with such values.");
    const groups = ascending(runs.map((run) => run.group));
    const traces = groups.flatMap((index) => this.tracesOf(index, runs.filter((run) => run.group === index)));
    const {title} = data.training.find(({name}) => name === this.chosen.quantity);
    const {axis, note, top} = valueAxis(traces.flatMap((trace) => trace.y), this.chosen.y, title);
    for (const end of traces.filter(({mode}) => mode === "markers")) end.y = end.y.map((value) => Math.min(value, top));
    const layout = layoutOf({xaxis: {title: "step", rangemode: "tozero"}, yaxis: axis});
    const thinned = `At most ${data.points} points a run: where more were recorded, a point is the mean over neighbouring ` +
      "steps, and hovering tells their range.";
    return {traces, layout, note: `${plural(runs.length, "run")}. ${thinned}${note}`};
  },
};
