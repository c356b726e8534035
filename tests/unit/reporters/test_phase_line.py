"""What is said of a silence: when, and in which words."""

import io
from threading import Event as Flag
from threading import RLock

import pytest

from unit.reporters.story import BEGAN, HOSTILE, Broken, Clock, Terminal, asked
from wynot.core.events import Doing, Event, InquiryStarted, LevelStarted, Noticed
from wynot.document.text_width import cells
from wynot.reporters.inquiry_lines import InquiryLines
from wynot.reporters.live import Live
from wynot.reporters.outlet import Outlet
from wynot.reporters.phase_line import PhaseLine, in_a_row, in_a_sentence, phase_reporter
from wynot.reporters.plain import Plain
from wynot.reporters.reporter import JsonLines, Reporter, Silent, ticking

FIRST = Doing("the first run of the test", "--timeout TIME sets the limit", 300.0)
WIPE = "\r\x1b[K"


@pytest.fixture(autouse=True)
def _terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")


def said_at(seconds: list[float], doing: Doing = FIRST) -> list[str]:
    """Return what is written to a pipe if it is looked at these times."""
    clock, stream = Clock(), io.StringIO()
    phase_line = PhaseLine(Outlet(stream), RLock(), clock, over=True)
    phase_line.handle(doing)
    for each in seconds:
        clock.now = 100.0 + each
        phase_line.look()
    return stream.getvalue().splitlines()


def test_nothing_is_said_within_a_second() -> None:
    assert said_at([0.0, 0.5, 0.9]) == []


def test_a_pipe_is_told_after_a_second_and_then_ever_more_rarely() -> None:
    assert said_at([1.0]) == [
        "wynot: the first run of the test has taken 1.0 s; it may take up to 300 s",
        "       (--timeout TIME sets the limit; Ctrl-C stops)",
    ]
    times = [each / 4 for each in range(4 * 185)]
    heads = [line for line in said_at(times) if line.startswith("wynot: ")]
    assert [line.partition("taken ")[2].partition(";")[0] for line in heads] == [
        *("1.0 s", "10 s", "30 s"),
        *("1 min 00 s", "2 min 00 s", "3 min 00 s"),
    ]


def test_what_can_be_counted_is() -> None:
    assert said_at([2.0], Doing("looking for a variant", done=40, of=1_000)) == [
        "wynot: looking for a variant has taken 2.0 s, 40 of 1,000 done (Ctrl-C stops)"
    ]


def test_the_same_phase_goes_on_when_its_count_changes() -> None:
    clock, stream = Clock(), io.StringIO()
    phase_line = PhaseLine(Outlet(stream), RLock(), clock, over=True)
    for done in range(8):
        phase_line.handle(Doing("looking", done=done, of=8))
        clock.now += 0.25
        phase_line.look()
    assert stream.getvalue().splitlines() == [
        "wynot: looking has taken 1.0 s, 3 of 8 done (Ctrl-C stops)"
    ]


@pytest.mark.parametrize("event", [Doing(""), BEGAN, asked(), LevelStarted("cause", "hunks", 2)])
def test_what_has_ended_is_not_told_of(event: Event) -> None:
    clock, stream = Clock(), io.StringIO()
    phase_line = PhaseLine(Outlet(stream), RLock(), clock, over=True)
    phase_line.handle(FIRST)
    phase_line.handle(event)
    clock.now += 60
    phase_line.look()
    assert stream.getvalue() == ""


def test_on_a_terminal_the_line_is_written_over_and_goes() -> None:
    clock, stream = Clock(), Terminal()
    phase_line = PhaseLine(Outlet(stream), RLock(), clock, over=True)
    phase_line.handle(FIRST)
    for _ in range(2):
        clock.now += 1
        phase_line.look()
    phase_line.close()
    row = (
        "first run of the test · {} of at most 300 s · --timeout TIME sets the limit · Ctrl-C stops"
    )
    assert stream.getvalue() == (f"{WIPE}{row.format('1.0 s')}{WIPE}{row.format('2.0 s')}{WIPE}")


@pytest.mark.parametrize("room", [1, 10, 40, 60, 79])
def test_a_line_that_is_written_over_is_never_longer_than_the_terminal(room: int) -> None:
    for doing in (FIRST, Doing(HOSTILE * 9, HOSTILE, 1.0)):
        row = in_a_row(doing, 1e9, room)
        assert cells(row) <= room


def every(clock: Clock, stream: io.StringIO) -> list[Reporter]:
    return [
        Plain(stream, clock),
        Live(stream, clock),
        InquiryLines(stream, clock),
        phase_reporter(stream, clock),
    ]


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("kind", [io.StringIO, Terminal])
def test_whoever_tells_says_what_takes_long(number: int, kind: type[io.StringIO]) -> None:
    clock, stream = Clock(), kind()
    reporter = every(clock, stream)[number]
    reporter.handle(FIRST)
    clock.now += 1.5
    reporter.look()
    reporter.close()
    assert "first run of the test" in stream.getvalue()
    assert stream.getvalue().endswith(("\n", WIPE))


@pytest.mark.parametrize("number", range(3))
def test_a_notice_does_not_land_in_the_line(number: int) -> None:
    clock, stream = Clock(), Terminal()
    reporter = every(clock, stream)[number]
    reporter.handle(FIRST)
    clock.now += 1.5
    reporter.look()
    before = stream.getvalue()
    reporter.handle(Noticed("slug", "hear"))
    assert stream.getvalue()[len(before) :].removeprefix(WIPE) == "wynot: hear [slug]\n"
    assert before.endswith("\n") or stream.getvalue()[len(before) :].startswith(WIPE)


def test_quiet_is_quiet() -> None:
    clock = Clock()
    streams = io.StringIO(), io.StringIO()
    reporters: list[Reporter] = [Silent(streams[0]), InquiryLines(streams[1], clock, quiet=True)]
    for stream, reporter in zip(streams, reporters, strict=True):
        reporter.handle(FIRST)
        clock.now += 60
        reporter.look()
        reporter.close()
        assert stream.getvalue() == ""


def test_programs_are_told_at_once() -> None:
    stream = io.StringIO()
    JsonLines(stream, Clock()).handle(FIRST)
    assert '"event": "doing"' in stream.getvalue()
    assert '"longest": 300.0' in stream.getvalue()


def test_an_inquiry_gives_signs_of_life_though_no_test_ends() -> None:
    clock, stream = Clock(), io.StringIO()
    shown = InquiryLines(stream, clock)
    shown.handle(InquiryStarted("2 hunks", 1, "it fails", 40.0, 0))
    shown.handle(LevelStarted("cause", "hunks", 2))
    before = len(stream.getvalue().splitlines())
    for _ in range(4 * 70):
        clock.now += 0.25
        shown.look()
    lines = stream.getvalue().splitlines()[before:]
    assert [line.split()[:2] for line in lines] == [["30", "s"], ["1", "min"]]


def test_lines_give_signs_of_life_though_no_test_ends() -> None:
    clock, stream = Clock(), io.StringIO()
    plain = Plain(stream, clock)
    plain.handle(BEGAN)
    before = len(stream.getvalue().splitlines())
    for _ in range(4 * 21):
        clock.now += 0.25
        plain.look()
    assert len(stream.getvalue().splitlines()) - before == 2


def test_somebody_looks_at_the_clock_until_the_end() -> None:
    looked = Flag()

    class Looking(Silent):
        closed = False

        def look(self) -> None:
            assert not self.closed
            looked.set()

        def close(self) -> None:
            self.closed = True

    reporter = Looking(io.StringIO())
    with ticking(reporter):
        assert looked.wait(60)
    assert reporter.closed


def test_nobody_looks_and_nothing_happens() -> None:
    clock = Clock()
    broken = phase_reporter(Broken(BrokenPipeError()), clock)
    broken.handle(FIRST)
    clock.now += 2
    broken.look()
    broken.close()


def test_the_limit_of_one_run_is_not_said_of_several_that_have_taken_longer() -> None:
    several = Doing("asking again", longest=0.5)
    assert in_a_sentence(several, 1.1) == "wynot: asking again has taken 1.1 s (Ctrl-C stops)"
    assert in_a_row(several, 1.1, 80) == "asking again · 1.1 s · Ctrl-C stops"
