"""Lines for a log, to the letter."""

import io

import pytest

from unit.reporters.story import (
    BEGAN,
    ENDED,
    EVERY,
    HOSTILE,
    Broken,
    Clock,
    Terminal,
    asked,
    from_threads,
    ran,
)
from wynot.core.events import Accepted, Noticed, PassEnded, PassStarted
from wynot.core.verdict import Verdict
from wynot.document.text_width import cells
from wynot.reporters.plain import Plain


def test_a_run_to_the_letter() -> None:
    clock, stream = Clock(), io.StringIO()
    plain = Plain(stream, clock)
    plain.handle(BEGAN._replace(known=1_204))
    plain.handle(PassStarted("blocks", 40, 1))
    clock.now += 0.4
    plain.handle(Accepted(1, 16_344, 2, "blocks", "r1/c1"))
    clock.now += 0.5
    plain.handle(Accepted(2, 12_000, 5, "blocks", "r1/c2"))  # too soon for another line
    clock.now += 0.6
    plain.handle(Accepted(3, 11_441, 14, "blocks", "r2/c1"))
    plain.handle(PassEnded("blocks", 11_441, 14, minimal=True))
    plain.handle(Noticed("slow-test", "a test took 2.1 s, 55 times as long\nhint: --timeout"))
    plain.handle(PassStarted("lines", 1_204, 2))
    for _ in range(340):
        clock.now += 0.0625
        plain.handle(ran())
        plain.handle(asked())
    plain.handle(PassEnded("lines", 11_441, 340, minimal=True))  # it changed nothing
    plain.handle(ENDED)
    plain.close()
    plain.close()
    assert stream.getvalue() == (
        "wynot: reducing prog.c, 32,689 bytes; 2 tests at a time, 38 ms each\n"
        "wynot: keeps: killed by SIGSEGV\n"
        "wynot: 1,204 verdicts of an earlier run known already\n"
        "      time       bytes   of all    tests  pass\n"
        "     0.4 s      16,344   50.0 %        2  blocks\n"
        "     1.5 s      11,441   35.0 %       14  blocks\n"
        "     1.5 s      11,441   35.0 %       14  blocks done: 21,248 bytes less\n"
        "wynot: a test took 2.1 s, 55 times as long [slow-test]\n"
        "       hint: --timeout\n"
        "      11 s      11,441   35.0 %      173  lines, loop 2: 1 of 10 parts asked\n"
        "      21 s      11,441   35.0 %      333  lines, loop 2: 1 of 10 parts asked\n"
        "\n"
        "prog.c: 32,689 → 116 bytes (99.6 % smaller) in 1,126 tests, 41 s.\n"
        "No single line, token or character can be left out: each was tried (1-minimal).\n"
        "result    prog.c\n"
        "original  prog.c.orig\n"
    )


def test_a_sign_of_life_does_not_deny_progress() -> None:
    clock, stream = Clock(), io.StringIO()
    plain = Plain(stream, clock, every=2.0)
    plain.handle(BEGAN)
    clock.now += 3
    plain.handle(ran())
    clock.now += 1
    plain.handle(Accepted(1, 20_000, 2, "lines", "c"))
    clock.now += 0.5
    plain.handle(Accepted(2, 10_000, 3, "lines", "c"))
    clock.now += 1.5
    plain.handle(asked(Verdict.UNRESOLVED))
    assert stream.getvalue().splitlines()[3:] == [
        "     3.0 s      32,689    100 %        0  no pass yet: no progress for 3.0 s",
        "     4.0 s      20,000   61.2 %        2  lines",
        "     6.0 s      10,000   30.6 %        4  no pass yet",
    ]


def test_a_pass_may_make_it_larger() -> None:
    stream = io.StringIO()
    plain = Plain(stream, Clock())
    for event in (
        BEGAN,
        PassStarted("format", 1, 1),
        PassEnded("format", 32_690, 1, minimal=False),
    ):
        plain.handle(event)
    assert stream.getvalue().endswith("  format done: 1 byte more\n")


def test_notices_before_the_beginning_are_said() -> None:
    stream = io.StringIO()
    Plain(stream, Clock()).handle(Noticed("slug", ""))
    assert stream.getvalue() == "wynot: [slug]\n"


def test_an_end_without_a_beginning() -> None:
    stream = io.StringIO()
    plain = Plain(stream, Clock())
    plain.handle(ran())
    plain.handle(ENDED._replace(stopped="unreliable"))
    assert stream.getvalue().startswith("\nNothing was reduced")


def test_colours_are_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    pipe = io.StringIO()
    for stream in (terminal, pipe):
        plain = Plain(stream, Clock())
        for event in EVERY:
            plain.handle(event)
    assert "\x1b[1m" in terminal.getvalue()
    assert "\x1b" not in pipe.getvalue()
    assert "\r" not in terminal.getvalue()


def test_hostile_names_do_not_break_lines() -> None:
    stream = io.StringIO()
    clock = Clock()
    plain = Plain(stream, clock)
    plain.handle(BEGAN._replace(names=(HOSTILE * 9,), keeps=HOSTILE * 99))
    plain.handle(PassStarted(HOSTILE * 9, 3, 7))
    plain.handle(Accepted(1, 10**12, 10**12, HOSTILE * 9, HOSTILE))
    clock.now += 1e9
    plain.handle(ran())
    plain.handle(PassEnded(HOSTILE * 9, 5, 1, minimal=False))
    plain.handle(Noticed(HOSTILE, HOSTILE * 9))
    lines = stream.getvalue().splitlines()
    assert all(line.isprintable() for line in lines)
    rows = [line for line in lines if "wynot" not in line and not line.startswith("       ")]
    assert len(rows) == 4
    assert all(cells(row) <= 80 for row in rows)


def test_nobody_reads_and_nothing_happens() -> None:
    stream = Broken(BrokenPipeError())
    plain = Plain(stream, Clock())
    for event in EVERY:
        plain.handle(event)
    assert stream.tries == 1


def test_thousands_of_events_a_second_are_a_few_lines() -> None:
    clock, stream = Clock(), io.StringIO()
    plain = Plain(stream, clock)
    plain.handle(BEGAN)
    plain.handle(PassStarted("lines", 10, 1))
    event = asked()
    for number in range(20_000):
        clock.now += 1 / 4096
        plain.handle(ran())
        plain.handle(event)
        plain.handle(Accepted(number, 30_000 - number, number, "lines", "c"))
    assert stream.getvalue().count("\n") <= 9


def test_tests_that_end_in_many_threads_are_all_counted() -> None:
    clock, stream = Clock(), io.StringIO()
    plain = Plain(stream, clock, every=0.0)
    plain.handle(BEGAN)
    from_threads(plain, ran(), threads=8, times=500)
    lines = stream.getvalue().splitlines()[3:]
    assert len(lines) == 4_000
    assert {line.endswith("no pass yet: no progress for 0.0 s") for line in lines} == {True}
