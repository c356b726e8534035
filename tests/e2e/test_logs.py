"""``--log`` and ``--replay``: what was asked can be followed, repeated elsewhere, and corrected."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from e2e.programs import refused, shell, text, told


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file with a line for each run."""
    log = tmp_path / "runs"
    log.touch()
    monkeypatch.setenv("RUNS", str(log))
    return log


OPTIONS = ("--one", "--two", "--bad", "--three", "--four", "--five")
NEEDS_BAD = 'echo run >>"$RUNS"; for a; do [ "$a" = --bad ] && exit 3; done; exit 0'


def lines(log: Path) -> list[str]:
    """Return the questions of a log, those that were asked once more among them."""
    rows = log.read_text().splitlines()[1:]
    return [row for row in rows if row.startswith("# asked again") or row[0] not in "# "]


def count(runs: Path) -> int:
    return len(runs.read_text().splitlines())


def test_a_run_is_repeated_without_the_program(tmp_path: Path, runs: Path) -> None:
    shell(tmp_path, NEEDS_BAD)
    command = ("options", "--json", "-j", "1")
    ran = told(tmp_path, *command, "--log", "a.log", "--", "./test.sh", *OPTIONS)
    assert ran.code == 0, ran
    asked = count(runs)
    assert asked == len(lines(tmp_path / "a.log")) == ran.events[-1]["tests"]
    (tmp_path / "test.sh").unlink()
    again = told(
        tmp_path,
        *(*command, "--replay", "a.log", "--log", "b.log"),
        *("--", str(tmp_path / "test.sh"), *OPTIONS),
    )
    assert again.code == 0, again
    assert count(runs) == asked, "nothing was run"
    [one], [other] = ([e for e in each.events if e["event"] == "answered"] for each in (ran, again))
    assert one["data"] == other["data"]
    assert lines(tmp_path / "a.log") == lines(tmp_path / "b.log")


def test_the_words_are_those_of_whoever_asks(tmp_path: Path, runs: Path) -> None:
    shell(tmp_path, NEEDS_BAD)
    told(tmp_path, "options", "-j", "1", "--log", "a.log", "--", "./test.sh", *OPTIONS)
    log = (tmp_path / "a.log").read_text()
    assert log.startswith("wynot-log 1 options\n# wynot options --jobs 1 -- ./test.sh --one --two")
    assert lines(tmp_path / "a.log")[-1].endswith("/test.sh --bad")
    assert runs.exists()


def test_the_log_is_the_same_at_any_width(tmp_path: Path, runs: Path) -> None:
    shell(tmp_path, NEEDS_BAD)
    for jobs in ("1", "4"):
        log = f"{jobs}.log"
        told(tmp_path, "options", "--log", log, "-j", jobs, "--", "./test.sh", *OPTIONS)
    one, other = (
        [[*row.split()[:1], *row.split()[2:]] for row in lines(tmp_path / f"{jobs}.log")]
        for jobs in ("1", "4")
    )
    assert one == other
    assert runs.exists()


def test_what_is_not_in_the_log_is_asked(tmp_path: Path, runs: Path) -> None:
    shell(tmp_path, NEEDS_BAD)
    command = ("options", "-j", "1", "--", "./test.sh", *OPTIONS)
    told(tmp_path, *command[:3], "--log", "a.log", *command[3:])
    asked = count(runs)
    whole = (tmp_path / "a.log").read_text().splitlines(keepends=True)
    text(tmp_path / "a.log", "".join(whole[:-2]))
    ran = told(tmp_path, *command[:3], "--replay", "a.log", *command[3:])
    assert ran.code == 0, ran
    assert count(runs) == asked + 2


def test_a_verdict_is_corrected_by_hand(tmp_path: Path, runs: Path) -> None:
    shell(tmp_path, NEEDS_BAD)
    command = ("options", "-j", "1", "--", "./test.sh", *OPTIONS)
    told(tmp_path, *command[:3], "--log", "a.log", *command[3:])
    log = (tmp_path / "a.log").read_text()
    last = lines(tmp_path / "a.log")[-2]
    assert last.startswith("interesting")
    text(tmp_path / "a.log", log.replace(last, last.replace("interesting", "uninteresting", 1)))
    ran = told(tmp_path, *command[:3], "--json", "--replay", "a.log", *command[3:])
    assert ran.code == 0, ran
    [answer] = [event for event in ran.events if event["event"] == "answered"]
    assert len(answer["data"]["options"]) > 1, "by the log, that option alone is not enough"
    assert runs.exists()


def test_logs_that_do_not_fit_are_refused(tmp_path: Path, runs: Path) -> None:
    shell(tmp_path, NEEDS_BAD)
    run = ("--", "./test.sh", *OPTIONS)
    told(tmp_path, "options", "--log", "a.log", *run)
    asked = count(runs)
    text(tmp_path / "notes", "mine\n")
    text(tmp_path / "bad.log", (tmp_path / "a.log").read_text().replace("\nunin", "\nUnin"))
    folders = [tmp_path / name for name in ("one", "two")]
    for folder in folders:
        text(folder / "n", folder.name)
    for arguments, code, words in (
        (("options", "--replay", "gone.log", *run), 2, ["'gone.log'"]),
        (("options", "--replay", "notes", *run), 2, ["'notes'", "it begins with 'mine'"]),
        (("options", "--replay", "bad.log", *run), 2, ["'bad.log'", "does not begin with one of"]),
        (("options", "--replay", "a.log", *run, "--more"), 2, ["something else", "command as it"]),
        (("changes", "--replay", "a.log", "one", "two", *run), 2, ["wynot options, not of wynot"]),
        (("options", "--log", "notes", *run), 2, ["'notes'", "would be overwritten"]),
        (("options", "--log", ".", *run), 2, ["'.'"]),
    ):
        refused(told(tmp_path, *arguments), code, *words)
    assert count(runs) == asked, "nothing was run for any of them"
    assert (tmp_path / "notes").read_text() == "mine\n"


def folders(tmp_path: Path) -> tuple[str, ...]:
    for name, number in (("one", 1), ("two", 2)):
        for file in "abcd":
            text(tmp_path / name / file, str(number))
    shell(tmp_path, 'echo run >>"$RUNS"; [ "$(cat c)" = 1 ]')
    return ("changes", "one", "two", "--", str(tmp_path / "test.sh"))


def inputs(tmp_path: Path) -> tuple[str, ...]:
    text(tmp_path / "good", "a\nb\n")
    text(tmp_path / "bad", "a\nx\nb\ny\nc\n")
    shell(tmp_path, 'echo run >>"$RUNS"; grep -q x "$1"')
    return ("isolate", "./test.sh", "good", "bad")


def orders(tmp_path: Path) -> tuple[str, ...]:
    text(tmp_path / "order", "".join(f"t{number}\n" for number in range(9)))
    shell(tmp_path, 'echo run >>"$RUNS"; case "$*" in *t3*t8) exit 1;; esac')
    return ("tests", "--list", "order", "t8", "--", "./test.sh", "{tests}")


@pytest.mark.parametrize("made", [folders, inputs, orders])
def test_every_inquiry_can_be_replayed(
    made: Callable[[Path], tuple[str, ...]], tmp_path: Path, runs: Path
) -> None:
    command, *arguments = made(tmp_path)
    ran = told(tmp_path, command, "--json", "-j", "1", "--log", "a.log", *arguments)
    assert ran.code == 0, ran
    asked = count(runs)
    assert asked == len(lines(tmp_path / "a.log"))
    replayed = ("--replay", "a.log", "--log", "a.log")
    again = told(tmp_path, command, "--json", "-j", "1", *replayed, *arguments)
    assert count(runs) == asked, "nothing was run"
    answers = [
        [event["data"] for event in each.events if event["event"] == "answered"]
        for each in (ran, again)
    ]
    assert answers[0] == answers[1]
    assert len(lines(tmp_path / "a.log")) == asked, "it is written again, as it was"


def test_commits_are_told_by_their_ids(tmp_path: Path, runs: Path) -> None:
    def git(*words: str) -> str:
        who = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main")
        command = ["git", *who, *words]
        return subprocess.check_output(command, cwd=tmp_path / "repo", text=True)  # noqa: S603

    (tmp_path / "repo").mkdir()
    git("init", "-q")
    for number in range(9):
        text(tmp_path / "repo" / "n", f"{number}\n")
        git("add", "-A")
        git("commit", "-qm", f"number {number}")
    shell(tmp_path, 'echo run >>"$RUNS"; [ "$(cat n)" -lt 6 ]')
    command = ("changes", "--json", "-j", "1", "--repo", "repo", "--good", "HEAD~8", "--no-cure")
    run = ("--", str(tmp_path / "test.sh"))
    ran = told(tmp_path, *command, "--log", "a.log", *run)
    assert ran.code == 0, ran
    guilty = git("rev-parse", "HEAD~2")[:10]
    assert any(f"commit {guilty} number 6" in line for line in lines(tmp_path / "a.log"))
    asked = count(runs)
    assert told(tmp_path, *command, "--replay", "a.log", *run).code == 0
    assert count(runs) == asked
    backwards = ("changes", "-j", "1", "--repo", "repo", "--bad", "HEAD", "--no-cure")
    assert told(tmp_path, *backwards, "--log", "a.log", *run).code == 0
    passing = git("rev-parse", "HEAD~4")[:10]
    assert any(f"HEAD~4 ({passing}) number 4" in line for line in lines(tmp_path / "a.log"))


def test_a_log_in_the_folder_does_not_keep_a_run_from_being_continued(
    tmp_path: Path, runs: Path
) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    made = orders(folder)
    command = ("tests", "--json", "--log", "a.log")
    assert told(folder, *command, "--max-tests", "1", *made[1:]).code == 3
    ran = told(folder, *command, *made[1:])
    [begun] = [event for event in ran.events if event["event"] == "inquired"]
    assert (ran.code, begun["known"]) == (0, 1)
    assert runs.exists()


def test_no_password_is_written_down(tmp_path: Path, runs: Path) -> None:
    shell(tmp_path, NEEDS_BAD)
    address = "--index=https://me:secret@example.org/x"
    ran = told(tmp_path, "options", "--log", "a.log", "--", "./test.sh", address, *OPTIONS)
    assert ran.code == 0, ran
    log = (tmp_path / "a.log").read_text()
    assert "https://***@example.org/x" in log
    assert "secret" not in log
    assert runs.exists()
