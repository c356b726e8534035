"""How the oracle asks: command lines, time limits."""

import pytest

from wynot.core.ending import Ending
from wynot.core.verdict import Verdict
from wynot.failures.criteria import ByExitStatus
from wynot.oracle.command import Command, Named
from wynot.oracle.learned_timeout import (
    FIRST_RUN_SECONDS,
    LEAST_SECONDS,
    MAX_DOUBTS,
    LearnedTimeout,
)

FOLDER = "/private"


@pytest.mark.parametrize(
    ("argv", "files", "filled"),
    [
        (["cc", "{}"], {}, ["cc", "a.c"]),
        (["cc", "--in={}", "-c"], {}, ["cc", "--in=a.c", "-c"]),
        (["cc", "@@"], {}, ["cc", "a.c"]),
        (["cc", "dir/a.c"], {"dir/a.c": Named(0)}, ["cc", "a.c"]),
        (["cc", "b", "dir/a.c"], {"dir/a.c": Named(0), "b": Named(1)}, ["cc", "b.c", "a.c"]),
        (["cc", "{}", "dir/a.c"], {"dir/a.c": Named(0)}, ["cc", "a.c", "b.c", "dir/a.c"]),
        (["cc"], {}, ["cc"]),
    ],
)
def test_holes_are_filled_with_the_name(
    argv: list[str], files: dict[str, Named], filled: list[str]
) -> None:
    names = ["a.c", "b.c"] if len(filled) > 2 and "b.c" in filled else ["a.c"]
    assert Command.line(argv, files).filled(FOLDER, names) == filled


def test_a_name_that_looks_like_an_option_does_not_become_one() -> None:
    assert Command.line(["cc", "{}"], {}).filled(FOLDER, ["-O2"]) == ["cc", "./-O2"]


def test_several_files_fill_one_hole() -> None:
    assert Command.line(["cc", "{}"], {}).filled(FOLDER, ["a", "b"]) == ["cc", "a", "b"]


def test_a_script_is_given_full_paths() -> None:
    assert Command.script("/t.sh").filled(FOLDER, ["a"]) == ["/t.sh", "/private/a"]


@pytest.mark.parametrize(
    ("status", "limit", "verdict", "inverted"),
    [
        (0, "", Verdict.INTERESTING, Verdict.UNINTERESTING),
        (1, "", Verdict.UNINTERESTING, Verdict.INTERESTING),
        (101, "", Verdict.UNINTERESTING, Verdict.INTERESTING),
        (124, "", Verdict.UNRESOLVED, Verdict.UNRESOLVED),
        (125, "", Verdict.UNRESOLVED, Verdict.UNRESOLVED),
        (127, "", Verdict.UNRESOLVED, Verdict.UNRESOLVED),
        (-9, "", Verdict.UNRESOLVED, Verdict.UNRESOLVED),
        (-9, "timeout", Verdict.UNRESOLVED, Verdict.UNRESOLVED),
    ],
)
def test_exit_statuses_of_scripts(
    status: int, limit: str, verdict: Verdict, inverted: Verdict
) -> None:
    ending = Ending(status, 0.1, limit)  # type: ignore[arg-type]
    assert ByExitStatus().judge(ending) is verdict
    assert ByExitStatus(invert=True).judge(ending) is inverted


def test_patience_is_learned_from_interesting_tests() -> None:
    patience = LearnedTimeout()
    assert patience.limit == FIRST_RUN_SECONDS
    assert patience.second_limit is None
    patience.learn(0.01)
    assert patience.limit == LEAST_SECONDS
    patience.learn(1.0)
    assert patience.limit == 10.0
    assert patience.second_limit == 40.0


def test_time_outs_are_believed_after_some_that_hang_for_good() -> None:
    patience = LearnedTimeout()
    patience.learn(0.01)
    for _ in range(MAX_DOUBTS):
        assert patience.second_limit is not None
        patience.tried_longer(in_vain=True)
    assert patience.second_limit is None


def test_a_longer_try_that_was_of_use_makes_for_more_of_them() -> None:
    patience = LearnedTimeout()
    patience.learn(0.01)
    for _ in range(MAX_DOUBTS - 1):
        patience.tried_longer(in_vain=True)
    patience.tried_longer(in_vain=False)
    for _ in range(MAX_DOUBTS):
        assert patience.second_limit is not None
        patience.tried_longer(in_vain=True)
    assert patience.second_limit is None


def test_a_given_limit_is_not_second_guessed() -> None:
    patience = LearnedTimeout(3.0)
    patience.learn(100.0)
    assert (patience.limit, patience.second_limit) == (3.0, None)
