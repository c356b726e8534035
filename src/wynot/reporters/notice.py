"""How a notice is written."""

from collections.abc import Callable

from wynot.core.events import Noticed
from wynot.reporters.words import clean, wrap

_LINES = 12
"""A notice is a sentence or two; what is longer is somebody's output."""


def notice(noticed: Noticed, paint: Callable[[str, str], str]) -> list[str]:
    """Return the lines of a notice; ``paint`` puts a text into a style."""
    said = noticed.message.splitlines()[:_LINES] or [""]
    indent = " " * len("wynot: ")
    head, *rest = wrap(f"{clean(said[0])} [{clean(noticed.slug)}]", first=indent, indent=indent)
    lines = [f"{paint('yellow', 'wynot:')} {head.removeprefix(indent)}", *rest]
    for more in said[1:]:
        lines += wrap(clean(more), first=indent, indent=indent)
    return lines
