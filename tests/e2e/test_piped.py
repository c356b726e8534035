"""Standard input is reduced, and the result goes to standard output."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from shlex import quote

import pytest

from e2e.programs import LONGEST, NUMBERS, PLAIN, Ran, refused, shell, wynot


@pytest.fixture
def state(numbers: Path) -> Path:
    """Return where input is kept while it is worked on."""
    return numbers / "state" / "wynot" / "stdin"


def environment(folder: Path) -> dict[str, str]:
    return {**os.environ, **PLAIN, "XDG_STATE_HOME": str(folder / "state")}


def piped(folder: Path, *arguments: str, given: bytes = NUMBERS) -> Ran:
    done = subprocess.run(  # noqa: S603 - the command is what is tested
        [sys.executable, "-m", "wynot", "reduce", *arguments],
        cwd=folder,
        env=environment(folder),
        input=given,
        capture_output=True,
        timeout=LONGEST,
        check=False,
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def test_only_the_result_goes_to_standard_output(numbers: Path, state: Path) -> None:
    shell(numbers, 'grep -q 33 "$1"')
    before = sorted(numbers.iterdir())
    ran = piped(numbers, "./test.sh", "-")
    assert ran.code == 0
    assert ran.out.strip() == "33"
    assert "reducing standard input, 141 bytes" in ran.err
    assert "result    standard output\n" in ran.err
    # Nothing is left, here or elsewhere.
    assert sorted(numbers.iterdir()) == sorted([*before, numbers / "state"])
    assert list(state.iterdir()) == []


def test_events_make_room_for_the_result(numbers: Path) -> None:
    ran = piped(numbers, "--json", "--exit", "0", "-", "--", "grep", "33", "{}")
    assert "33" in ran.out
    assert len(ran.out) < 5
    events = [json.loads(line) for line in ran.err.splitlines()]
    assert [event["names"] for event in events if event["event"] == "began"] == [["standard input"]]


def test_it_has_the_suffix_of_its_language_and_may_go_to_a_file(numbers: Path, state: Path) -> None:
    shell(numbers, "grep -q 33 stdin.c")
    ran = piped(numbers, "--language", "c", "./test.sh", "-", "-o", "out.c")
    assert ran.code == 0, ran
    assert "result    out.c\n" in ran.out
    assert (numbers / "out.c").read_text().strip() == "33"
    assert list(state.iterdir()) == []


@pytest.mark.slow
def test_a_run_that_was_stopped_goes_on_with_the_same_input(numbers: Path, state: Path) -> None:
    shell(numbers, 'grep -q 33 "$1"')
    # One at a time: what others run ahead is kept as well.
    first = piped(numbers, "-j", "1", "--max-tests", "2", "./test.sh", "-")
    assert first.code == 3
    assert "33" in first.out.split()
    assert 1 < len(first.out) < len(NUMBERS)
    assert len(list(state.iterdir())) == 1
    again = piped(numbers, "test.sh", "-")
    assert "2 verdicts of an earlier run known already" in again.err
    assert again.out.strip() == "33"
    assert list(state.iterdir()) == []


@pytest.mark.slow
def test_another_question_begins_with_all_of_the_input(numbers: Path) -> None:
    shell(numbers, 'grep -q 33 "$1"')
    assert piped(numbers, "--max-tests", "4", "./test.sh", "-").code == 3
    ran = piped(numbers, "--atoms", "lines", "./test.sh", "-")
    assert "reducing standard input, 141 bytes" in ran.err
    assert ran.out.strip() == "33"


def test_what_cannot_be_reduced_is_kept(numbers: Path, state: Path) -> None:
    ran = piped(numbers, "./test.sh", "-", given=b"only once\n")
    refused(ran, 1, "does not show", "what was read is kept in state/wynot/stdin/")
    assert ran.out == ""
    [kept] = state.rglob("stdin")
    assert kept.read_bytes() == b"only once\n"
    assert kept.parent.stat().st_mode & 0o077 == 0


@pytest.mark.slow
def test_a_result_that_cannot_be_handed_over_is_kept(numbers: Path, state: Path) -> None:
    shell(numbers, 'grep -q 33 "$1"')
    line = f"{quote(sys.executable)} -m wynot reduce ./test.sh - > /dev/full"
    done = subprocess.run(  # noqa: S603 - the command is what is tested
        ["/bin/sh", "-c", line],
        cwd=numbers,
        env=environment(numbers),
        input=NUMBERS,
        capture_output=True,
        timeout=LONGEST,
        check=False,
    )
    assert done.returncode == 4
    [kept] = state.rglob("result/stdin")
    assert kept.read_bytes().strip() == b"33"
    assert f"wynot: the result is kept in {kept.relative_to(numbers)}\n" in done.stderr.decode()
    # It need not be found again.
    assert piped(numbers, "./test.sh", "-").out.strip() == "33"


def test_without_a_place_for_the_result_nothing_is_done(numbers: Path) -> None:
    line = f"{quote(sys.executable)} -m wynot reduce ./test.sh - >&-"
    done = subprocess.run(  # noqa: S603 - the command is what is tested
        ["/bin/sh", "-c", line],
        cwd=numbers,
        input=NUMBERS,
        stderr=subprocess.PIPE,
        timeout=LONGEST,
        check=False,
    )
    assert done.returncode == 2
    assert "standard output is closed" in done.stderr.decode()


def test_ctrl_c_hands_over_the_best_so_far(numbers: Path) -> None:
    # From the third accepted case on it hangs, and says so; then somebody presses Ctrl-C.
    os.mkfifo(numbers / "hung")
    test = f"""
grep -q 33 "$1" || exit 1
[ $(wc -l < "$1") -gt 20 ] && exit 0
[ -s "$1" ] || exit 1
echo > {numbers}/hung
sleep 600
"""
    shell(numbers, test)
    with subprocess.Popen(
        [sys.executable, "-m", "wynot", "reduce", "-j", "1", "--timeout", "600", "./test.sh", "-"],
        cwd=numbers,
        env=environment(numbers),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin
        process.stdin.write(NUMBERS)
        process.stdin.close()
        process.stdin = None
        (numbers / "hung").read_bytes()  # until it hangs
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=LONGEST)
    assert process.returncode == 130, err
    assert b"33" in out.split()
    assert 20 < out.count(b"\n") < 50
    assert b"Interrupted; the best so far is in standard output." in err


def test_other_commands_need_a_file(numbers: Path) -> None:
    refused(wynot(numbers, "check", "./test.sh", "-"), 2, "no file '-'", "only wynot reduce reads")


@pytest.mark.parametrize(
    ("given", "arguments", "words"),
    [
        (b"", ["./test.sh", "-"], ["standard input: 0 bytes"]),
        (b"x", ["./test.sh", "-", "in.txt"], ["together with other files", "./-"]),
        (b"x", ["--explain", "./test.sh", "-"], ["--explain needs the journal of a file"]),
    ],
)
def test_what_makes_no_sense(
    numbers: Path, given: bytes, arguments: list[str], words: list[str]
) -> None:
    refused(piped(numbers, *arguments, given=given), 2, *words)
