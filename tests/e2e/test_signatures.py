"""Without a script: the first run shows what the failure is, and the result still shows that one.

Every program here has another failure that a smaller input reaches: to end there is slippage.
"""

import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from e2e.programs import refused, shell, text, told
from tiers import slow_after

NOISE = "".join(f"noise {number}\n" for number in range(6))
INPUT = f"{NOISE}deep\n{NOISE}heap\n{NOISE}"

PROGRAM = r"""
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[65536];
static int has(const char *what) { return strstr(text, what) != NULL; }

__attribute__((noinline)) static void wanted_bug(volatile int *where) {
#if defined(ASSERTS)
    assert(where == NULL && "the wanted one");
#elif defined(ADDRESS)
    where[4] = 1;
#else
    *(volatile int *)0 = 1;
#endif
}
__attribute__((noinline)) static void other_bug(volatile int *where) {
#if defined(ASSERTS)
    assert(where == NULL && "the other one");
#elif defined(ADDRESS)
    where[5] = 1;
#else
    abort();
#endif
}
__attribute__((noinline)) static void walk(volatile int *where) {
    if (has("deep") && has("heap")) wanted_bug(where);
    else if (has("deep") || has("heap")) other_bug(where);
    where[0]++;
}

int main(int argc, char **argv) {
    FILE *file = fopen(argv[argc - 1], "r");
    if (file == NULL) return 2;
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    int *where = malloc(4 * sizeof(int));
    walk(where);
    free(where);
    return 0;
}
"""


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Compile the program in three ways."""
    if shutil.which("gcc") is None:
        pytest.skip("there is no C compiler")
    folder = tmp_path_factory.mktemp("programs")
    source = text(folder / "program.c", PROGRAM)
    for name, options in {
        "asan": ["-fsanitize=address", "-DADDRESS"],
        "asserts": ["-DASSERTS"],
        "segfault": [],
    }.items():
        subprocess.run(  # noqa: S603 - our own program
            ["gcc", "-g", "-O0", "-w", *options, "-o", folder / name, source], check=True
        )
    return folder


@pytest.fixture
def case(tmp_path: Path) -> Path:
    """Return a folder with an input that needs two lines, far apart."""
    text(tmp_path / "in.txt", INPUT)
    return tmp_path


def is_the_same(folder: Path) -> bool:
    """Tell whether the result is the failure that was there, and nothing else."""
    left = (folder / "in.txt").read_text()
    return left.replace("\n", "") == "deepheap"


@pytest.mark.parametrize(
    ("name", "keeps"),
    slow_after(
        1,
        [
            ("asserts", "the wanted one"),
            ("asan", "AddressSanitizer heap-buffer-overflow in wanted_bug ← walk"),
            ("segfault", "SIGSEGV"),
        ],
    ),
)
def test_a_program_in_c(case: Path, programs: Path, name: str, keeps: str) -> None:
    ran = told(case, "reduce", "in.txt", "--", str(programs / name), "{}")
    assert ran.code == 0, ran
    [line] = [line for line in ran.out.splitlines() if line.startswith("wynot: keeps: ")]
    assert keeps in line
    assert is_the_same(case)


@pytest.mark.slow
def test_the_same_without_the_trace_slips(case: Path, programs: Path) -> None:
    """Which is what --same exit asks for: any failure with that status will do."""
    ran = told(case, "reduce", "-q", "--same", "exit", "in.txt", "--", programs / "asan", "{}")
    assert ran.code == 0
    assert (case / "in.txt").read_text() in {"deep\n", "heap\n"}


def test_a_signal_by_hand(case: Path, programs: Path) -> None:
    command = ("in.txt", "--", str(programs / "segfault"), "{}")
    assert told(case, "reduce", "-q", "-o", "segv", "--signal", "SEGV", *command).code == 0
    assert (case / "segv").read_text().replace("\n", "") == "deepheap"
    refused(
        told(case, "reduce", "--signal", "ABRT", *command), 1, "killed by SIGSEGV", "does not show"
    )


@pytest.mark.parametrize("level", ["signal", "exit"])
def test_same_signal(case: Path, programs: Path, level: str) -> None:
    ran = told(case, "reduce", "-q", "--same", level, "in.txt", "--", programs / "segfault", "{}")
    assert ran.code == 0
    assert is_the_same(case)


SCRIPT = """\
import sys

def wanted(text):
    raise ValueError("the wanted one")

def other(text):
    raise ValueError("the other one")

def walk(text):
    if "deep" in text and "heap" in text:
        wanted(text)
    if "deep" in text or "heap" in text:
        other(text)

walk(open(sys.argv[1]).read())
"""


@pytest.mark.parametrize("level", slow_after(1, ["auto", "trace", "message"]))
def test_a_python_traceback(case: Path, level: str) -> None:
    program = text(case / "program.py", SCRIPT)
    command = (sys.executable, "-S", "-E", str(program), "{}")
    ran = told(case, "reduce", "--same", level, "--json", "in.txt", "--", *command)
    assert ran.code == 0, ran
    keeps = ran.began["keeps"]
    assert keeps.startswith("ValueError")
    assert ("wanted ← walk" in keeps) == (level != "message")
    assert is_the_same(case)


def test_a_message_that_is_nothing_but_a_quoted_word(case: Path) -> None:
    """As every KeyError is; and at the top of a program there is no function to tell by."""
    program = text(
        case / "program.py",
        """\
import sys
text = open(sys.argv[1]).read()
if "deep" in text and "heap" in text:
    {}["wanted"]
if "deep" in text or "heap" in text:
    {}["other"]
""",
    )
    command = (sys.executable, "-S", "-E", str(program), "{}")
    assert told(case, "reduce", "-q", "in.txt", "--", *command).code == 0
    assert is_the_same(case)


SLIPS = {
    "operands.py": (
        'def price(item):\n    return 1 + item.get("price")\nprice({"name": 3})\n',
        "unsupported operand type(s) for +: 'int' and 'NoneType'",
    ),
    "attribute.py": (
        "def path(node):\n    return node.name\nnodes = {}\npath(nodes.get('top'))\n",
        "'NoneType' object has no attribute '…'",
    ),
}


@pytest.mark.parametrize("name", slow_after(1, SLIPS))
def test_what_a_tool_says_in_quotes_stays(tmp_path: Path, name: str) -> None:
    """It is not in the input, so it cannot come from there; what is in the input is renamed."""
    given, keeps = SLIPS[name]
    text(tmp_path / name, given)
    command = (sys.executable, "-S", "-E", "{}")
    ran = told(tmp_path, "reduce", "--json", "--fast", name, "--", *command)
    assert ran.code == 0, ran
    assert keeps in ran.began["keeps"]
    done = subprocess.run([*command[:-1], tmp_path / name], capture_output=True, check=False)  # noqa: S603
    last = done.stderr.decode().splitlines()[-1]
    assert re.search(re.escape(keeps).replace("…", r"\w+"), last), last
    assert len((tmp_path / name).read_bytes()) < len(given)


def test_a_reserved_word_in_quotes_stays(tmp_path: Path) -> None:
    """Though it is in the input: nothing that a reduction does makes another one of it."""
    script = 'x=$1\ncase "$x" in\n  start) echo starting\n    ;;\n  stop) echo stopping\nfi\n'
    text(tmp_path / "in.sh", script)
    ran = told(tmp_path, "reduce", "--json", "in.sh", "--", "bash", "{}")
    assert ran.code == 0, ran
    assert "near unexpected token 'fi'" in ran.began["keeps"]
    left = (tmp_path / "in.sh").read_text()
    assert left.strip().endswith("fi")
    assert len(left) < len(script)


def test_words_of_the_input_are_known_when_a_run_is_resumed(tmp_path: Path) -> None:
    """By then the file is what is left of it, and has other names."""
    given = "def total(items):\n    return 1\ntotal(1)\nunknown_name\n"
    text(tmp_path / "in.py", given)
    command = ("reduce", "--json", "in.py", "--", sys.executable, "-S", "-E", "{}")
    told(tmp_path, "reduce", "--target-size", "2", *command[1:])
    assert (tmp_path / "in.py").read_text().strip() == "a"
    again = told(tmp_path, *command)
    assert again.began["known"]
    assert "name '…' is not defined" in again.began["keeps"]


def test_what_differs_between_two_runs_is_not_looked_for(tmp_path: Path) -> None:
    """Also when the run is resumed: it learns from the same two runs."""
    shell(
        tmp_path,
        'grep -q deep <"$1" || exit 0\n'
        "name=$(mktemp -u XXXXXXXXXX | tr 0-9 a-j)\n"
        'echo "session $name: cannot sell the part deep to $name" >&2; exit 3',
        "shop.sh",
    )
    text(tmp_path / "in.txt", "one\ntwo\ndeep\n")
    command = ("reduce", "--json", "in.txt", "--", "./shop.sh", "{}")
    first = told(tmp_path, "reduce", "--target-size", "9", *command[1:])
    again = told(tmp_path, *command)
    assert (tmp_path / "in.txt").read_text() == "deep\n"
    [notice] = (each for each in first.events if each.get("slug") == "varies")
    names = re.findall(r"session (\w+)", notice["message"])
    assert len(names) == len({*names}) == 2, "both lines are shown"
    keeps = {each["keeps"] for ran in (first, again) for each in ran.events if "keeps" in each}
    assert keeps == {'exit status 3 and "session …: cannot sell the part deep to …"'}


@pytest.mark.parametrize(
    ("options", "keeps", "left"),
    slow_after(
        2,
        [
            ([], "exit status 3 and \"widget: no part '…'\"", "a"),
            (["--same", "exact"], "exit status 3 and \"widget: no part 'deep'\"", "deep"),
            (["--text", "part 'deep'"], "\"part 'deep'\" in its output", "deep"),
            (["--text", "part", "--text", "deep"], '"part" in its output and "deep" in', "deep"),
            (["--text", "widget", "--exit", "3"], 'exit status 3 and "widget" in its output', "0"),
        ],
    ),
)
def test_this_very_message(tmp_path: Path, options: list[str], keeps: str, left: str) -> None:
    shell(
        tmp_path,
        'read -r part <"$1"; [ -s "$1" ] || exit 0\necho "widget: no part \'$part\'" >&2; exit 3',
        "widget.sh",
    )
    text(tmp_path / "in.txt", "deep\n")
    ran = told(tmp_path, "reduce", "--json", *options, "in.txt", "--", "./widget.sh", "{}")
    assert ran.code == 0, ran
    assert keeps in ran.began["keeps"]
    assert (tmp_path / "in.txt").read_text().strip() == left


@pytest.mark.parametrize(("before", "after"), [(0, 700_000), (300_000, 400_000)])
def test_an_output_that_is_not_searched_as_a_whole_is_noticed(
    tmp_path: Path, before: int, after: int
) -> None:
    shell(
        tmp_path,
        f"""head -c {before} /dev/zero | tr '\\0' x; cat "$1"; head -c {after} /dev/zero; exit 3""",
        "noisy.sh",
    )
    text(tmp_path / "in.txt", "deep\n")
    ran = told(tmp_path, "reduce", "--json", "--text", "deep", "in.txt", "--", "./noisy.sh", "{}")
    assert (ran.code == 0) is (before == 0), ran
    notices = [each["message"] for each in ran.events if each.get("slug") == "long-output"]
    assert len(notices) == 1
    assert "first and the last 256 KiB" in notices[0]


COMPLAINS = """\
if grep -q deep "$1" && grep -q heap "$1"; then
    echo "widget: cannot be wound at line $(grep -n deep "$1" | cut -d: -f1)" >&2; exit 3
fi
grep -q deep "$1" && { echo "widget: not found" >&2; exit 3; }
grep -q heap "$1" && { echo "widget: cannot be wound at all" >&2; exit 4; }
exit 0
"""


@pytest.mark.parametrize(
    ("level", "keeps", "left"),
    [
        ("auto", 'exit status 3 and "widget: cannot be wound at line N"', "deepheap"),
        ("message", "cannot be wound at line N", "deepheap"),
        ("exit", "exit status 3", "deep"),
    ],
)
def test_a_plain_exit_status_with_a_message(case: Path, level: str, keeps: str, left: str) -> None:
    shell(case, COMPLAINS, "widget.sh")
    ran = told(case, "reduce", "--json", "--same", level, "in.txt", "--", "./widget.sh", "{}")
    assert ran.code == 0, ran
    assert keeps in ran.began["keeps"]
    assert (case / "in.txt").read_text().replace("\n", "") == left


@pytest.mark.parametrize(
    ("level", "words"),
    [("signal", "no signal ended it: exit status 3"), ("trace", "no functions in its output")],
)
def test_a_level_that_the_first_run_does_not_have(case: Path, level: str, words: str) -> None:
    shell(case, COMPLAINS, "widget.sh")
    ran = told(case, "reduce", "--same", level, "in.txt", "--", "./widget.sh", "{}")
    refused(ran, 1, f"--same is {level!r}", words, "auto")
    assert (case / "in.txt").read_text() == INPUT
    assert not (case / ".wynot").exists()


def test_a_program_that_goes_well_shows_no_failure(case: Path) -> None:
    ran = told(case, "reduce", "in.txt", "--", "cat", "{}")
    refused(ran, 1, "shows no failure: exit status 0")
    assert (case / "in.txt").read_text() == INPUT


@pytest.mark.parametrize(
    ("options", "keeps", "left"),
    [
        (["--exit", "3"], "exit status 3", "deep"),
        (["--exit", "4"], "exit status 4", None),
        (["--stderr", "wound at line"], '"wound at line" on stderr', "deepheap"),
        (
            ["--exit", "3", "--not-stderr", "not found"],
            'exit status 3 and "not found" not on stderr',
            "deepheap",
        ),
    ],
)
def test_what_is_looked_for_by_hand(
    case: Path, options: list[str], keeps: str, left: str | None
) -> None:
    shell(case, COMPLAINS, "widget.sh")
    ran = told(case, "reduce", "--json", *options, "in.txt", "--", "./widget.sh", "{}")
    if left is None:
        refused(ran, 1, "does not show on the original: exit status 3")
        return
    assert ran.code == 0, ran
    assert ran.began["keeps"] == keeps
    assert (case / "in.txt").read_text().replace("\n", "") == left


def test_a_failure_that_a_shell_reports_is_that_of_its_program(case: Path, programs: Path) -> None:
    """As an exit status of 128 and more, which stands for a signal."""
    line = f'"{programs / "segfault"}" "$1"; exit $?'
    command = ("sh", "-c", line, "sh", "{}")
    ran = told(case, "reduce", "--json", "in.txt", "--", *command)
    assert ran.code == 0, ran
    assert signal.Signals.SIGSEGV.name in ran.began["keeps"]
    assert is_the_same(case)
