"""The last paragraph, to the letter."""

import pytest

from unit.reporters.story import BEGAN, ENDED, HOSTILE
from wynot.document.text_width import cells
from wynot.reporters.closing import closing


def test_finished_and_minimal() -> None:
    assert closing(ENDED, BEGAN) == (
        "prog.c: 32,689 → 116 bytes (99.6 % smaller) in 1,126 tests, 41 s.\n"
        "No single line, token or character can be left out: each was tried (1-minimal).\n"
        "result    prog.c\n"
        "original  prog.c.orig"
    )


def test_finished_but_nothing_is_proved() -> None:
    ended = ENDED._replace(
        minimal=(), runs=1_165, checks=4, repeated=2, journal=".wynot/prog.c.sqlite"
    )
    assert closing(ended, BEGAN) == (
        "prog.c: 32,689 → 116 bytes (99.6 % smaller) in 1,126 tests (1,165 runs of the\n"
        "command: 4 to check the test, 33 speculative, 2 repeated), 41 s.\n"
        "Smaller may be possible: it is not proved to be 1-minimal.\n"
        "result    prog.c\n"
        "original  prog.c.orig\n"
        "journal   .wynot/prog.c.sqlite"
    )


def test_what_was_skipped_is_said() -> None:
    ended = ENDED._replace(skipped=("nodes", "texts", "nodes"))
    said = "Skipped by hand: nodes (2 times) and texts. What was left to try there was not"
    assert said in closing(ended, BEGAN).splitlines()


def test_nothing_could_be_left_out() -> None:
    ended = ENDED._replace(before=116, tests=1, runs=1, seconds=0.25, minimal=("lines",))
    assert closing(ended, BEGAN).splitlines()[:2] == [
        "prog.c: nothing could be left out of its 116 bytes, in 1 test, 0.2 s.",
        "No single line can be left out: each was tried (1-minimal).",
    ]


def test_stopped_before_anything_could_be_left_out() -> None:
    ended = ENDED._replace(before=116, stopped="max-tests", tests=3, runs=3, minimal=())
    assert closing(ended, BEGAN).splitlines()[:3] == [
        "prog.c: nothing is left out of its 116 bytes, in 3 tests, 41 s.",
        "Stopped by --max-tests; the best so far is in prog.c. Smaller may be possible:",
        "1-minimality is not proved. The same command continues from there.",
    ]


@pytest.mark.parametrize(
    ("stopped", "said"),
    [
        ("max-time", "Stopped by --max-time; the best so far is in prog.c."),
        ("target-size", "Stopped: it is as small as --target-size asked for; the best so far"),
        ("patience", "Stopped by --patience, after too long without progress; the best so far"),
        ("interrupted", "Interrupted; the best so far is in prog.c."),
        ("by-hand", "Stopped by hand; the best so far is in prog.c."),
        (
            "unreliable",
            "Stopped: the test does not always give the same answer for the same case; the",
        ),
        ("no-space", "Stopped: no space left on the device; the best so far is in prog.c."),
        ("changed-underneath", "Stopped: something else changed the file during the run; the best"),
        ("out-of-cheese", "Stopped: out-of-cheese; the best so far is in prog.c."),
        ("\x1b", "Stopped: \\x1b; the best so far is in prog.c."),
        ("", "Stopped: for an unknown reason; the best so far is in prog.c."),
    ],
)
def test_why_it_stopped_is_said_in_words(stopped: str, said: str) -> None:
    text = closing(ENDED._replace(stopped=stopped, minimal=()), BEGAN)
    assert text.splitlines()[1].startswith(said)
    joined = " ".join(text.split())
    assert "Smaller may be possible: 1-minimality is not proved." in joined


def test_what_is_proved_is_said_also_when_stopped() -> None:
    text = closing(ENDED._replace(stopped="max-time", minimal=("lines",), where=""), BEGAN)
    assert text.splitlines()[1:] == [
        "Stopped by --max-time. No single line can be left out: each was tried; other",
        "parts may still go. The same command continues from there.",
        "original  prog.c.orig",
    ]


def test_the_first_checks_failed() -> None:
    ended = ENDED._replace(
        stopped="not-interesting", tests=1, runs=1, seconds=0.2, minimal=(), where="", original=""
    )
    assert closing(ended, None) == (
        "Nothing was reduced: the first checks did not succeed (1 test, 0.2 s).\n"
        "Stopped: the original does not show the failure."
    )


def test_an_end_without_a_beginning_or_a_reason() -> None:
    assert "Stopped" not in closing(ENDED, None)


def test_larger_is_said_to_be_larger() -> None:
    text = closing(ENDED._replace(before=100, size=125), BEGAN)
    assert text.startswith("prog.c: 100 → 125 bytes (25.0 % larger) in")


def test_an_empty_result() -> None:
    assert "→ 0 bytes (100 % smaller)" in closing(ENDED._replace(size=0), BEGAN)


def test_hostile_names_are_harmless() -> None:
    ended = ENDED._replace(where=HOSTILE, minimal=(HOSTILE,), stopped=HOSTILE)
    text = closing(ended, BEGAN._replace(names=(HOSTILE, HOSTILE)))
    assert text.replace("\n", "").isprintable()
    assert all(cells(line) <= 80 for line in text.splitlines()[:1])


def test_what_hung_is_counted() -> None:
    ended = ENDED._replace(timed_out=79, timed_out_seconds=387.1, test_seconds=744.0)
    assert closing(ended, BEGAN).splitlines()[1] == "79 timed out, 4.9 s each, 52 % of the time."


def test_a_command_that_has_finished_before() -> None:
    ended = ENDED._replace(stopped="already-finished", tests=0, runs=0, seconds=0.0)
    assert closing(ended, None) == (
        "prog.c: this command has finished before: 32,689 → 116 bytes.\n"
        "No single line, token or character can be left out: each was tried (1-minimal).\n"
        "Nothing was done now; --fresh starts over.\n"
        "result    prog.c\n"
        "original  prog.c.orig"
    )


def test_tests_that_needed_no_run_are_counted() -> None:
    ended = ENDED._replace(tests=20, runs=7, checks=4, repeated=1)
    text = " ".join(closing(ended, BEGAN).split())
    assert "in 20 tests (7 runs of the command: 4 to check the test, 1 repeated; 18 tests" in text
    assert " needed no run), 41 s." in text
