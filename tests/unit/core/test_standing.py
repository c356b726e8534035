"""Where a reduction stands, told by one and taken over by another."""

import json

import pytest

from unit.reporters.story import BEGAN, asked
from wynot.core.deltas import Deltas
from wynot.core.events import Accepted, Doing, Event, Noticed, PassStarted, StandingRead
from wynot.core.standing import LatestQuestion, Standing
from wynot.core.verdict import Verdict


def stands(*events: Event) -> Standing:
    standing = Standing()
    for event in events:
        standing.fold(event)
    return standing


COURSE: list[Event] = [
    BEGAN,
    PassStarted("lines", 10, 2),
    asked(),
    asked(Verdict.INTERESTING, from_memo=True),
    Accepted(1, 100, 7, "lines", "c"),
    asked(base=Deltas.first(8), start=2, stop=5)._replace(left=4),
]


def test_what_one_has_folded_another_can_take_over() -> None:
    first = stands(*COURSE, Noticed("slug", "text"))
    row = json.loads(json.dumps(first.row()))
    second = stands(PassStarted("lines", 10, 2), StandingRead(row))
    assert (second.tests, second.recalled) == (first.tests, first.recalled) == (8, 1)
    assert second.verdicts == first.verdicts
    assert second.question == first.question == LatestQuestion(8, "drop", 3, 4)
    assert Standing.pass_in(row) == PassStarted("lines", 10, 2)
    assert row["noticed"] == [["slug", "text"]]
    assert row["doing"] == ""


def test_the_next_pass_has_asked_nothing() -> None:
    standing = stands(*COURSE)
    row = standing.row()
    standing.fold(StandingRead(json.loads(json.dumps(row))))
    standing.fold(PassStarted("tokens", 3, 2))
    assert standing.question is None
    assert stands(*COURSE, Doing("something")).row()["doing"] == "something"


@pytest.mark.parametrize(
    "row",
    [
        None,
        [],
        "x",
        {},
        {"tests": -1, "recalled": "x", "verdicts": [1], "question": [1], "pass": [1]},
        {"question": [1, "steal", 1, 1], "pass": ["a", "b", 1, False]},
        {"verdicts": {"interesting": None}, "question": {"a": 1}},
    ],
)
def test_a_row_may_be_anything(row: object) -> None:
    standing = stands(*COURSE[:3])
    standing.fold(StandingRead(row))
    assert standing.tests == 1
    assert standing.question is None or standing.latest is not None
    assert Standing.pass_in(row) is None
