"""Run wynot and its peers on real failures, side by side, and write down what came of it.

    benchmarks/cases/install.sh
    python benchmarks/peers.py --tools wynot,shrinkray,cvise -j 2 --limit 600 results.jsonl
    python benchmarks/compare.py results.jsonl

Every tool gets the same test, through a wrapper that counts the calls and notes each new smallest
case; so the figures do not depend on what a tool says of itself. Tools are found by ``PATH``, or as
``name=path``. What is written is what ``compare.py`` and ``same.py`` read; of wynot also its own
count of tests, which is the same at any ``-j`` (calls include those that were a bet).
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tomllib
from argparse import ArgumentParser
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from shlex import quote
from tempfile import TemporaryDirectory
from time import time
from typing import IO, Any

CASES = Path(__file__).resolve().parent / "cases"
WRAPPER = """#!/bin/sh
printf . >> {log}.calls
{test} || exit $?
bytes=$(find {file} -type f -exec cat {{}} + | wc -c)
echo "$(date +%s.%N) $(wc -c < {log}.calls) $bytes" >> {log}.sizes
"""
COMMANDS = {
    # The wrapper writes elsewhere, which a confined test may not.
    "wynot": "{tool} reduce --json --no-confine -j {jobs} {test} {file}",
    "shrinkray": "{tool} --ui basic --no-llm --no-history --formatter none --parallelism {jobs} "
    "--trivial-is-not-error {test} {file}",
    "cvise": "{tool} --n {jobs} --timeout 60 {test} {file}",
    "creduce": "{tool} --n {jobs} --timeout 60 {test} {file}",
}
"""How each tool is called."""


def ran(case: Path, tool: str, path: str, jobs: int, limit: float) -> dict[str, Any]:
    """Run a tool on a case, in a folder of its own, and return the figures."""
    meta = tomllib.loads((case / "meta.toml").read_text())
    name = meta["file"]
    with TemporaryDirectory(prefix="peers-") as folder:
        here, log = Path(folder) / "here", Path(folder) / "log"
        here.mkdir()
        source, copy = case / name, here / name
        shutil.copytree(source, copy) if source.is_dir() else shutil.copy2(source, copy)
        test = here / "t.sh"
        words = {"log": log, "test": case / "test.sh", "file": name}
        test.write_text(WRAPPER.format(**{key: quote(str(word)) for key, word in words.items()}))
        test.chmod(0o755)
        command = COMMANDS[tool].format(tool=path, jobs=jobs, test=test, file=name).split()
        began = time()
        with log.open("wb") as output:
            stopped = waited(command, here, limit, output)
        took = time() - began
        files = sorted(each for each in (copy, *copy.rglob("*")) if each.is_file())
        contents = [each.read_bytes() for each in files]
        return {
            "case": case.name,
            "tool": tool,
            "j": jobs,
            "timed_out": stopped,
            "wall": round(took, 1),
            "calls": len(log.with_suffix(".calls").read_bytes()),
            "after": sum(map(len, contents)),
            "after_nb": sum(len(b"".join(content.split())) for content in contents),
            "digest": sha256(b"\0".join(contents)).hexdigest(),
            "curve": curve(log.with_suffix(".sizes"), began),
            **(reported(log) if tool == "wynot" else {}),
        }


def waited(command: list[str], folder: Path, limit: float, output: IO[bytes]) -> bool:
    """Run a command; tell whether it had to be stopped."""
    null = subprocess.DEVNULL
    process = subprocess.Popen(
        command, cwd=folder, stdin=null, stdout=output, stderr=null, start_new_session=True
    )
    for number in (signal.SIGINT, signal.SIGKILL):
        with suppress(subprocess.TimeoutExpired):
            process.wait(limit)
            return number == signal.SIGKILL
        os.killpg(process.pid, number)
        limit = 20
    process.wait()
    return True


def curve(path: Path, began: float) -> list[tuple[float, int, int]]:
    """Return seconds, tests and bytes at each new smallest case."""
    found: list[tuple[float, int, int]] = []
    for line in path.read_text().splitlines() if path.exists() else ():
        when, calls, size = line.split()
        if not found or int(size) < found[-1][2]:
            found.append((round(float(when) - began, 2), int(calls), int(size)))
    return found


def reported(path: Path) -> dict[str, Any]:
    """Return what wynot says of itself: how it ended, and the tests and bytes at each step."""
    events = [json.loads(line) for line in path.read_text().splitlines()]
    ended: dict[str, Any] = next((event for event in reversed(events) if "stopped" in event), {})
    return {
        "stopped": ended.get("stopped"),
        "tests": ended.get("tests"),
        "steps": [
            (event["tests"], event["size"]) for event in events if event["event"] == "accepted"
        ],
    }


def main() -> None:
    """Run every tool on every case."""
    # A job in the background ignores Ctrl-C, and so would the tools, which are stopped by it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    parser = ArgumentParser()
    parser.add_argument("--tools", default="wynot,shrinkray,cvise")
    parser.add_argument("--from", dest="folder", type=Path, default=CASES, help="the cases' folder")
    parser.add_argument("--cases", default="", help="names, by commas (default: all)")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("--limit", type=float, default=600)
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    wanted = set(filter(None, arguments.cases.split(",")))
    for case in sorted(path.parent for path in arguments.folder.resolve().glob("*/meta.toml")):
        if wanted and case.name not in wanted:
            continue
        for each in arguments.tools.split(","):
            tool, _, path = each.partition("=")
            row = ran(case, tool, path or tool, arguments.jobs, arguments.limit)
            with arguments.out.open("a") as out:
                out.write(json.dumps(row) + "\n")
            sys.stdout.write(
                f"{case.name:20} {tool:10} {row['wall']:7.1f} s {row['calls']:6} tests "
                f"{row['after_nb']:6} bytes left\n"
            )
            sys.stdout.flush()


if __name__ == "__main__":
    main()
