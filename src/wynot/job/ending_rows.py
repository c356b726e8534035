"""How runs ended, as rows of plain values: for the journal and for logs, which may be anybody's."""

from typing import cast, get_args

from wynot.core.ending import Ending, LimitHit

AGES_SECONDS = 1e7
"""Seconds: no test takes as long."""


def row_of(ending: Ending) -> list[object]:
    """Return a row that has it all."""
    return [*ending[:3], ending.stdout.decode("latin-1"), ending.stderr.decode("latin-1")]


def ending_in(row: object) -> Ending | None:
    """Return the ending that a row is of; None if it cannot be one."""
    match row:
        case [int(status), int() | float() as seconds, limit, str(stdout), str(stderr)]:
            is_latin = max(stdout + stderr, default="") <= "\xff"
            if limit in get_args(LimitHit) and 0 <= seconds < AGES_SECONDS and is_latin:
                streams = stdout.encode("latin-1"), stderr.encode("latin-1")
                return Ending(status, seconds, cast("LimitHit", limit), *streams)
    return None
