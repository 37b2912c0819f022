// The base sweep: a metric by base and length as a heat map, with what the base says before anything is trained.

const MOST_NUMBERS = 120; // cells of a heat map
const INSIDE = 0.05; // doublings of length from the edge to the middle of a diamond there
const MARGIN_OF_CELL = 0.12; // above or below its number, as a share of half the cell

const bases = {
  id: "bases",
  title: "Bases of the rotation",
  about: "Last evaluation, mean over seeds. Line: the smallest base that serves each length; diamonds: the length that each " +
    "base serves, at the edge if it is below all shown; a base without one serves all (Men et al. 2024). Beside each base, its " +
    "critical dimension: elements of a head that turn at least once within the trained length, of those that turn (Liu et al. " +
    "2023).",
  isOfLast: true,
  chosen: {panel: 0, metric: 0, protocol: 0, color: "log"},

  controls() {
    const choose = chooser(this);
    const named = (items) => items.map((item, index) => [index, item.title]);
    return [
      choice("series", named(data.bases), 0, choose("panel")),
      choice("metric", named(data.metrics), 0, choose("metric")),
      choice("protocol", named(data.protocols), 0, choose("protocol")),
      choice("colour", AXES, "log", choose("color")),
    ];
  },

  /** [rows, lengths] of {text, value, tone}, of the last evaluation; tone: the value as it is coloured. */
  cells(rows, lengths) {
    const tone = (value) => (this.chosen.color !== "log" ? value : value > 0 ? Math.log10(value) : null);
    return rows.map(({base, group}) => lengths.map((length) => {
      const values = group.curves[this.chosen.metric]?.[this.chosen.protocol]?.[0];
      const place = group.lengths.indexOf(length);
      const cell = values && place >= 0 ? values.map((part) => part[place]) : null;
      const text = `${plotText(group.label)}<br>base ${base}, length ${length}: ${cell ? meanText(cell) : "no value"}`;
      return {text, value: cell?.[0] ?? null, tone: cell?.[0] == null ? null : tone(cell[0])};
    }));
  },

  figure() {
    const panel = data.bases[this.chosen.panel];
    const shown = new Set(shownGroups());
    const rows = panel.rows.map((row) => ({...row, group: data.groups[row.group]})).filter(({group}) => shown.has(group));
    if (rows.length === 0) return nothing("The filters and the list of series leave none of these bases.");
    const lengths = ascending(rows.flatMap(({group}) => group.lengths));
    const centres = {x: lengths.map(Math.log2), y: rows.map(({base}) => Math.log10(base))};
    const cells = this.cells(rows, lengths);
    const trained = new Set(rows.map(({group}) => group.trained));
    const name = ({base, critical}) => `${base}${critical === null ? "" : `, ${critical} of ${panel.width}`}`;
    const layout = layoutOf({
      xaxis: {
        title: `context length, ${data.token}s`,
        tickvals: centres.x,
        showgrid: false,
        range: ends(edges(centres.x)),
        ticktext: lengths.map((length) => (trained.has(length) ? `<b>${length}</b><br>trained` : String(length)))
      },
      yaxis: {
        title: panel.width === null ? "base" : "base, and critical dimension",
        tickvals: centres.y,
        ticktext: rows.map(name),
        showgrid: false,
        range: ends(edges(centres.y)),
        automargin: true,
      },
    });
    const bound = this.bound(panel, lengths);
    return {
      traces: [
        this.map(cells, centres), ...bound, ...this.served(rows, centres), ...this.numbers(cells, centres, bound)
      ],
      layout,
      note: this.boundNote(panel)
    };
  },

  map(cells, {x, y}) {
    const tones = cells.map((row) => row.map(({tone}) => tone));
    const bar = this.chosen.color === "log" && tones.flat().some((tone) => tone !== null) ? colorTicks(...extremes(tones)) : {};
    return {
      type: "heatmap",
      z: tones,
      x: edges(x),
      y: edges(y),
      colorscale: "Cividis",
      hoverinfo: "text",
      xgap: 1,
      ygap: 1,
      colorbar: {title: {text: plotText(data.metrics[this.chosen.metric].axis), side: "right"}, ...bar},
      text: cells.map((row) => row.map(({text}) => text))
    };
  },

  /** The values in their cells, where these are large enough to hold them; dark on the lighter half of the colours. They stand at
   *  the top, or at the bottom where the line of the bound goes through the upper half. */
  numbers(cells, {x, y}, [line]) {
    if (x.length * y.length > MOST_NUMBERS) return [];
    const [low, high] = extremes(cells.map((row) => row.map(({tone}) => tone)));
    const borders = edges(y);
    const places = y.flatMap((centre, row) => x.map((across) => {
      const isCrossed = line && heightAt(line, across) > centre && heightAt(line, across) < borders[row + 1];
      const border = borders[isCrossed ? row : row + 1];
      return {x: across, y: border + MARGIN_OF_CELL * (centre - border), position: isCrossed ? "top center" : "bottom center"};
    }));
    const flat = cells.flat();
    return [{
      type: "scatter",
      mode: "text",
      name: "values",
      hoverinfo: "skip",
      x: places.map((place) => place.x),
      y: places.map((place) => place.y),
      text: flat.map(({value}) => short(value)),
      textposition: places.map(({position}) => position),
      textfont: {size: 12, color: flat.map(({tone}) => (tone - low > (high - low) / 2 ? "#000" : "#fff"))}
    }];
  },

  boundNote(panel) {
    if (panel.width === null) return "Nothing turns here, or the files are from before bounds were kept.";
    return panel.bound.length === 0 ? "No base serves these lengths." : "";
  },

  bound(panel, lengths) {
    const inside = panel.bound.filter(([length]) => length <= lengths[lengths.length - 1]);
    if (inside.length === 0) return [];
    return [{
      type: "scatter",
      mode: "lines",
      name: "smallest base that serves",
      x: inside.map(([length]) => Math.log2(length)),
      y: inside.map(([, base]) => Math.log10(base)),
      hoverinfo: "text",
      line: {color: "#d55e00", width: 2},
      text: inside.map(([length, base]) => `smallest base that serves ${length}: ${short(base)}`)
    }];
  },

  /** A diamond at the length that a base serves, if that is not all that is shown. */
  served(rows, {x, y}) {
    const [left] = edges(x);
    const limited = rows.map((row, place) => ({...row, y: y[place]})).filter(({serves}) => serves !== null);
    const inside = limited.filter(({serves}) => Math.log2(serves) < x[x.length - 1]);
    if (inside.length === 0) return [];
    return [{
      type: "scatter",
      mode: "markers",
      name: "length that a base serves",
      x: inside.map(({serves}) => Math.max(left + INSIDE, Math.log2(serves))),
      y: inside.map(({y}) => y),
      hoverinfo: "text",
      cliponaxis: false,
      marker: {color: "#fff", symbol: "diamond", size: 9, line: {color: "#000", width: 1.2}},
      text: inside.map(({base, serves}) => `base ${base} serves ${plural(serves, data.token)}`)
    }];
  },
};

/** [least, greatest] of nested numbers; null is none. */
function extremes(nested) {
  const values = nested.flat().filter((value) => value !== null);
  return [Math.min(...values), Math.max(...values)];
}

/** Of the point of a line that is nearest. */
function heightAt({x, y}, across) {
  const distances = x.map((each) => Math.abs(each - across));
  return y[distances.indexOf(Math.min(...distances))];
}

function ends(values) {
  return [values[0], values[values.length - 1]];
}

/** Edges of cells around ascending centres, half way between neighbours. */
function edges(centres) {
  if (centres.length === 1) return [centres[0] - 0.5, centres[0] + 0.5];
  const inner = centres.slice(1).map((centre, index) => (centre + centres[index]) / 2);
  return [2 * centres[0] - inner[0], ...inner, 2 * centres[centres.length - 1] - inner[inner.length - 1]];
}

/** Ticks of a colour bar over base-10 logarithms. */
function colorTicks(low, high) {
  const {tickvals} = logTicks(10 ** low, 10 ** high);
  const isInside = (tick) => tick >= low && tick <= high;
  const ticks = tickvals ? tickvals.map(Math.log10).filter(isInside) : [low, (low + high) / 2, high];
  return {tickvals: ticks, ticktext: ticks.map((tick) => short(10 ** tick))};
}
