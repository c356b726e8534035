"""The questions about upgrades, asked of a function: real searches, and nothing is installed."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, cast

from wynot.core.deltas import NONE, Deltas
from wynot.core.verdict import Verdict
from wynot.engine.search_cursor import Outcome, SearchCursor
from wynot.inquiries.packages.circumstance import Upgrades
from wynot.inquiries.packages.lock_file import LockFile, Pins
from wynot.inquiries.packages.lock_reading import read, require_pair
from wynot.inquiries.questions import Question, cause_among, cure_among
from wynot.search.sides.dd import Pair

Test = Callable[[Pins], Verdict]


class Replied(NamedTuple):
    """The names that were found, and how many candidates were tested and refused for that."""

    cause: set[str]
    cure: set[str]
    tests: int
    refused: int


def read_pair(good: str | Path, bad: str | Path) -> tuple[LockFile, LockFile]:
    """Return both sides; raise if they are not of one kind, or do not differ."""
    return require_pair((read(good), read(bad)), (str(good), str(bad)))


def questioned(upgrades: Upgrades, test: Test) -> Replied:
    """Ask for the cause and the cure; no content is tested twice."""
    known: dict[bytes, Verdict] = {}

    def said(case: Upgrades, kept: Deltas) -> Verdict:
        pins = case.chosen(kept)
        if pins.digest not in known:
            known[pins.digest] = test(pins)
        return known[pins.digest]

    def found(question: Question, case: Upgrades) -> set[str]:
        pair = Pair(NONE, case.deltas)
        cursor = SearchCursor(lambda: question.search(pair, case.levels))
        while cursor.question is not None:
            cursor.tell(Outcome(said(case, cursor.question.candidate.kept)))
        one, other = cast("Pair", cursor.found)
        return {*case.names(other.toggle(one))}

    assert said(upgrades, NONE) is Verdict.UNINTERESTING
    assert said(upgrades, upgrades.deltas) is Verdict.INTERESTING
    cause = found(cause_among(upgrades.closed), upgrades)
    held = upgrades.held_back
    cure = found(cure_among(held.closed, held.deltas_of(cause)), held)
    refused = sum(verdict is Verdict.UNRESOLVED for verdict in known.values())
    return Replied(cause, cure, len(known) - refused, refused)
