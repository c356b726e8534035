"""What the library returns: the results of a session on items, and of a reduction of files."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isqrt
from typing import Generic, NamedTuple, TypeVar, overload

from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.files import Files
from wynot.core.texts.patches import patched
from wynot.core.verdict import Verdict

Item = TypeVar("Item")

RECENT_STEPS = 8
"""How many configurations ``Steps`` keeps written out."""


@dataclass(frozen=True, slots=True)
class Step(Generic[Item]):
    """One candidate that was asked about, in order."""

    name: str
    items: list[Item]
    verdict: Verdict
    from_memo: bool
    accepted: bool


@dataclass(slots=True)
class Trace:
    """Every candidate of a session, each as an edit of an earlier one.

    A configuration can be long and a session has thousands; so a candidate is remembered by the
    accepted step that it started from (-1: the whole) and its edit, and written out when looked at.
    """

    whole: Deltas
    parents: list[int] = field(default_factory=list)
    edits: list[Edit] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    from_memo: list[bool] = field(default_factory=list)
    accepted: set[int] = field(default_factory=set)


class Steps(Sequence[Step[Item]]):
    """The candidates of a session, written out one at a time."""

    def __init__(self, trace: Trace, write: Callable[[Deltas], list[Item]]) -> None:
        self._trace = trace
        self._write = write
        self._recent: dict[int, Deltas] = {}

    def __len__(self) -> int:
        return len(self._trace.edits)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Steps) and self._trace == other._trace

    __hash__ = None  # type: ignore[assignment]  # it is as long as a list, and compared like one

    def __repr__(self) -> str:
        return f"<{len(self)} steps>"

    def __iter__(self) -> Iterator[Step[Item]]:
        return (self[index] for index in range(len(self)))

    @overload
    def __getitem__(self, index: int) -> Step[Item]: ...
    @overload
    def __getitem__(self, index: slice) -> list[Step[Item]]: ...
    def __getitem__(self, index: int | slice) -> Step[Item] | list[Step[Item]]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        place = range(len(self))[index]
        trace = self._trace
        return Step(
            name=trace.names[place],
            items=self._write(trace.edits[place].apply(self._base(trace.parents[place]))),
            verdict=trace.verdicts[place],
            from_memo=trace.from_memo[place],
            accepted=place in trace.accepted,
        )

    def _base(self, step: int) -> Deltas:
        """Return the configuration of an accepted step, by way of those it came from.

        Neighbouring steps start from the same few configurations, so a few are remembered and
        going through all steps in order costs one edit each.
        """
        lineage = []
        while step >= 0 and step not in self._recent:
            lineage.append(step)
            step = self._trace.parents[step]
        deltas = self._recent[step] if step >= 0 else self._trace.whole
        for ancestor in reversed(lineage):
            deltas = self._trace.edits[ancestor].apply(deltas)
        if lineage:
            self._recent[lineage[0]] = deltas
            if len(self._recent) > RECENT_STEPS:
                del self._recent[next(iter(self._recent))]
        return deltas


@dataclass(frozen=True, slots=True)
class Tally:
    """The numbers of a session; the same at any width but for ``extra``."""

    tests: int
    """Tests that the search asked for and that were run."""
    memo_hits: int
    """Candidates whose verdict was known already."""
    iterations: int
    """Times the search went through its loop."""
    extra: int
    """Tests that were run ahead on a guess and turned out not to be needed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result(Generic[Item]):
    """What all results have in common."""

    minimal: bool
    """Whether 1-minimality was proved: every single step further was tested, and is no good."""
    stopped: str
    """Why it ended: finished, max-tests, max-time, interrupted, or the slug of an error."""
    steps: Steps[Item]
    """Every candidate, in order, with its verdict."""
    tally: Tally

    @property
    def tests(self) -> int:
        """Tests that the search asked for and that were run."""
        return self.tally.tests

    @property
    def memo_hits(self) -> int:
        """Candidates whose verdict was known already."""
        return self.tally.memo_hits

    @property
    def iterations(self) -> int:
        """Times the search went through its loop."""
        return self.tally.iterations

    @property
    def extra(self) -> int:
        """Tests that were run ahead on a guess and turned out not to be needed."""
        return self.tally.extra


@dataclass(frozen=True, slots=True, kw_only=True)
class Minimized(Result[Item]):
    """What ``minimize`` returns."""

    items: list[Item]


@dataclass(frozen=True, slots=True, kw_only=True)
class Causes(Result[Item]):
    """What ``all_causes`` returns."""

    causes: list[list[Item]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Isolated(Result[Item]):
    """What ``isolate`` returns."""

    passing: list[Item]
    failing: list[Item]
    difference: list[Item]


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
