"""A kill at any moment loses the tests then running, and nothing else."""

import json
import random
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from faults.scripts import (
    Place,
    begun,
    digest,
    ended,
    finish,
    has,
    interesting,
    kill,
    kill_with_agents,
    killed_at_last,
    logging,
    processes,
    read,
    root_of,
    script,
    size,
    soon,
    text,
    unique_nap,
    until,
)
from tiers import slow_but

WORDS = ("needle", "thread", "button", "ribbon", "thimble", "scissors", "cotton", "silk", "lace")


class Witness:
    """Watches run after run, and knows what none of them may do."""

    def __init__(self, place: Place, log: Path, test: Path, jobs: int) -> None:
        self.place, self.log, self.test, self.jobs = place, log, test, jobs
        self.roots: set[Path] = set()
        self.left: set[tuple[int, str]] = set()

    def start(self) -> "subprocess.Popen[str]":
        return self.place.start(f"-j{self.jobs}", self.test, self.place.name)

    def was_killed(self) -> None:
        """Look at what a kill has left."""
        self.left = processes(self.test)
        lines = read(self.log)
        self.roots |= {line.root for line in lines}
        there = digest(self.place.file.read_bytes())
        steps = interesting(lines) | {digest(self.place.original)}
        assert there in steps, "torn, or something that was never accepted"
        if self.place.backup.exists():
            assert self.place.backup.read_bytes() == self.place.original
        else:
            assert there == digest(self.place.original)

    def next_has_begun(self) -> None:
        """Look at what the run after a kill has cleared away."""
        assert soon(lambda: not any(root.exists() for root in self.roots))
        left = self.left
        assert soon(lambda: not left & processes(self.test))

    def asked_again(self, usual: Counter[str]) -> list[str]:
        """Return what was asked more often than in a run without a kill, and needed not be.

        Of each worker of a killed run that is the last one: it was running, or had ended when
        there was no time to write that down. Its script may have lived on for a while. The result
        is checked several times; a kill among these checks has all of them done again.
        """
        lines = read(self.log)
        last = {line.folder: line.digest for line in lines if line.what == "begin"}
        killed = [each for folder, each in last.items() if root_of(folder) in self.roots]
        excused, asked = Counter(killed), ended(lines)
        allowed = {each: max(usual[each], 1) * (1 + excused[each]) for each in asked}
        again = {each for each, count in asked.items() if count > allowed[each]}
        return [f"{each[0]} {each[1]} {each[2]}" for each in lines if each.digest in again]


def reached(process: "subprocess.Popen[str]", log: Path, start: int, count: int) -> None:
    """Wait for so many tests, or for the end."""
    until(lambda: process.poll() is not None or begun(log, start) >= count, "so many tests")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("part", "most"),
    [
        (0, 3),
        pytest.param(0, 7, marks=pytest.mark.slow),
        pytest.param(1, 7, marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("jobs", slow_but([2], [1, 2]))
def test_a_run_that_is_killed_again_and_again_comes_to_the_same_end(
    tmp_path: Path, jobs: int, part: int, most: int
) -> None:
    original = text(*WORDS, lines=100)
    log = tmp_path / "log"
    test = logging(tmp_path / "test", log, has(*WORDS))
    whole = Place(tmp_path / "whole", original)
    assert whole.run(f"-j{jobs}", test, whole.name).code == 0
    result, usual = whole.file.read_bytes(), ended(read(log))
    assert usual.total() > 200

    chance = random.Random(f"{jobs} {part}")
    kills, rounds = 0, 0
    while kills < most:
        rounds += 1
        log.unlink()
        place = Place(tmp_path / f"round {rounds}", original)
        witness = Witness(place, log, test, jobs)
        is_over = False
        while not is_over:
            start, after = size(log), chance.randint(0, 200)
            with killed_at_last(witness.start()) as process:
                reached(process, log, start, 1 if kills else min(after, 1))
                witness.next_has_begun()
                if kills < most:
                    reached(process, log, start, after)
                if kills < most and process.poll() is None:
                    kill(process)
                    kills += 1
                    witness.was_killed()
                else:
                    how = finish(process)
                    assert how.code == 0, how.said
                    is_over = True
        assert place.file.read_bytes() == result
        assert place.backup.read_bytes() == original
        # A test that is given up as it ends has said so in the log, and to nobody else.
        given_up = 0 if jobs == 1 else usual.total() // 10
        again = witness.asked_again(usual)
        assert len(again) <= 4 * given_up, again
        assert not place.others()


@pytest.mark.slow
@pytest.mark.parametrize("rounds", slow_but([2], [2, 12]))
def test_a_run_that_is_killed_while_it_makes_its_journal_can_begin_again(
    tmp_path: Path, rounds: int
) -> None:
    test = script(tmp_path / "test", has("needle"))
    for number in range(rounds):
        place = Place(tmp_path / f"round {number}", text("needle", lines=5))
        with killed_at_last(place.start("-j1", test, place.name)) as process:
            seen = place.journal if number % 2 else place.journal.with_name("case.txt.journal-wal")
            until(seen.exists, "a journal")
            kill(process)
        assert place.file.read_bytes() == place.original
        how = place.run("-j1", test, place.name)
        assert how.code == 0, how.said
        assert place.file.read_bytes() == b"needle\n"


@pytest.mark.slow
def test_a_test_that_a_killed_run_has_left_is_ended_by_the_next_run(tmp_path: Path) -> None:
    place = Place(tmp_path / "there", text("needle", lines=5))
    seen = tmp_path / "seen"
    nap = unique_nap()
    waits = f"test -e '{seen}' || {{ (setsid sleep {nap} &); : >'{seen}'; exec sleep {nap}; }}"
    test = script(tmp_path / "test", f"{waits}\n{has('needle')}")
    with killed_at_last(place.start("-j1", test, place.name)) as process:
        until(lambda: len(processes(nap)) == 2, "the first test")
        kill_with_agents(process)
    left = processes(nap)  # some, unless another run that begins just now has found them
    assert place.run("-j1", test, place.name).code == 0
    assert not left & processes(nap)
    assert place.file.read_bytes() == b"needle\n"


@pytest.mark.slow
def test_a_resumed_run_never_puts_a_larger_case_back(tmp_path: Path) -> None:
    place = Place(tmp_path / "there", text(*WORDS, lines=60))
    log = tmp_path / "log"
    test = logging(tmp_path / "test", log, has(*WORDS))
    assert place.run("-j1", "--max-tests", "150", test, place.name).code == 3
    before = len(place.file.read_bytes())
    assert before < len(place.original)
    assert place.run("-j1", "--max-tests", "20", test, place.name).code == 3
    assert len(place.file.read_bytes()) <= before


KILLED_AT_A_WRITE = """
import os, signal, sys
from pathlib import Path
from wynot.cli.main import main

folder, most, *arguments = sys.argv[1:]
count = 0

def counted(real):
    def call(*paths, **options):
        global count
        within = options.get("dst_dir_fd", options.get("dir_fd"))
        parent = Path(paths[-1]).parent if within is None else Path(f"/proc/self/fd/{within}")
        count += parent.resolve() == Path(folder)
        if count == int(most):
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*paths, **options)
    return call

os.replace, os.unlink = counted(os.replace), counted(os.unlink)
main(arguments)
"""


@pytest.mark.slow
@pytest.mark.parametrize(("out", "most"), [((), 6), (("-o", "out"), 2)])
def test_a_folder_that_was_written_in_part_is_gone_on_with(
    tmp_path: Path, out: tuple[str, ...], most: int
) -> None:
    case = tmp_path / "case"
    case.mkdir()
    for number in range(6):
        (case / f"{number}.txt").write_bytes(b"one\ntwo %d\nthree\n" % number)
    test = tmp_path / "test.sh"
    test.write_text("#!/bin/sh\ncat case/[0-3].txt | grep -c two | grep -q 4\n")
    test.chmod(0o755)
    command = ["reduce", "--json", *out, "test.sh", "case"]
    place = tmp_path / ("out" if out else "case")
    argv = [sys.executable, "-c", KILLED_AT_A_WRITE, str(place), str(most), *command]
    killed = subprocess.run(argv, cwd=tmp_path, capture_output=True, check=False)  # noqa: S603
    assert killed.returncode == -signal.SIGKILL
    argv = [sys.executable, "-m", "wynot", *command]
    again = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, check=False)  # noqa: S603
    assert again.returncode == 0, again.stderr
    events = [json.loads(line) for line in again.stdout.splitlines()]
    assert not [event for event in events if event.get("slug") == "fresh"]
    assert sorted(path.name for path in place.iterdir()) == [f"{n}.txt" for n in range(4)]
    assert {path.read_bytes() for path in place.iterdir()} == {b"two\n"}
    kept = case if out else tmp_path / "case.orig"
    assert (kept / "5.txt").read_bytes() == b"one\ntwo 5\nthree\n"
    assert not (tmp_path / "case.orig.1").exists()
