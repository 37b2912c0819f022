// The base sweep: a metric by base and length as a heat map, with what the base says before anything is trained.

const bases = {
  id: "bases",
  title: "Bases of the rotation",
  about: "Mean over seeds. Line: the smallest base that serves each length (Men et al. 2024). Beside each base, its critical dimension: elements of a head that turn at least once within the trained length, of those that turn (Liu et al. 2023).",
  chosen: {panel: 0, metric: 0, protocol: 0, color: "log"},

  controls() {
    const choose = (name) => (value) => {
      this.chosen[name] = value;
      drawAll([this]);
    };
    const named = (items) => items.map((item, index) => [index, item.title]);
    return [choice("series", named(data.bases), 0, choose("panel")), choice("metric", named(data.metrics), 0, choose("metric")),
      choice("protocol", named(data.protocols), 0, choose("protocol")), choice("colour", AXES, "log", choose("color"))];
  },

  /** [rows, lengths] of [mean, low, high, seeds], null where there is none; step: the last. */
  cells(rows, lengths) {
    return rows.map(({group}) => lengths.map((length) => {
      const values = group.curves[this.chosen.metric]?.[this.chosen.protocol]?.[0];
      const place = group.lengths.indexOf(length);
      return values && place >= 0 ? values.map((part) => part[place]) : null;
    }));
  },

  figure() {
    const panel = data.bases[this.chosen.panel];
    const shown = new Set(shownGroups());
    const rows = panel.rows.map((row) => ({...row, group: data.groups[row.group]})).filter(({group}) => shown.has(group));
    const lengths = [...new Set(rows.flatMap(({group}) => group.lengths))].sort((a, b) => a - b);
    const metric = data.metrics[this.chosen.metric];
    const layout = layoutOf({
      xaxis: {title: `context length, ${data.token}s`, tickvals: lengths.map(Math.log2), ticktext: lengths.map(String), showgrid: false},
      yaxis: {title: "base, and critical dimension", tickvals: rows.map(({base}) => Math.log10(base)), showgrid: false,
        ticktext: rows.map(({base, critical}) => `${base}${critical === null ? "" : `, ${critical} of ${panel.width}`}`),
        range: rows.length > 0 ? edges(rows.map(({base}) => Math.log10(base))).filter((_, index, all) => index === 0 || index === all.length - 1) : null},
    });
    if (rows.length === 0) return {traces: [], layout, note: "The filters leave none of these bases."};
    const trained = [...new Set(rows.map(({group}) => group.trained))];
    layout.shapes = trained.map((length) => ({type: "line", x0: Math.log2(length), x1: Math.log2(length), y0: 0, y1: 1, yref: "paper",
      line: {color: "#fff", width: 2, dash: "dash"}}));
    return {traces: [this.map(rows, lengths, metric), ...this.bound(panel, lengths)], layout,
      note: `Dashed: trained length ${trained.join(", ")}. ${panel.note}`};
  },

  map(rows, lengths, metric) {
    const cells = this.cells(rows, lengths);
    const isLog = this.chosen.color === "log";
    const tone = (value) => (value === null || (isLog && value <= 0) ? null : isLog ? Math.log10(value) : value);
    const z = cells.map((row) => row.map((cell) => (cell ? tone(cell[0]) : null)));
    const all = z.flat().filter((value) => value !== null);
    const bar = isLog ? colorTicks(Math.min(...all), Math.max(...all)) : {};
    return {
      type: "heatmap", z, x: edges(lengths.map(Math.log2)), y: edges(rows.map(({base}) => Math.log10(base))), colorscale: "Cividis",
      hoverinfo: "text", xgap: 1, ygap: 1, colorbar: {title: {text: plotText(metric.axis), side: "right"}, ...bar},
      text: cells.map((row, place) => row.map((cell, index) =>
        `${plotText(rows[place].group.label)}<br>base ${rows[place].base}, length ${lengths[index]}: ${cell ? meanText(cell) : "no value"}`)),
    };
  },

  bound(panel, lengths) {
    const inside = panel.bound.filter(([length]) => length <= lengths[lengths.length - 1]);
    if (inside.length === 0) return [];
    return [{type: "scatter", mode: "lines", name: "smallest base that serves", x: inside.map(([length]) => Math.log2(length)),
      y: inside.map(([, base]) => Math.log10(base)), hoverinfo: "text", line: {color: "#d55e00", width: 3},
      text: inside.map(([length, base]) => `smallest base that serves ${length}: ${short(base)}`)}];
  },
};

/** Edges of cells around ascending centres, half way between neighbours. */
function edges(centres) {
  if (centres.length === 1) return [centres[0] - 0.5, centres[0] + 0.5];
  const inner = centres.slice(1).map((centre, index) => (centre + centres[index]) / 2);
  return [2 * centres[0] - inner[0], ...inner, 2 * centres[centres.length - 1] - inner[inner.length - 1]];
}

/** Ticks of a colour bar over base-10 logarithms. */
function colorTicks(low, high) {
  const {tickvals} = logTicks(10 ** low, 10 ** high);
  if (!tickvals) return {tickvals: [low, (low + high) / 2, high], ticktext: [low, (low + high) / 2, high].map((tick) => short(10 ** tick))};
  const inside = tickvals.filter((tick) => Math.log10(tick) >= low && Math.log10(tick) <= high);
  return {tickvals: inside.map(Math.log10), ticktext: inside.map((tick) => short(tick))};
}
