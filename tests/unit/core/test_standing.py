"""Where a reduction stands, told by one and taken over by another."""

import json

import pytest

from unit.reporters.story import BEGAN, asked
from wynot.core.deltas import Deltas
from wynot.core.events import Accepted, Event, Noticed, PassStarted, StatusRead
from wynot.core.standing import LatestQuestion, RunStatus
from wynot.core.verdict import Verdict


def stands(*events: Event) -> RunStatus:
    status = RunStatus()
    for event in events:
        status.fold(event)
    return status


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
    second = stands(PassStarted("lines", 10, 2), StatusRead(row))
    assert (second.tests, second.recalled) == (first.tests, first.recalled) == (8, 1)
    assert second.verdicts == first.verdicts
    assert second.question == first.question == LatestQuestion(8, "drop", 3, 4)


def test_the_next_pass_has_asked_nothing() -> None:
    status = stands(*COURSE)
    row = status.row()
    status.fold(StatusRead(json.loads(json.dumps(row))))
    status.fold(PassStarted("tokens", 3, 2))
    assert status.question is None


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
    status = stands(*COURSE[:3])
    status.fold(StatusRead(row))
    assert status.tests == 1
    assert status.question is None or status.latest is not None
