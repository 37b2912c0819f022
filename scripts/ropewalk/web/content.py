"""What the page shows, as one JSON object; page/view.js is its reader."""
from ..comparison import expect_baseline
from .attention import attention, has_attention
from .bases import panels
from .curves import Curves, evaluated_steps, metrics_of, protocols_of, steps_of
from .positions import has_positions, positions, spans
from .settings import swept_settings
from .sweep import STATES
from .table import cells, columns, config_text, evaluated_at, facts
from .training import curve, points_for, quantities_of


def content(sweep, baseline=None):
    """{section or fact: plain values} of a `Sweep`; baseline: the label of a series that the others are compared with. Raises
    UsageError if no series with a done run has it."""
    all_series, done = sweep.series, sweep.done
    token = "byte" if all(run.settings.get("task.tokens") == "bytes" for run in sweep.runs) else "token"
    measured = Measured(metrics_of(done, token), protocols_of(done), steps_of(done))
    tables = [sweep.settings_of(series) for series in all_series]
    settings = swept_settings(tables)
    states = {run.path: state for run, state in zip(sweep.runs, sweep.states)}
    groups = [series_content(series, states) for series in all_series]
    add_curves(groups, all_series, states, measured, baseline)
    for group, table, style in zip(groups, tables, styles(sweep)):
        group.update(style, settings=[table.get(setting["path"]) for setting in settings])
    base_panels = panels(all_series, tables)
    return {
        "name": ", ".join(sorted(sweep.experiments)),
        "summary": sweep.summary(),
        "notes": sweep.notes(),
        "problems": sweep.damaged + sweep.copies,
        "token": token,
        "statuses": [state for state in STATES if state in sweep.states],
        "metrics": measured.metrics,
        "protocols": measured.protocols,
        "steps": measured.steps,
        "evaluations": len(evaluated_steps(done)),
        "baseline": baseline,
        "settings": settings,
        "groups": groups,
        "bins": {length: spans(length) for length in sorted({length for group in groups for length in group["position"]})},
        "training": quantities_of(sweep.runs, token),
        "points": points_for(sweep.runs),
        "bases": base_panels,
        "columns": columns(settings, measured.protocol),
        "runs": [
            run_content(run, place, groups[place], states[run.path], measured.protocol, points_for(sweep.runs))
            for place, series in enumerate(all_series)
            for run in series.runs
        ],
        "absent": absent(sweep.runs, done, measured.metrics, base_panels),
    }


class Measured:
    """What can be chosen from: metrics, protocols and evaluated steps of done runs, as the menus have them."""

    def __init__(self, metrics, protocols, steps):
        self.metrics, self.protocols, self.steps = metrics, protocols, steps

    @property
    def protocol(self):
        """The name of that which the table takes; None if nothing is evaluated."""
        return self.protocols[0]["name"] if self.protocols else None


def styles(sweep):
    """Of each series, as plotly names them."""
    found = [sweep.styles[series.runs[0].attributes["run_id"]] for series in sweep.series]
    return [{"color": style["color"], "symbol": style["marker"], "dash": style["dash"]} for style in found]


def done_of(series, states):
    return [run for run in series.runs if states[run.path] == "done"]


def series_content(series, states):
    done = done_of(series, states)
    return {
        "label": series.label or "all runs",
        "trained": series.runs[0].trained_length,
        "done": len(done),
        "total": len(series.runs),
        "lengths": [int(length) for length in done[0].lengths] if done else [],
        "position": positions(done),
        "attention": attention(done),
    }


def add_curves(groups, all_series, states, measured, baseline):
    """To the series with a done run: "curves", "relative" and, with a baseline, "difference" to all but that one."""
    runs_of = {group["label"]: done_of(series, states) for group, series in zip(groups, all_series)}
    found = {label: Curves(runs, measured.metrics, measured.protocols, measured.steps) for label, runs in runs_of.items() if runs}
    if baseline is not None:
        expect_baseline(baseline, list(found))
    for group in groups:
        curves = found.get(group["label"])
        group["curves"] = curves.measured() if curves else []
        group["relative"] = curves.relative() if curves else []
        is_compared = curves and baseline not in (None, group["label"])
        group["difference"] = curves.difference(found[baseline]) if is_compared else []


def run_content(run, place, group, status, protocol, points):
    return {
        "id": run.attributes["run_id"],
        "group": place,
        "seed": run.config.get("seed"),
        "status": status,
        "cells": cells(run, group["label"], status, group["settings"], protocol),
        "evaluated": evaluated_at(run),
        "message": run.attributes.get("message", ""),
        "facts": facts(run),
        "config": config_text(run),
        "train": curve(run, points),
    }


def absent(runs, done, metrics, base_panels):
    """{section: why it has no chart}."""
    sections = {
        "extrapolation": (metrics, "No run is done yet, so nothing is evaluated."),
        "position": (any(map(has_positions, done)), "No done run has recorded the loss by position."),
        "training": (any(len(run.train["step"]) for run in runs), "No training step is recorded yet."),
        "bases": (base_panels and metrics, "No runs differ in their base alone, as in a sweep over model.position.base."),
        "attention": (any(map(has_attention, done)), "No done run has recorded attention; record.attention: true asks for it."),
    }
    return {section: reason for section, (there, reason) in sections.items() if not there}
