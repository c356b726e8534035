"""What each option does, seen from outside."""

import json
import shutil
import subprocess
import sys
from itertools import groupby
from pathlib import Path

import pytest

from e2e.programs import CALM, NUMBERS, Ran, reduced, refused, shell, text, there, told, wynot
from tiers import slow_after

CHECKS = 3
"""Tests that come before the first one that counts: the original, again, and nothing at all."""


def counting(folder: Path) -> Path:
    """Make the test write down what it is asked; return where."""
    log = folder / "log"
    shell(folder, f"sha256sum < in.txt >> '{log}'\nexec grep -q 33 in.txt")
    return log


def lines(log: Path) -> list[str]:
    return log.read_text().splitlines()


def ended(ran: Ran) -> dict[str, object]:
    return ran.events[-1]


# Budgets.


@pytest.mark.parametrize("most", [0, 1, 5])
def test_max_tests_is_exact(numbers: Path, most: int) -> None:
    log = counting(numbers)
    ran = told(numbers, "reduce", "-j1", "--json", "--max-tests", str(most), "test.sh", "in.txt")
    assert (ran.code, ended(ran)["stopped"], ended(ran)["tests"]) == (3, "max-tests", most)
    assert len(lines(log)) == most + CHECKS
    left = (numbers / "in.txt").read_bytes()
    assert b"33" in left
    assert len(left) == ended(ran)["size"]
    assert (numbers / "in.txt.orig").read_bytes() == NUMBERS


def test_a_pass_that_a_budget_ends_is_not_said_to_be_done(numbers: Path) -> None:
    ran = told(numbers, "reduce", "-j1", "--max-tests", "5", "test.sh", "in.txt")
    rows = [line for line in ran.out.splitlines() if line.endswith(" less")]
    assert rows
    assert [" stopped: " in line for line in rows] == [*(False for _ in rows[1:]), True]


def test_max_tests_is_exact_with_several_workers(numbers: Path) -> None:
    ran = told(numbers, "reduce", "-j4", "--json", "--max-tests", "5", "test.sh", "in.txt")
    assert (ran.code, ended(ran)["tests"]) == (3, 5)
    size = (numbers / "in.txt").stat().st_size
    (numbers / "in.txt").write_bytes(NUMBERS)
    alone = ("reduce", "-j1", "--json", "--fresh", "--max-tests", "5", "test.sh", "in.txt")
    assert ended(told(numbers, *alone))["size"] == size


def test_max_time(numbers: Path) -> None:
    ran = told(numbers, "reduce", "--max-time", "0", "test.sh", "in.txt")
    assert ran.code == 3
    assert "Stopped by --max-time" in ran.out
    assert (numbers / "in.txt").read_bytes() == NUMBERS
    reduced(numbers, "--max-time", "1h", "test.sh", "in.txt")
    assert (numbers / "in.txt").read_bytes() == b"33\n"


def test_target_size(numbers: Path) -> None:
    ran = told(numbers, "reduce", "--json", "--target-size", "20", "test.sh", "in.txt")
    assert (ran.code, ended(ran)["stopped"]) == (0, "target-size")
    left = (numbers / "in.txt").read_bytes()
    assert b"33" in left
    assert 2 < len(left) <= 20


def test_patience(numbers: Path) -> None:
    shell(numbers, "[ $(wc -l < in.txt) -ge 50 ]")
    ran = told(numbers, "reduce", "--json", "--patience", "4", "test.sh", "in.txt")
    assert (ran.code, ended(ran)["stopped"], ended(ran)["tests"]) == (3, "patience", 4)
    assert "--patience" in told(numbers, "reduce", "--patience", "4", "test.sh", "in.txt").out


# What may go.


@pytest.mark.parametrize(
    ("atoms", "left"),
    [
        ("lines", b"gamma x33y delta\n"),
        ("tokens", b"x33y\n"),
        ("chars", b"33\n"),
        ("bytes", b"33"),
        ("auto", b"33\n"),
    ],
)
def test_atoms(numbers: Path, atoms: str, left: bytes) -> None:
    (numbers / "in.txt").write_bytes(b"alpha beta\ngamma x33y delta\nepsilon\n")
    reduced(numbers, "--atoms", atoms, "test.sh", "in.txt")
    assert (numbers / "in.txt").read_bytes().replace(b" \n", b"\n") == left


def test_keep_is_never_touched_not_even_for_a_try(numbers: Path) -> None:
    shell(numbers, f"grep -q 33 in.txt || exit 1\ngrep -qx 44 in.txt || : > '{numbers}/touched'")
    reduced(numbers, "--no-check", "--keep", r"\n44\n", "--keep", r"^1\n2\n", "test.sh", "in.txt")
    left = (numbers / "in.txt").read_bytes()
    assert left.startswith(b"1\n2\n")
    assert left.endswith(b"\n44\n")
    assert b"33" in left
    assert len(left) <= len(b"1\n2\n33\n44\n")
    assert not (numbers / "touched").exists()


def test_keep_holds_though_what_is_around_it_goes(numbers: Path) -> None:
    reduced(numbers, "--keep", "^44$", "test.sh", "in.txt")
    assert b"44" in (numbers / "in.txt").read_bytes().splitlines()


SEARCHES = [
    *(["--search", name] for name in ("auto", "ddmin", "opdd", "probdd", "cdd", "sweep", "zigzag")),
    ["--search", "probdd", "--star", "--target-size", "50"],
    ["--search", "ddmin", "--no-check"],
    *(["--search", name] for name in ("hdd", "hdd*", "hddr", "hddr*")),
]


@pytest.mark.parametrize("options", slow_after(5, SEARCHES), ids=" ".join)
def test_every_search_ends_with_what_is_interesting(numbers: Path, options: list[str]) -> None:
    shell(numbers, "grep -q 33 in.txt && grep -q 12 in.txt")
    reduced(numbers, *options, "test.sh", "in.txt")
    left = (numbers / "in.txt").read_bytes()
    assert b"33" in left
    assert b"12" in left
    assert len(left) <= 50


# What is known of languages.

PROGRAM = """\
int  twice(int value) {

      return value;   /* 2 */
}
int unused = 1;
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """Return a folder with in.c, and test.sh that wants a function that returns something."""
    text(tmp_path / "in.c", PROGRAM)
    shell(tmp_path, "tr '\\n' ' ' < in.c | grep -q '^int  *[a-z]*([a-z ]*) *{ *return [a-z]*;'")
    return tmp_path


@pytest.mark.parametrize(
    ("options", "left"),
    slow_after(
        3,
        [
            ([], "int a(){return b;\n"),
            (["--format", "pretty"], "int a() {\n    return b;\n"),
            (["--format", "short"], "int a(){return b;"),
            (["--format", "keep"], "int  a() {\n\n      return b;\n"),
            (["--no-rename"], "int twice(){return value;\n"),
            (["--fast"], "int a(){return b;}\n"),
            (["--language", "brackets"], "int (){return ;\n"),
            (["--atoms", "chars"], "int (){return ;\n"),
        ],
    ),
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_is_left_of_a_program(program: Path, options: list[str], left: str) -> None:
    reduced(program, *options, "test.sh", "in.c")
    assert (program / "in.c").read_text() == left


def test_fast_proves_nothing(program: Path) -> None:
    fast = told(program, "reduce", "--json", "--fast", "test.sh", "in.c")
    assert (fast.code, ended(fast)["minimal"]) == (0, [])
    assert "the proof that no single part can go was left out, as --fast asks for" in fast.out
    (program / "in.c").write_text(PROGRAM)
    thorough = told(program, "reduce", "--json", "--fresh", "test.sh", "in.c")
    assert ended(thorough)["minimal"] == ["nodes", "tokens"]


def test_a_language_that_there_is_not(program: Path) -> None:
    refused(told(program, "reduce", "--language", "klingon", "test.sh", "in.c"), 2, "klingon")


# Where things are.


@pytest.mark.parametrize(
    ("out", "where"),
    [("out.txt", "out.txt"), ("folder", "folder/in.txt"), ("new/er/out.txt", "new/er/out.txt")],
)
def test_out_leaves_the_original_alone(numbers: Path, out: str, where: str) -> None:
    (numbers / "folder").mkdir()
    ran = told(numbers, "reduce", "-o", out, "test.sh", "in.txt")
    assert ran.code == 0
    assert f"result    {where}\n" in ran.out
    assert "original  in.txt\n" in ran.out
    assert there(numbers).keys() == {"in.txt", "test.sh", where}
    assert (numbers / "in.txt").read_bytes() == NUMBERS
    assert (numbers / where).read_bytes() == b"33\n"
    assert not (numbers / ".wynot" / "in.txt.journal").exists()
    assert told(numbers, "history", where).code == 0


def test_out_for_several_files_and_for_a_folder(numbers: Path) -> None:
    text(numbers / "tree" / "a" / "b.txt", "noise\n44\n")
    text(numbers / "tree" / "c.txt", "noise\n")
    before = there(numbers)
    shell(numbers, "grep -q 33 in.txt && grep -q 44 tree/a/b.txt")
    before = there(numbers)
    reduced(numbers, "-o", "out", "test.sh", "in.txt", "tree")
    assert there(numbers / "out") == {"in.txt": b"33\n", "tree/a/b.txt": b"44\n"}
    shutil.rmtree(numbers / "out")
    assert there(numbers) == before
    reduced(numbers, "-o", "out", "-c", "grep -q 44 tree/a/b.txt", "tree")
    assert there(numbers / "out") == {"a/b.txt": b"44\n"}


def test_an_orig_of_somebody_else_is_not_overwritten(numbers: Path) -> None:
    text(numbers / "in.txt.orig", "precious\n")
    ran = told(numbers, "reduce", "test.sh", "in.txt")
    assert "original  in.txt.orig.1\n" in ran.out
    assert (numbers / "in.txt.orig").read_text() == "precious\n"
    assert (numbers / "in.txt.orig.1").read_bytes() == NUMBERS


def test_a_second_run_on_the_result_changes_nothing(numbers: Path) -> None:
    reduced(numbers, "test.sh", "in.txt")
    before = there(numbers)
    again = reduced(numbers, "--fresh", "test.sh", "in.txt")
    assert "nothing could be left out" in again.out
    reduced(numbers, "--fresh", "-o", "other.txt", "test.sh", "in.txt")
    (numbers / "other.txt").unlink()
    assert there(numbers) == before


def test_another_test_goes_on_from_the_result_and_the_first_original_stays(numbers: Path) -> None:
    reduced(numbers, "-c", "grep -q 3 in.txt && grep -q 44 in.txt", "in.txt")
    ran = told(numbers, "reduce", "-c", "grep -q 44 in.txt", "in.txt")
    assert ran.code == 0
    assert (numbers / "in.txt").read_bytes() == b"44\n"
    assert (numbers / "in.txt.orig").read_bytes() == NUMBERS
    assert not (numbers / "in.txt.orig.1").exists()


# Going on.


@pytest.mark.parametrize("most", ["1", "6"])
def test_a_resumed_run_asks_nothing_again_and_comes_to_the_same(tmp_path: Path, most: str) -> None:
    results, logs = [], []
    for name, budgets in (("whole", [[]]), ("parts", [["--max-tests", most], []])):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "in.txt").write_bytes(NUMBERS)
        log = counting(folder)
        for budget in budgets:
            options = ("-j1", "--json", *CALM, *budget)
            ran = told(folder, "reduce", *options, "test.sh", "in.txt")
        results.append((ended(ran)["tests"], (folder / "in.txt").read_bytes()))
        # The result is checked five times if the test is quick, once if the machine is slow.
        logs.append([line for line, _ in groupby(lines(log))])
    assert results[0] == results[1]
    assert logs[0] == logs[1]
    assert sum(event["event"] == "began" and event["known"] == int(most) for event in ran.events)


@pytest.mark.slow
def test_the_result_is_the_same_bytes_after_many_stops(numbers: Path) -> None:
    text(numbers / "code" / "in.txt", CODE)
    shell(numbers, "grep -q wanted in.txt && grep -q other in.txt")
    start = ("reduce", "-q", "test.sh", "code/in.txt")
    assert told(numbers, *start, "-o", "whole").code == 0
    for most in (5, 11, 17):
        assert told(numbers, *start, "--max-tests", str(most)).code == 3
    assert told(numbers, *start, "--resume").code == 0
    assert (numbers / "code" / "in.txt").read_bytes() == (numbers / "whole").read_bytes()


# The test.


def test_side_finds_are_kept(numbers: Path) -> None:
    shell(numbers, "grep -q 33 in.txt && exit 0\ngrep -q 12 in.txt && exit 101\nexit 1")
    # By halves of the lines: to look at the weights first is to miss them.
    aside = ("--also-interesting", "101,102", "--atoms", "chars")
    ran = told(numbers, "reduce", *aside, "test.sh", "in.txt")
    assert ran.code == 0
    finds = [path.read_bytes() for path in (numbers / ".wynot").rglob("in.txt") if path.is_file()]
    assert finds
    assert all(b"12" in find and b"33" not in find for find in finds)
    assert ran.out.count("a side find (exit status 101)") == len(finds)


@pytest.mark.slow
def test_memory(numbers: Path) -> None:
    (numbers / "in.txt").write_bytes(b"7\n33\n8\n")
    hungry = f"exec '{sys.executable}' -S -c 'bytearray(400 << 20)' 2> /dev/null"
    shell(numbers, f"grep -q 33 in.txt || exit 1\ngrep -q 7 in.txt || {hungry}")
    reduced(numbers, "-o", "plenty", "test.sh", "in.txt")
    reduced(numbers, "-o", "little", "--memory", "200M", "test.sh", "in.txt")
    assert (numbers / "plenty").read_bytes() == b"33\n"
    assert sorted((numbers / "little").read_bytes().split()) in ([b"33", b"7"], [b"733"])


@pytest.mark.slow
def test_a_test_that_takes_too_long_is_unresolved(numbers: Path) -> None:
    (numbers / "in.txt").write_bytes(b"7\n33\n")
    shell(numbers, "grep -q 33 in.txt || exit 1\ngrep -q 7 in.txt || exec sleep 600")
    ran = told(numbers, "reduce", "--timeout", "5", "--atoms", "lines", "test.sh", "in.txt")
    assert ran.code == 0
    assert (numbers / "in.txt").read_bytes() == b"7\n33\n"


@pytest.mark.slow
def test_a_program_that_hangs(numbers: Path) -> None:
    (numbers / "in.txt").write_bytes(b"7\n33\n8\n")
    shell(numbers, 'grep -q 33 "$1" && exec sleep 600\nexit 1', "hang.sh")
    hang = ("--hangs", "--timeout", "5", "--atoms", "lines", "--json")
    ran = told(numbers, "reduce", *hang, "in.txt", "--", "./hang.sh", "{}")
    assert ran.code == 0
    assert ran.began["keeps"] == "hangs"
    assert (numbers / "in.txt").read_bytes() == b"33\n"


def test_two_commands_that_differ(numbers: Path) -> None:
    ran = told(numbers, "reduce", "--differs", "sed s/33/x/ {}", "in.txt", "--", "cat", "{}")
    assert ran.code == 0
    assert "keeps: the two commands differ" in ran.out
    assert (numbers / "in.txt").read_bytes() == b"33\n"


def test_two_commands_that_do_not_differ(numbers: Path) -> None:
    refused(
        told(numbers, "reduce", "--differs", "sed s/x/y/ {}", "in.txt", "--", "cat", "{}"),
        1,
        "does not show on the original",
    )


# What is told.


def test_json_is_one_event_a_line(numbers: Path) -> None:
    ran = told(numbers, "reduce", "--json", "test.sh", "in.txt")
    events = ran.events
    kinds = [event["event"] for event in events]
    assert kinds[0] == "began"
    assert kinds[-1] == "ended"
    assert {"pass_began", "accepted", "pass_ended"} <= set(kinds)
    assert events[0]["names"] == ["in.txt"]
    assert events[0]["size"] == len(NUMBERS)
    times = [event["time"] for event in events]
    assert times == sorted(times)
    sizes = [event["size"] for event in events if event["event"] == "accepted"]
    *smaller, last = sizes
    assert smaller == sorted(smaller, reverse=True)
    assert last == smaller[-1] + len("\n")
    assert {key: events[-1][key] for key in ("stopped", "before", "size", "where", "original")} == {
        "stopped": "finished",
        "before": len(NUMBERS),
        "size": 3,
        "where": "in.txt",
        "original": "in.txt.orig",
    }


def test_quiet_is_one_line(numbers: Path) -> None:
    ran = reduced(numbers, "test.sh", "in.txt")
    assert ran.out.startswith("in.txt: 141 → 3 bytes (97.9 % smaller)")
    assert ran.out.count("\n") == 1


def test_plain_says_everything_once_in_80_columns(numbers: Path) -> None:
    ran = told(numbers, "reduce", "test.sh", "in.txt")
    assert "keeps: the test exits with 0\n" in ran.out
    assert "(1-minimal).\nresult    in.txt\noriginal  in.txt.orig\n" in ran.out
    assert max(map(len, ran.out.splitlines())) <= 80


# wynot check.


def test_check_of_a_good_test(numbers: Path) -> None:
    before = there(numbers)
    ran = told(numbers, "check", "test.sh", "in.txt")
    assert (ran.code, ran.err) == (0, "")
    assert [line[:5] for line in ran.out.splitlines()[:-1]] == ["ok   "] * 5
    assert ran.out.endswith("The test is good.\n")
    assert there(numbers) == before
    assert not (numbers / ".wynot").exists()


@pytest.mark.parametrize(
    ("body", "words"),
    slow_after(
        2,
        [
            ("exit 1", "NOT  interesting: the test exits with 0: no, it ended with exit status 1"),
            ("true", "NOT  rejects an empty file: exit status 0"),
            ("[ -e neighbour ] && grep -q 33 in.txt", "NOT  private: "),
            ("[ $(($$ / 2 % 2)) = 0 ] && grep -q 33 in.txt", "NOT  repeatable: interesting in "),
        ],
    ),
    ids=["never", "always", "place", "chance"],
)
def test_check_of_a_bad_test(numbers: Path, body: str, words: str) -> None:
    text(numbers / "neighbour", "")
    if "$$" in body:  # alternate: chance would be chance
        (numbers / "turn").mkdir()
        turn = f"'{numbers}/turn'"
        body = f"mktemp -p {turn} > /dev/null\n[ $(($(ls {turn} | wc -l) % 3)) != 0 ] && grep -q 33"
    shell(numbers, body)
    ran = told(numbers, "check", "test.sh", "in.txt")
    assert ran.code == 1
    assert words in ran.out
    assert ran.out.endswith("The test needs another look.\n")


def test_check_of_a_command(numbers: Path) -> None:
    good = told(numbers, "check", "--stdout", "33", "in.txt", "--", "cat", "{}")
    assert good.code == 0
    assert 'interesting: "33" on stdout' in good.out
    bad = told(numbers, "check", "in.txt", "--", "cat", "{}")
    assert bad.code == 1
    assert "NOT  interesting: the first run shows no failure" in bad.out
    assert "\n  | 33\n" in bad.out


# wynot history.


def test_every_step_can_be_had_back(numbers: Path) -> None:
    reduced(numbers, "test.sh", "in.txt")
    steps = [
        json.loads(line)
        for line in told(numbers, "history", "--json", "in.txt").out.split("\n")[:-1]
    ]
    assert [step["number"] for step in steps] == list(range(1, len(steps) + 1))
    sizes = [len(NUMBERS), *(step["size"] for step in steps)]
    for number, size in enumerate(sizes):
        ran = told(numbers, "history", "--restore", str(number), "in.txt")
        assert ran.code == 0
        content = (numbers / f"in.txt.{number}").read_bytes()
        assert len(content) == size
        assert b"33" in content
    assert (numbers / "in.txt.0").read_bytes() == NUMBERS
    assert content == (numbers / "in.txt").read_bytes()
    table = told(numbers, "history", "in.txt").out.splitlines()
    assert len(table) == len(sizes) + 1
    assert "(the original)" in table[1]
    refused(told(numbers, "history", "--restore", "0", "in.txt"), 2, "in.txt.0' is there already")
    last = str(len(sizes))
    refused(told(numbers, "history", "--restore", last, "in.txt"), 2, f"no step {last}", "0 to ")
    refused(told(numbers, "history", "--restore=-1", "in.txt"), 2, "no step -1")
    assert told(numbers, "history", "--restore", "1", "-o", "one", "in.txt").code == 0
    assert (numbers / "one").read_bytes() == (numbers / "in.txt.1").read_bytes()


def test_a_step_of_a_folder_is_a_folder_again(tmp_path: Path) -> None:
    text(tmp_path / "tree" / "sub" / "a.txt", "33\n")
    text(tmp_path / "tree" / "b.txt", "noise\n")
    reduced(tmp_path, "-c", "grep -q 33 tree/sub/a.txt", "tree")
    last = len(told(tmp_path, "history", "--json", "tree").out.splitlines())
    assert told(tmp_path, "history", "--restore", str(last), "tree").code == 0
    assert (tmp_path / f"tree.{last}").is_dir()


def test_the_history_of_a_file_called_journal(numbers: Path) -> None:
    (numbers / "in.txt").rename(numbers / "x.journal")
    reduced(numbers, "-c", "grep -q 33 x.journal", "x.journal")
    assert told(numbers, "history", "x.journal").code == 0


def test_a_step_is_shown_to_the_byte_and_two_are_compared(numbers: Path) -> None:
    reduced(numbers, "test.sh", "in.txt")
    assert told(numbers, "history", "--show", "0", "in.txt").out.encode() == NUMBERS
    last = len(told(numbers, "history", "--json", "in.txt").out.splitlines())
    assert told(numbers, "history", "in.txt", "--show", str(last)).out == "33\n"
    patch = told(numbers, "history", "in.txt", "--diff", "0", str(last)).out
    (numbers / "in.txt").write_bytes(NUMBERS)
    subprocess.run(["git", "apply"], input=patch.encode(), cwd=numbers, check=True)
    assert (numbers / "in.txt").read_bytes() == b"33\n"
    assert told(numbers, "history", "in.txt", "--diff", "1", "1").out == ""
    for wrong in (["--show", str(last + 1)], ["--diff", "0", str(last + 1)]):
        refused(told(numbers, "history", "in.txt", *wrong), 2, "no step", f"0 to {last}")
    refused(told(numbers, "history", "in.txt", "--show", "two"), 2, "'two'", "number of a step")
    refused(told(numbers, "history", "in.txt", "--show", "1", "--restore", "1"), 2, "--show")


def test_a_file_of_a_step_of_a_folder_is_shown_by_its_path(tmp_path: Path) -> None:
    text(tmp_path / "tree" / "sub" / "a.txt", "33\n")
    (tmp_path / "tree" / "b").write_bytes(b"\0\xff\0")
    reduced(tmp_path, "-c", "grep -q 33 tree/sub/a.txt", "tree")
    listed = told(tmp_path, "history", "tree", "--show", "0").out.split()
    assert listed == ["3", "b", "3", "sub/a.txt"]
    assert told(tmp_path, "history", "tree", "--show", "0:sub/a.txt").out == "33\n"
    wrong = told(tmp_path, "history", "tree", "--show", "0:sub/a.tx")
    refused(wrong, 2, "'sub/a.tx'", "did you mean 'sub/a.txt'?")
    assert "Binary files" in told(tmp_path, "history", "tree", "--diff", "0", "1").out


# Completion.


def completed(folder: Path, *words: str) -> list[str]:
    """Return what bash would offer for the last of these words."""
    source = (folder / "wynot.bash").resolve()
    call = 'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _wynot; echo "${COMPREPLY[@]}"'
    line = f"source {source}; {call}"
    done = subprocess.run(  # noqa: S603 - our own line
        ["bash", "-c", line, "bash", *words], capture_output=True, text=True, check=True
    )
    assert not done.stderr
    return done.stdout.split()


def test_bash_completes(tmp_path: Path) -> None:
    text(tmp_path / "wynot.bash", wynot(tmp_path, "completion", "bash").out)
    assert completed(tmp_path, "wynot", "red") == ["reduce"]
    commands = {"reduce", "check", "history", "languages", "help", "completion"}
    commands |= {
        "explain",
        "report",
        "repro",
        "watch",
        "batch",
        "isolate",
        "changes",
        "options",
        "packages",
        "tests",
    }
    assert set(completed(tmp_path, "wynot", "")) == commands
    assert completed(tmp_path, "wynot", "reduce", "--max-t") == ["--max-time", "--max-tests"]
    assert "zigzag" in completed(tmp_path, "wynot", "reduce", "--search", "")
    assert completed(tmp_path, "wynot", "reduce", "x", "--atoms", "to") == ["tokens"]
    assert completed(tmp_path, "wynot", "check", "--max-t") == []
    assert completed(tmp_path, "wynot", "completion", "f") == ["fish"]
    assert completed(tmp_path, "wynot", "help", "hi") == ["history"]
    assert completed(tmp_path, "wynot", "--v") == ["--version"]
    # As bash cuts --atoms=to, and --atoms= at its end.
    assert completed(tmp_path, "wynot", "reduce", "--atoms", "=", "to") == ["tokens"]
    assert "tokens" in completed(tmp_path, "wynot", "reduce", "--atoms", "=")
    assert completed(tmp_path, "wynot", "reduce", "x", "--", "cc", "--max-t") == []
    assert completed(tmp_path, "wynot", "reduce", "in") == []  # bash goes on with files


@pytest.mark.parametrize("name", ["zsh", "fish"])
def test_other_shells_can_read_their_completion(tmp_path: Path, name: str) -> None:
    said = wynot(tmp_path, "completion", name)
    assert said.code == 0
    assert "max-tests" in said.out
    program = shutil.which(name)
    if program is None:
        return
    script = text(tmp_path / "completion", said.out)
    subprocess.run([program, "-n", script], check=True, capture_output=True)  # noqa: S603


def test_completion_for_zsh_leaves_out_folders_that_others_can_write(tmp_path: Path) -> None:
    assert "compinit -i" in told(tmp_path, "completion", "zsh").out
    assert "compinit -u" not in told(tmp_path, "completion", "zsh").out


# The same result at any width.

CODE = """\
import os

class Thing:
    def wanted(self):
        if self.ready:
            return 1
        return 2

    def unused(self):
        return 3


def other(x):
    for each in x:
        print(each, other)
"""

DOCUMENT = json.dumps({"a": [1, 2, {"wanted": [4, "other"]}], "b": {"c": None}}, indent=2)
BYTES = b"\0\1wanted\2\3other\0" + bytes(range(30))


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(CODE.encode(), id="code", marks=pytest.mark.slow),
        pytest.param(DOCUMENT.encode(), id="json", marks=pytest.mark.slow),
        pytest.param(CODE.replace("\n", "\r\n").encode(), id="crlf", marks=pytest.mark.slow),
        pytest.param(BYTES, id="binary", marks=pytest.mark.slow),
    ],
)
def test_the_result_is_the_same_at_any_width(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "in.txt").write_bytes(content)
    # As quick or slow as chance has it: the process number is as good as dice.
    shell(tmp_path, "sleep 0.00$(($$ % 9)); grep -aq wanted in.txt && grep -aq other in.txt")
    results = set()
    for jobs in ("1", "2", "7"):
        options = ("--json", f"-j{jobs}", *CALM, "-o", jobs)
        ran = told(tmp_path, "reduce", *options, "test.sh", "in.txt")
        assert ran.code == 0
        accepted = [event for event in ran.events if event["event"] == "accepted"]
        steps = tuple((event["size"], event["tests"], event["candidate"]) for event in accepted)
        results.add(((tmp_path / jobs).read_bytes(), ended(ran)["tests"], steps))
    assert len(results) == 1
