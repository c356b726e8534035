"""script: a search written as a plain function, with a way back to each of its rounds."""

from collections.abc import Callable
from functools import partial
from typing import cast

import pytest

from wynot.core.case import ItemsCase
from wynot.core.deltas import NONE, Deltas
from wynot.core.round import Search, Stage
from wynot.core.verdict import Verdict
from wynot.engine.search_cursor import Outcome, SearchCursor
from wynot.search.first_of import verdict_of
from wynot.search.script import Script, scripted
from wynot.search.sides.dd import Pair, dd

WHOLE = Pair(NONE, Deltas.first(32))
CASE = ItemsCase(list(range(32)))


class Story:
    """Finds a delta, asks about it alone, and if that does not fail, finds what it needs."""

    def __init__(self) -> None:
        self.made: list[str] = []

    def told(self, script: Script) -> Search[list[Deltas]]:
        stage = script.once(partial(self.stage, "first"))
        first = yield from script.run(partial(dd, WHOLE), stage)
        found = first.failing.toggle(first.passing)
        said = yield from script.run(partial(verdict_of, found), stage)
        if said is Verdict.INTERESTING:
            return [found]
        stage = script.once(partial(self.stage, "second"))
        second = yield from script.run(partial(dd, Pair(found, first.failing)), stage)
        return [found, second.failing.toggle(second.passing)]

    def stage(self, name: str) -> Stage:
        self.made.append(name)
        return Stage(CASE)

    @property
    def cursor(self) -> SearchCursor:
        return SearchCursor(partial(scripted, self.told))


def fails(*needed: int) -> Callable[[Deltas], Verdict]:
    """Return a test that fails as long as it has all of these."""
    return lambda kept: (
        Verdict.INTERESTING if all(each in kept for each in needed) else Verdict.UNINTERESTING
    )


def finished(cursor: SearchCursor, test: Callable[[Deltas], Verdict]) -> list[Deltas]:
    while cursor.question is not None:
        cursor.tell(Outcome(test(cursor.question.candidate.kept)))
    return cast("list[Deltas]", cursor.found)


@pytest.mark.parametrize(("needed", "found"), [((7,), [7]), ((3, 9), [9, 3])])
def test_what_is_found_decides_what_follows(needed: tuple[int, ...], found: list[int]) -> None:
    test = fails(*needed)
    assert finished(Story().cursor, test) == [Deltas.of([each]) for each in found]


def test_from_each_round_there_is_a_way_back() -> None:
    story, test = Story(), fails(3, 9)
    cursor, rounds = story.cursor, 0
    while cursor.question is not None:
        verdict = test(cursor.question.candidate.kept)
        back = SearchCursor.back_at(cursor.checkpoint, [])
        assert back.question == cursor.question
        assert back.checkpoint.round_.stage is cursor.checkpoint.round_.stage
        back.tell(Outcome(verdict))
        assert finished(back, test) == [Deltas.of([9]), Deltas.of([3])]
        cursor.tell(Outcome(verdict))
        rounds += 1
    assert rounds > 8


def test_on_the_way_back_nothing_is_done_that_was_done_before() -> None:
    story, test = Story(), fails(3, 9)
    cursor = story.cursor
    while story.made != ["first", "second"]:
        assert cursor.question is not None
        cursor.tell(Outcome(test(cursor.question.candidate.kept)))
    finished(SearchCursor.back_at(cursor.checkpoint, []), test)
    assert story.made == ["first", "second"]
