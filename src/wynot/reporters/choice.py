"""Which reporter shows a run: a view for terminals, lines elsewhere, JSON for programs."""

from typing import TYPE_CHECKING, TextIO

from wynot.core.standing import Steering
from wynot.core.system.lazy import lazy
from wynot.reporters.outlet import Outlet
from wynot.reporters.plain import Plain
from wynot.reporters.reporter import JsonLines, Reporter, Silent

if TYPE_CHECKING:
    from wynot.reporters import batch_lines, inquiry_lines, live
else:
    batch_lines, inquiry_lines, live = (
        lazy(f"wynot.reporters.{name}") for name in ("batch_lines", "inquiry_lines", "live")
    )


def reporter_of(
    stream: TextIO,
    steering: Steering | None = None,
    *,
    as_json: bool,
    quiet: bool,
) -> Reporter:
    """Return the reporter; a person can steer the one for terminals."""
    if as_json:
        return JsonLines(stream)
    if quiet:
        return Silent(stream)
    return live.Live(stream, steering=steering) if Outlet(stream).is_live else Plain(stream)


def batch_reporter(stream: TextIO, steering: Steering, *, as_json: bool, quiet: bool) -> Reporter:
    """Return the same for a batch."""
    if as_json:
        return JsonLines(stream)
    if Outlet(stream).is_live and not quiet:
        return batch_lines.BatchTable(stream, steering=steering)
    return batch_lines.BatchLines(stream, quiet=quiet)


def inquiry_reporter(stream: TextIO, *, as_json: bool, quiet: bool) -> Reporter:
    """Return the same for an inquiry or an explanation."""
    return JsonLines(stream) if as_json else inquiry_lines.InquiryLines(stream, quiet=quiet)
