"""``--no-ub``: a guard against undefined behaviour in C and C++."""

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from wynot.commands.shared_options import FailureOptions
from wynot.core.ending import Ending
from wynot.core.errors import GuardFails, InvalidOption
from wynot.machine import landlock
from wynot.oracle.command import Command
from wynot.oracle.guards import Guard, LearnedGuard, on_files
from wynot.oracle.learned_timeout import LearnedTimeout
from wynot.programs.undefined import SANITIZERS, Chosen

_START = """
import sys
sys.path.insert(0, {!r})
from wynot.programs.undefined import main
sys.exit(main(*sys.argv[1:]))
"""
PROGRAM = (sys.executable, "-I", "-S", "-c", _START.format(str(Path(__file__).parents[2])))
"""Without what is installed and what the environment says: it needs neither, and starts sooner."""

PATHS = ("-I", "-L", "-isystem", "-iquote", "-idirafter", "-include")
"""Options of compilers that are followed by a path, in the same word or the next."""
KEPT_FLAGS = (
    *("-D", "-U", "-std=", "-l", "-m32", "-m64", "-pthread", "-fwrapv", "-fno-strict-aliasing"),
    *("-funsigned-char", "-fsigned-char", "-ftrapv", "-fms-extensions", "-fgnu89-inline"),
)
"""Other options without which a program would not compile, or would mean something else."""


def guards_of(failure: FailureOptions, files: Sequence[str]) -> list[Guard]:
    """Return all guards that the options ask for, of candidates that are files."""
    found = on_files(failure.passes, files, failure.timeout)
    return [*found, no_ub(failure)] if failure.no_ub else found


def no_ub(failure: FailureOptions) -> Guard:
    """Return the guard; which options of a compiler it needs is seen in the command.

    It runs candidates, which the test may not do: so they are confined if that can be done.
    """
    flags = json.dumps(flags_in(failure.command))
    guard = Guard(
        "--no-ub",
        "no undefined behaviour",
        Command.script(*PROGRAM, "choose", flags),
        LearnedTimeout(failure.timeout),
        has_own_limits=True,
        is_confined=failure.confine is not False and bool(landlock.version()),
    )
    return replace(guard, learn=partial(_learned, guard))


def _learned(guard: Guard, ending: Ending) -> LearnedGuard:
    """Return the guard that asks candidates what was chosen on the original."""
    if ending.limit or ending.status != 0:
        raise GuardFails(
            f"--no-ub cannot check the original: {ending.description}{ending.tail}",
            hint="leave --no-ub out, or say with --passes CMD what must hold",
        )
    chosen: Chosen = json.loads(ending.stdout)
    if chosen["problem"]:
        kind = GuardFails if chosen["notices"] else InvalidOption
        raise kind(
            f"--no-ub cannot be used: {chosen['problem']}",
            hint=f"{chosen['hint']}; or say with --passes CMD what must hold",
        )
    command = Command.script(*PROGRAM, "check", json.dumps(chosen["choice"]))
    return LearnedGuard(
        replace(guard, words=_description(chosen), command=command), chosen["notices"]
    )


def _description(chosen: Chosen) -> str:
    choice = chosen["choice"]
    compilers = [
        f"{check['compiler']} -O2 with {len(check['warnings'])} warnings as errors"
        for check in choice["checks"]
    ]
    run = f"run with {SANITIZERS[0]}" if choice["runs"] else "not run"
    return f"no undefined behaviour: {', '.join(compilers)}; {run}"


def flags_in(command: Sequence[str]) -> list[str]:
    """Return what a compiler has to be told about the files, as far as a command tells it."""
    flags: list[str] = []
    tokens = iter(command[1:])
    for word in tokens:
        option = next((each for each in PATHS if word.startswith(each)), "")
        if option:
            path = word[len(option) :] or next(tokens, "")
            flags += [option, _from_here(path)]
        elif word.startswith(KEPT_FLAGS):
            flags.append(word)
    return flags


def _from_here(path: str) -> str:
    return str(Path(path).absolute()) if path and Path(path).exists() else path
