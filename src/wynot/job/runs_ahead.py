"""Runs of the test that were begun before it is known whether they are needed.

What is tried before a search is tried one after the other, since what is looked for is learned from
the first run. But a run is the same whatever is looked for: so all of them are begun at once, on
workers that would have nothing to do, and each is judged when its turn has come. One that nobody
asks for counts for nothing.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass, field
from time import monotonic
from typing import Generic, NamedTuple, TypeVar

from wynot.oracle.trial import TrialResult
from wynot.runners.kill_switch import KillSwitch
from wynot.runners.task import NAP_SECONDS, Task

Subject = TypeVar("Subject")
Done = TypeVar("Done")


class BegunRun(NamedTuple, Generic[Subject]):
    """A run of the test on a case."""

    subject: Subject
    is_free: bool
    """Whether it can write wherever the user may."""
    task: Task[TrialResult]


@dataclass(slots=True)
class RunsAhead(Generic[Subject]):
    """The runs that were begun, and that nobody has asked for so far.

    The thread that searches calls all of it.
    """

    questions: dict[bytes, Task[TrialResult]] = field(default_factory=dict)
    """Tests of candidates that were begun before anything could be said of them, by digest."""
    _begun: list[BegunRun[Subject]] = field(default_factory=list)

    def add(self, subject: Subject, task: Task[TrialResult], *, is_free: bool = False) -> None:
        """Take note of a run that has been handed to the workers."""
        self._begun.append(BegunRun(subject, is_free, task))

    def take(
        self, subject: Subject, seconds: float, *, is_free: bool = False
    ) -> TrialResult | None:
        """Wait so long for a run of a case; None: there is none, or it takes longer than that."""
        begun = next(self._of(subject, is_free=is_free), None)
        if begun is None:
            return None
        self._begun.remove(begun)
        return waited(begun.task, seconds)

    @property
    def left(self) -> int:
        """How many there are."""
        return len(self._begun) + len(self.questions)

    @property
    def under_way(self) -> int:
        """How many of them, not counting questions, workers are busy with."""
        return sum(not begun.task.done() for begun in self._begun)

    def count(self, subject: Subject, *, is_free: bool = False) -> int:
        """Return how many runs of a case were begun."""
        return sum(1 for _ in self._of(subject, is_free=is_free))

    def drop(self, subject: Subject) -> None:
        """Give up the runs of a case."""
        for begun in list(self._of(subject, is_free=False)):
            begun.task.cancel()
            self._begun.remove(begun)

    def drop_all(self) -> None:
        """Give up all of them."""
        for task in (*self.questions.values(), *(begun.task for begun in self._begun)):
            task.cancel()
        self.questions.clear()
        self._begun.clear()

    def _of(self, subject: Subject, *, is_free: bool) -> Iterator[BegunRun[Subject]]:
        for begun in self._begun:
            is_same = begun.subject is subject or begun.subject == subject
            if is_same and begun.is_free == is_free:
                yield begun


def waited(
    task: Task[TrialResult], seconds: float, switch: KillSwitch | None = None
) -> TrialResult | None:
    """Return what came of a run; None if it takes too long: what is looked for may hang.

    Raise Killed if who waits is given up by its switch. Whatever ends the waiting, the run does not
    go on after it.
    """
    deadline = monotonic() + seconds
    try:
        while not task.done() and (left := deadline - monotonic()) > 0:
            if switch is not None:
                switch.require_on()
            wait([task], timeout=min(NAP_SECONDS, left))
        return task.result() if task.done() else None
    finally:
        task.cancel()


def waited_for_all(tasks: Sequence[Future[Done]]) -> list[Done]:
    """Return what came of several tasks; whatever ends the waiting, none goes on after it."""
    try:
        while not all(task.done() for task in tasks):
            wait(tasks, timeout=NAP_SECONDS)
        return [task.result() for task in tasks]
    finally:
        for task in tasks:
            task.cancel()
