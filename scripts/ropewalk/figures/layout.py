"""Where things go on a figure: a title, the axes, beside or below them the legend, at the foot a caption. Lengths are inches."""
from matplotlib.font_manager import FontProperties
from matplotlib.layout_engine import ConstrainedLayoutEngine

from .style import QUIET, WIDTHS, plt

PAD = 0.06
TITLE_SIZE, CAPTION_SIZE = 8.5, 7  # points
LINE_SPACING = 1.3  # lines of text, in font sizes
MOST_BESIDE = 0.34  # of the width, for a legend beside the axes
MOST_COLUMNS = 6  # of a legend below them


def new_figure(columns, height, *grid, mosaic=None, **panels):
    """(figure, axes) as from plt.subplots, or from plt.subplot_mosaic; `height` is that of the axes with their labels."""
    size = (WIDTHS[columns], height)
    figure, axes = plt.subplot_mosaic(mosaic, figsize=size) if mosaic else plt.subplots(*grid, figsize=size, **panels)
    figure.set_layout_engine(ConstrainedLayoutEngine(w_pad=PAD, h_pad=PAD))
    return figure, axes


def panel_height(columns):
    """Of axes that are as wide as the page."""
    return {1: 2.3, 2: 3.1}[columns]


def finish(figure, title, caption, handles=(), beside=True):
    """Adds title, legend (beside the axes if it may be there and fits, else below them) and caption. The figure grows by the room
    that they take, so that they cover nothing and nothing is cut off."""
    width, height = figure.get_size_inches()
    title, caption = wrap(figure, title, width - 2 * PAD, TITLE_SIZE), wrap(figure, caption, width - 2 * PAD, CAPTION_SIZE)
    head, foot = text_height(title, TITLE_SIZE), text_height(caption, CAPTION_SIZE)
    beside, legend, (legend_width, legend_height) = fit_legend(figure, handles, height if beside else 0)
    below = 0 if beside or not handles else legend_height + PAD
    right = width - legend_width if beside else width
    whole = head + height + below + foot
    figure.set_size_inches(width, whole)
    figure.get_layout_engine().set(rect=(0, (below + foot) / whole, right / width, height / whole))
    figure.text(PAD / width, 1 - PAD / whole, title, va="top", size=TITLE_SIZE, linespacing=LINE_SPACING - 0.1)
    figure.text(PAD / width, PAD / whole, caption, va="bottom", size=CAPTION_SIZE, color=QUIET, linespacing=LINE_SPACING - 0.1)
    if beside:
        figure.legend(loc="center left", bbox_to_anchor=(right / width, (foot + height / 2) / whole), **legend)
    elif handles:
        figure.legend(loc="lower center", bbox_to_anchor=(0.5, foot / whole), **legend)
    return figure


def fit_legend(figure, handles, height):
    """(whether it goes beside axes that leave it that height, arguments of figure.legend, its size) such that the legend fits."""
    if not handles:
        return False, {}, (0, 0)
    width = figure.get_figwidth()
    beside = legend_arguments(handles, 1)
    size = legend_size(figure, beside)
    if size[0] <= MOST_BESIDE * width and size[1] <= height:
        return True, beside, size
    for ncols in range(min(len(handles), MOST_COLUMNS), 0, -1):
        below = legend_arguments(handles, ncols)
        size = legend_size(figure, below)
        if size[0] <= width - 2 * PAD:
            return False, below, size
    shorten(figure, handles, width)
    below = legend_arguments(handles, 1)
    return False, below, legend_size(figure, below)


def legend_arguments(handles, ncols):
    return {"handles": handles, "ncols": ncols, "handlelength": 2.4, "columnspacing": 1, "borderaxespad": 0}


def legend_size(figure, arguments):
    legend = figure.legend(**arguments)
    box = legend.get_window_extent(figure.canvas.get_renderer())
    legend.remove()
    return box.width / figure.dpi, box.height / figure.dpi


def shorten(figure, handles, width):
    """Wraps labels that are longer than a line."""
    for handle in handles:
        handle.set_label(wrap(figure, handle.get_label(), width - 0.6, plt.rcParams["legend.fontsize"]))


def text_height(text, size):
    return (text.count("\n") + 1) * LINE_SPACING * size / 72 + 2 * PAD if text else 0


def text_width(figure, text, size):
    width, _, _ = figure.canvas.get_renderer().get_text_width_height_descent(text, FontProperties(size=size), ismath=False)
    return width / figure.dpi


def wrap(figure, text, width, size):
    """The text with line breaks, so that none of its lines is wider than `width`. A word that is, stays whole."""
    return "\n".join(wrap_line(figure, line, width, size) for line in text.split("\n"))


def wrap_line(figure, text, width, size):
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".lstrip()
        if lines[-1] and text_width(figure, longer, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return "\n".join(lines)
