"""``--passes``: what has to succeed on every case that is taken."""

import shutil
import subprocess
import sys
from pathlib import Path
from shlex import quote
from typing import Any

import pytest

from e2e.programs import NUMBERS, Ran, reduced, refused, shell, text, told
from unit.inquiries.changes.repositories import make
from wynot.machine import landlock

BUG = ("sh", "-c", "! grep -q BUG n.txt")


def event(ran: Ran, name: str) -> dict[str, Any]:
    [found] = [each for each in ran.events if each["event"] == name]
    return found


def test_every_case_that_is_taken_passes_all_guards(numbers: Path) -> None:
    shell(numbers, 'grep -q 7 "$1"', "seven.sh")
    given = ("--passes", "grep -q 44 {}", "--passes", "./seven.sh", "test.sh", "in.txt")
    ran = told(numbers, "reduce", "-j1", *given)
    assert ran.code == 0, ran
    assert "wynot: passes: grep -q 44 {}\nwynot: passes: ./seven.sh\n" in ran.out
    assert "\nRefused by --passes 'grep -q 44 {}': " in ran.out
    left = (numbers / "in.txt").read_bytes()
    assert all(each in left for each in (b"33", b"44", b"7"))
    assert len(left) == len("33447\n")


@pytest.mark.slow
def test_how_many_a_guard_has_refused_is_the_same_at_any_width(numbers: Path) -> None:
    guard = "--passes 'grep -q 44 {}'"
    found = []
    for options in (["-j1"], ["-j4", "--fresh"]):
        (numbers / "in.txt").write_bytes(NUMBERS)
        given = ("--passes", "grep -q 44 {}", "test.sh", "in.txt")
        ran = told(numbers, "reduce", "--json", *options, *given)
        assert event(ran, "began")["passes"] == ["grep -q 44 {}"]
        [(name, count)] = event(ran, "ended")["refused"]
        assert name == guard
        found.append(count)
    assert found[0] == found[1] > 0


@pytest.mark.slow
def test_they_are_counted_and_believed_in_a_run_that_goes_on(numbers: Path) -> None:
    log = numbers / "log"
    shell(numbers, f'echo >> "{log}"\ngrep -q 44 "$1"', "guard.sh")
    given = ("--passes", "./guard.sh", "test.sh", "in.txt")
    whole = event(told(numbers, "reduce", "--json", "-j1", *given), "ended")["refused"]
    (numbers / "in.txt").write_bytes(NUMBERS)
    part = ("reduce", "--json", "-j1", "--max-tests", "10", "--fresh", *given)
    assert told(numbers, *part).code == 3
    log.unlink()
    ran = told(numbers, "reduce", "--json", "-j1", *given)
    assert event(ran, "began")["known"] >= 10
    assert event(ran, "ended")["refused"] == whole
    # The original, the rest of the candidates, and the result: none of the others again.
    assert len(log.read_text().splitlines()) < event(ran, "ended")["tests"]


def test_a_run_with_another_guard_begins_anew(numbers: Path) -> None:
    given = ("reduce", "-j1", "--json", "--max-tests", "10")
    told(numbers, *given, "--passes", "grep -q 44 {}", "test.sh", "in.txt")
    ran = told(numbers, *given, "--passes", "grep -q 45 {}", "test.sh", "in.txt")
    assert event(ran, "began")["known"] == 0


def test_a_guard_is_run_only_if_the_test_said_interesting(numbers: Path) -> None:
    log = numbers / "log"
    shell(numbers, f'cat "$1" > "{log}.$$"\nexit 0', "guard.sh")
    reduced(numbers, "-j1", "--passes", "./guard.sh", "test.sh", "in.txt")
    seen = [path.read_bytes() for path in numbers.glob("log.*")]
    assert len(seen) > 3
    assert all(b"33" in each for each in seen)


def test_a_guard_sees_the_candidate_whatever_the_test_has_done(numbers: Path) -> None:
    shell(numbers, "grep -q 33 in.txt || exit 1\necho spoilt > in.txt\ntouch litter\nexit 0")
    shell(numbers, "! [ -e litter ] && grep -q 33 in.txt && echo worse > in.txt", "one.sh")
    shell(numbers, "grep -q 33 in.txt && ! grep -q worse in.txt", "two.sh")
    reduced(numbers, "--passes", "./one.sh", "--passes", "./two.sh", "test.sh", "in.txt")
    assert (numbers / "in.txt").read_bytes().strip() == b"33"


def test_the_original_has_to_pass(numbers: Path) -> None:
    shell(numbers, "echo not what it should be >&2\nexit 3", "guard.sh")
    ran = told(numbers, "reduce", "--passes", "./guard.sh", "test.sh", "in.txt")
    refused(
        ran, 1, "[guard-fails]", "the original does not pass --passes ./guard.sh: exit status 3"
    )
    assert "  | not what it should be\n" in ran.err
    assert (numbers / "in.txt").read_bytes() == NUMBERS


@pytest.mark.parametrize(
    ("guard", "words"),
    [
        ("no-such-program {}", ["[no-such-file]", "no-such-program"]),
        ("grep 'x", ["[invalid-option]", "passes is"]),
        ("", ["[invalid-option]", "passes is ''"]),
    ],
)
def test_what_is_no_command_is_refused(numbers: Path, guard: str, words: list[str]) -> None:
    refused(told(numbers, "reduce", "--passes", guard, "test.sh", "in.txt"), 2, *words)


def test_a_test_that_accepts_nothing_at_all_will_do_if_a_guard_does_not(numbers: Path) -> None:
    shell(numbers, "exit 0")
    reduced(numbers, "--passes", "grep -q 33 {}", "test.sh", "in.txt")
    assert (numbers / "in.txt").read_bytes().strip() == b"33"


def test_an_unreliable_test_may_accept_nothing_at_all_as_well(numbers: Path) -> None:
    count = text(numbers / "count", "0\n")
    shell(
        numbers,
        f"""
        [ -s in.txt ] || exit 0
        read n <'{count}'
        echo $((n + 1)) >'{count}'
        [ $((n % 4)) -gt 0 ] && grep -q 33 in.txt
        """,
    )
    ran = reduced(numbers, "-j1", "--passes", "grep -q 33 {}", "test.sh", "in.txt")
    assert "not reliable" in ran.out + ran.err
    assert (numbers / "in.txt").read_bytes().strip() == b"33"


def test_check_tries_each_guard(numbers: Path) -> None:
    given = ("--passes", "grep -q 44 {}", "--passes", "grep -c none {}", "test.sh", "in.txt")
    ran = told(numbers, "check", "--runs", "2", *given)
    assert ran.code == 1
    assert "ok   passes: grep -q 44 {}\n" in ran.out
    assert "NOT  passes: grep -c none {}: no, exit status 1\n" in ran.out


def test_a_guard_that_changes_is_noticed(numbers: Path) -> None:
    shell(numbers, 'grep -q 44 "$1" && echo >> "$0"', "guard.sh")
    ran = told(numbers, "reduce", "--passes", "./guard.sh", "test.sh", "in.txt")
    refused(ran, 4, "[changed-test]", "guard.sh")


def test_isolate_guards_the_failing_side(numbers: Path) -> None:
    (numbers / "good.txt").write_bytes(b"")
    given = ("--passes", "grep -q 44 {}", "test.sh", "good.txt", "in.txt")
    ran = told(numbers, "isolate", "--json", "-o", "out", "--atoms", "lines", "-j1", *given)
    assert ran.code == 0, ran
    assert event(ran, "inquired")["passes"] == ["grep -q 44 {}"]
    [failing] = (numbers / "out").glob("*fail*")
    assert b"44" in failing.read_bytes()
    given = ("--passes", "grep -q 99 {}", "test.sh", "good.txt", "in.txt")
    refused(told(numbers, "isolate", *given), 1, "[guard-fails]", "'in.txt' does not pass")


def test_changes_guards_the_work_tree(tmp_path: Path) -> None:
    good = {"n.txt": b"a\nb\nc\n", "built": b"no\n"}
    make(tmp_path, [good, {"n.txt": b"a\nBUG\nc\n", "built": b"yes\n"}])
    shell(tmp_path, "grep -q yes built", "built.sh")
    for options, files in (([], {"n.txt"}), (["--passes", "./built.sh"], {"n.txt", "built"})):
        ran = told(
            tmp_path, "changes", "--json", "--no-cure", "--good", "HEAD~1", *options, "--", *BUG
        )
        assert ran.code == 0, ran
        answers = {each["question"]: each for each in ran.events if each["event"] == "answered"}
        places = answers["cause"]["data"]["commits"][0]["places"]
        assert {place.split(":")[0] for place in places} == files


def test_options_gives_a_guard_the_arguments_of_the_case(tmp_path: Path) -> None:
    text(tmp_path / "run.py", "import sys; sys.exit('--bug' in sys.argv and 7)")
    text(tmp_path / "other.py", "import sys; sys.exit('--safe' not in sys.argv)")
    command = (sys.executable, "run.py", "--fast", "--bug", "--safe")
    guard = ("--passes", f"{quote(sys.executable)} other.py {{}}")
    for options, needed in (([], [["--bug"]]), (guard, [["--bug"], ["--safe"]])):
        ran = told(tmp_path, "options", "--json", "--exit", "7", *options, "--", *command)
        assert ran.code == 0, ran
        assert event(ran, "answered")["data"]["options"] == needed


def test_tests_guards_the_runs_that_fail(tmp_path: Path) -> None:
    # The runner fails at b after a; the guard wants c among the tests too.
    shell(tmp_path, 'case "$*" in *a*b) exit 1;; esac', "run.sh")
    shell(tmp_path, 'case "$*" in *c*) exit 0;; esac; exit 1', "guard.sh")
    text(tmp_path / "names", "x\na\nc\ny\nb\n")
    guard = ("--passes", "./guard.sh {}")
    for options, found in (([], ["a"]), (guard, ["a", "c"])):
        given = ("--list", "names", *options, "b", "--", "./run.sh", "{tests}")
        ran = told(tmp_path, "tests", "--json", *given)
        assert ran.code == 0, ran
        assert event(ran, "answered")["data"]["tests"] == found


CARELESS = """\
#include <stdio.h>
static int a[4] = {1, 2, 3, 4};
static int unused;
int main(void) {
int x;
volatile int at = 7;
at = 2;
x = 3;
unused = x;
printf("picked %d %d\\n", a[at], x);
return 0;
}
"""
PICKED = ("--stdout", "^picked -?[0-9]+ -?[0-9]+$", "--atoms", "lines")
BUILD = ("sh", "-c", 'gcc -w -o prog "$1" && ./prog', "sh", "{}")


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("gcc"), reason="there is no gcc")
def test_no_ub_keeps_a_program_defined(tmp_path: Path) -> None:
    program = text(tmp_path / "p.c", CARELESS)
    reduced(tmp_path, *PICKED, "p.c", "--", *BUILD)
    careless = program.read_text()
    assert "x = 3;" not in careless  # what the test lets happen: both are read as they come
    assert "at = 2;" not in careless
    text(program, CARELESS)
    ran = told(tmp_path, "reduce", "--fresh", "--no-ub", *PICKED, "p.c", "--", *BUILD)
    assert ran.code == 0, ran
    assert "wynot: passes: no undefined behaviour: gcc -O2 with " in ran.out
    assert "Refused by --no-ub: " in ran.out
    left = program.read_text()
    assert "unused" not in left
    assert len(left) < len(CARELESS)
    sanitized = ["gcc", "-fsanitize=undefined,address", "-Werror=uninitialized", "-O2"]
    flags = [*sanitized, "-fno-sanitize-recover=all", "-o", "checked", "p.c"]
    subprocess.run(flags, cwd=tmp_path, check=True)  # noqa: S603
    done = subprocess.run([tmp_path / "checked"], capture_output=True, check=True)  # noqa: S603
    assert done.stdout == b"picked 3 3\n"


@pytest.mark.skipif(not shutil.which("gcc"), reason="there is no gcc")
@pytest.mark.skipif(not landlock.version(), reason="there is no Landlock")
def test_what_no_ub_runs_is_confined(tmp_path: Path) -> None:
    precious = text(tmp_path / "precious", "kept")
    program = f'#include <stdio.h>\nint main(void) {{ return !fopen("{precious}", "w"); }}\n'
    text(tmp_path / "p.c", program)
    # The test only compiles it.
    given = ("--no-ub", "--max-tests", "3", "--stdout", "fopen", "p.c")
    ran = told(tmp_path, "reduce", *given, "--", "gcc", "-S", "-o", "-", "{}")
    assert "run with -fsanitize" in " ".join(ran.out.split()), ran
    assert precious.read_text() == "kept"


def test_no_ub_is_for_c(numbers: Path) -> None:
    ran = told(numbers, "reduce", "--no-ub", "test.sh", "in.txt")
    refused(ran, 2, "[invalid-option]", "none of the files is C or C++", "--passes CMD")
