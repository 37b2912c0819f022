"""What the page shows, as one JSON object; page/view.js is its reader."""
from ..colors import series_styles
from ..series import group
from .attention import attention, has_attention
from .bases import panels
from .curves import curves, metrics_of, protocols_of, steps_of
from .positions import bins, has_positions, positions
from .settings import swept_settings
from .table import cells, columns, config_text, facts
from .training import curve, points_for, quantities_of

STATUSES = ("done", "running", "stopped", "failed", "diverged")  # in this order


def content(sweep):
    """{} of plain values; sweep: a `Sweep`."""
    runs = sweep.runs
    done = [run for run in runs if run.status == "done"]
    all_series = group(runs)
    settings = swept_settings([series.settings for series in all_series])
    token = "byte" if runs[0].config["task"].get("tokens") == "bytes" else "token"
    metrics, protocols, steps = metrics_of(done, token), protocols_of(done), steps_of(done)
    measured = lambda series: series_content(series, settings, metrics, protocols, steps)
    groups = [measured(series) | style for series, style in zip(all_series, styles(all_series))]
    protocol = protocols[0]["name"] if protocols else None
    return {
        "name": sweep.name,
        "summary": sweep.summary(all_series),
        "notes": sweep.notes(),
        "problems": sweep.problems,
        "token": token,
        "statuses": [status for status in STATUSES if status in sweep.states.values()],
        "metrics": metrics,
        "protocols": protocols,
        "steps": steps,
        "settings": settings,
        "groups": groups,
        "bins": {length: bins(length) for length in sorted({length for group in groups for length in group["position"]})},
        "training": quantities_of(runs, token),
        "points": points_for(runs),
        "bases": panels(all_series),
        "columns": columns(settings, protocol),
        "runs": [
            run_content(run, place, groups[place], sweep.states[run.path], protocol, points_for(runs))
            for place, series in enumerate(all_series)
            for run in series.runs
        ],
        "absent": absent(runs, done, metrics, panels(all_series)),
    }


def styles(all_series):
    return [{"color": style["color"], "symbol": style["marker"], "dash": style["dash"]} for style in series_styles(all_series)]


def series_content(series, settings, metrics, protocols, steps):
    done = [run for run in series.runs if run.status == "done"]
    return {
        "label": series.label,
        "settings": [series.settings.get(setting["path"]) for setting in settings],
        "trained": series.runs[0].trained_length,
        "done": len(done),
        "total": len(series.runs),
        "lengths": [int(length) for length in done[0].lengths] if done else [],
        "curves": curves(done, metrics, protocols, steps) if done else [],
        "position": positions(done),
        "attention": attention(done),
    }


def run_content(run, place, group, status, protocol, points):
    return {
        "id": run.attributes.get("run_id", run.path.parent.name),
        "group": place,
        "seed": run.config.get("seed"),
        "status": status,
        "cells": cells(run, group["label"], status, group["settings"], protocol),
        "message": run.attributes.get("message", ""),
        "facts": facts(run),
        "config": config_text(run),
        "train": curve(run, points),
    }


def absent(runs, done, metrics, base_panels):
    """{section: why it has no chart}."""
    reasons = {
        "extrapolation": None if metrics else "No run is done yet: nothing is evaluated.",
        "position": None if any(map(has_positions, done)) else "No done run has recorded the loss by position.",
        "training": None if any(len(run.train["step"]) for run in runs) else "No training step is recorded yet.",
        "bases": None if base_panels and metrics else "No done runs differ in their base alone: a sweep over model.position.base has this chart.",
        "attention": None if any(map(has_attention, done)) else "No done run has recorded attention: ask for it with record.attention: true.",
    }
    return {section: reason for section, reason in reasons.items() if reason}
