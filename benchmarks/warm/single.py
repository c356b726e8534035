"""What one test of a program takes: its start, its work, and what is left of both if it is warm."""

import os
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Any, TypeAlias
from unittest.mock import patch

from benchmarks.warm.programs import WarmCase

from wynot.agents.sandbox import Sandbox
from wynot.agents.workers import LoneSandbox
from wynot.core.files import Files
from wynot.warm.hooked import hook_variables
from wynot.warm.python_command import python_command
from wynot.warm.warm_plan import WarmPlan
from wynot.wire.run_request import Limits, RunRequest

TURNS = 5
"""How often each is run; the shortest counts, as others on the machine only ever add to it."""
LIMITS = Limits(is_test=True)

Single: TypeAlias = dict[str, Any]


def single_test(case: WarmCase) -> Single:
    """Run a program on its file and on an empty one, warm and cold in turns; milliseconds."""
    content = case.file.read_bytes()
    argv = [word.replace("{}", case.file.name) for word in case.command]
    sandbox = LoneSandbox()
    try:
        with patch.dict(os.environ, case.env):
            sandbox.place(Files({case.file.name: content}))
            plan = _recorded(sandbox, argv)
            took: dict[str, list[float]] = {}
            for _ in range(TURNS):
                for size, text in {"original": content, "empty": b""}.items():
                    for way in ("cold", "warm"):
                        sandbox.place(Files({case.file.name: text}))
                        limits = LIMITS._replace(warm_plan=plan if way == "warm" else None)
                        began = monotonic()
                        sandbox.run(RunRequest(argv, limits=limits, capture=True))
                        seconds = monotonic() - began
                        took.setdefault(f"{way} {size}", []).append(seconds * 1000)
            unfit = WarmPlan.read(plan).avoided
    finally:
        sandbox.close()
    return {
        "program": case.name,
        **{name: round(min(each), 1) for name, each in took.items()},
        "unfit": sorted(unfit),
    }


def print_singles(singles: Sequence[Single]) -> None:
    """Print a table of them.

    The work is what a warm test of the original takes more than one of an empty file: it is the
    same in both ways, and so the limit of what can be gained.
    """
    print("one test, ms:  start (an empty file)  the original          work   at most")
    print(f"{'program':<10} {'cold':>9} {'warm':>9} {'cold':>9} {'warm':>9}    ratio")
    for each in singles:
        work = max(0.1, each["warm original"] - each["warm empty"])
        ratio = each["cold original"] / each["warm original"]
        print(
            f"{each['program']:<10} {each['cold empty']:>9.1f} {each['warm empty']:>9.1f} "
            f"{each['cold original']:>9.1f} {each['warm original']:>9.1f} {ratio:>7.1f}x "
            f"{work:>6.0f} {each['cold original'] / work:>8.1f}x"
        )
        if each["unfit"]:
            print(f"           loaded each time: {', '.join(each['unfit'])}")


def _recorded(sandbox: Sandbox, argv: list[str]) -> Path:
    """Return the file of a plan, by what a run of the program loads."""
    environ = [os.fsencode(f"{name}={value}") for name, value in os.environ.items()]
    found = python_command(argv, str(sandbox.folder), environ)
    if found is None:
        raise SystemExit(f"{argv[0]} is not a program in Python")
    record, plan = sandbox.scratch / "record", sandbox.private / "plan"
    record.touch()
    sandbox.run(RunRequest(argv, limits=LIMITS, env=hook_variables(os.environ, f"record {record}")))
    root = sandbox.private.parent
    WarmPlan.recorded(
        record.read_bytes(), found.mains, [root], found.path, is_inside=found.is_inside
    ).write(plan)
    return plan
