"""Tests as they were written for other reducers work without a change."""

import os
import stat
import sys
from pathlib import Path

import pytest

from e2e.programs import NUMBERS, reduced, refused, shell, text, there, told, wynot
from tiers import slow_after
from wynot.machine import landlock

PROGRAM = """\
#include <stdio.h>

int unused(int x) {
    return x + 1;
}

int main(void) {
    int a = 1;
    printf("%d", a / 0);
    return 0;
}
"""


def test_a_script_for_creduce_and_cvise(tmp_path: Path) -> None:
    """The file is in the working folder by its base name; there may be no arguments."""
    text(tmp_path / "tools" / "wanted", "a / 0\n")
    text(tmp_path / "src" / "prog.c", PROGRAM)
    test = shell(tmp_path / "tools", f'grep -q -F -f "{tmp_path}/tools/wanted" prog.c')
    reduced(tmp_path, test, "src/prog.c")
    assert (tmp_path / "src" / "prog.c").read_text() == "a / 0\n"
    assert (tmp_path / "src" / "prog.c.orig").read_text() == PROGRAM


def test_a_script_for_perses_that_writes_files_of_its_own(numbers: Path) -> None:
    shell(numbers, "grep 33 in.txt > found.tmp && [ -s found.tmp ] && ! [ -e left ] && : > left")
    reduced(numbers, "test.sh", "in.txt")
    assert there(numbers).keys() == {"in.txt", "in.txt.orig", "test.sh"}
    assert (numbers / "in.txt").read_bytes() == b"33\n"


def test_a_script_for_shrinkray(numbers: Path) -> None:
    """Path, standard input and working folder at once."""
    shell(numbers, 'cmp -s "$1" - && cmp -s "$1" in.txt && grep -q 33 "$1"')
    reduced(numbers, "./test.sh", "in.txt")
    assert (numbers / "in.txt").read_bytes() == b"33\n"


def test_a_script_for_picire_delta_and_llvm_reduce(numbers: Path) -> None:
    """The path is the only argument, and absolute."""
    shell(numbers, '[ $# = 1 ] || exit 1\ncase $1 in /*) cat "$1" | grep -q 33 ;; *) exit 1;; esac')
    reduced(numbers, "./test.sh", "in.txt")
    assert (numbers / "in.txt").read_bytes() == b"33\n"


def test_a_script_for_halfempty(numbers: Path) -> None:
    shell(numbers, "exec grep -q 33")
    reduced(numbers, "./test.sh", "in.txt")
    assert (numbers / "in.txt").read_bytes() == b"33\n"


def test_a_check_for_lithium(numbers: Path) -> None:
    (numbers / "in.txt").write_bytes(b"1\n33\n")
    text(
        numbers / "check.py",
        f"""\
from pathlib import Path

def note(what):
    with open({str(numbers / "log")!r}, "a") as log:
        log.write(what + "\\n")

def init(args):
    note("init " + Path(args[-1]).name)

def interesting(args, prefix):
    assert prefix
    return b"33" in Path(args[-1]).read_bytes()

def cleanup(args):
    note("cleanup " + Path(args[-1]).name)
""",
    )
    reduced(numbers, "-j1", "check.py", "in.txt")
    assert (numbers / "in.txt").read_bytes() == b"33\n"
    log = (numbers / "log").read_text().splitlines()
    assert log[::2] == ["init in.txt"] * (len(log) // 2)
    assert log[1::2] == ["cleanup in.txt"] * (len(log) // 2)


@pytest.mark.slow
def test_a_check_for_lithium_that_raises_says_nothing_interesting(numbers: Path) -> None:
    text(numbers / "check.py", "def interesting(args, prefix):\n    raise KeyError('oops')\n")
    ran = wynot(numbers, "reduce", "check.py", "in.txt")
    assert ran.code == 1
    assert "KeyError: 'oops'" in ran.err


@pytest.mark.parametrize(
    "command",
    [
        ("cat", "@@"),
        ("cat", "{}"),
        ("cat",),
        ("cat", "in.txt"),
        ("sh", "-c", "cat {}"),
        ("sh", "-c", 'cat < "$1"', "sh", "{}"),
    ],
    ids=["treereduce", "hole", "stdin", "named", "inside", "positional"],
)
def test_a_command_gets_the_file_in_every_way(numbers: Path, command: tuple[str, ...]) -> None:
    reduced(numbers, "--stdout", "33", "in.txt", "--", *command)
    assert (numbers / "in.txt").read_bytes() == b"33\n"


def test_a_command_that_names_the_file_by_its_full_path(numbers: Path) -> None:
    path = numbers / "in.txt"
    reduced(numbers, "--stdout", "33", path, "--", "cat", path)
    assert path.read_bytes() == b"33\n"


@pytest.mark.parametrize("named", ["./in.txt", "../{}/in.txt"])
def test_a_command_that_names_the_file_by_a_relative_path(numbers: Path, named: str) -> None:
    path = named.format(numbers.name)
    reduced(numbers, "--stdout", "33", path, "--", "cat", path)
    assert (numbers / "in.txt").read_bytes() == b"33\n"


def test_a_command_that_names_two_files_gets_each_once(numbers: Path) -> None:
    (numbers / "b.txt").write_bytes(NUMBERS)
    shell(numbers, '[ $# = 2 ] && echo "$@" >&2 && cat "$@"')
    reduced(
        numbers,
        *("--stdout", r"33(.|\n)*33", "--stderr", "^b.txt in.txt$"),
        *("in.txt", "b.txt", "--", "./test.sh", "b.txt", "in.txt"),
    )
    assert (numbers / "in.txt").read_bytes() == (numbers / "b.txt").read_bytes() == b"33\n"


def test_a_program_beside_the_file_is_found_from_the_private_folder(numbers: Path) -> None:
    reduced(numbers, "--exit", "0", "in.txt", "--", "./test.sh", "{}")
    assert (numbers / "in.txt").read_bytes() == b"33\n"


@pytest.mark.parametrize("program", ["./run.sh", "./{}", "{}", None], ids=str)
def test_a_program_that_is_the_file_itself(tmp_path: Path, program: str | None) -> None:
    script = shell(tmp_path, "echo one\necho two\necho three\nexit 3\n", "run.sh")
    ran = told(tmp_path, "reduce", "--stdout", "two", "run.sh", "--", program or str(script))
    assert ran.code == 0, ran
    assert "confined: " in ran.out or not landlock.version()
    left = script.read_text()
    assert "two" in left
    assert "one" not in left
    assert stat.S_IMODE(script.stat().st_mode) == 0o755


def test_a_program_of_the_folder_itself(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    text(tmp_path / "project" / "data.txt", "data\n")
    script = shell(tmp_path / "project", "echo one\necho two\nexit 3\n", "run.sh")
    ran = told(tmp_path, "reduce", "--exit", "3", "project", "--", "./project/run.sh")
    assert ran.code == 0, ran
    assert "echo" not in script.read_text()
    assert not (tmp_path / "project" / "data.txt").exists()


def test_a_file_that_is_no_program_is_told(tmp_path: Path) -> None:
    text(tmp_path / "run.sh", "#!/nonexistent/sh\nexit 3\n", 0o755)
    refused(told(tmp_path, "reduce", "run.sh", "--", "./run.sh"), 2, "cannot be started")
    checked = told(tmp_path, "check", "run.sh", "--", "./run.sh")
    assert checked.code == 1
    assert "cannot be started" in checked.out


def test_a_script_for_git_bisect_run(numbers: Path) -> None:
    """0 is good, 125 cannot be tested, anything else is bad."""
    shell(numbers, "grep -q 7 in.txt || exit 125\ngrep -q 33 in.txt && exit 1\nexit 0")
    reduced(numbers, "--invert", "./test.sh", "in.txt")
    left = (numbers / "in.txt").read_text()
    assert sorted(left.replace("\n", "")) == ["3", "3", "7"]


def test_a_command_for_dustmite(tmp_path: Path) -> None:
    """A line of shell, in a working folder that holds the tree."""
    text(tmp_path / "tree" / "main.d", "import a;\nvoid main() { boom(); }\n")
    text(tmp_path / "tree" / "a.d", "module a;\nvoid boom() {}\n")
    reduced(tmp_path, "-c", "grep -q boom tree/main.d", "tree")
    assert there(tmp_path / "tree") == {"main.d": b"boom\n"}


def test_a_line_of_shell_as_for_cvise(numbers: Path) -> None:
    reduced(numbers, "-c", 'grep -q 33 in.txt && grep -q 44 "$1"', "in.txt")
    assert (numbers / "in.txt").read_bytes() in {b"3344\n", b"33\n44\n"}


def test_several_files(numbers: Path) -> None:
    (numbers / "other.txt").write_bytes(NUMBERS)
    shell(numbers, '[ $# = 2 ] && grep -q 33 in.txt && grep -q 44 other.txt && grep -q 44 "$2"')
    reduced(numbers, "test.sh", "in.txt", "other.txt")
    assert there(numbers) == {
        "in.txt": b"33\n",
        "in.txt.orig": NUMBERS,
        "other.txt": b"44\n",
        "other.txt.orig": NUMBERS,
        "test.sh": (numbers / "test.sh").read_bytes(),
    }


def test_files_of_several_folders_are_side_by_side(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    (tmp_path / "one" / "a.txt").write_bytes(NUMBERS)
    (tmp_path / "two" / "b.txt").write_bytes(NUMBERS)
    shell(tmp_path, "grep -q 33 a.txt && grep -q 44 b.txt")
    reduced(tmp_path, "test.sh", "one/a.txt", "two/b.txt")
    assert (tmp_path / "one" / "a.txt").read_bytes() == b"33\n"
    assert (tmp_path / "two" / "b.txt").read_bytes() == b"44\n"


def test_a_folder_with_subfolders_loses_files_and_keeps_the_bits_of_others(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    text(tree / "run.sh", "#!/bin/sh\necho unused\ncat deep/er/wanted.txt\n", 0o755)
    text(tree / "deep" / "er" / "wanted.txt", "noise\nneedle\nnoise\n")
    text(tree / "deep" / "er" / "gone.txt", "noise\n")
    text(tree / "other" / "gone.txt", "noise\n")
    before = there(tree)
    shell(tmp_path, "cd tree && ./run.sh | grep -q needle")
    reduced(tmp_path, "test.sh", "tree")
    assert there(tree).keys() == {"run.sh", "deep/er/wanted.txt"}
    # A line end is no token; that any character may go is so only if no file is a program.
    assert (tree / "deep" / "er" / "wanted.txt").read_bytes() == b"needle\n"
    assert (tree / "run.sh").stat().st_mode & stat.S_IXUSR
    assert not (tree / "other").exists()
    assert there(tmp_path / "tree.orig") == before


def test_folders_that_have_become_empty_go_all_the_way_up(tmp_path: Path) -> None:
    text(tmp_path / "tree" / "wanted.txt", "needle\n")
    text(tmp_path / "tree" / "a" / "b" / "c" / "gone.txt", "noise\n")
    reduced(tmp_path, "-c", "grep -q needle tree/wanted.txt", "tree")
    assert not (tmp_path / "tree" / "a").exists()


def test_links_of_a_folder_are_there_and_stay(tmp_path: Path) -> None:
    text(tmp_path / "tree" / "wanted.txt", "noise\nneedle\n")
    (tmp_path / "tree" / "link").symlink_to("wanted.txt")
    reduced(tmp_path, "-c", "[ -L tree/link ] && grep -q needle tree/link", "tree")
    assert (tmp_path / "tree" / "link").is_symlink()
    assert (tmp_path / "tree" / "link").read_bytes() == b"needle\n"


def test_the_folder_above_is_not_touched_by_a_reduction_of_the_present_one(tmp_path: Path) -> None:
    text(tmp_path / "tree" / "wanted.txt", "noise\nneedle\n")
    reduced(tmp_path / "tree", "-c", 'cd "$1" && grep -q needle wanted.txt', ".")
    assert there(tmp_path).keys() == {"tree/wanted.txt", "tree.orig/wanted.txt"}
    assert (tmp_path / "tree" / "wanted.txt").read_bytes() == b"needle\n"


STRANGE = [
    b"two words.txt",
    b"-dash.txt",
    "grün ☃.txt".encode(),
    b"\xff\xfe.txt",
    b"new\nline.txt",
    b'it\'s "quoted".txt',
    b"$HOME `date` *.txt",
    b"{}.txt",
    b"@@",
    b"[bold]x.txt",
    b".hidden",
]


@pytest.mark.parametrize("name", slow_after(4, STRANGE), ids=ascii)
def test_a_file_may_have_any_name(tmp_path: Path, name: bytes) -> None:
    path = tmp_path / os.fsdecode(name)
    path.write_bytes(b"noise\n33\n")
    shell(tmp_path, '[ $# = 1 ] && [ -f "$1" ] && grep -q 33 "$1" && grep -q 33')
    ran = reduced(tmp_path, "test.sh", b"./" + name)
    assert path.read_bytes() == b"33\n"
    assert len(ran.out.splitlines()) == 1
    assert {os.fsencode(each) for each in there(tmp_path)} == {name, name + b".orig", b"test.sh"}
    (tmp_path / os.fsdecode(name + b".orig")).replace(path)
    reduced(tmp_path, "--stdout", "33", b"./" + name, "--", "cat", "{}")
    assert path.read_bytes() == b"33\n"


@pytest.mark.slow
def test_names_in_a_folder_may_be_strange_too(tmp_path: Path) -> None:
    folder = tmp_path / "tree"
    folder.mkdir()
    for name in STRANGE:
        (folder / os.fsdecode(name)).write_bytes(b"noise\n33\n")
    shell(tmp_path, "[ $(grep -rl 33 tree | grep -c .) -ge 11 ]")  # one name has two lines
    reduced(tmp_path, "test.sh", "tree")
    assert set(there(folder).values()) == {b"33\n"}
    assert {os.fsencode(name) for name in there(folder)} <= set(STRANGE)


def test_the_test_has_its_own_place_for_temporary_files(numbers: Path) -> None:
    shell(numbers, '[ -d "$TMPDIR" ] && : > "$(mktemp)" && [ "$PWD" != "$TMPDIR" ] && grep -q 33')
    reduced(numbers, "test.sh", "in.txt")
    assert (numbers / "in.txt").read_bytes() == b"33\n"


def test_files_after_an_option_are_found_from_the_private_folder(tmp_path: Path) -> None:
    text(tmp_path / "conf.ini", "33")
    text(tmp_path / "include" / "more", "x")
    text(tmp_path / "sub" / "in.txt", NUMBERS.decode())
    program = """
import sys
options = dict(word.removeprefix("--").split("=") for word in sys.argv[1:] if "=" in word)
assert open(sys.argv[-1].removeprefix("-I") + "/more").read() == "x"
sys.exit(3 * (open(options["config"]).read() in open(options["input"]).read().split()))
"""
    text(tmp_path / "prog.py", program)
    named = ["--config=conf.ini", "--input=sub/in.txt", "-Iinclude"]
    reduced(tmp_path, "--exit", "3", "sub/in.txt", "--", sys.executable, "prog.py", *named)
    assert (tmp_path / "sub" / "in.txt").read_text().strip() == "33"
