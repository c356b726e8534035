"""How a notice is written."""

from functools import partial

from wynot.core.events import Noticed
from wynot.core.foreign_text import for_terminal
from wynot.reporters.outlet import Outlet
from wynot.reporters.words import wrap

_MAX_LINES = 12
"""A notice is a sentence or two; what is longer is somebody's output."""


def notice(noticed: Noticed, outlet: Outlet) -> list[str]:
    """Return the lines of a notice, as they fit the outlet."""
    said = noticed.message.splitlines()[:_MAX_LINES] or [""]
    indent = " " * len("wynot: ")
    inside = partial(wrap, first=indent, indent=indent, width=outlet.width)
    head, *rest = inside(f"{for_terminal(said[0])} [{for_terminal(noticed.slug)}]")
    lines = [f"{outlet.paint('yellow', 'wynot:')} {head.removeprefix(indent)}", *rest]
    for more in said[1:]:
        lines += inside(for_terminal(more))
    return lines
