"""Which reporter shows a reduction: a view for terminals, lines elsewhere, JSON for programs."""

import os
from typing import TYPE_CHECKING, TextIO

from wynot.commands.shared_options import OutputOptions
from wynot.core.standing import Steering
from wynot.core.system.lazy import lazy
from wynot.reporters.plain import Plain
from wynot.reporters.reporter import JsonLines, Reporter, Silent

if TYPE_CHECKING:
    from wynot.reporters import live
else:
    live = lazy("wynot.reporters.live")

STDIN = "-"
"""In place of a file: what comes by standard input."""


def reporter_of(
    options: OutputOptions, stream: TextIO, steering: Steering | None = None
) -> Reporter:
    """Return the reporter; a person can steer the one for terminals."""
    if options.json:
        return JsonLines(stream)
    if options.quiet:
        return Silent(stream)
    if stream.isatty() and os.environ.get("TERM", "dumb") != "dumb":
        return live.Live(stream, steering=steering)
    return Plain(stream)
