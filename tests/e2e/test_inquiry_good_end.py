"""``wynot changes --bad REV``: the good end by itself, in a known number of tests."""

from pathlib import Path

import pytest

from e2e.programs import CALM, Ran, refused, told, wynot
from tiers import slow_after
from unit.inquiries.changes.repositories import git, make, snapshot

pytestmark = pytest.mark.usefixtures("temporary")

LAST = 30
"""The last commit; each has as many lines in its file as its number says."""


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    lines = [b"".join(b"%d\n" % line for line in range(number)) for number in range(1, LAST + 1)]
    commits = make(folder, [{"f": text} for text in lines])
    for number in (1, 4, 6, 9, 13, 17, 20, 23, 27):
        git(folder, "tag", f"v{number}", commits[number - 1])
    return folder


class Asked:
    """Runs the command, with a test that writes down which commit it was asked about."""

    def __init__(self, folder: Path, log: Path) -> None:
        self._folder, self._log = folder, log

    def __call__(self, first_bad: int, *options: str, blind: str = "false", code: int = 0) -> Ran:
        self._log.unlink(missing_ok=True)
        line = (
            f"n=$(wc -l <f); echo $n >>'{self._log}'; if {blind}; then exit 125; fi; "
            f"[ $n -lt {first_bad} ]"
        )
        more = ("--no-cure", "--", "sh", "-c", line)
        ran = wynot(self._folder, "changes", "--json", *CALM, *options, *more)
        assert ran.code == code, ran
        return ran

    @property
    def states(self) -> list[int]:
        """What was asked about, in the order of the runs."""
        return [int(line) for line in self._log.read_text().split()]


@pytest.fixture
def asked(repo: Path, tmp_path: Path) -> Asked:
    return Asked(repo, tmp_path / "log")


def first_bad(ran: Ran) -> str:
    [event] = [
        event
        for event in ran.events
        if event["event"] == "answered" and event["question"] == "commit"
    ]
    [commit] = event["data"]["commits"]
    return str(commit["subject"])


def notice(ran: Ran) -> str:
    [event] = [each for each in ran.events if each.get("slug") == "good-end"]
    return str(event["message"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "states"),
    slow_after(
        2,
        [
            (30, [30, 29, 29, 30]),
            (3, [30, 29, 28, 26, 22, 14, 1, 1, 30, 7, 4, 3, 2]),
            (29, [30, 29, 28, 28, 30]),
            (28, [30, 29, 28, 26, 26, 30, 27]),
            (20, [30, 29, 28, 26, 22, 14, 14, 30, 18, 20, 19]),
        ],
    ),
)
def test_back_by_doubling_steps_and_then_by_halves(
    asked: Asked, repo: Path, number: int, states: list[int]
) -> None:
    before = snapshot(repo)
    ran = asked(number, "-j", "1", "--bad", "HEAD")
    assert first_bad(ran) == f"commit {number - 1}"
    assert asked.states[: len(states)] == states
    tests = ran.events[-1]["tests"]
    assert tests == len(asked.states), "all are counted"
    assert snapshot(repo) == before
    assert asked(number, "-j", "3", "--bad", "HEAD").events[-1]["tests"] == tests


@pytest.mark.slow
def test_a_pass_by_chance_is_no_good_end(repo: Path, tmp_path: Path) -> None:
    """It is asked once more; and then, since it fails, as often as it takes."""
    runs = tmp_path / "runs"
    line = (
        f"grep -qx 19 f || exit 0; echo >>'{runs}'; "
        f"case $(wc -l <'{runs}') in 2|7|11|17|25|29|33) exit 0;; esac; exit 1"
    )
    ran = wynot(repo, "changes", "--json", *CALM, "-j", "1", "--bad", "HEAD", "--no-cure", "--",
                "sh", "-c", line)  # fmt: skip
    assert ran.code == 0, ran
    assert "HEAD~16" in notice(ran)
    assert first_bad(ran) == "commit 19"


@pytest.mark.slow
def test_what_was_found_is_said(asked: Asked) -> None:
    said = notice(asked(20, "--bad", "main~1"))
    assert said.startswith("the good side is main~1~16 (")
    assert "passes, and main~1~8 (" in said


@pytest.mark.parametrize(
    ("number", "states"),
    slow_after(
        1,
        [
            (20, [30, 27, 23, 17, 17, 30, 20, 19, 18]),
            (28, [30, 27, 27, 30, 29, 28]),
            (5, [30, 27, 23, 17, 4, 4, 30, 10, 7]),
        ],
    ),
)
def test_back_from_tag_to_tag(asked: Asked, number: int, states: list[int]) -> None:
    ran = asked(number, "-j", "1", "--tags")
    assert first_bad(ran) == f"commit {number - 1}"
    assert asked.states[: len(states)] == states


@pytest.mark.slow
def test_states_that_cannot_be_built_are_stepped_over(asked: Asked) -> None:
    ran = asked(20, "-j", "1", "--bad", "HEAD", blind="[ $n = 28 -o $n = 22 ]")
    assert first_bad(ran) == "commit 19"
    assert asked.states[:11] == [30, 29, 28, 26, 22, 14, 14, 30, 20, 17, 19]


@pytest.mark.slow
def test_the_good_end_is_just_this_side_of_what_cannot_be_built(asked: Asked) -> None:
    ran = asked(20, "-j", "1", "--bad", "HEAD", blind="[ $n -lt 19 ]")
    assert first_bad(ran) == "commit 19"
    assert asked.states[:12] == [30, 29, 28, 26, 22, 14, 1, 18, 20, 19, 19, 30]


def test_all_changes_at_once_from_there(asked: Asked) -> None:
    ran = asked(20, "--bad", "HEAD", "--prove")
    [cause] = [event for event in ran.events if event["event"] == "answered"]
    assert {each["subject"] for each in cause["data"]["commits"]} <= {
        f"commit {number}" for number in range(14, LAST)
    }


@pytest.mark.slow
def test_where_nothing_passes_it_is_said_what_was_tried(asked: Asked, repo: Path) -> None:
    ran = told(repo, "changes", "--bad", "HEAD", "--", "false")
    refused(
        ran, 1, "no commit before HEAD (", "HEAD~1 fails, HEAD~2 fails, HEAD~4 fails",
        "HEAD~16 fails, HEAD~29 fails",
    )  # fmt: skip
    assert "--good REV" in ran.hint
    refused(told(repo, "changes", "--tags", "--", "false"), 1, "no tag before HEAD", "v27 fails")
    ran = asked(0, "--bad", "HEAD", blind="[ $n -lt 24 ]", code=1)
    for words in ("HEAD~4 fails", "HEAD~6 fails", "HEAD~7 cannot tell", "HEAD~8 cannot tell"):
        assert words in ran.err, ran


def test_a_shallow_clone_has_more_to_fetch(repo: Path, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--depth", "3", f"file://{repo}", str(clone))
    ran = told(clone, "changes", "--bad", "HEAD", "--", "false")
    refused(ran, 1, "HEAD~2 fails")
    assert "git fetch --unshallow" in ran.hint


@pytest.mark.slow
def test_it_goes_on_where_it_was_stopped(asked: Asked) -> None:
    options = ("-j", "1", "--bad", "HEAD")
    ran = asked(20, *options, "--max-tests", "2", code=3)
    assert asked.states == [30, 29, 28, 26]
    assert ran.events[-1]["stopped"] == "max-tests"
    ran = asked(20, *options)
    assert first_bad(ran) == "commit 19"
    assert asked.states[:7] == [30, 29, 22, 14, 14, 30, 18], (
        "what was asked after both sides is known"
    )


def hinted() -> list[tuple[tuple[str, ...], str]]:
    return [
        (("--bad", "HEAD", "--", "true"), "the bad side (HEAD) does not fail"),
        (("--bad", "nope", "--", "true"), "there is no commit 'nope'"),
        (("--bad", "HEAD~29", "--", "false"), "there is no commit before 'HEAD~29'"),
        (("--bad", "HEAD~29", "--tags", "--", "false"), "there is no tag before 'HEAD~29'"),
        (("--good", "HEAD~3", "--tags", "--", "false"), "--good and --tags are given"),
        (("--bad", "HEAD", "--staged", "--", "false"), "--bad and --staged are given"),
        (("--tags", "--worktree", "--", "false"), "--tags and --worktree are given"),
    ]


@pytest.mark.parametrize(("arguments", "words"), hinted(), ids=lambda each: str(each)[:40])
def test_what_cannot_be_is_refused(repo: Path, arguments: tuple[str, ...], words: str) -> None:
    ran = told(repo, "changes", *arguments)
    refused(ran, 1 if "does not fail" in words else 2, words)
