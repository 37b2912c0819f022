// A metric against the evaluated length, a line a series.

const extrapolation = {
  id: "extrapolation",
  title: "Beyond the trained length",
  about: "A line a series: mean over the seeds of its done runs. Band: their range for 2 or 3 seeds, the 95 % bootstrap " +
    "interval of the mean from 4 on; one seed has none.",
  chosen: {metric: 0, protocol: 0, step: 0, x: "log", y: null},

  controls() {
    const choose = chooser(this);
    const named = (items) => items.map((item, index) => [index, item.title]);
    const steps = data.steps.map((step, index) => [index, step === null ? "last" : String(step)]);
    return [
      choice("metric", named(data.metrics), 0, choose("metric")),
      choice("protocol", named(data.protocols), 0, choose("protocol")),
      choice("evaluation at step", steps, 0, choose("step")),
      choice("length axis", AXES, "log", choose("x")),
      choice("metric axis", [[null, "automatic"], ...AXES], null, choose("y")),
    ];
  },

  pointsOf(group) {
    const values = group.curves[this.chosen.metric]?.[this.chosen.protocol]?.[this.chosen.step];
    if (!values) return null;
    return pointsOf(group.lengths, values, (index) => `${plotText(group.label)}<br>length ${group.lengths[index]}`);
  },

  figure() {
    const metric = data.metrics[this.chosen.metric];
    const shown = shownGroups();
    const drawn = shown.map((group) => [group, this.pointsOf(group)]).filter(([, points]) => points !== null);
    const traces = drawn.flatMap(([group, points]) => seriesTraces(group, points));
    const lengths = ascending(drawn.flatMap(([group]) => group.lengths));
    const {axis, note} = valueAxis(drawn.flatMap(([, points]) => points.mean), this.chosen.y ?? metric.scale, metric.axis);
    const layout = layoutOf({
      xaxis: lengthAxis(lengths, this.chosen.x, `context length, ${data.token}s`),
      yaxis: axis,
      ...trainedMarks(drawn.map(([group]) => group), this.chosen.x),
    });
    const others = shown.length > drawn.length ? `, ${shown.length - drawn.length} without such a value` : "";
    return {traces, layout, note: `${drawn.length} series drawn${others}.${note}`};
  },
};
