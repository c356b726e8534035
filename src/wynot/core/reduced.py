"""What a reduction of files hands back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import NamedTuple, overload

from wynot.core.files import Files
from wynot.core.patches import patched


class ReducedStep(NamedTuple):
    """A smaller case that was accepted on the way."""

    pass_name: str
    candidate: str
    """What was done, as the pass calls it."""
    tests: int
    """How many tests there were until then."""
    files: Mapping[str, bytes]


class PatchedStep(NamedTuple):
    """An accepted step as what it changes in the case before."""

    pass_name: str
    candidate: str
    tests: int
    patch: bytes


class ReducedSteps(Sequence[ReducedStep]):
    """The accepted steps of a reduction; the files of each are built when it is looked at.

    Of n steps, some square root of n states are kept once they were built. So any step costs that
    many patches at most, and going through all steps in order costs one patch each.
    """

    def __init__(self, original: Files, steps: Sequence[PatchedStep]) -> None:
        self._original = original
        self._steps = tuple(steps)
        self._stride = isqrt(len(self._steps)) + 1
        self._states = {0: original}
        """The files after some numbers of steps."""
        self._latest = (0, original)

    def __len__(self) -> int:
        return len(self._steps)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ReducedSteps):
            return NotImplemented
        return (self._original, self._steps) == (other._original, other._steps)

    __hash__ = None  # type: ignore[assignment]  # it is as long as a list, and compared like one

    def __repr__(self) -> str:
        return f"<{len(self)} steps>"

    @overload
    def __getitem__(self, index: int) -> ReducedStep: ...
    @overload
    def __getitem__(self, index: slice) -> list[ReducedStep]: ...
    def __getitem__(self, index: int | slice) -> ReducedStep | list[ReducedStep]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        place = range(len(self))[index]
        step = self._steps[place]
        contents = self._state(place + 1).contents
        return ReducedStep(step.pass_name, step.candidate, step.tests, contents)

    def _state(self, number: int) -> Files:
        """Return the files after this many steps."""
        near = number - number % self._stride
        while near not in self._states:
            near -= self._stride
        files = self._states[near]
        if near < self._latest[0] <= number:
            near, files = self._latest
        for place in range(near, number):
            files = patched(files, self._steps[place].patch, self._original)
            if (place + 1) % self._stride == 0:
                self._states[place + 1] = files
        self._latest = (number, files)
        return files


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
    steps: ReducedSteps
    """Each smaller case that was accepted, in order; its files are built when it is accessed."""
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
