"""What a reduction of files hands back."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple


class ReducedStep(NamedTuple):
    """A smaller case that was accepted on the way."""

    pass_name: str
    candidate: str
    """What was done, as the pass calls it."""
    tests: int
    """How many tests there were until then."""
    files: Mapping[str, bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reduced:
    """What ``reduce`` returns."""

    files: Mapping[str, bytes]
    """What is left, by name."""
    minimal: tuple[str, ...]
    """The kinds of parts of which it is proved that no single one can go: lines, tokens, …"""
    stopped: str
    """Why it ended: finished, max-tests, max-time, target-size, patience, interrupted, or the slug
    of an error."""
    steps: tuple[ReducedStep, ...]
    """Each smaller case that was accepted, in order."""
    tests: int
    """Tests that the search asked for and that were run."""
    extra: int
    """Tests that were run ahead on a guess and turned out not to be needed."""

    @property
    def content(self) -> bytes:
        """What is left, if that is one file."""
        [content] = self.files.values()
        return content

    @property
    def size(self) -> int:
        """How many bytes are left."""
        return sum(map(len, self.files.values()))
