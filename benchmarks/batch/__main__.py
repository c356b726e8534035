"""Have `wynot batch` find the causes of crashes of three old releases, killed in the middle.

    python -m benchmarks.batch [NAME …] [--build] [-j N]

Each program has a folder of crashes, of our own making, of which the causes are known. wynot is
killed with SIGKILL while it reduces the second group, and given the same command again. Then: is
every cause there, has any group two causes, is any cause in two groups, and does each result still
fail for the cause of its group? The first run fetches the releases from PyPI, and makes the
folders, into ~/.cache/wynot-bench (or $WYNOT_BENCH_HOME).
"""

import argparse
import json
import shutil
import signal
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from benchmarks.batch.crashes import cause, crashes
from benchmarks.batch.programs import PLACE, PROGRAMS

WYNOT = [sys.executable, "-m", "wynot", "batch", "--json", "--timeout", "30"]
HEAD = ("program", "crashes", "causes", "groups", "left", "mixed", "split", "lost", "slipped",
        "bytes", "tests", "shared", "killed after", "time")  # fmt: skip


def main() -> int:
    """Print a row for each program; return 1 if anything is not as it must be."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(PROGRAMS)}")
    parser.add_argument("--build", action="store_true", help="only make the folders")
    parser.add_argument("--again", action="store_true", help="go on with an earlier run of this")
    parser.add_argument("-j", "--jobs", default="2", help="tests at a time")
    given = parser.parse_args()
    is_good = True
    print(" | ".join(HEAD))
    for name in given.names or list(PROGRAMS):
        folder, causes = crashes(name, PROGRAMS[name])
        if given.build:
            print(f"{name}: {len(causes)} inputs, {len(set(causes.values()) - {''})} causes")
        else:
            is_good &= measured(name, folder, causes, given.jobs, again=given.again)
    return int(not is_good)


def measured(name: str, folder: Path, causes: dict[str, str], jobs: str, *, again: bool) -> bool:
    """Run it, kill it, run it again; print a row, and tell whether all is as it must be."""
    program = PROGRAMS[name]
    command = program.installed(name)
    out = PLACE / name / "out"
    if not again:
        shutil.rmtree(out, ignore_errors=True)
    began = time.monotonic()
    argv = [*WYNOT, "-j", jobs, "-o", str(out), str(folder), "--", *command]
    events = 0 if again else killed(argv)
    done = subprocess.run(argv, stdout=subprocess.DEVNULL, check=False)
    seconds = time.monotonic() - began
    found: dict[str, Any] = json.loads((out / "results.json").read_text())
    left = [group for group in found["groups"] if group["state"] == "reduced"]
    places = defaultdict(set)
    mixed = slipped = 0
    for group in left:
        why = {causes[member] for member in group["all_members"]}
        mixed += len(why) > 1
        for each in why:
            places[each].add(group["number"])
        slipped += {cause(program, command, out / group["reduced"])} != why
    known = {why for why in causes.values() if why}
    split = sum(len(groups) > 1 for groups in places.values())
    lost = len(known - places.keys())
    figures = (
        *(name, sum(map(bool, causes.values())), len(known), len(found["groups"]), len(left)),
        *(mixed, split, lost, slipped),
        f"{sum(group['before'] for group in left)} → {sum(group['size'] for group in left)}",
        *(found["tests"], found["shared"], f"{events} events", f"{seconds:.0f} s"),
    )
    print(" | ".join(map(str, figures)), flush=True)
    return done.returncode == 0 and not (mixed or split or lost or slipped)


def killed(argv: list[str]) -> int:
    """Start it, and kill it in the middle of the second reduction; return after how many events."""
    process = subprocess.Popen(argv, stdout=subprocess.PIPE, text=True)
    events = groups = accepted = 0
    for line in process.stdout or ():
        event = json.loads(line)["event"]
        events += 1
        groups += event == "group_ended"
        accepted += groups > 0 and event == "accepted"
        if accepted == 2:
            process.send_signal(signal.SIGKILL)
            break
    process.communicate()
    return events


if __name__ == "__main__":
    sys.exit(main())
