"""What the live view shows."""

import io
from threading import RLock

import pytest
from rich.cells import cell_len
from rich.console import Console

from unit.reporters.story import BEGAN, HOSTILE, Clock, asked, ran
from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.events import (
    Accepted,
    CandidateJudged,
    Doing,
    Event,
    Noticed,
    PassStarted,
    SessionStarted,
)
from wynot.core.verdict import Verdict
from wynot.reporters.panel import ACCENT, ALARM, Panel
from wynot.reporters.run_figures import RunFigures


def drawn(progress: RunFigures, width: int = 80, height: int = 24) -> list[str]:
    console = Console(
        file=io.StringIO(), width=width, height=height, record=True, markup=False, emoji=False
    )
    console.print(Panel(progress, RLock()))
    return console.export_text().splitlines()


def halfway() -> tuple[Clock, RunFigures]:
    clock = Clock()
    progress = RunFigures(clock)
    base = Deltas((0, 100, 150, 200))
    events: list[Event] = [BEGAN, PassStarted("lines", 400, 2), SessionStarted(400, 2)]
    for event in events:
        progress.fold(event)
    for number in range(1, 161):
        clock.now += 0.0625
        progress.fold(ran(0.1))
        if number % 32:
            verdict = Verdict.UNRESOLVED if number % 8 == 0 else Verdict.UNINTERESTING
            progress.fold(asked(verdict, base=base, start=96, stop=112, from_memo=number % 4 == 1))
        else:
            progress.fold(asked(Verdict.INTERESTING, base=base))
            progress.fold(Accepted(number // 32, 32_689 >> number // 16, 0, "lines", "c"))
    clock.now += 0.5
    progress.fold(asked(base=base, start=96, stop=112))
    progress.fold(Noticed("slow-test", "a test took 2.1 s\nhint: --timeout"))
    return clock, progress


def test_a_frame_to_the_letter() -> None:
    _, progress = halfway()
    assert drawn(progress) == [
        "── wynot prog.c ──────────────────────────────────────────────────────── 10 s ──",
        " size     ╸─────────────────  31 bytes · 0.1 % of 32,689",
        "   33 kB  █████████████▂▂▂▂▂▂▂▂▂▂▂▂▂",
        "          ██████████████████████████▄▄▄▄▄▄▄▄▄▄▄▄▄",
        "          ███████████████████████████████████████▆▆▆▆▆▆▆▆▆▆▆▆▆",
        "    20 B  █████████████████████████████████████████████████████████████████▂▂▂▂",
        " pass     lines · 150 of 400 parts · loop 2 · tries without 16",
        "          █████████████████▃        ████████▅",
        " tests    121 · 15/s · 4 % interesting · 12 % unresolved · 40 from memo",
        " workers  ━━━━━━━━━━━━━━╸───  1.6 of 2 busy · 100 ms a test",
        " steps    5 · the last 0.5 s ago · 1 test since",
        " notice   a test took 2.1 s",
    ]


def test_what_hung_has_a_row_as_soon_as_something_has() -> None:
    _, progress = halfway()
    assert not any(row.startswith(" hung") for row in drawn(progress))
    progress.fold(ran(4.0)._replace(timed_out=True))
    assert " hung     1 timed out · 4.0 s each · 20 % of the time" in drawn(progress)


def test_what_takes_long_beside_the_passes_has_a_row_after_a_second() -> None:
    clock, progress = halfway()
    progress.fold(Doing("asking again whether the best case so far fails"))
    assert not any(row.startswith(" now") for row in drawn(progress))
    clock.now += 1.5
    said = " now      asking again whether the best case so far fails · 1.5 s"
    assert said in drawn(progress)
    progress.fold(PassStarted("tokens", 4, 2))
    assert said not in drawn(progress)


def test_what_is_asked_again_is_said_to_be() -> None:
    _, progress = halfway()
    progress.fold(PassStarted("lines", 4, 2, again=True))
    said = " pass     lines · 4 parts · loop 2 · asking again what was cut off early"
    assert said in drawn(progress)


@pytest.mark.parametrize("width", [1, 5, 11, 17, 23, 40, 59, 60, 80, 200])
@pytest.mark.parametrize("height", [3, 15, 24, 60])
def test_it_fits_any_terminal(width: int, height: int) -> None:
    for progress in (halfway()[1], RunFigures(Clock())):
        rows = drawn(progress, width, height)
        assert all(cell_len(row) <= width for row in rows)
        assert len(rows) <= (18 if height >= 40 else 14)
        assert len(rows) <= 10 or height >= 16


def test_a_narrow_terminal_has_the_most_important() -> None:
    clock, progress = halfway()
    clock.now += 20
    rows = drawn(progress, 40)
    assert rows[0] == "── wynot prog.c ──────────────── 30 s ──"
    assert rows[1] == " size     ╸─────  31 bytes · 0.1 %"
    assert rows[6] == " pass     lines · 150 of 400 parts"
    assert rows[8] == " tests    121 · 3/min · 4 % interesting"
    assert rows[9] == " workers  no test has ended for 20 s"
    assert rows[10] == " steps    5 · no progress for 20 s"


def test_a_stall_is_seen() -> None:
    clock, progress = halfway()
    clock.now += 12
    rows = drawn(progress)
    assert " steps    5 · no progress for 12 s · 1 test since" in rows
    assert " workers  no test has ended for 12 s" in rows


def test_slow_tests_are_no_stall() -> None:
    clock = Clock()
    progress = RunFigures(clock)
    progress.fold(BEGAN)
    for _ in range(3):
        clock.now += 30
        progress.fold(ran(30.0))
    clock.now += 29
    assert any("busy · 30 s a test" in row for row in drawn(progress))


def test_before_the_first_test() -> None:
    progress = RunFigures(Clock())
    progress.fold(BEGAN)
    rows = drawn(progress)
    assert " pass     none yet" in rows
    assert " tests    0" in rows
    assert " workers  no test has ended yet" in rows
    assert " steps    0 · 0 tests since" in rows
    progress.fold(PassStarted("lines", 1, 1))
    assert " pass     lines · 1 part · loop 1" in drawn(progress)


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (Edit.keep(Deltas((0, 2))), "tries only 2"),
        (Edit.add(Deltas((5, 6))), "tries with 1"),
        (Edit.drop(Deltas((0, 4))), "tries without 4"),
        (Edit.drop(Deltas(())), "tries without 0"),
    ],
)
def test_what_is_tried(edit: Edit, said: str) -> None:
    progress = RunFigures(Clock())
    for event in (
        PassStarted("lines", 4, 1),
        CandidateJudged(
            Candidate(Deltas.first(4), edit, ""),
            Verdict.UNRESOLVED,
            from_memo=False,
            decided=False,
            iteration=1,
            so_far=None,
        ),
    ):
        progress.fold(event)
    assert any(said in row for row in drawn(progress))


@pytest.mark.parametrize("width", [20, 40, 80, 200])
def test_hostile_text_is_harmless(width: int) -> None:
    progress = RunFigures(Clock())
    progress.fold(BEGAN._replace(names=(HOSTILE * 5, HOSTILE), keeps=HOSTILE))
    progress.fold(PassStarted(HOSTILE * 5, 3, 1))
    for _ in range(5):
        progress.fold(Noticed(HOSTILE, HOSTILE * 5))
    rows = drawn(progress, width)
    assert len(rows) <= 14
    assert all(row.isprintable() and cell_len(row) <= width for row in rows)
    if width == 200:
        assert any(r"[bold red]x[/]\x1b[2J" in row for row in rows)
        assert any(":smile:" in row for row in rows)


def swept(*, left: int | None, stop: int, tests: int) -> RunFigures:
    """Return the figures after so many tests of a pass, half a second each."""
    clock = Clock()
    progress = RunFigures(clock)
    progress.fold(BEGAN)
    progress.fold(PassStarted("lines", 400, 1))
    for number in range(tests):
        clock.now += 0.5
        progress.fold(ran(0.5))
        progress.fold(asked(stop=stop)._replace(left=left and left - number))
    return progress


@pytest.mark.parametrize(
    ("left", "stop", "tests", "said"),
    [
        (105, 1, 6, " left     at most 100 questions · 50 s · if nothing more goes"),
        (105, 4, 6, " left     at most 100 questions · 50 s · then finer ones"),
        (2, 1, 2, " left     at most 1 question · if nothing more goes"),
        (None, 1, 6, None),
        (6, 1, 7, None),
    ],
    ids=["single", "chunks", "no basis", "no telling", "nothing left"],
)
def test_what_is_left_is_said_if_it_is_known(
    left: int | None, stop: int, tests: int, said: str | None
) -> None:
    rows = [row for row in drawn(swept(left=left, stop=stop, tests=tests)) if "left" in row]
    assert rows == ([] if said is None else [said])


def test_the_pace_is_that_of_the_present_pass() -> None:
    progress = swept(left=105, stop=1, tests=6)
    progress.fold(PassStarted("tokens", 400, 1))
    progress.fold(asked()._replace(left=30))
    assert " left     at most 30 questions · if nothing more goes" in drawn(progress)


def test_the_first_test_of_a_pass_may_take_long() -> None:
    clock = Clock()
    progress = RunFigures(clock)
    for event in (BEGAN, PassStarted("lines", 400, 1), ran(0.5), PassStarted("tokens", 400, 1)):
        clock.now += 1
        progress.fold(event)
    clock.now += 60
    assert " workers  no test has ended for 1 min 01 s" in drawn(progress)


PALETTES = {
    "xterm": {"red": (205, 0, 0), "magenta": (205, 0, 205)},
    "VGA": {"red": (170, 0, 0), "magenta": (170, 0, 170)},
    "Tango": {"red": (204, 0, 0), "magenta": (117, 80, 123)},
}


@pytest.mark.parametrize("palette", PALETTES)
@pytest.mark.parametrize("ground", [0.0, 1.0], ids=["black", "white"])
def test_colours_can_be_told_from_any_ground(palette: str, ground: float) -> None:
    for style in (ACCENT, ALARM):
        light = luminance(PALETTES[palette][style])
        contrast = (max(light, ground) + 0.05) / (min(light, ground) + 0.05)
        assert contrast > 2.6  # cyan, green and yellow have less than 2.2 on white


def luminance(colour: tuple[int, int, int]) -> float:
    """Return how light a colour is, as the guidelines for accessible pages reckon it."""
    parts = [part / 255 for part in colour]
    linear = [part / 12.92 if part <= 0.04 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
