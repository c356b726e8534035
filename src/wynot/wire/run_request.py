"""A command to be run in a sandbox: what is asked of it, through its client and its agent alike."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

SERVER_START_SECONDS = 60.0
"""Seconds that a server may take until it is ready; more if a test may take more."""


class Limits(NamedTuple):
    """What a run may take."""

    timeout: float = 300.0
    """Seconds."""
    memory: int | None = None
    """Bytes of address space of each process."""
    output: int = 8 << 20
    """Bytes kept of each captured stream: half of them its beginning, half its end."""
    disk: int = 1 << 30
    """Bytes that it has written and not removed, in its private folder and in nameless files."""
    processes: int = 1000
    """Processes at once."""
    writable: tuple[str, ...] | None = None
    """Folders that it may write to besides the scratch folder; None: wherever the user may."""
    is_test: bool = False
    """Whether it is the test of a candidate, which leaves nothing; others prepare what stays."""
    warm_plan: Path | None = None
    """The plan by which modules are loaded ahead; None: it is started as usual."""
    may_reuse_server: bool = False
    """Whether a server may be asked that has answered before; the agent is told by the request."""
    note_start: Callable[[], None] | None = None
    """Counts its starts, if they are to be counted; the agent does not know of it."""


class RunRequest(NamedTuple):
    """A command to be run on the candidate that is in place, or the question to a server."""

    argv: Sequence[str]
    limits: Limits
    stdin: str | None = None
    """A file in the folder that is its standard input; None: there is no input."""
    capture: bool = False
    """Whether its output is kept."""
    env: Mapping[str, str | None] | None = None
    """Variables that are added to the agent's own, or with None taken out."""
    folder: Path | None = None
    """Another folder than that of the candidate, which is neither filled nor emptied."""
    question: str | None = None
    """What a server is asked, which the command starts if there is none."""
    needs_new_server: bool = False
    """Whether the server must not have answered before."""

    @property
    def is_quick_to_start(self) -> bool:
        """Whether nothing has to be waited for before it runs."""
        return self.question is None and self.limits.warm_plan is None


class Killed(Exception):
    """A run was given up."""


class Survivors(RuntimeError):
    """Processes of a test that could not be ended."""
