"""A kill at any moment loses the tests then running, and nothing else."""

import random
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from faults.scripts import (
    Place,
    digest,
    ended,
    finish,
    has,
    interesting,
    kill,
    killed_at_last,
    logging,
    processes,
    read,
    size,
    soon,
    text,
    until,
)

WORDS = ("needle", "thread", "button", "ribbon", "thimble", "scissors")
KILLS = 13
"""In each of four parts: 52 for each width."""


def begun(log: Path, start: int) -> int:
    return sum(line.what == "begin" for line in read(log, start))


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
        there was no time to write that down. Its script may have lived on for a while.
        """
        lines = read(self.log)
        last = {line.folder: line.digest for line in lines if line.what == "begin"}
        excused = Counter(
            each for folder, each in last.items() if Path(folder).parents[1] in self.roots
        )
        asked = ended(lines)
        allowed = {each: max(usual[each], 1) + excused[each] for each in asked}
        again = {each for each, count in asked.items() if count > allowed[each]}
        return [
            f"{line.what} {line.digest[:6]} {line.folder[-20:]}"
            for line in lines
            if line.digest in again
        ]


@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_run_that_is_killed_again_and_again_comes_to_the_same_end(
    tmp_path: Path, jobs: int, part: int
) -> None:
    original = text(*WORDS, lines=80)
    log = tmp_path / "log"
    test = logging(tmp_path / "test", log, has(*WORDS))
    whole = Place(tmp_path / "whole", original)
    assert whole.run(f"-j{jobs}", test, whole.name).code == 0
    result, usual = whole.file.read_bytes(), ended(read(log))
    assert usual.total() > 200

    chance = random.Random(f"{jobs} {part}")
    kills, rounds = 0, 0
    while kills < KILLS:
        rounds += 1
        log.unlink()
        place = Place(tmp_path / f"round {rounds}", original)
        witness = Witness(place, log, test, jobs)
        is_over = False
        while not is_over:
            start, after = size(log), chance.randint(0, 200)
            with killed_at_last(witness.start()) as process:
                until(
                    lambda p=process, s=start, n=after: (  # type: ignore[misc]
                        p.poll() is not None or begun(log, s) >= min(n, 1)
                    ),
                    "a first test",
                )
                witness.next_has_begun()
                if kills < KILLS:
                    until(
                        lambda p=process, s=start, n=after: (  # type: ignore[misc]
                            p.poll() is not None or begun(log, s) >= n
                        ),
                        "so many tests",
                    )
                if kills < KILLS and process.poll() is None:
                    kill(process)
                    kills += 1
                    witness.was_killed()
                else:
                    how = finish(process)
                    assert how.code == 0, how.said
                    is_over = True
        assert place.file.read_bytes() == result
        assert place.backup.read_bytes() == original
        assert not witness.asked_again(usual)
        assert not place.others()
