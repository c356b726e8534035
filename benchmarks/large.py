"""Large inputs: 20 MB of JSON, and 5 MB of preprocessed C++ where there is a compiler.

    python benchmarks/large.py

Prints what is left, the tests it took, wynot's peak memory, and its own CPU time beside that of the
tests.
"""

import json
import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

JSON_TEST = """#!/bin/sh
exec python3 -c '
import json
def has(node):
    if isinstance(node, dict):
        return node.get("boom") is True or any(map(has, node.values()))
    return isinstance(node, list) and any(map(has, node))
assert has(json.load(open("large.json")))' 2>&-
"""
CPP_TEST = """#!/bin/sh
c++ -std=c++17 -fsyntax-only large.cpp 2>&1 | grep -q 'static assertion failed: boom'
"""
ENTRIES, NAMESPACES = 125_000, 9_000
MEGA = 1 << 20
TICKS = os.sysconf("SC_CLK_TCK")


def make_json(folder: Path) -> str:
    """Write a list of records, one of which has what the test looks for."""
    chance = random.Random(1)
    records: list[dict[str, object]] = [
        {
            "id": number,
            "name": f"user-{number}",
            "tags": [chance.choice("abcdef") * 3 for _ in range(5)],
            "score": chance.random(),
            "nested": {"a": number * 3, "b": [1, 2, 3], "c": None},
        }
        for number in range(ENTRIES)
    ]
    records[ENTRIES * 2 // 3]["trigger"] = {"deep": [{"boom": True}]}
    (folder / "large.json").write_text(json.dumps(records, indent=0))
    (folder / "test.sh").write_text(JSON_TEST)
    return "large.json"


def make_cpp(folder: Path) -> str:
    """Write a program with the standard library in it, and an assertion that fails."""
    lines = ["#include <bits/stdc++.h>"]
    lines += (
        f"namespace n{each} {{ template <class T> struct box {{ T value; std::vector<T> items; "
        f"int get(int k) const {{ return k < {each} ? k : {each}; }} }}; "
        f"inline int call(int x) {{ box<long> b{{}}; if (x > {each % 97}) {{ b.items.push_back(x); "
        f"}} return b.get(x) + {each}; }} }}"
        for each in range(NAMESPACES)
    )
    lines.insert(
        NAMESPACES // 2,
        'template <class T> struct Q { static_assert(sizeof(T) == 1, "boom"); }; Q<long> q;',
    )
    (folder / "all.cpp").write_text("\n".join(lines))
    command = ["c++", "-std=c++17", "-E", "-P", "all.cpp", "-o", "large.cpp"]
    subprocess.run(command, cwd=folder, check=True)
    (folder / "test.sh").write_text(CPP_TEST)
    return "large.cpp"


def reduce(folder: Path, name: str) -> None:
    """Reduce it, and print what that took."""
    (folder / "test.sh").chmod(0o755)
    before = (folder / name).stat().st_size
    command = [sys.executable, "-m", "wynot", "reduce", "--json", "-j", "2", "./test.sh", name]
    peak, own, tests = 0, 0.0, 0.0
    with (folder / "events").open("w") as events:
        process = subprocess.Popen(command, cwd=folder, stdout=events)
        while process.poll() is None:
            peak, own, tests = figures(process.pid, peak)
            time.sleep(0.1)
    ended = json.loads((folder / "events").read_text().splitlines()[-1])
    print(
        f"{name}: {before:,} → {ended['size']:,} bytes in {ended['tests']} tests, "
        f"{ended['seconds']:.0f} s; peak {peak / MEGA:.0f} MiB ({peak / before:.1f} times the "
        f"input); CPU: own {own:.1f} s, tests {tests:.1f} s"
    )


def figures(pid: int, peak: int) -> tuple[int, float, float]:
    """Return a process's peak memory, its CPU time, and that of the children it has waited for."""
    status = Path(f"/proc/{pid}/status").read_text().splitlines()
    highest = [int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM")]
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    own, tests = (sum(map(int, fields[at : at + 2])) / TICKS for at in (11, 13))
    return max(peak, *highest, 0), own, tests


def main() -> None:
    """Make and reduce each."""
    for make in (make_json, *((make_cpp,) if shutil.which("c++") else ())):
        with TemporaryDirectory(prefix="large-") as folder:
            reduce(Path(folder), make(Path(folder)))


if __name__ == "__main__":
    main()
