"""The printed number of runs is how often the user's command was started, at any width."""

import re
from pathlib import Path

import pytest

from e2e.programs import CALM, Ran, shell, text, told
from unit.inquiries.changes.repositories import make
from wynot.oracle import learned_timeout

pytestmark = pytest.mark.usefixtures("temporary")
WIDTHS = pytest.mark.parametrize("jobs", ["1", "3"])
LINES = "".join(f"{number}\n" for number in range(1, 13))


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Return the file that each start of a test adds a line to."""
    return text(tmp_path / "log", "")


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """Return the folder that wynot is run in."""
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


def script(work: Path, log: Path, body: str) -> None:
    shell(work, f"echo >> {log}\n{body}")


def printed(ran: Ran) -> int:
    """Return the number of runs in the closing line, with the parts that explain it added up."""
    assert ran.code == 0, ran
    out = " ".join(ran.out.split())
    tests = r"(\d+) tests?(?: \((\d+) runs? of the command(?:: ([^;)]*))?(?:; (\d+) [^)]*)?\))?, "
    [(asked, runs, parts, saved)] = re.findall(tests, out)
    explained = sum(int(part.split()[0]) for part in parts.split(", ") if part)
    assert int(runs or asked) == int(asked) + explained - int(saved or 0)
    return int(runs or asked)


def check(ran: Ran, log: Path, jobs: str) -> None:
    starts = len(log.read_text().splitlines())
    runs = printed(ran)
    log.write_text("")
    if jobs == "1":
        assert runs == starts
    else:  # a speculative run can be killed before its first instruction
        assert starts <= runs


@WIDTHS
def test_reduce_and_explain_print_every_run(work: Path, log: Path, jobs: str) -> None:
    text(work / "in.txt", LINES)
    script(work, log, "grep -q 7 in.txt")
    options = ("-j", jobs, "--no-confine", *CALM)
    check(told(work, "reduce", *options, "test.sh", "in.txt"), log, jobs)
    check(told(work, "explain", "-j", jobs, "in.txt"), log, jobs)


def test_two_commands_that_differ_are_one_run(work: Path, log: Path) -> None:
    text(work / "in.txt", "10\n9\n8\n")
    script(work, log, "sort in.txt")
    options = ("-j", "1", "--no-confine", *CALM, "--differs", "sort -n {}")
    check(told(work, "reduce", *options, "in.txt", "--", "./test.sh", "{}"), log, "1")


@WIDTHS
def test_isolate_prints_every_run(work: Path, log: Path, jobs: str) -> None:
    text(work / "bad.txt", LINES)
    text(work / "good.txt", LINES.replace("7", "x").replace("9", "y"))
    script(work, log, 'grep -q 7 "$1"')
    options = ("-j", jobs, "--no-confine", *CALM)
    check(told(work, "isolate", *options, "test.sh", "good.txt", "bad.txt"), log, jobs)


@WIDTHS
def test_changes_prints_every_run(work: Path, log: Path, jobs: str) -> None:
    texts = [LINES.replace("1\n", "1 BUG\n", number) for number in range(4)]
    first, *_ = make(work, [{"in.txt": text.encode()} for text in texts])
    line = f"echo >> {log}; test $(grep -c BUG in.txt) -lt 2"
    options = ("-j", jobs, "--no-confine", *CALM)
    check(told(work, "changes", *options, "--good", first, "--", "sh", "-c", line), log, jobs)


@WIDTHS
def test_options_prints_every_run(work: Path, log: Path, jobs: str) -> None:
    script(work, log, 'case "$*" in *-c*) exit 1;; esac')
    options = ("-j", jobs, "--no-confine", *CALM)
    words = ("./test.sh", "-a", "-b", "-c", "-d")
    check(told(work, "options", *options, "--", *words), log, jobs)


def test_batch_prints_every_run(work: Path, log: Path) -> None:
    for name in ("one", "two"):
        text(work / "inputs" / name, f"{LINES}{name}\n")
    script(work, log, 'grep -q 7 "$1"')
    ran = told(work, "batch", "-j", "1", "--no-confine", *CALM, "test.sh", "inputs")
    check(ran, log, "1")


@pytest.mark.slow
@WIDTHS
def test_runs_repeated_after_a_timeout_are_counted(
    work: Path, log: Path, jobs: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learned_timeout, "LEAST_SECONDS", 0.5)
    text(work / "in.txt", "32\n33\n34\n35\n")
    script(work, log, "grep -q 33 in.txt || exit 1\ngrep -q 34 in.txt || sleep 1000")
    ran = told(work, "reduce", "-j", jobs, "--no-confine", "--atoms", "lines", "test.sh", "in.txt")
    assert " repeated" in ran.out
    check(ran, log, jobs)
