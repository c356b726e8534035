"""The main job, in this process: how it ends, and what it says."""

from math import inf
from pathlib import Path
from typing import Any

import pytest

from tiers import slow_after
from wynot.commands.reduce_options import ReduceOptions
from wynot.core.errors import (
    AlwaysInteresting,
    ChangedUnderneath,
    Interrupted,
    NotInteresting,
    OnlyInPlace,
    Unreliable,
    WynotError,
)
from wynot.core.events import (
    Accepted,
    Event,
    Noticed,
    PassStarted,
    ReductionEnded,
    ReductionStarted,
)
from wynot.reduction import best
from wynot.reduction.job import Reduce

TEXT = "".join(f"line {number}\n" for number in range(30))
NEEDLE = "grep -q 'line 17' f"


class Run:
    """A reduction of one file in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "f"
        self.path.write_text(TEXT)
        self.events: list[Event] = []

    def __call__(self, shell: str, **options: Any) -> ReductionEnded:
        given = ReduceOptions(files=[str(self.path)], shell=shell, **{"jobs": 1, **options})
        return Reduce(given, self.observe).run()

    def observe(self, event: Event) -> None:
        self.events.append(event)

    @property
    def noticed(self) -> str:
        return "\n".join(each.message for each in self.events if isinstance(each, Noticed))


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(tmp_path)


def every(count: int, log: Path) -> str:
    """Return a line of shell that says no every so many times, whatever it is asked."""
    return f"echo >> {log}; [ $(($(wc -l < {log}) % {count})) != 0 ] && {NEEDLE}"


@pytest.mark.parametrize(
    ("atoms", "proved"),
    [("auto", {"nodes", "tokens", "characters"}), ("chars", {"lines", "tokens", "characters"})],
)
def test_it_tells_of_each_stage_in_order(run: Run, atoms: str, proved: set[str]) -> None:
    ended = run(NEEDLE, atoms=atoms)
    assert (ended.stopped, run.path.read_text()) == ("finished", "line 17\n")
    assert set(ended.minimal) == proved
    kinds = [type(event) for event in run.events]
    assert (
        kinds.index(ReductionStarted)
        < kinds.index(PassStarted)
        < kinds.index(Accepted)
        < kinds.index(ReductionEnded)
    )
    assert kinds[-1] is ReductionEnded


@pytest.mark.slow
@pytest.mark.parametrize("count", slow_after(1, [3, 4]))
def test_a_test_that_now_and_then_says_no_is_noticed_and_borne(
    run: Run, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # However busy the machine is, its result is asked about often enough.
    monkeypatch.setattr(best, "QUICK_SECONDS", inf)
    log = run.path.with_name("log")
    ended = run(every(count, log))
    assert ended.stopped == "finished"
    assert "17" in run.path.read_text()
    assert "not reliable" in run.noticed
    assert "on the result" in run.noticed


@pytest.mark.slow
def test_a_test_that_turns_against_its_result_is_not_believed(run: Run) -> None:
    # Of short files it says yes the first time, and no when it is asked again.
    asked = run.path.with_name("asked")
    asked.mkdir()
    again = f"n={asked}/$(cksum < f | tr -d ' '); [ -e $n ] && exit 1; touch $n; true"
    ended = run(f"{NEEDLE} || {{ [ $(wc -c < f) -lt 60 ] && {again}; }}")
    assert ended.stopped == "finished"
    assert "line 17" in run.path.read_text()
    assert "not reliable" in run.noticed


def test_what_shows_too_rarely_is_refused(run: Run) -> None:
    log = run.path.with_name("log")
    with pytest.raises(Unreliable, match="of 20 runs"):
        run(f"echo >> {log}; [ $(($(wc -l < {log}) % 15)) = 2 ]")


@pytest.mark.parametrize(
    ("shell", "error"),
    [
        ("false", NotInteresting),
        ("true", AlwaysInteresting),
        (f"[ -e beside ] && {NEEDLE}", OnlyInPlace),
    ],
)
def test_a_test_that_is_no_good_leaves_nothing_behind(
    run: Run, shell: str, error: type[WynotError]
) -> None:
    run.path.with_name("beside").touch()
    with pytest.raises(error):
        run(shell)
    assert sorted(path.name for path in run.path.parent.iterdir()) == ["beside", "f"]


@pytest.mark.parametrize(
    ("script", "hint"),
    [
        ("exit 3", "it fails like this on any input"),
        ("[ -e beside ] && exit 4; exit 3", "where the file is, it does not fail like this"),
    ],
)
def test_what_fails_anyway_is_held_against_a_run_where_the_file_is(
    run: Run, script: str, hint: str
) -> None:
    """What the first run has shown is what both are judged by."""
    run.path.with_name("beside").touch()
    options = ReduceOptions(files=[str(run.path)], command=("sh", "-c", script, "sh", "{}"))
    with pytest.raises(AlwaysInteresting) as caught:
        Reduce(options, run.observe).run()
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    ("options", "stopped"),
    [
        ({"target_size": 100}, "target-size"),
        ({"patience": 3}, "patience"),
        ({"max_tests": 3}, "max-tests"),
        ({"max_time": 0}, "max-time"),
    ],
)
def test_budgets_end_it_early_and_the_best_case_is_in_place(
    run: Run, options: dict[str, Any], stopped: str
) -> None:
    assert run(NEEDLE, **options).stopped == stopped
    assert "line 17" in run.path.read_text()


def test_an_interruption_leaves_the_best_case_and_the_same_again_goes_on(run: Run) -> None:
    class Impatient(Run):
        def observe(self, event: Event) -> None:
            super().observe(event)
            if isinstance(event, Accepted) and event.number == 3:
                raise KeyboardInterrupt

    impatient = Impatient(run.path.parent)
    with pytest.raises(Interrupted) as caught:
        impatient(NEEDLE)
    assert isinstance(caught.value.result, ReductionEnded)
    left = run.path.read_text()
    assert "line 17" in left
    assert len(left) < len(TEXT)
    assert run(NEEDLE).stopped == "finished"
    [began] = [event for event in run.events if isinstance(event, ReductionStarted)]
    assert began.known > 0
    assert run.path.with_name("f.orig").read_text() == TEXT


def test_a_change_by_someone_else_is_not_overwritten(run: Run) -> None:
    class Meddling(Run):
        def observe(self, event: Event) -> None:
            super().observe(event)
            if isinstance(event, PassStarted) and event.name == "tokens":
                self.path.write_text("mine")

    meddling = Meddling(run.path.parent)
    with pytest.raises(ChangedUnderneath):
        meddling(NEEDLE)
    assert run.path.read_text() == "mine"
    assert "line 17" in run.path.with_name("f.reduced").read_text()


def test_an_error_of_ours_puts_the_best_case_in_place_all_the_same(run: Run) -> None:
    class Broken(Run):
        def observe(self, event: Event) -> None:
            if isinstance(event, Accepted) and event.number == 2:
                raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Broken(run.path.parent)(NEEDLE)
    assert len(run.path.read_text()) < len(TEXT)


def test_side_finds_and_what_is_kept(run: Run) -> None:
    run(f"{NEEDLE} || exit 101", also_interesting=[101], keep=["^line 3$"])
    assert "a side find" in run.noticed
    assert "line 3\n" in run.path.read_text()
