"""How the cost of a reduction grows with its input, beside Picire and a bare line-based ddmin.

    python benchmarks/growth.py --picire .bench/bin/python
    python benchmarks/growth.py --kinds c json --sizes 1 10 --places one

Inputs of eleven kinds are made up, of 0.1 and 1 MB unless other sizes are named. The test is a
shell script with ``grep -q`` for a word that is in one place, in five places far apart, or deep
inside a structure that must stay; or every line is needed, so that nothing can go. For each input
the table has a row for wynot, one for Picire with as many workers, if its Python is named, and one
for ddmin. Those two know only lines, and ask the same test:

- *first*: seconds to the first test of a candidate; *tenth*: to a tenth of the input; *all*;
- *own*: the tool's processor time without its tests and the programs that run them;
- tests, bytes of the result, and peak memory.

At the end it prints each input on which wynot takes more than 1.2 times as long as Picire and a
second, unless Picire's result is more than twice as large; and how own time grows with the size.

Seconds include the start of Python. They are higher on a busy machine: the load is printed.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import product
from math import log, nan
from os import getloadavg
from pathlib import Path
from time import monotonic, time
from typing import NamedTuple

NEEDLE, LEVELS, CALIBRATION_RUNS = "needle", 6, 3
MOST_SECONDS, GRACE_SECONDS = 300, 60
OWN = """
import resource, sys
used_file = sys.argv.pop(1)
{run}
used = resource.getrusage(resource.RUSAGE_SELF)
peak = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
open(used_file, "w").write(f"{{used.ru_utime + used.ru_stime}} {{peak}}")
"""
RUN_WYNOT = "from wynot.cli.main import main; main(sys.argv[1:])"
RUN_PICIRE = "from picire.cli import execute; execute()"
PROSE = """the of and to in a is that for it as was with be by on not he his but at are this have
from or had an they which one you were all her she there would their we him been has when who will
no more if out so up said what its about than into them can only other time new some could"""
WORDS = PROSE.split()
CHANCE = random.Random(1)


class Kind(NamedTuple):
    """A kind of input: a frame, and as many units in it as are wanted."""

    name: str
    """That of the file."""
    unit: Callable[[int, str], str]
    """Writes a unit from its number and a word in it."""
    begin: str = ""
    end: str = ""
    opens: str = ""
    """Begins a level of a structure of which ``{}`` is the name."""
    closes: str = ""


def words(count: int) -> str:
    """Return some words."""
    return " ".join(CHANCE.choices(WORDS, k=count))


def json_unit(number: int, word: str) -> str:
    """Return an element of a list of records, on several lines."""
    record = {
        "id": number,
        "name": f"{word} {number}",
        "tags": CHANCE.choices(WORDS, k=3),
        "nested": {"score": CHANCE.randrange(1000), "found": None, "list": [1, 2, [3]]},
    }
    return json.dumps(record, indent=1) + ",\n"


def c_unit(number: int, word: str) -> str:
    """Return a function that calls an earlier one."""
    return (
        f"static int f{number}(int x) {{\n  int a[4] = {{1, 2, {number}, x}}, total = 0;\n"
        f"  for (int i = 0; i < {number % 9}; i++) {{\n    total += a[i % 4] * x;\n  }}\n"
        f'  printf("%d {word}\\n", total + f{CHANCE.randrange(number + 1)}(x - 1));\n'
        f"  return total;\n}}\n\n"
    )


def cpp_unit(number: int, word: str) -> str:
    """Return a namespace with a template and a function that uses it."""
    return (
        f"namespace n{number} {{\ntemplate <class T> struct box {{\n  T value;\n"
        f"  std::vector<T> items;\n  int get(int k) const {{ return k < {number} ? k : 0; }}\n}};\n"
        f'inline int call(int x) {{\n  box<long> b{{}};\n  log("{word}");\n'
        f"  if (x > {number % 97}) b.items.push_back(x);\n  return b.get(x) + {number};\n}}\n}}\n"
    )


def python_unit(number: int, word: str) -> str:
    """Return a class and a function that calls an earlier one."""
    return (
        f"class C{number}:\n    size = {number}\n\n    def get(self, key):\n"
        f"        return {{1: key, 2: [self.size, {number % 7}]}}.get(key, 0)\n\n\n"
        f"def f{number}(x):\n    total = [a * x for a in range({number % 9})]\n"
        f"    if x > {number % 7} and len(total) < 3:\n"
        f"        total.append(f{CHANCE.randrange(number + 1)}(x - 1))\n"
        f"    return C{number}().get(x, '{word}')\n\n\n"
    )


KINDS = {
    "json": Kind("f.json", json_unit, "[\n", "0]\n", '{{"{0}": [\n', "0]},\n"),
    "log": Kind(
        "f.txt",
        lambda number, word: (
            f"2026-01-02 03:04:{number % 60:02} INFO [worker-{number % 8}] "
            f"request {number} {word} took {CHANCE.randrange(900)} ms for user {number % 97}\n"
        ),
        opens="begin {0}\n",
        closes="end\n",
    ),
    "csv": Kind(
        "f.csv",
        lambda number, word: f"{number},{word},{words(2)},{CHANCE.random():.4f},{number % 7}\n",
        "id,name,what,score,group\n",
        opens="0,{0},,,\n",
    ),
    "c": Kind("f.c", c_unit, "#include <stdio.h>\n", "", "#if {0}\n", "#endif\n"),
    "c++": Kind("f.cpp", cpp_unit, "#include <vector>\n", "", "namespace {0} {{\n", "}\n"),
    "python": Kind("f.py", python_unit),
    "sql": Kind(
        "f.sql",
        lambda number, word: (
            f"CREATE TABLE t{number} (id INTEGER PRIMARY KEY, name TEXT);\n"
            f"INSERT INTO t{number} VALUES ({number}, '{word}'), (2, '{words(3)}');\n"
            f"SELECT name FROM t{number} WHERE id > {number % 9} ORDER BY name;\n"
        ),
        opens="-- {0}\n",
    ),
    "xml": Kind(
        "f.xml",
        lambda number, word: (
            f'<record id="{number}">\n  <name>{word}</name>\n  <tags><a>{words(2)}</a>'
            f'<b x="{number % 9}"/></tags>\n</record>\n'
        ),
        '<?xml version="1.0"?>\n<all>\n',
        "</all>\n",
        '<group name="{0}">\n',
        "</group>\n",
    ),
    "yaml": Kind(
        "f.yaml",
        lambda number, word: (
            f"- id: {number}\n  name: {word} {number}\n  tags: [{', '.join(WORDS[:3])}]\n"
            f"  nested:\n    score: {number % 97}\n    found: null\n"
        ),
        opens="# {0}\n",
    ),
    "markdown": Kind(
        "f.md",
        lambda number, word: (
            f"## Part {number}\n\n{words(9)} {word} {words(9)}\n{words(12)}.\n\n"
            f"- {words(4)}\n- `{words(2)}`\n\n"
        ),
        opens="# {0}\n",
    ),
    "binary": Kind(
        "f.bin",
        lambda number, word: f"\0{number}\1{CHANCE.randbytes(12).hex()}\2{word}\n",
        opens="\0{0}\n",
    ),
}
PLACES = ("one", "five", "deep", "all")


def made(kind: Kind, size: int, place: str) -> str:
    """Write an input of about so many bytes."""
    CHANCE.seed(1)
    sample = sum(len(kind.unit(each, WORDS[0])) for each in range(100))
    count = max(10, size * 100 // sample)
    needed = (
        {count * (2 * each + 1) // 10 for each in range(5)} if place == "five" else {count // 3}
    )
    units = [kind.unit(each, NEEDLE if each in needed else WORDS[0]) for each in range(count)]
    if place == "deep":
        for level in range(LEVELS):  # half of what is left at each level is outside of the next
            at = count // 3 * (level + 1) // (LEVELS + 1)
            units[at] = kind.opens.format(f"level{level}") + units[at]
            units[count - 1 - at] += kind.closes
    return kind.begin + "".join(units) + kind.end


def condition(kind: Kind, place: str, original: Path) -> str:
    """Return the shell command that tells whether a file is interesting."""
    count = f'[ "$(grep -a -c {NEEDLE} {kind.name})" -ge 5 ]'
    levels = LEVELS if kind.opens else 0
    found = [f"grep -a -q level{each} {kind.name}" for each in range(levels)]
    return {
        "one": f"exec grep -a -q {NEEDLE} {kind.name}",
        "five": count,
        "deep": " && ".join([*found, f"grep -a -q {NEEDLE} {kind.name}"]),
        "all": f"exec cmp -s {kind.name} {original}",
    }[place]


class Figures(NamedTuple):
    """What came of one run."""

    first: float
    tenth: float
    total: float
    own: float
    tests: int
    left: int
    mebibytes: float


Tool = Callable[[Path, str, int], Figures]
"""Reduces a file of a name and size that is in a folder."""


def measured(folder: Path, python: str, run: str, *arguments: str) -> tuple[float, float, float]:
    """Run a tool; return seconds, processor seconds of its own, and the peak in MiB."""
    begun = monotonic()
    with (folder / "output").open("w") as output:
        command = [python, "-c", OWN.format(run=run), str(folder / "used"), *arguments]
        process = subprocess.Popen(command, cwd=folder, stdout=output, start_new_session=True)
        try:
            process.wait(MOST_SECONDS + GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    seconds = monotonic() - begun
    used = folder / "used"
    own, peak = map(float, used.read_text().split()) if used.exists() else (nan, nan)
    return seconds, own, peak / 1024


def test_times(folder: Path) -> list[float]:
    """Return when each test began."""
    return sorted(each.stat().st_mtime for each in (folder / "runs").iterdir())


def by_wynot(jobs: int, folder: Path, name: str, size: int) -> Figures:
    """Reduce a file with wynot, which ends by itself when the time is up."""
    options = ["--fresh", "--json", "-j", str(jobs), "--max-time", f"{MOST_SECONDS}s"]
    arguments = ["reduce", *options, "./t.sh", name]
    seconds, own, peak = measured(folder, sys.executable, RUN_WYNOT, *arguments)
    events = list(map(json.loads, (folder / "output").read_text().splitlines()))
    accepted = [each for each in events if each["event"] == "accepted"]
    tenth = next((each["time"] for each in accepted if each["size"] * 10 <= size), nan)
    last, first, *_ = [*test_times(folder)[CALIBRATION_RUNS - 1 :], nan, nan]
    ended = events[-1]
    tests = ended["tests"] + ended["extra"]
    return Figures(first - last, tenth, seconds, own, tests, ended["size"], peak)


def by_picire(python: str, jobs: int, folder: Path, name: str, size: int) -> Figures:
    """Reduce a file with Picire; a link to each file that it accepts tells its size and time."""
    script, accepted = folder / "t.sh", folder / "accepted"
    accepted.mkdir()
    condition = script.read_text().replace("exec ", "").strip()
    script.write_text(f"{condition} || exit 1\nexec ln {name} {accepted}/$$\n")
    options = ["-p", "-j", str(jobs), "--encoding", "utf-8", "-q", "-o", "out", "--no-cleanup"]
    begun = time()
    arguments = ["-i", name, "--test", "./t.sh", *options]
    seconds, own, peak = measured(folder, python, RUN_PICIRE, *arguments)
    found = [each.stat() for each in accepted.iterdir()]
    tenth = min((each.st_mtime - begun for each in found if each.st_size * 10 <= size), default=nan)
    times, result = test_times(folder), folder / "out" / name
    left = result.stat().st_size if result.exists() else size
    first = times[0] - begun if times else nan
    return Figures(first, tenth, seconds, own, len(times), left, peak)


def by_ddmin(folder: Path, name: str, size: int) -> Figures:
    """Reduce a file with the plainest ddmin: complements of lines, in order."""
    begun, tests, first, tenth = monotonic(), 0, nan, nan
    parts, count = (folder / name).read_bytes().splitlines(keepends=True), 2
    while len(parts) > 1 and monotonic() - begun < MOST_SECONDS:
        length, start = -(-len(parts) // count), 0
        for start in range(0, len(parts), length):
            left = parts[:start] + parts[start + length :]
            (folder / name).write_bytes(b"".join(left))
            first = monotonic() - begun if tests == 0 else first
            tests += 1
            if subprocess.run(["./t.sh"], cwd=folder, check=False).returncode == 0:
                parts, count = left, max(count - 1, 2)
                break
        else:
            if count >= len(parts):
                break
            count = min(2 * count, len(parts))
        if tenth != tenth and sum(map(len, parts)) * 10 <= size:  # noqa: PLR0124 - not a number yet
            tenth = monotonic() - begun
    return Figures(first, tenth, monotonic() - begun, nan, tests, sum(map(len, parts)), nan)


def written(folder: Path, kind: Kind, place: str, text: str) -> None:
    """Put an input and its test into a folder."""
    (folder / "runs").mkdir(parents=True)
    for name in (kind.name, "original"):
        (folder / name).write_text(text)
    # A file for each run, of which the time tells when it was: that takes no process.
    lines = "#!/bin/sh", f": > {folder}/runs/$$", condition(kind, place, folder / "original")
    (folder / "t.sh").write_text("\n".join(lines) + "\n")
    (folder / "t.sh").chmod(0o755)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--sizes", nargs="+", type=float, default=[0.1, 1.0], help="megabytes")
    parser.add_argument("--places", nargs="+", choices=PLACES, default=PLACES[:3])
    parser.add_argument("--jobs", type=int, default=2, help="workers of wynot and Picire")
    parser.add_argument("--picire", metavar="PYTHON", help="that of an environment with Picire")
    parser.add_argument("--alone", action="store_true", help="run only wynot")
    options = parser.parse_args()
    tools: dict[str, Tool] = {"wynot": partial(by_wynot, options.jobs)}
    if options.picire and not options.alone:
        tools["picire"] = partial(by_picire, options.picire, options.jobs)
    if not options.alone:
        tools["ddmin"] = by_ddmin
    print(f"{'':30}{'first':>7}{'tenth':>7}{'all':>7}{'own':>7}{'tests':>7}{'left':>9}{'MiB':>6}")
    rows = {}
    for kind, size, place in product(options.kinds, options.sizes, options.places):
        text = made(KINDS[kind], int(size * 1_000_000), place)
        for tool, run in tools.items():
            with tempfile.TemporaryDirectory(prefix="growth-") as name:
                folder, what = Path(name) / "case", KINDS[kind]
                written(folder, what, place, text)
                found = rows[kind, place, size, tool] = run(folder, what.name, len(text))
            row = f"{kind:9}{size:>5g} MB {place:5} {tool:6}"
            shown = f"{found.tests:>7,}{found.left:>9,}{found.mebibytes:>6.0f}"
            times = "".join(f"{each:>7.2f}" for each in found[:4])
            print(f"{row:30}{times}{shown}  (load {getloadavg()[0]:.1f})", flush=True)
    print_slower(rows)
    print_growth(rows, options.sizes)


Rows = Mapping[tuple[str, str, float, str], Figures]
"""By kind, place, megabytes and tool."""


def print_slower(rows: Rows) -> None:
    """Print where wynot takes much longer than Picire for a result that is no better."""
    beside = 0
    for (kind, place, size, tool), theirs in rows.items():
        ours = rows[kind, place, size, "wynot"]
        if tool == "picire" and theirs.total < MOST_SECONDS and theirs.left <= 2 * ours.left:
            beside += 1
            if ours.total > 1.2 * theirs.total + 1:
                seconds = f"{ours.total:.1f} s, Picire {theirs.total:.1f} s"
                print(f"slower: {kind} {size:g} MB {place}: {seconds}")
    print(f"{beside} inputs on which Picire ends with a result at most twice as large")


def print_growth(rows: Rows, sizes: Sequence[float]) -> None:
    """Print the exponent with which own time grows, from the smallest size to the largest."""
    for (kind, place, size, tool), small in rows.items():
        large = rows.get((kind, place, max(sizes), tool))
        if tool == "wynot" and size == min(sizes) < max(sizes) and large:
            exponent = log(large.own / small.own) / log(max(sizes) / size)
            print(f"own time of {kind}, {place}: grows with exponent {exponent:.2f}")


if __name__ == "__main__":
    main()
