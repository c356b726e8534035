"""Answers that come from an earlier log, and go to a new one."""

from pathlib import Path

import pytest

from wynot.core.answer import Answer
from wynot.core.ending import Ending
from wynot.core.errors import InvalidLog
from wynot.core.verdict import Verdict
from wynot.disk.verdict_log import LogEntry, LogWriter, read_log, short
from wynot.job.transcript import MAX_OUTPUT_BYTES, Transcript
from wynot.oracle.trial import TrialResult

A, B = bytes(range(32)), bytes(range(1, 33))
YES, NO = Verdict.INTERESTING, Verdict.UNINTERESTING


def test_what_is_noted_is_recalled(tmp_path: Path) -> None:
    subject, other = object(), object()
    transcript = Transcript(LogWriter(tmp_path / "a.log", "tests", []))
    transcript.call(subject, A, "one side")
    ran = TrialResult(NO, Ending(2, 0.5, "", b"out\xff", b"err"), Ending(0, 0.1))
    transcript.note_run(subject, ran)
    transcript.note(B, Answer(YES, seconds=1.5), "a candidate")
    transcript.call(other, B, "the answer")
    transcript.note_again(other, Answer(NO, seconds=2.0))
    transcript.close()

    entries = read_log(tmp_path / "a.log").entries
    assert [entry.words for entry in entries] == ["one side", "a candidate", "a candidate"]
    replayed = Transcript(known=entries)
    replayed.call(subject, A, "one side")
    replayed.call(other, B, "the answer")
    assert replayed.recall(B) == Answer(YES, seconds=1.5), "a search gets what was said first"
    again = replayed.recall_again(other)
    assert again is not None
    assert again.verdict is NO, "and whoever asks once more what was said last"
    assert replayed.recall_runs(subject, 5) == [ran]
    assert replayed.recall_runs(subject, 5) == [], "a run is good for one run only"
    assert replayed.recall(A) is None
    assert replayed.recall_again(subject) is None


def test_the_same_answer_again_is_only_remarked(tmp_path: Path) -> None:
    transcript = Transcript(LogWriter(tmp_path / "a.log", "tests", []))
    subject = object()
    transcript.note(B, Answer(YES, seconds=1.5), "a candidate")
    transcript.call(subject, B, "the answer")
    transcript.note_again(subject, Answer(YES, seconds=2.0))
    transcript.close()
    assert len(read_log(tmp_path / "a.log").entries) == 1
    last = (tmp_path / "a.log").read_text().splitlines()[-1]
    assert last == "# asked again, interesting: a candidate"


def test_an_ending_that_is_none_is_run_again() -> None:
    row: list[object] = [1, 0, "", "", ""]
    endings: list[object] = [1, [], [[]], [[1, 2]], [["x", *row[1:]]], [row, row, row]]
    for ending in endings:
        entry = LogEntry(YES, 0.1, short(A), "x", ending)
        replayed = Transcript(known=[entry])
        subject = object()
        replayed.call(subject, A, "x")
        assert replayed.recall_runs(subject, 1) == []


def test_a_log_of_something_else_is_refused() -> None:
    subject = object()
    replayed = Transcript(known=[LogEntry(YES, 0.1, short(A), "x")])
    replayed.call(subject, A, "this side")
    replayed.require(subject, "a.log")
    replayed.call(subject, B, "this side")
    with pytest.raises(InvalidLog, match="is a log of something else"):
        replayed.require(subject, "a.log")
    empty = Transcript()
    empty.call(subject, B, "this side")
    empty.require(subject, "a.log")


def test_of_a_long_output_both_ends_are_written(tmp_path: Path) -> None:
    transcript = Transcript(LogWriter(tmp_path / "a.log", "tests", []))
    subject = object()
    transcript.call(subject, A, "x")
    output = b"begin" + bytes(MAX_OUTPUT_BYTES) + b"end"
    transcript.note_run(subject, TrialResult(YES, Ending(1, 0.1, "", output)))
    transcript.close()
    replayed = Transcript(known=read_log(tmp_path / "a.log").entries)
    replayed.call(subject, A, "x")
    [said] = replayed.recall_runs(subject, 1)
    assert said.ending.stdout.startswith(b"begin")
    assert said.ending.stdout.endswith(b"end")
    assert len(said.ending.stdout) < MAX_OUTPUT_BYTES + 100
