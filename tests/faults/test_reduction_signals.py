"""Ctrl-C and its like, at any moment: the best case is in place, and the next run goes on."""

import random
import signal
import subprocess
from pathlib import Path

import pytest

from faults.scripts import (
    Place,
    begun,
    digest,
    finish,
    has,
    interesting,
    kill,
    killed_at_last,
    logging,
    processes,
    read,
    script,
    size,
    text,
    unique_nap,
    until,
)
from tiers import slow_but

WORDS = ("needle", "thread", "button", "ribbon", "thimble", "scissors")
CODES = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 143}


@pytest.mark.slow
@pytest.mark.parametrize("most", slow_but([2], [2, 5]))
@pytest.mark.parametrize("jobs", slow_but([2], [1, 2]))
@pytest.mark.parametrize("number", slow_but([signal.SIGTERM], CODES))
def test_a_signal_at_any_moment_leaves_the_best_case_and_the_next_run_goes_on(
    tmp_path: Path, number: signal.Signals, jobs: int, most: int
) -> None:
    original = text(*WORDS, lines=60)
    log = tmp_path / "log"
    test = logging(tmp_path / "test", log, has(*WORDS))
    whole = Place(tmp_path / "whole", original)
    assert whole.run(f"-j{jobs}", test, whole.name).code == 0
    result = whole.file.read_bytes()
    log.unlink()
    place = Place(tmp_path / "there", original)
    chance = random.Random(f"{number} {jobs}")
    for _ in range(most):
        start, after = size(log), chance.randint(6, 80)
        with killed_at_last(place.start(f"-j{jobs}", test, place.name)) as process:
            _wait_for_tests(process, log, start, after)
            if process.poll() is not None:
                break
            how = kill(process, number)
        if how.code == 0:  # it had just ended
            break
        assert how.code == CODES[number], how.said
        assert "Traceback" not in how.err
        assert "nterrupted" in how.said
        assert digest(place.file.read_bytes()) in interesting(read(log))
        assert place.backup.read_bytes() == original
        assert not processes(test)
        assert not any(line.root.exists() for line in read(log, start))
    how = place.run(f"-j{jobs}", test, place.name)
    assert how.code == 0, how.said
    assert place.file.read_bytes() == result
    assert place.backup.read_bytes() == original
    assert not place.others()


def _wait_for_tests(process: "subprocess.Popen[str]", log: Path, start: int, after: int) -> None:
    until(lambda: process.poll() is not None or begun(log, start) >= after, "so many tests")


@pytest.mark.slow
@pytest.mark.parametrize("number", slow_but([signal.SIGINT], CODES))
def test_a_signal_in_a_test_that_hangs_is_obeyed_at_once(
    tmp_path: Path, number: signal.Signals
) -> None:
    seen = tmp_path / "seen"
    # The original and the empty case are checked first; then it hangs on whatever is smaller.
    hangs = f'test $(wc -c <"$1") -gt 400 -o ! -s "$1" || {{ : >{seen}; sleep 2345.6; }}'
    test = script(tmp_path / "test", f"{hangs}\n{has('needle')}")
    for attempt in range(5):  # a signal that comes just before a wait must not be lost
        place = Place(tmp_path / f"attempt {attempt}", text("needle", lines=30))
        with killed_at_last(place.start("-j2", test, place.name)) as process:
            until(seen.exists, "a test that hangs")
            how = kill(process, number)
        assert how.code == CODES[number]
        assert not processes(test)
        assert b"needle" in place.file.read_bytes()
        seen.unlink()


@pytest.mark.slow
@pytest.mark.parametrize("number", slow_but([signal.SIGHUP], CODES))
def test_a_signal_while_the_original_is_checked_leaves_everything_as_it_was(
    tmp_path: Path, number: signal.Signals
) -> None:
    place = Place(tmp_path / "there", text("needle", lines=30))
    seen = tmp_path / "seen"
    nap = unique_nap()
    test = script(tmp_path / "test", f": >{seen}; sleep {nap}")
    with killed_at_last(place.start("-j1", test, place.name)) as process:
        until(seen.exists, "the first test")
        how = kill(process, number)
    assert how.code == CODES[number]
    assert "Traceback" not in how.err
    assert not processes(nap)
    assert place.file.read_bytes() == place.original
    script(test, has("needle"))
    assert finish(place.start("-j1", test, place.name)).code == 0
    assert place.file.read_bytes() == b"needle\n"


def test_an_interrupted_run_says_how_to_go_on(tmp_path: Path) -> None:
    log = tmp_path / "log"
    test = logging(tmp_path / "test", log, has(*WORDS))
    place = Place(tmp_path / "there", text(*WORDS, lines=60))
    with killed_at_last(place.start("-j1", test, place.name)) as process:
        _wait_for_tests(process, log, 0, 20)
        how = kill(process, signal.SIGINT)
    assert how.code == 130
    assert "The same command continues" in how.said, how.said
