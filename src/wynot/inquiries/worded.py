"""An answer in words, as each inquiry's own ``answer`` module has it."""

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from wynot.core.deltas import Deltas
from wynot.core.events import Shown


class Worded(NamedTuple):
    """What is told of a set of deltas."""

    title: str
    """The answer in one sentence."""
    lines: tuple[Shown, ...]
    data: object
    """The same for programs."""
    files: Mapping[str, bytes] = {}
    """What ``--out`` writes, by path; what it is called is how that begins."""
    pairs: tuple[tuple[str, bytes, bytes], ...] = ()
    """Files whose two sides are to be shown beside each other: name, passing, failing."""


WordAnswer: TypeAlias = Callable[[str, Deltas], Worded]
"""Words the answer to a question, which is given by name."""
