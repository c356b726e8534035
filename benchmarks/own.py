"""Our own processor time for each test, beside a test that takes about 2 ms.

    python benchmarks/own.py
    python benchmarks/own.py --kinds c --sizes 20000 --tests nothing
    python benchmarks/own.py --profile --kinds json --sizes 150000

Texts, JSON, C and Python of 20 KB, 150 KB and 5 MB are reduced by one worker, in two ways:

- *scattered*: forty lines are needed, and all else can go;
- *nothing* can go: every candidate is refused, so all tests are of files of the full size.

Own time is user and system time of wynot without its tests, less that of a run on a file with next
to nothing in it, divided by the tests that were really run. It is higher on a busy machine: the
load is printed. With ``--profile`` it says in which modules the time went; the figures are too high
then.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from os import getloadavg
from pathlib import Path
from typing import NamedTuple

NEEDLE, NEEDED = "needle", 40
PROSE = """the of and to in a is that for it as was with be by on not he his but at are this have
from or had an they which one you were all her she there would their we him been has when who will
no more if out so up said what its about than into them can only other time new some could"""
WORDS = PROSE.split()
SCATTERED = '#!/bin/sh\n[ "$(grep -c {needle} {name})" -ge {needed} ]\n'
NOTHING_GOES = "#!/bin/sh\nexec cmp -s {name} {original}\n"
TESTS = {"scattered": SCATTERED, "nothing": NOTHING_GOES}
OWN = """
import resource, sys
from wynot.cli.main import main
main(sys.argv[2:])
used = resource.getrusage(resource.RUSAGE_SELF)
open(sys.argv[1], "w").write(str(used.ru_utime + used.ru_stime))
"""
PROFILED = """
import cProfile, pstats, sys, time
from pathlib import PurePath
from wynot.cli.main import main
profile = cProfile.Profile(time.thread_time)
profile.runcall(main, sys.argv[2:])
spent = {}
for (path, *_), (_, _, own, *_) in pstats.Stats(profile).stats.items():
    parts = PurePath(path).parts
    at = parts.index("wynot") if "wynot" in parts else len(parts)
    module = "/".join(parts[at + 1 :]) or "elsewhere"
    spent[module] = spent.get(module, 0) + own
total = sum(spent.values())
for module, own in sorted(spent.items(), key=lambda each: -each[1])[:8]:
    print(f"{own / total:12.0%} {module}", file=sys.stderr)
open(sys.argv[1], "w").write(str(total))
"""


class Figures(NamedTuple):
    """What came of one run."""

    tests: int
    left: int
    own: float


def needles(count: int) -> set[int]:
    """Return which of so many pieces have the word in them that the test looks for."""
    return {(2 * each + 1) * count // (2 * NEEDED) for each in range(NEEDED)}


def prose(count: int) -> Iterator[str]:
    """Yield lines of words, with paragraphs, brackets and quotes here and there."""
    chance, needed = random.Random(1), needles(count)
    for number in range(count):
        words = chance.choices(WORDS, k=12)
        words[3] = {0: f"({words[3]})", 1: f'"{words[3]}"'}.get(chance.randrange(8), words[3])
        words[7] = NEEDLE if number in needed else words[7]
        yield " ".join(words) + (".\n\n" if chance.randrange(6) == 0 else ",\n")


def records(count: int) -> Iterator[str]:
    """Yield a list of records, each of several lines."""
    chance, needed = random.Random(1), needles(count)
    for number in range(count):
        record = {
            "id": number,
            "name": f"user {number}",
            "tags": [chance.choice(WORDS) for _ in range(3)],
            "nested": {"score": chance.randrange(1000), "found": None, "list": [1, 2, [3]]},
        }
        if number in needed:
            record["name"] = NEEDLE
        yield ("[" if number == 0 else "") + json.dumps(record, indent=1)
        yield "]\n" if number == count - 1 else ",\n"


def c_functions(count: int) -> Iterator[str]:
    """Yield functions that call each other."""
    chance, needed = random.Random(1), needles(count)
    yield "#include <stdio.h>\n"
    for number in range(count):
        callee = f"f{chance.randrange(number)}(x - 1)" if number else "x"
        comment = f'  puts("{NEEDLE}");\n' if number in needed else ""
        yield (
            f"static int f{number}(int x) {{\n  int a[4] = {{1, 2, {number}, x}}, total = 0;\n"
            f"  for (int i = 0; i < {chance.randrange(9)}; i++) {{\n"
            f"    if (a[i % 4] > {number % 7}) total += a[i % 4] * x;\n"
            f"    else total -= {callee};\n  }}\n{comment}"
            f'  printf("%d %s\\n", total, "{chance.choice(WORDS)}");\n  return total;\n}}\n\n'
        )


def python_functions(count: int) -> Iterator[str]:
    """Yield classes and functions that call each other."""
    chance, needed = random.Random(1), needles(count)
    for number in range(count):
        callee = f"f{chance.randrange(number)}(x - 1)" if number else "x"
        found = f'    print("{NEEDLE}")\n' if number in needed else ""
        yield (
            f"class C{number}:\n    size = {number}\n\n    def get(self, key: int) -> int:\n"
            f"        return {{1: key, 2: [self.size, {number % 7}]}}.get(key, 0)\n\n\n"
            f"def f{number}(x):\n    total = [a * x for a in range({chance.randrange(9)})]\n"
            f"    if x > {number % 7} and len(total) < 3:\n        total.append({callee})\n"
            f"    else:\n        total += C{number}().get(x, '{chance.choice(WORDS)}')\n{found}"
            f"    return total\n\n\n"
        )


KINDS: dict[str, tuple[str, Callable[[int], Iterator[str]]]] = {
    "text": ("f.txt", prose),
    "json": ("f.json", records),
    "c": ("f.c", c_functions),
    "python": ("f.py", python_functions),
}


def written(folder: Path, kind: str, size: int) -> Path:
    """Write a file of about so many bytes."""
    name, make = KINDS[kind]
    sample = len("".join(make(400)))
    text = "".join(make(max(NEEDED, size * 400 // sample)))
    (folder / "original").write_text(text)
    path = folder / name
    path.write_text(text)
    return path


def ran(path: Path, test: str, most: int, script: str = OWN) -> Figures:
    """Reduce a file, and return what that took."""
    folder = path.parent
    original = folder / "original"
    words = {"name": path.name, "original": original, "needle": NEEDLE, "needed": NEEDED}
    (folder / "t.sh").write_text(test.format(**words))
    (folder / "t.sh").chmod(0o755)
    options = ["--fresh", "--json", "-j", "1", "--max-tests", str(most)]
    printed = subprocess.run(
        [sys.executable, "-c", script, "used", "reduce", *options, "./t.sh", path.name],
        cwd=folder,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    ).stdout
    ended = json.loads(printed.splitlines()[-1])
    own = float((folder / "used").read_text())
    return Figures(ended["tests"] + ended["extra"], ended["size"], own)


def start_up(folder: Path) -> float:
    """Return what wynot takes for a file with next to nothing in it."""
    folder.mkdir()
    path = folder / "f.txt"
    path.write_text("x\n")
    (folder / "original").write_text("x\n")
    return min(ran(path, NOTHING_GOES, 1).own for _ in range(3))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--sizes", nargs="+", type=int, default=[20_000, 150_000, 5_000_000])
    parser.add_argument("--tests", nargs="+", choices=TESTS, default=list(TESTS))
    parser.add_argument("--most", type=int, default=1000, help="tests of one run, at most")
    parser.add_argument("--profile", action="store_true", help="say where the time goes")
    options = parser.parse_args()
    script = PROFILED if options.profile else OWN
    with tempfile.TemporaryDirectory(prefix="own-") as name:
        beginning = start_up(Path(name) / "trivial")
        print(f"own processor time of a run with nothing to do: {beginning:.2f} s\n")
        print(f"{'kind':>8} {'bytes':>9} {'':13} {'tests':>6} {'left':>9} {'own s':>7} ms a test")
        for size in options.sizes:
            for kind in options.kinds:
                for what in options.tests:
                    folder = Path(name) / f"{kind}-{size}-{what}"
                    folder.mkdir()
                    path = written(folder, kind, size)
                    bytes_before = path.stat().st_size
                    tests, left, own = ran(path, TESTS[what], options.most, script)
                    each = (own - beginning) / tests * 1000
                    print(
                        f"{kind:>8} {bytes_before:>9,} {what:>13} {tests:>6,} {left:>9,} "
                        f"{own:>7.2f} {each:>9.2f}  (load {getloadavg()[0]:.1f})",
                        flush=True,
                    )


if __name__ == "__main__":
    main()
