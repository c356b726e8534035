"""Where a reduction stands: what it has asked, and what it is asking now, folded from its events.

Whoever shows a run folds it, and the journal has it now and then, so that others can show the same.
A fold costs about a microsecond.
"""

from collections import deque
from collections.abc import Mapping
from typing import NamedTuple

from wynot.core import events
from wynot.core.verdict import Verdict
from wynot.core.watch_events import StandingRead

MAX_NOTICES = 20
_VERBS = ("drop", "add", "keep")


class LatestQuestion(NamedTuple):
    """What was asked last."""

    parts: int
    """How many parts there were."""
    verb: str
    """drop, add or keep."""
    about: int
    """How many of them it is about."""
    left: int | None
    """How many more such questions there are at most, if the search can say."""


class Standing:
    """The counts, as of the last event. Whoever holds it locks it."""

    def __init__(self) -> None:
        self.tests = 0
        self.recalled = 0
        """Questions that the memo answered."""
        self.verdicts = dict.fromkeys(Verdict, 0)
        self.current: events.PassStarted | None = None
        self.deltas = 0
        """Of the present session."""
        self.latest: events.CandidateJudged | None = None
        self.doing: events.Doing | None = None
        """What is being done, if that is not the present pass."""
        self.noticed: deque[events.Noticed] = deque(maxlen=MAX_NOTICES)
        self._question: LatestQuestion | None = None
        """What another has said was asked last."""

    def fold(self, event: events.Event) -> None:
        """Take an event in."""
        match event:
            case events.CandidateJudged():
                self.latest, self.doing = event, None
                if event.from_memo:
                    self.recalled += 1
                else:
                    self.tests += 1
                    self.verdicts[event.verdict] += 1
            case events.Accepted():
                self.tests = max(self.tests, event.tests)
            case events.SessionStarted():
                self.deltas = event.deltas
                self.latest = self._question = None
            case events.PassStarted():
                self.current, self.deltas, self.doing = event, event.parts, None
                self.latest = self._question = None
            case events.Doing():
                self.doing = event if event.what else None
            case events.Noticed():
                self.noticed.append(event)
            case StandingRead():
                self.recall(event.row)

    @property
    def question(self) -> LatestQuestion | None:
        """What was asked last in the present pass."""
        if self.latest is None:
            return self._question
        candidate = self.latest.candidate
        verb, deltas = candidate.edit
        return LatestQuestion(len(candidate.base), verb, len(deltas), self.latest.left)

    def row(self) -> dict[str, object]:
        """Return it as JSON can say it."""
        return {
            "tests": self.tests,
            "recalled": self.recalled,
            "verdicts": {verdict.value: count for verdict, count in self.verdicts.items()},
            "pass": self.current,
            "question": self.question,
            "doing": self.doing.what if self.doing else "",
            "noticed": list(self.noticed),
        }

    def recall(self, row: object) -> None:
        """Take over what another has folded; what makes no sense is left out: it may be anybody's.

        The pass is not taken over: it is for the one who recalls to say when that began.
        """
        if not isinstance(row, Mapping):
            return
        self.tests = max(self.tests, _count(row.get("tests"), 0))
        self.recalled = _count(row.get("recalled"), self.recalled)
        verdicts = row.get("verdicts")
        if isinstance(verdicts, Mapping):
            for verdict in Verdict:
                self.verdicts[verdict] = _count(verdicts.get(verdict.value), 0)
        self.latest, self._question = None, _question(row.get("question"))

    @staticmethod
    def pass_in(row: object) -> events.PassStarted | None:
        """Return the pass that such a row tells of."""
        match row.get("pass") if isinstance(row, Mapping) else None:
            case [str(name), int(parts), int(loop), bool(again)]:
                return events.PassStarted(name, parts, loop, again)
        return None


def _question(row: object) -> LatestQuestion | None:
    match row:
        case [int(parts), str(verb), int(about), (int() | None) as left] if verb in _VERBS:
            return LatestQuestion(parts, verb, about, left)
    return None


def _count(value: object, otherwise: int) -> int:
    return value if isinstance(value, int) and value >= 0 else otherwise
