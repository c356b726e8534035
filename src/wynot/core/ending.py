"""How a run of a program ended."""

import signal
from typing import Literal, NamedTuple, cast, get_args

LimitHit = Literal["", "timeout", "disk", "processes", "start", "answer"]
"""The last two are those of a server: it was not ready in time, or its answer makes no sense."""

AGES_SECONDS = 1e7
"""Seconds: no test takes as long."""
SHOWN, LONGEST = 20, 200
"""Lines of output, and characters of each, that are shown of a run that is not what it should."""


class Ending(NamedTuple):
    """What can be seen of a program that has ended.

    Output is there only if it was asked for, and of a long one only the beginning and the end.
    """

    status: int
    """Its exit status; -N if signal N ended it."""
    seconds: float
    limit: LimitHit = ""
    """The limit that it ran into, if wynot ended it."""
    stdout: bytes = b""
    stderr: bytes = b""
    is_warm: bool = False
    """Whether its modules had been loaded before it began."""
    is_doubtful: bool = False
    """Whether it has looked at a state of its process that is different for that reason."""

    @property
    def description(self) -> str:
        """How it ended, in a few words."""
        if self.limit:
            return {
                "timeout": f"stopped after {self.seconds:.1f} s",
                "disk": "stopped: it filled its folder",
                "processes": "stopped: it started too many processes",
                "start": "stopped: it was not ready",
                "answer": "stopped: its answer is not a status",
            }[self.limit]
        if self.status < 0:
            return f"killed by {signal_name(-self.status)}"
        return f"exit status {self.status}"

    @property
    def row(self) -> list[object]:
        """The ending as JSON has it."""
        return [*self[:3], self.stdout.decode("latin-1"), self.stderr.decode("latin-1")]

    @property
    def tail(self) -> str:
        """The end of what was printed, as lines to be put below a message; empty if nothing was."""
        text = (self.stdout + self.stderr).decode("utf-8", "replace").rstrip()
        if not text:
            return ""
        lines = ["".join(filter(str.isprintable, line)) for line in text.splitlines()[-SHOWN:]]
        return "\n" + "\n".join(f"  | {line[:LONGEST]}" for line in lines)


def ending_of(row: object) -> Ending | None:
    """Return the ending that `Ending.row` has written; None if it cannot be one."""
    match row:
        case [int(status), int() | float() as seconds, limit, str(stdout), str(stderr)]:
            is_latin = max(stdout + stderr, default="") <= "\xff"
            if limit in get_args(LimitHit) and 0 <= seconds < AGES_SECONDS and is_latin:
                streams = stdout.encode("latin-1"), stderr.encode("latin-1")
                return Ending(status, seconds, cast("LimitHit", limit), *streams)
    return None


def signal_name(number: int) -> str:
    """Return the name of a signal."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
