"""Inquiries that are killed, interrupted, terminated: what is left, and how they go on."""

import os
import random
import re
import signal
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from faults.scripts import (
    WYNOT,
    Ended,
    finish,
    kill,
    killed_at_last,
    processes,
    root_of,
    script,
    soon,
    until,
)
from tiers import slow_but
from unit.inquiries.changes.repositories import Tree, git, make, snapshot

COMMITS = 40
FIRST, LAST = 7, 33
PROGRESS = re.compile(r" +[\d.]+ s +[\d,]+ runs? ")


def history() -> list[Tree]:
    """Return the trees of commits of which the failure needs two."""
    chance = random.Random(3)
    files = {f"m{number}": [f"v{line} = 0" for line in range(30)] for number in range(6)}
    trees: list[Tree] = []
    for number in range(COMMITS + 1):
        for path in files if number else ():
            line = chance.randrange(1, 30)
            files[path][line] = f"v{line} = {number}"
        if number in {FIRST, LAST}:
            files["m1" if number == FIRST else "m4"][0] = "on"
        trees.append({path: "\n".join([*lines, ""]).encode() for path, lines in files.items()})
    return trees


class Place:
    """A repository, a test that keeps a log, and folders of its own for all that wynot keeps."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.repository = folder / "repository"
        self.log, self.at = folder / "log", folder / "at"
        self.temporary, self.state = folder / "temporary", folder / "state"
        self.temporary.mkdir()
        self.good = make(self.repository, history())[0]
        self.test = script(
            folder / "test",
            f"""
            echo "$PWD" >>'{self.log}'
            if [ "$HANG" != 0 ] && [ "$(wc -l <'{self.log}')" -ge "$HANG" ]; then
                (setsid sleep 1618.25 &)
                : >'{self.at}'
                exec sleep 1618.25
            fi
            ! {{ grep -q on m1 && grep -q on m4; }}
            """,
        )

    def start(self, *arguments: str, hang: int = 0) -> "subprocess.Popen[str]":
        """Start ``wynot changes``, of which the tests from number ``hang`` on do not end."""
        own = {"TMPDIR": self.temporary, "XDG_STATE_HOME": self.state, "HANG": hang}
        return subprocess.Popen(  # noqa: S603 - our own command
            [WYNOT, "changes", "--good", self.good, *arguments, "--", self.test],
            cwd=self.repository,
            env={**os.environ, **{name: str(value) for name, value in own.items()}},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: str) -> Ended:
        return finish(self.start(*arguments))

    def stopped(self, number: int, *arguments: str, hang: int) -> Ended:
        """Run it until a test hangs, and send it a signal then."""
        self.at.unlink(missing_ok=True)
        with killed_at_last(self.start(*arguments, hang=hang)) as process:
            until(lambda: self.at.exists() or process.poll() is not None, "the test that hangs")
            return kill(process, number)

    @property
    def runs(self) -> int:
        return self.log.read_bytes().count(b"\n") if self.log.exists() else 0

    @property
    def left(self) -> list[Path]:
        """What is in the folder for temporary files."""
        return list(self.temporary.iterdir())


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """Return a place; what a failed test has left there running is ended."""
    made = Place(tmp_path)
    yield made
    for number, _ in processes(made.state):
        os.kill(number, signal.SIGKILL)


def is_right(said: str) -> bool:
    """Tell whether the cause is named, and nothing else."""
    named = [number for number in range(COMMITS + 1) if f"  commit {number}\n" in said]
    return named == [FIRST, LAST]


@pytest.mark.slow
def test_a_kill_leaves_the_checkout_alone_and_the_next_run_clears_up(place: Place) -> None:
    (place.repository / "m0").write_bytes(b"not committed\n")
    before = snapshot(place.repository)
    usual = place.run("-j1", "--no-cure")
    assert (usual.code, is_right(usual.out)) == (0, True), usual.said
    count = place.runs
    assert not place.left
    for hang in (2, count // 2, count // 2):
        place.log.unlink()
        assert place.stopped(signal.SIGKILL, "-j1", "--no-cure", hang=hang).code == -signal.SIGKILL
        assert place.left
        assert processes(place.state)
        assert snapshot(place.repository) == before
        assert len(git(place.repository, "worktree", "list").splitlines()) == 1
    place.log.unlink()
    again = place.run("-j1", "--no-cure")
    assert again.code == 0, again.said
    assert is_right(again.out)
    assert not place.left
    assert soon(lambda: not processes(place.state))
    assert snapshot(place.repository) == before
    assert place.runs < count, "what was paid for is known"
    assert "known already" in again.said
    assert not list(place.state.rglob("*.journal"))


@pytest.mark.slow
def test_who_interrupts_it_is_told_what_is_known(place: Place) -> None:
    before = snapshot(place.repository)
    whole = place.run("-j2", "--no-cure")
    count = place.runs
    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        place.log.unlink()
        how = place.stopped(number, "-j2", "--no-cure", "--fresh", hang=count * 2 // 3)
        assert how.code == code, how.said
        assert f"is the first bad commit: commit {LAST} " in how.said
        assert "what is found so far is true" in how.said
        assert "Traceback" not in how.err
        assert not place.left
        assert soon(lambda: not processes(place.state))
        assert snapshot(place.repository) == before
    first, again = place.runs, place.run("-j2", "--no-cure")
    assert again.code == 0, again.said
    assert place.runs - first < count
    assert body(again.out) == body(whole.out)


def body(said: str) -> str:
    """Return the answers, without what they took."""
    told = said[said.index("\n\n") : said.rindex("(1-minimal)")]
    return "\n".join(line for line in told.splitlines() if not PROGRESS.match(line))


@pytest.mark.slow
def test_the_last_look_at_an_answer_can_be_interrupted(place: Place) -> None:
    place.run("-j1", "--no-cure")
    count = place.runs
    place.log.unlink()
    how = place.stopped(signal.SIGINT, "-j1", "--no-cure", hang=count)
    assert how.code == 130, how.said
    assert is_right(how.out), how.said
    assert not place.left


@pytest.mark.slow
def test_an_interrupt_before_anything_is_known(place: Place) -> None:
    for hang in (1, 3):
        place.log.unlink(missing_ok=True)
        how = place.stopped(signal.SIGINT, "-j1", hang=hang)
        assert how.code == 130, how.said
        assert "Traceback" not in how.err
        assert not place.left
        assert soon(lambda: not processes(place.state))


def isolating(
    folder: Path, hang: int, *arguments: str, inputs: Sequence[str] = ("good.txt", "bad.txt")
) -> "subprocess.Popen[str]":
    own = {"XDG_STATE_HOME": str(folder / "state"), "HANG": str(hang)}
    return subprocess.Popen(  # noqa: S603 - our own command
        [WYNOT, "isolate", "-j1", *arguments, "./test", *inputs],
        cwd=folder,
        env={**os.environ, **own},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def files_to_isolate(folder: Path) -> Callable[[], int]:
    """Write two files and a test that keeps a log; return how many lines that has."""
    good = [f"line {number}" for number in range(60)]
    bad = [line.replace("ne 3", "ne of 3") for line in good]
    bad[41] = "NEEDLE"
    (folder / "good.txt").write_text("\n".join(good))
    (folder / "bad.txt").write_text("\n".join(bad))
    log, at = folder / "log", folder / "at"
    script(
        folder / "test",
        f"""
        echo "$PWD" >>'{log}'
        [ "$(wc -l <'{log}')" = "$HANG" ] && {{ : >'{at}'; exec sleep 1618.75; }}
        grep -q NEEDLE "$1"
        """,
    )
    return lambda: log.read_bytes().count(b"\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    "number", slow_but([signal.SIGINT], [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
)
def test_two_sides_are_written_whenever_it_ends(tmp_path: Path, number: int) -> None:
    runs = files_to_isolate(tmp_path)
    usual = finish(isolating(tmp_path, 0, "-o", "usual"))
    assert usual.code == 0, usual.said
    count = runs()
    for hang in (count, count - 3, 5):
        (tmp_path / "log").unlink()
        (tmp_path / "at").unlink(missing_ok=True)
        out = tmp_path / f"out {hang}"
        with killed_at_last(isolating(tmp_path, hang, "--fresh", "-o", str(out))) as process:
            until((tmp_path / "at").exists, "the test that hangs")
            how = kill(process, number)
        if number == signal.SIGKILL:
            assert not out.exists()
            continue
        assert how.code == 128 + number, how.said
        passing, failing = (out / f"bad.{side}.txt" for side in ("passing", "failing"))
        assert "NEEDLE" in failing.read_text()
        assert "NEEDLE" not in passing.read_text()
        assert not processes(tmp_path / "state")
    roots = {root_of(line) for line in (tmp_path / "log").read_text().splitlines()}
    (tmp_path / "log").unlink()
    again = finish(isolating(tmp_path, 0, "-o", "again"))
    assert again.code == 0, again.said
    assert runs() < count
    for path in (tmp_path / "usual").iterdir():
        assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes()
    assert not any(root.exists() for root in roots)
    assert soon(lambda: not processes(tmp_path / "state"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "number", slow_but([signal.SIGINT], [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
)
def test_what_still_fails_is_written_if_it_ends_before_anything_passes(
    tmp_path: Path, number: int
) -> None:
    runs = files_to_isolate(tmp_path)
    with (tmp_path / "test").open("a") as file:  # an empty file does not pass, nor does half of it
        file.write('[ $? = 0 ] && exit 0; [ "$(wc -l <"$1")" -ge 50 ] && exit 1; exit 125\n')
    whole = (tmp_path / "bad.txt").read_text()
    usual = finish(isolating(tmp_path, 0, "-o", "usual", inputs=("bad.txt",)))
    assert usual.code == 0, usual.said
    count = runs()
    (tmp_path / "log").unlink()
    process = isolating(tmp_path, 9, "-o", "out", inputs=("bad.txt",))
    with killed_at_last(process):
        until((tmp_path / "at").exists, "the test that hangs")
        how = kill(process, number)
    if number != signal.SIGKILL:
        assert how.code == 128 + number, how.said
        assert "nothing was found so far that passes" in " ".join(how.said.split())
        [failing] = (tmp_path / "out").iterdir()
        assert "NEEDLE" in failing.read_text()
        assert len(failing.read_text()) < len(whole)
    (tmp_path / "log").unlink()
    again = finish(isolating(tmp_path, 0, "-o", "again", inputs=("bad.txt",)))
    assert again.code == 0, again.said
    assert runs() < count
    for path in (tmp_path / "usual").iterdir():
        assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes()
    assert (tmp_path / "bad.txt").read_text() == whole
    assert soon(lambda: not processes(tmp_path / "state"))


@pytest.mark.slow
def test_a_log_outlives_a_kill_and_can_be_gone_on_with(place: Place) -> None:
    usual = place.run("-j1", "--no-cure")
    assert is_right(usual.out), usual.said
    count, log = place.runs, place.folder / "a.log"
    place.log.unlink()
    asked = ("-j1", "--no-cure", "--fresh")
    place.stopped(signal.SIGKILL, *asked, "--log", str(log), hang=count // 2)
    assert log.read_text().endswith("\n")
    place.log.unlink()
    again = place.run(*asked, "--replay", str(log))
    assert is_right(again.out), again.said
    assert 0 < place.runs <= count - (count // 2 - 1), "what had ended is not run again"
