"""``wynot isolate`` and ``reduce --explain``: two sides that hardly differ."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from e2e.programs import CALM, NUMBERS, Ran, refused, shell, text, there, told, wynot
from tiers import slow_after

BAD = NUMBERS.replace(b"\n7\n", b"\nseven\n").replace(b"\n23\n", b"\nBUG\n")
HAS_BUG = 'LC_ALL=C grep -aq BUG "$1"'


@pytest.fixture
def pair(tmp_path: Path) -> Path:
    """Return a folder with a passing and a failing file, and a test that tells them apart."""
    (tmp_path / "good.txt").write_bytes(NUMBERS)
    (tmp_path / "bad.txt").write_bytes(BAD)
    shell(tmp_path, HAS_BUG)
    return tmp_path


def isolated(folder: Path, *arguments: str | Path, code: int = 0) -> tuple[dict[str, Any], int]:
    """Return the answer, and how many tests it took."""
    ran = told(folder, "isolate", "--json", *CALM, *arguments)
    assert ran.code == code, ran
    [found] = [event for event in ran.events if event["event"] == "answered"]
    return found, ran.events[-1]["tests"]


def written(ran: Ran) -> dict[str, str]:
    """Return where things were put, as it is said."""
    return dict(re.findall(r"^(passing|failing|patch) +(.+)$", ran.out, re.MULTILINE))


def applies(folder: Path, name: str, passing: Path, failing: Path, patch: Path) -> None:
    """Check that the patch makes the failing side of the passing one."""
    at = folder / "applied"
    (at / name).parent.mkdir(parents=True)
    if passing.is_dir():
        shutil.copytree(passing, at / name, symlinks=True)
    else:
        shutil.copy(passing, at / name)
    subprocess.run(  # noqa: S603 - a list, no shell
        ["git", "apply", "--unsafe-paths", "-p1", patch],
        cwd=at,
        env={**os.environ, "GIT_CEILING_DIRECTORIES": str(folder)},
        check=True,
    )
    if failing.is_dir():
        assert there(at / name) == there(failing)
    else:
        assert (at / name).read_bytes() == failing.read_bytes()
    shutil.rmtree(at)


def test_a_script_and_two_files(pair: Path) -> None:
    before = there(pair)
    ran = wynot(pair, "isolate", "./test.sh", "good.txt", "bad.txt")
    assert ran.code == 0
    assert written(ran) == {
        "passing": "bad.passing.txt",
        "failing": "bad.failing.txt",
        "patch": "bad.txt.patch",
    }
    passing, failing = pair / "bad.passing.txt", pair / "bad.failing.txt"
    assert (b"BUG" in passing.read_bytes(), b"BUG" in failing.read_bytes()) == (False, True)
    assert len(failing.read_bytes()) - len(passing.read_bytes()) == 1
    assert "they differ in 1 character" in ran.out
    assert "each was tried (1-minimal)" in ran.out
    applies(pair, "bad.txt", passing, failing, pair / "bad.txt.patch")
    assert before.items() <= there(pair).items()
    assert set(there(pair)) - set(before) == {*written(ran).values()}


@pytest.mark.parametrize(
    "arguments",
    [
        ("./test.sh", "good.txt", "bad.txt"),
        pytest.param(("./test.sh", "bad.txt"), marks=pytest.mark.slow),
        pytest.param(
            ("--grow", "bad.txt", "--", "sh", "-c", "! grep -q BUG $0", "{}"),
            marks=pytest.mark.slow,
        ),
    ],
)
def test_the_number_of_workers_changes_nothing(pair: Path, arguments: tuple[str, ...]) -> None:
    found = [isolated(pair, "-j", jobs, "-o", pair / jobs, *arguments) for jobs in ("1", "2", "4")]
    assert found[0] == (found[1][0] | {"time": found[0][0]["time"]}, found[1][1])
    assert found[0] == (found[2][0] | {"time": found[0][0]["time"]}, found[2][1])
    assert there(pair / "1") == there(pair / "2") == there(pair / "4")
    assert (found[0][0]["minimal"], found[0][0]["data"]["left"]) == ("characters", 1)


def test_nothing_is_written_over(pair: Path) -> None:
    for name in ("bad.passing.txt", "bad.failing.txt", "bad.txt.patch"):
        text(pair / name, "mine\n")
    before = there(pair)
    ran = told(pair, "isolate", "./test.sh", "good.txt", "bad.txt")
    assert ran.code == 0
    assert before.items() <= there(pair).items()
    assert len(there(pair)) == len(before) + 3
    assert not set(written(ran).values()) & set(before)


def test_two_folders(tmp_path: Path) -> None:
    good, bad = tmp_path / "good", tmp_path / "the bad"
    for folder, content in ((good, NUMBERS), (bad, BAD)):
        (folder / "sub").mkdir(parents=True)
        (folder / "n.txt").write_bytes(content)
    text(good / "sub" / "only good", "x\n")
    text(bad / "sub" / "only bad", "NEEDED\n")
    (bad / "bin").write_bytes(b"\0\1")
    (bad / "link").symlink_to("n.txt")
    line = 'grep -q BUG "$1/n.txt" && grep -qs NEED "$1/sub/only bad" && test -L "$1/link"'
    before = there(tmp_path)
    ran = told(tmp_path, "isolate", "-c", line, good, bad)
    assert ran.code == 0, ran
    places = {label: Path(path) for label, path in written(ran).items()}
    sides = [tmp_path / places[label].name for label in ("passing", "failing", "patch")]
    assert subprocess.run(["sh", "-c", line, "-", sides[1]], check=False).returncode == 0  # noqa: S603
    assert subprocess.run(["sh", "-c", line, "-", sides[0]], check=False).returncode == 1  # noqa: S603
    applies(tmp_path, bad.name, *sides)
    assert before.items() <= there(tmp_path).items()


def test_a_folder_alone(tmp_path: Path) -> None:
    folder = tmp_path / "case"
    text(folder / "deep" / "n.txt", "one\ntwo BUG\nthree\n")
    text(folder / "other", "x\n")
    found, _ = isolated(tmp_path, "-c", 'grep -qs BUG "$1/deep/n.txt"', "case")
    assert "deep/n.txt" in found["data"]["patch"]
    (folder / "link").symlink_to("other")
    found, _ = isolated(tmp_path, "-c", 'test -L "$1/link"', "case")
    assert "case/link" in found["data"]["patch"]
    assert "120000" in found["data"]["patch"]


def test_an_empty_file_on_one_side(tmp_path: Path) -> None:
    text(tmp_path / "good" / "n", "1\n")
    text(tmp_path / "bad" / "n", "1\n")
    text(tmp_path / "bad" / "x", "")
    ran = told(tmp_path, "isolate", "-c", 'test -e "$1/x"', "good", "bad")
    assert ran.code == 0
    assert "bad/x is only on the failing side" in ran.out
    assert "no difference" not in ran.out


@pytest.mark.parametrize(
    ("good", "bad"),
    slow_after(
        2,
        [
            (b"a\r\nb\r\nc\r\n", b"a\r\nb\r\nBUG\r\nc\r\n"),
            (b"caf\xe9\nx\xff\xfe\n", b"caf\xe9\nx\xff\xfe\nBUG\xe9"),
            (b"\0\1\2" * 500, b"\0\1\2" * 300 + b"BUG" + b"\0\1\2" * 300),
            (b"", b"x" * 100_000 + b"BUG" + b"y" * 100_000),
            (b"one line", b"one line\nBUG"),
        ],
    ),
    ids=["crlf", "latin-1", "binary", "a long line", "no end of line"],
)
def test_bytes_of_all_kinds(tmp_path: Path, good: bytes, bad: bytes) -> None:
    (tmp_path / "good").write_bytes(good)
    (tmp_path / "bad").write_bytes(bad)
    found, tests = isolated(tmp_path, "-c", HAS_BUG, "good", "bad")
    passing, failing = ((tmp_path / f"bad.{side}").read_bytes() for side in ("passing", "failing"))
    assert (b"BUG" in passing, b"BUG" in failing) == (False, True)
    assert abs(len(failing) - len(passing)) == found["data"]["left"] == 1
    assert tests < 40
    if b"\0" not in bad:
        applies(
            tmp_path, "bad", *(tmp_path / f"bad.{each}" for each in ("passing", "failing", "patch"))
        )


@pytest.mark.parametrize(
    "name", ["a name.txt", "-dash", "new\nline.txt", "\u00e9\udcff", ".hidden", "'$(x)'.c"]
)
def test_odd_names(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"one\nBUG\ntwo\n")
    found, _ = isolated(
        tmp_path, "-c", HAS_BUG, Path("./") / name if name[0] != "-" else f"./{name}"
    )
    assert found["data"]["left"] == 1
    stem, dot, suffix = name.rpartition(".")
    if not stem:
        stem, dot, suffix = name, "", ""
    passing, failing = (f"{stem}.{side}{dot}{suffix}" for side in ("passing", "failing"))
    applies(tmp_path, name, tmp_path / passing, tmp_path / failing, tmp_path / f"{name}.patch")
    assert len(list(tmp_path.iterdir())) == 4


REFUSED = [
    (("./test.sh", "good.txt", "good.txt"), 2, ["'good.txt' and 'good.txt' are the same"]),
    (("./test.sh", "bad.txt", "good.txt"), 1, ["'good.txt' does not fail", "status 1"]),
    (("-c", "true", "good.txt", "bad.txt"), 1, ["'good.txt' does not pass", "status 0"]),
    (("good.txt", "bad.txt", "--", "false"), 1, ["does not pass", "write {} where its name goes"]),
    (("-c", "true", "bad.txt"), 1, ["no variant of the failing input was found that passes"]),
    (("./test.sh", "good.txt", "nope"), 2, ["there is no file 'nope'"]),
    (("./test.sh", "nope", "bad.txt"), 2, ["there is no file 'nope'"]),
    (("./nope.sh", "good.txt", "bad.txt"), 2, ["there is no test './nope.sh'"]),
    (("./test.sh", ".", "bad.txt"), 2, ["'.' is a folder, but 'bad.txt' is a file"]),
    (("good.txt", "bad.txt"), 2, ["'good.txt' is not executable"]),
    (("./test.sh",), 2, ["'./test.sh'"]),
    ((), 2, ["argument"]),
    (("a", "b", "c", "d"), 2, ["4 arguments", "'d'"]),
    (("good.txt", "bad.txt", "--"), 2, ["there is no command"]),
    (("good.txt", "bad.txt", "--", "nosuch", "{}"), 2, ["there is no program 'nosuch'"]),
    (("-c", "true", "bad.txt", "--", "true"), 2, ["both -c and a command after --"]),
    (("--grow", "./test.sh", "good.txt", "bad.txt"), 2, ["both --grow and a passing input"]),
    (("./test.sh", "good.txt", "/dev/zero"), 2, ["'/dev/zero' is neither a file nor a folder"]),
    (("-c", "true", "empty"), 2, ["empty: 0 bytes"]),
    (("-o", "test.sh", "./test.sh", "good.txt", "bad.txt"), 2, ["'test.sh'"]),
    (("-o", "/proc/nowhere", "./test.sh", "good.txt", "bad.txt"), 4, ["'/proc"]),
    (("--with", "nope", "./test.sh", "good.txt", "bad.txt"), 2, ["'nope'"]),
    (("-j", "0", "./test.sh", "good.txt", "bad.txt"), 2, ["jobs is 0"]),
]


@pytest.mark.parametrize(("arguments", "code", "words"), REFUSED, ids=lambda each: str(each)[:40])
def test_what_cannot_be_isolated(
    pair: Path, arguments: tuple[str, ...], code: int, words: list[str]
) -> None:
    text(pair / "empty", "")
    before = there(pair)
    refused(told(pair, "isolate", *arguments), code, *words)
    assert there(pair) == before


def test_a_place_that_cannot_be_written_to_loses_no_test(pair: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    shell(pair, f"echo >>'{log}'; {HAS_BUG}")
    arguments = ("-j", "1", "./test.sh", "good.txt", "bad.txt")
    assert told(pair, "isolate", *arguments, "-o", "fine").code == 0
    usual = log.read_bytes().count(b"\n")
    ran = told(pair, "isolate", *arguments, "-o", "/proc/nowhere")
    refused(ran, 4, "'/proc")
    first = log.read_bytes().count(b"\n") - usual
    assert told(pair, "isolate", *arguments, "-o", "fine").code == 0
    again = log.read_bytes().count(b"\n") - usual - first
    assert first == 0 or again < usual
    assert "nowhere" not in str(there(pair))


def test_a_budget_leaves_two_sides_that_are_true(pair: Path) -> None:
    arguments = ("-j", "1", "-o", "out", "./test.sh", "good.txt", "bad.txt")
    found, _ = isolated(pair, "--max-tests", "1", *arguments, code=3)
    assert not found["minimal"]
    passing, failing = ((pair / "out" / f"bad.{each}.txt") for each in ("passing", "failing"))
    assert b"BUG" in failing.read_bytes()
    assert b"BUG" not in passing.read_bytes()
    found, _ = isolated(pair, *arguments)
    assert found["minimal"] == "characters"


@pytest.mark.skipif(not shutil.which("gcc"), reason="there is no gcc")
@pytest.mark.slow
def test_isolating_takes_a_small_part_of_the_tests_of_ddmin(tmp_path: Path) -> None:
    """Compiled, and a run that crashes: fails; a run that does not: passes; else: cannot tell."""
    lines = [f"int f{n}(int a) {{ int b = a * {n}; return b + {n}; }}" for n in range(40)]
    lines.insert(25, "int bad(int a) { int *p = 0; if (a > 0) { a = *p; } return a; }")
    body = [f"    s += f{n}({n});" for n in range(40)]
    body.insert(30, "    s += bad(s + 1);")
    program = [*lines, "int main(void) {", "    int s = 1;", *body, "    return s & 0;", "}", ""]
    compiler = "tcc" if shutil.which("tcc") else "gcc -w -O0"
    script = f"{compiler} -w -o prog $1 2>/dev/null || exit 125\n./prog\nr=$?\n"
    verdict = "case $r in 139|135|138) exit 0;; *) exit 1;; esac"
    counts = {}
    for command in ("isolate", "reduce"):
        folder = tmp_path / command
        text(folder / "case.c", "\n".join(program))
        shell(folder, f"{script}{verdict}")
        options = ("--search", "ddmin") if command == "reduce" else ()
        limit = ("--max-tests", "400") if command == "reduce" else ()
        ran = told(folder, command, "--json", *options, *limit, "./test.sh", "case.c")
        assert ran.code in {0, 3}, ran
        counts[command] = ran.events[-1]["tests"]
        if command == "isolate":
            [found] = [event for event in ran.events if event["event"] == "answered"]
            assert found["minimal"], found["title"]
    assert counts["isolate"] * 4 <= counts["reduce"], counts


def test_explaining_what_is_left_of_a_reduction(pair: Path) -> None:
    ran = told(pair, "reduce", "--explain", "./test.sh", "bad.txt")
    assert ran.code == 0, ran
    assert (pair / "bad.txt").read_bytes().strip() == b"BUG"
    assert "nearest that passes:" in ran.out
    assert (pair / "bad.passing.txt").exists()
    assert not (pair / "bad.failing.txt").exists()


def test_where_nothing_passes_there_is_nothing_to_explain(pair: Path) -> None:
    line = 'if [ -s "$1" ]; then grep -q BUG "$1" && exit 0; exit 125; else exit 125; fi'
    ran = told(pair, "reduce", "--explain", "-c", line, "bad.txt")
    assert ran.code == 0, ran
    assert (pair / "bad.txt").read_bytes().strip() == b"BUG"
    assert "no variant of the failing input was found that passes" in " ".join(ran.out.split())
    assert not list(pair.glob("*passing*"))


def test_a_reduction_that_fails_is_not_explained(pair: Path) -> None:
    refused(told(pair, "reduce", "--explain", "-c", "false", "bad.txt"), 1)
    assert (pair / "bad.txt").read_bytes() == BAD
    ran = told(pair, "reduce", "--explain", "--max-tests", "4", "./test.sh", "bad.txt")
    assert ran.code == 3, ran


READER = r"""
# Services, their images, and which other one each comes after; none may come after itself.
NF != 2 && (NF != 4 || $3 != "after") { wrong = 1 }
{ known[$1]; if (NF == 4) after[$1] = $4 }
END {
    for (name in after) if (!(after[name] in known)) wrong = 1
    if (wrong || NR < 12 || !("first" in known) || !("last" in known)) { print "wrong"; exit 2 }
    for (name in after) if (after[name] == name) { print "endless"; exit 3 }
}
"""
SERVICES = 500


@pytest.fixture
def services(tmp_path: Path) -> Path:
    """Return a folder with a program, and a file; neither nothing nor a half of that passes."""
    text(tmp_path / "read.awk", READER)
    lines = [f"service-{number} image-{number} after first" for number in range(SERVICES)]
    lines[320] = "service-320 image-320 after service-320"
    text(tmp_path / "services.txt", "\n".join(["first x", *lines, "last y", ""]))
    return tmp_path


AWK = ("services.txt", "--", "awk", "-f", "read.awk", "{}")


def sides(folder: Path) -> tuple[list[str], list[str]]:
    """Return the lines of both sides."""
    passing, failing = (folder / f"services.{each}.txt" for each in ("passing", "failing"))
    return passing.read_text().splitlines(), failing.read_text().splitlines()


@pytest.mark.slow
def test_without_a_passing_side_what_a_reduction_leaves_is_taken_out(services: Path) -> None:
    whole = (services / "services.txt").read_text()
    counts = set()
    for jobs in ("1", "3"):
        ran = told(services, "isolate", "--json", "-j", jobs, *CALM, "-o", jobs, *AWK)
        assert ran.code == 0, ran
        passing, failing = sides(services / jobs)
        assert failing == whole.splitlines(), "it is the original"
        assert [line for line in failing if line not in passing] == [
            "service-320 image-320 after service-320"
        ]
        reducing = [event for event in ran.events if event.get("question") == "reducing"]
        assert reducing[0]["units"] == len(whole)
        assert reducing[-1]["units"] < len(whole) / 4
        counts.add(ran.events[-1]["tests"])
    assert there(services / "1") == there(services / "3")
    assert len(counts) == 1
    assert counts.pop() < 400


@pytest.mark.slow
def test_what_has_nothing_to_spare_is_explained_by_the_original(services: Path) -> None:
    # So few tests find no variant of it that passes.
    ran = told(services, "reduce", "--explain", "--explain-tests", "20", *AWK)
    assert ran.code == 0, ran
    reduced = (services / "services.txt").read_text()
    assert reduced.count("\n") == 12, "one line fewer, and it would be too short"
    assert "no part of the result can be left out so that it passes; of the original:" in ran.out
    original = (services / "services.txt.orig").read_text().splitlines()
    passing = (services / "services.passing.txt").read_text().splitlines()
    assert len(original) == SERVICES + 2
    assert {*original} - {*passing} == {"service-320 image-320 after service-320"}


@pytest.mark.slow
def test_causes_of_their_own_are_all_taken_out(services: Path) -> None:
    whole = (services / "services.txt").read_text()
    loops = [f"service-{number} image-{number} after service-{number}" for number in (5, 77, 320)]
    for line in loops:
        whole = whole.replace(f"{line.rpartition(' ')[0]} first\n", f"{line}\n")
    text(services / "services.txt", whole)
    isolated(services, "-o", "out", *AWK)
    passing, failing = sides(services / "out")
    assert not {*loops} & {*passing}
    [line] = {*failing} - {*passing}
    assert line in loops, "the difference is one of them, and the others are on neither side"


@pytest.mark.slow
def test_a_budget_that_ends_before_anything_passes(services: Path) -> None:
    before = there(services)
    ran = told(services, "isolate", "-j", "1", "--max-tests", "25", "-o", "out", *AWK)
    assert ran.code == 3, ran
    assert "nothing was found so far that passes" in ran.out
    assert [path.name for path in (services / "out").iterdir()] == ["services.failing.txt"]
    smaller = (services / "out" / "services.failing.txt").read_bytes()
    assert b"service-320 image-320 after service-320\n" in smaller
    assert len(smaller) < len((services / "services.txt").read_bytes()) / 2
    found, _ = isolated(services, "-o", "done", *AWK)
    assert found["data"]["patch"]
    shutil.rmtree(services / "out")
    shutil.rmtree(services / "done")
    assert there(services) == before


@pytest.mark.slow
@pytest.mark.parametrize(
    "content",
    [b"x", b"\0\1\2\xff" * 40, b" ".join(b"w%d" % n for n in range(300)), b"one two\nthree\n" * 3],
    ids=["one byte", "binary", "a long line", "lines"],
)
def test_what_never_passes(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "bad").write_bytes(content)
    before = there(tmp_path)
    test = shell(tmp_path, f'test "$(wc -c <"$1")" = {len(content)} || exit 125')
    ran = told(tmp_path, "isolate", test, "bad")
    refused(ran, 1, "no variant of the failing input was found that passes", "give an input")
    test.unlink()
    assert there(tmp_path) == before
