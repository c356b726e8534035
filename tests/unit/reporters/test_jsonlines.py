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
    from_threads,
    ran,
)
from wynot.core.events import (
    Accepted,
    CandidateJudged,
    Event,
    Noticed,
    Ran,
    SessionEnded,
    SessionStarted,
)
from wynot.reporters.reporter import JsonLines


def written(*events: Event) -> list[dict[str, Any]]:
    stream, clock = io.StringIO(), Clock()
    reporter = JsonLines(stream, clock)
    for event in events:
        clock.now += 0.25
        reporter.handle(event)
    reporter.close()
    reporter.close()
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_events_come_back_with_their_fields_but_for_those_of_every_test() -> None:
    lines = written(*EVERY)
    assert [line["event"] for line in lines] == [
        "noticed",
        "began",
        "pass_began",
        "accepted",
        "pass_ended",
        "ended",
    ]
    inner = (CandidateJudged, Ran, SessionEnded, SessionStarted)
    told = [(place, event) for place, event in enumerate(EVERY, 1) if not isinstance(event, inner)]
    for line, (place, event) in zip(lines, told, strict=True):
        assert line.pop("time") == place / 4
        assert line.pop("event")
        assert line == {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in event._asdict().items()
        }


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
    assert written(ENDED._replace(seconds=inf))[0]["seconds"] is None


def test_nobody_reads_and_nothing_happens() -> None:
    stream = Broken(BrokenPipeError())
    reporter = JsonLines(stream)
    for event in EVERY:
        reporter.handle(event)
    assert stream.tries == 1


def test_lines_of_many_threads_stay_whole() -> None:
    stream = io.StringIO()
    reporter = JsonLines(stream, Clock())
    from_threads(reporter, Noticed("a", "b"), threads=8, times=300)
    reporter.handle(ran())
    kinds = [json.loads(line)["event"] for line in stream.getvalue().splitlines()]
    assert kinds == ["noticed"] * 2_400
