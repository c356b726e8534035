"""One JSON object a line."""

import io
import json
from math import inf
from typing import Any

from unit.reporters.story import (
    BEGAN,
    ENDED,
    EVERY,
    HOSTILE,
    Broken,
    Clock,
    asked,
    from_threads,
    ran,
)
from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.events import Accepted, Event, Noticed
from wynot.core.verdict import Verdict
from wynot.reporters.jsonlines import JsonLines, kept


def written(*events: Event, every: bool = False) -> list[dict[str, Any]]:
    stream, clock = io.StringIO(), Clock()
    reporter = JsonLines(stream, clock, every=every)
    for event in events:
        clock.now += 0.25
        reporter.handle(event)
    reporter.close()
    reporter.close()
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_every_event_comes_back_with_its_fields() -> None:
    lines = written(*EVERY, every=True)
    assert [line["event"] for line in lines] == [
        "noticed",
        "began",
        "pass_began",
        "started",
        "ran",
        "asked",
        "asked",
        "accepted",
        "finished",
        "pass_ended",
        "ended",
    ]
    for place, (line, event) in enumerate(zip(lines, EVERY, strict=True), 1):
        assert line.pop("time") == place / 4
        assert line.pop("event")
        fields = event._asdict()
        if "so_far" in fields:
            del fields["so_far"]
            fields |= {"candidate": "r1/c1", "kept": 9}
        assert line == {
            name: value.value
            if isinstance(value, Verdict)
            else list(value)
            if isinstance(value, tuple)
            else value
            for name, value in fields.items()
        }


def test_what_comes_with_every_test_is_left_out() -> None:
    assert [line["event"] for line in written(*EVERY)] == [
        "noticed",
        "began",
        "pass_began",
        "accepted",
        "pass_ended",
        "ended",
    ]


def test_an_accepted_step_as_a_program_sees_it() -> None:
    assert written(Accepted(3, 116, 14, "lines", "r2/c1")) == [
        {
            "event": "accepted",
            "time": 0.25,
            "number": 3,
            "size": 116,
            "tests": 14,
            "pass_name": "lines",
            "candidate": "r2/c1",
        }
    ]


def test_names_that_are_not_text_come_back_as_they_were() -> None:
    began, noticed, ended = written(
        BEGAN._replace(names=(HOSTILE,)), Noticed(HOSTILE, HOSTILE), ENDED._replace(where=HOSTILE)
    )
    assert began["names"] == [HOSTILE]
    assert noticed["message"] == HOSTILE
    assert ended["where"] == HOSTILE


def test_all_is_ascii() -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, "ascii")
    reporter = JsonLines(stream, Clock())
    reporter.handle(Noticed("→", HOSTILE))
    assert raw.getvalue().count(b"\n") == 1
    assert raw.getvalue().isascii()


def test_json_has_no_infinity() -> None:
    assert written(ran(inf), every=True)[0]["seconds"] is None


def test_how_many_deltas_a_candidate_keeps() -> None:
    base, part, other = Deltas.first(10), Deltas((2, 5)), Deltas((10, 12))
    edits = (Edit.keep(part), Edit.drop(part), Edit.add(other))
    assert [kept(Candidate(base, edit, "")) for edit in edits] == [3, 7, 12]
    assert all(
        kept(candidate) == len(candidate.kept)
        for candidate in (Candidate(base, edit, "") for edit in edits)
    )


def test_nobody_reads_and_nothing_happens() -> None:
    stream = Broken(BrokenPipeError())
    reporter = JsonLines(stream, every=True)
    for event in EVERY:
        reporter.handle(event)
    assert stream.tries == 1


def test_lines_of_many_threads_stay_whole() -> None:
    stream = io.StringIO()
    reporter = JsonLines(stream, Clock(), every=True)
    from_threads(reporter, ran(), threads=8, times=300)
    reporter.handle(asked())
    kinds = [json.loads(line)["event"] for line in stream.getvalue().splitlines()]
    assert kinds.count("ran") == 2_400
    assert kinds.count("asked") == 1
