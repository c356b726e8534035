"""Put `isolate` beside `reduce`: how many tests each takes on the same failures.

    python benchmarks/isolation.py BENCH_FOLDER [CASE …] [--seconds N]

Zeller & Hildebrandt 2002, §6.1: dd narrows the difference between an empty input and the failing
one from both sides, where ddmin only makes the failing one smaller. The test has three outcomes:
the failure shows, the program accepts its input, or neither (then it cannot tell). A case is a
folder with a file and a `test.sh`; what accepts the file is in the table below.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

HOME = 'H=${WYNOT_BENCH_HOME:-$HOME/.cache/wynot-bench}; PATH="$H/bin:$PATH"; '
ACCEPTS = {
    "c-csmith-segv": "chibicc -cc1 -cc1-input prog.c -cc1-output .t.s prog.c",
    "dot-init-rank": "dot -Tdot -o .t.out services.dot",
    "json-dagre": (
        "D=$H/js/dagre/node_modules/dagre node -e 'const dagre = require(process.env.D);"
        'const text = require("fs").readFileSync("graph.json", "utf8");'
        "dagre.layout(dagre.graphlib.json.read(JSON.parse(text)));'"
    ),
    "py-ruff": (
        "$H/py-ruff/bin/python -I -S -W ignore -c "
        '\'compile(open("test_generators.py", "rb").read(), "f", "exec")\''
    ),
    "rust-region-ice": (
        "rustc-1.63 --edition 2021 --crate-type lib --emit=metadata -A warnings"
        " -o .t.rmeta pages.rs"
    ),
    "sql-duckdb": (
        "$H/py-duckdb/bin/python -c "
        "'import duckdb; duckdb.connect().execute(open(\"warehouse.sql\").read())'"
    ),
    "text-markdown2": (
        "$H/py-markdown2/bin/python -c 'import markdown2;"
        ' markdown2.markdown(open("changelog.md").read(), extras=["cuddled-lists"])\''
    ),
}


class Row(NamedTuple):
    """One way to go about a case."""

    how: str
    tests: int
    left: str
    stopped: str


def run(folder: Path, *arguments: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Run wynot; return its last event, and its answer if it gave one."""
    command = [sys.executable, "-m", "wynot", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    events = [json.loads(line) for line in done.stdout.splitlines()]
    if not events:
        raise SystemExit(f"{' '.join(arguments)}: {done.stderr.decode()}")
    answers = [event for event in events if event["event"] == "answered"]
    return events[-1], answers[-1] if answers else {}


def rows(case: Path, seconds: int, jobs: int) -> list[Row]:
    """Go about one case in three ways."""
    [name] = [each.name for each in case.iterdir() if each.name not in {"meta.toml", "test.sh"}]
    found = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        three = folder / "three.sh"
        three.write_text(
            f"#!/bin/bash\nbash {folder}/test.sh && exit 0\n"
            f"{HOME}({ACCEPTS[case.name]}) > .log 2>&1 < /dev/null && exit 1\nexit 125\n"
        )
        three.chmod(0o755)
        usual = ("--json", "-j", str(jobs), "--max-time", str(seconds), str(three), name)
        for how, more in {"reduce": (), "ddmin": ("--search", "ddmin")}.items():
            for file in ("test.sh", name):
                shutil.copy(case / file, folder / file)
            ended, _ = run(folder, "reduce", "--fresh", *more, *usual)
            found.append(Row(how, ended["tests"], f"{ended['size']} bytes", ended["stopped"]))
        shutil.copy(case / name, folder / name)
        concluded, answered = run(folder, "isolate", "--fresh", *usual)
        data = answered.get("data", {})
        left = f"{data.get('left')} {data.get('granularity')}"
        minimal = "1-minimal" if answered.get("minimal") else concluded["stopped"]
        found.append(Row("isolate", concluded["tests"], left, minimal))
    return found


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bench", type=Path, help="a folder with cases/")
    parser.add_argument("cases", nargs="*", help="only these")
    parser.add_argument("--seconds", type=int, default=120, help="for each run")
    parser.add_argument("-j", "--jobs", type=int, default=len(os.sched_getaffinity(0)))
    given = parser.parse_args()
    print("| case | reduce: tests | left | ddmin: tests | left | isolate: tests | difference | |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for name in given.cases or ACCEPTS:
        one, two, three = rows((given.bench / "cases" / name).resolve(), given.seconds, given.jobs)
        stops = {row.stopped for row in (one, two)} - {"finished"}
        note = f"{three.stopped}{'; ' + ', '.join(stops) if stops else ''}"
        print(
            f"| {name} | {one.tests:,} | {one.left} | {two.tests:,} | {two.left} "
            f"| {three.tests:,} | {three.left} | {note} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
