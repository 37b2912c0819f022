"""Puts the files of `page/`, Plotly and the data together into one HTML text."""
import html
import json
import re
from pathlib import Path

from plotly.offline import get_plotlyjs

PAGE = Path(__file__).parent / "page"
CHARTS = ("extrapolation", "position", "training", "bases", "attention")
SCRIPTS = ("elements", "view", "filters", "series", "charts", *CHARTS, "table", "main")


def page(content):
    """The whole page of what `content.content` returns."""
    read = lambda name: (PAGE / name).read_text(encoding="utf-8")
    parts = {
        "title": html.escape(content["name"]),
        "style": read("page.css"),
        "data": data_text(content),
        "plotly": script_text(get_plotlyjs()),
        "scripts": script_text("\n".join(read(f"{name}.js") for name in SCRIPTS)),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], read("page.html"))


def data_text(content):
    """JSON that no text in it can end: a `<` is written as an escape."""
    return json.dumps(content, allow_nan=False, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def script_text(script):
    """What would end the element can only stand in a string of a script, where the backslash changes nothing."""
    return script.replace("</script", "<\\/script")
