"""Logs of verdicts: what is written can be read, and nothing else can do harm."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wynot.core.answer import Answer
from wynot.core.ending import Ending
from wynot.core.errors import (
    InvalidLog,
    InvalidOption,
    NoSuchFile,
    NotAFile,
    Unreadable,
)
from wynot.core.verdict import Verdict
from wynot.job import inquiry_log
from wynot.job.inquiry_log import (
    MAX_OUTPUT_BYTES,
    InquiryLog,
    LogEntry,
    VerdictLog,
    read_log,
    short,
)
from wynot.oracle.trial import TrialResult

ENTRIES = (
    LogEntry(Verdict.UNRESOLVED, 0.25, "0123456789abcdef", "the bad side", [[1, 0.2, "", "", ""]]),
    LogEntry(Verdict.INTERESTING, 12.0, "fedcba9876543210", "commit 3f2a1b9 «Round prices»"),
    LogEntry(Verdict.UNINTERESTING, 0.0, "00000000000000ff", ""),
)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    log = InquiryLog.begin(tmp_path / "new" / "a.log", "changes", ["wynot changes --good v1"])
    for entry in ENTRIES:
        log.write(entry)
        log.remark("a remark")
    log.close()
    assert read_log(tmp_path / "new" / "a.log") == VerdictLog("changes", ENTRIES)


def test_it_is_a_text_that_people_can_read(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    log = InquiryLog.begin(path, "tests", ["wynot tests x"])
    for entry in ENTRIES:
        log.write(entry)
    assert path.read_text("utf-8").splitlines() == [
        "wynot-log 1 tests",
        "# wynot tests x",
        "unresolved       0.25 0123456789abcdef the bad side",
        '    ending [[1, 0.2, "", "", ""]]',
        "interesting     12.00 fedcba9876543210 commit 3f2a1b9 «Round prices»",
        "uninteresting    0.00 00000000000000ff ",
    ], "each line is there as soon as it is written"
    log.close()


def test_descriptions_stay_on_their_line_and_do_nothing_to_a_terminal(tmp_path: Path) -> None:
    log = InquiryLog.begin(
        tmp_path / "a.log", "tests", ["one\ninteresting 0 0123456789abcdef forged"]
    )
    log.write(ENTRIES[1]._replace(description="a\n\x1b[2Jb\udcff" + "x" * 1000))
    log.close()
    [entry] = read_log(tmp_path / "a.log").entries
    assert entry.description.startswith("a\\n\\x1b[2Jb\\xff")
    assert len(entry.description) == inquiry_log.MAX_DESCRIPTION


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is not a log of wynot"),
        ("hello\n", "it begins with 'hello'"),
        ("wynot-log 2 tests\n", "has format '2'"),
        ("wynot-log 1\n", "is not a log of wynot"),
        ("wynot-log 1 tests more\n", "is not a log of wynot"),
        ("wynot-log 1 tests\n\n# x\nintresting 0 0123456789abcdef x\n", "line 4 .* does not begin"),
        ("wynot-log 1 tests\ninteresting\n", "line 2 .* is too short"),
        ("wynot-log 1 tests\ninteresting x 0123456789abcdef\n", "has no number of seconds"),
        ("wynot-log 1 tests\ninteresting nan 0123456789abcdef\n", "has no number of seconds"),
        ("wynot-log 1 tests\ninteresting -1 0123456789abcdef\n", "has no number of seconds"),
        ("wynot-log 1 tests\ninteresting 1e9 0123456789abcdef\n", "has no number of seconds"),
        ("wynot-log 1 tests\ninteresting 1 0123456789ABCDEF\n", "has no digest"),
        ("wynot-log 1 tests\ninteresting 1 ../../etc/passwd\n", "has no digest"),
        ("wynot-log 1 tests\n  ending []\n", "belongs to no line above"),
        ("wynot-log 1 tests\ninteresting 1 0123456789abcdef\n  ending\n", "does not say how"),
        ("wynot-log 1 tests\ninteresting 1 0123456789abcdef\n  end 1\n", "does not say how"),
        ("wynot-log 1 tests\ninteresting 1 0123456789abcdef\n  ending {\n", "is not JSON"),
        (
            f"wynot-log 1 tests\ninteresting 1 0123456789abcdef\n  ending {'[' * 100_000}\n",
            "is not JSON",
        ),
        (
            "wynot-log 1 tests\ninteresting 1 0123456789abcdef\n  ending 1\n  ending 2\n",
            "belongs to no line above",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(text: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text(text)
    with pytest.raises(InvalidLog, match=says) as caught:
        read_log(tmp_path / "a.log")
    assert caught.value.hint


@given(st.binary(max_size=400))
def test_no_content_whatever_does_harm(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    path = tmp_path_factory.mktemp("log") / "a.log"
    path.write_bytes(b"wynot-log 1 tests\ninteresting 1 0123456789abcdef x\n" + content)
    with suppress(InvalidLog):
        assert read_log(path).entries


def test_what_cannot_be_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NoSuchFile):
        read_log(tmp_path / "gone")
    with pytest.raises(NotAFile):
        read_log(tmp_path)
    monkeypatch.setattr(inquiry_log, "MAX_LOG_BYTES", 10)
    (tmp_path / "a.log").write_text("wynot-log 1 tests\n")
    with pytest.raises(Unreadable, match="larger than 10 bytes"):
        read_log(tmp_path / "a.log")


def test_only_a_log_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("mine\n")
    with pytest.raises(InvalidOption, match="is not a log: it would be overwritten"):
        InquiryLog.begin(path, "tests", [])
    assert path.read_text() == "mine\n"
    with pytest.raises(NotAFile):
        InquiryLog.begin(tmp_path, "tests", [])
    for text in ("", "wynot-log 1 changes\n"):
        path.write_text(text)
        InquiryLog.begin(path, "tests", []).close()
        assert path.read_text() == "wynot-log 1 tests\n"


A, B = bytes(range(32)), bytes(range(1, 33))
YES, NO = Verdict.INTERESTING, Verdict.UNINTERESTING


def test_what_is_noted_is_recalled(tmp_path: Path) -> None:
    subject, other = object(), object()
    log = InquiryLog.begin(tmp_path / "a.log", "tests", [])
    log.call(subject, A, "one side")
    ran = TrialResult(NO, Ending(2, 0.5, "", b"out\xff", b"err"), Ending(0, 0.1))
    log.note_run(subject, ran)
    log.note(B, Answer(YES, seconds=1.5), "a candidate")
    log.call(other, B, "the answer")
    log.note_again(other, Answer(NO, seconds=2.0))
    log.close()

    entries = read_log(tmp_path / "a.log").entries
    assert [entry.description for entry in entries] == ["one side", "a candidate", "a candidate"]
    replayed = InquiryLog(entries)
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
    log = InquiryLog.begin(tmp_path / "a.log", "tests", [])
    subject = object()
    log.note(B, Answer(YES, seconds=1.5), "a candidate")
    log.call(subject, B, "the answer")
    log.note_again(subject, Answer(YES, seconds=2.0))
    log.close()
    assert len(read_log(tmp_path / "a.log").entries) == 1
    last = (tmp_path / "a.log").read_text().splitlines()[-1]
    assert last == "# asked again, interesting: a candidate"


def test_an_ending_that_is_none_is_run_again() -> None:
    row: list[object] = [1, 0, "", "", ""]
    endings: list[object] = [1, [], [[]], [[1, 2]], [["x", *row[1:]]], [row, row, row]]
    for ending in endings:
        entry = LogEntry(YES, 0.1, short(A), "x", ending)
        replayed = InquiryLog([entry])
        subject = object()
        replayed.call(subject, A, "x")
        assert replayed.recall_runs(subject, 1) == []


def test_a_log_of_something_else_is_refused() -> None:
    subject = object()
    replayed = InquiryLog([LogEntry(YES, 0.1, short(A), "x")])
    replayed.call(subject, A, "this side")
    replayed.require(subject, "a.log")
    replayed.call(subject, B, "this side")
    with pytest.raises(InvalidLog, match="is a log of something else"):
        replayed.require(subject, "a.log")
    empty = InquiryLog()
    empty.call(subject, B, "this side")
    empty.require(subject, "a.log")


def test_of_a_long_output_both_ends_are_written(tmp_path: Path) -> None:
    log = InquiryLog.begin(tmp_path / "a.log", "tests", [])
    subject = object()
    log.call(subject, A, "x")
    output = b"begin" + bytes(MAX_OUTPUT_BYTES) + b"end"
    log.note_run(subject, TrialResult(YES, Ending(1, 0.1, "", output)))
    log.close()
    replayed = InquiryLog(read_log(tmp_path / "a.log").entries)
    replayed.call(subject, A, "x")
    [run] = replayed.recall_runs(subject, 1)
    assert run.ending.stdout.startswith(b"begin")
    assert run.ending.stdout.endswith(b"end")
    assert len(run.ending.stdout) < MAX_OUTPUT_BYTES + 100
