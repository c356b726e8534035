"""Answers that need not be asked for again; learnt in commit order, so the same at any width."""

from collections.abc import Hashable
from typing import Protocol

from wynot.core.answer import Answer
from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.verdict import Verdict


class Memo(Protocol):
    """What was learnt so far; ``shares``: whether equal candidates may share one test."""

    shares: bool
    proves: bool
    """Whether what it recalls was really tested, on this very content."""

    def recall(self, candidate: Candidate, digest: Hashable) -> Answer | None:
        """Return the answer on a candidate, if it is known without asking."""

    def learn(self, candidate: Candidate, digest: Hashable, answer: Answer) -> None:
        """Take note of an answer that the test gave."""


class Forgetful:
    """A memo that never answers: the test is run every time."""

    shares = False
    proves = True

    def recall(self, _candidate: Candidate, _digest: Hashable) -> Answer | None:
        """Nothing is known."""
        return None

    def learn(self, _candidate: Candidate, _digest: Hashable, _answer: Answer) -> None:
        """Keep nothing."""


class ByContent:
    """The same content has the same verdict."""

    shares = True
    proves = True

    def __init__(self) -> None:
        self._answers: dict[Hashable, Answer] = {}

    def recall(self, _candidate: Candidate, digest: Hashable) -> Answer | None:
        """Return the answer on equal content."""
        return self._answers.get(digest)

    def learn(self, _candidate: Candidate, digest: Hashable, answer: Answer) -> None:
        """Keep it for all equal content."""
        self._answers[digest] = answer


class Monotone:
    """What is part of a passing configuration passes, what holds a failing one fails.

    Zeller & Hildebrandt 2002 (``003``), §7. An assumption about the test, hence an option. Only the
    largest passing and the smallest failing configurations are kept: the others follow from them.
    """

    shares = True
    proves = False

    def __init__(self) -> None:
        self._by_content = ByContent()
        self._passing: list[Deltas] = []
        self._failing: list[Deltas] = []

    def recall(self, candidate: Candidate, digest: Hashable) -> Answer | None:
        """Return an answer that was given, or that follows."""
        known = self._by_content.recall(candidate, digest)
        if known is not None:
            return known
        kept = candidate.kept
        if any(passing.holds(kept) for passing in self._passing):
            return Answer(Verdict.UNINTERESTING)
        if any(kept.holds(failing) for failing in self._failing):
            return Answer(Verdict.INTERESTING)
        return None

    def learn(self, candidate: Candidate, digest: Hashable, answer: Answer) -> None:
        """Keep an answer, and forget those that follow from it."""
        self._by_content.learn(candidate, digest, answer)
        kept, verdict = candidate.kept, answer.verdict
        if verdict is Verdict.UNINTERESTING:
            self._passing = [old for old in self._passing if not kept.holds(old)] + [kept]
        elif verdict is Verdict.INTERESTING:
            self._failing = [old for old in self._failing if not old.holds(kept)] + [kept]
