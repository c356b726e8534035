"""What a run looks like to a person, and whether two look alike."""

import pytest

from wynot.core.ending import Ending
from wynot.core.verdict import Verdict
from wynot.failures.wording import Vocabulary
from wynot.oracle.appearance import MAX_SHOWN_CHARS, likeness, looks
from wynot.oracle.trial import TrialResult

TRACEBACK = 'Traceback (most recent call last):\n  File "x", line 1, in f\n'


def said(stderr: str = "", status: int = 1, stdout: str = "") -> TrialResult:
    return TrialResult(
        Verdict.INTERESTING, Ending(status, 0.1, "", stdout.encode(), stderr.encode())
    )


@pytest.mark.parametrize(
    ("run", "words"),
    [
        (said(f"{TRACEBACK}KeyError: 'a'"), "KeyError: 'a'"),
        (said("x.c:3: error: 'y' undeclared"), "x.c:3: error: 'y' undeclared"),
        (said("/dev/shm/wynot-0-abc/1/x.c:3: error: no"), "x.c:3: error: no"),  # noqa: S108
        (said(status=-11), "SIGSEGV"),
        (said("==1==ERROR: AddressSanitizer: SEGV on x\n    #0 0x1 in f x.c:1\n"), None),
        (said(status=0, stdout="checking\ninternal compiler error: in f"), None),
        (said("\x1b[31merror: \x07red\x1b[0m"), "error: red"),
        (said(status=3), ""),
        (said(status=0), ""),
        (
            said("e" + "r" * 2 * MAX_SHOWN_CHARS + "or: error"),
            "e" + "r" * (MAX_SHOWN_CHARS - 2) + "…",
        ),
    ],
)
def test_one_line_as_it_was_printed(run: TrialResult, words: str | None) -> None:
    if words is None:
        assert looks(run) in {"AddressSanitizer: SEGV in f", "internal compiler error: in f"}
    else:
        assert looks(run) == words


def test_nothing_is_said_of_a_run_that_was_ended_or_of_two() -> None:
    assert not looks(TrialResult(Verdict.INTERESTING, Ending(-9, 9.0, "timeout", b"error: x")))
    assert not looks(said("error: x")._replace(other=Ending(0, 0.1)))
    assert likeness(said("error: x"), said(status=3), Vocabulary()) == ("", "", False)


def test_a_script_that_prints_its_input_tells_nothing_of_the_failure() -> None:
    given = Vocabulary(lambda: [b"first words\nkeyword\nlast words 30\n"])
    echoes = said(stdout="last words 30", status=0), said(stdout="keyword", status=0)
    assert likeness(*echoes, given) == ("", "", False)
    # Of a command that fails, it may be all that there is.
    assert likeness(said(stdout="keyword"), said(stdout="keyword"), given).was == "keyword"


@pytest.mark.parametrize(
    ("was", "now", "differs"),
    [
        ("error: 'total' at 12", "error: 'a' at 3", False),
        ("error: 'total' at 12", "error: 'other' at 3", True),
        ("error: no 'NoneType'", "error: no 'int'", True),
        ("error: cannot", "error: can", True),
    ],
)
def test_they_differ_but_for_numbers_and_names(was: str, now: str, differs: bool) -> None:
    given = Vocabulary(lambda: [b"total = 12"])
    assert likeness(said(was), said(now), given) == (was, now, differs)
    # What a script prints counts, whatever it exits with.
    assert likeness(said(was, 0), said(now, 0), given).differs is differs
