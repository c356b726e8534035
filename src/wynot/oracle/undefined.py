"""Looks for undefined behaviour in C and C++, with the warnings and sanitizers of the compilers.

A program of its own, which imports little, so that it starts quickly: with ``choose FLAGS FILE...``
it prints what can be asked of these files, as JSON; with ``check CHOICE FILE...`` it asks that, and
exits with 0 if nothing was found. A file may also be a folder, of which all sources count. Flags
and choice are JSON too.

What is looked for is chosen once, on the original. A warning that the compiler does not know, or
that the original itself gives, is left out: no part of the original could do without. If the
original can be linked and run, candidates are run as well, with sanitizers, as far as they can be
linked; one that has no ``main`` any more has nothing to run.
"""

import json
import os
import resource
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from math import ceil
from pathlib import Path
from typing import TypedDict

from wynot.oracle.compilers import (
    COMPILERS,
    LANGUAGES,
    MAX_WAIT,
    OTHER_COMPILERS,
    SANITIZERS,
    STOPPED_STATUS,
    CompilerCheck,
    compiled,
    known,
    language_of,
    linked,
    ran,
    warnings_in,
)

SECONDS, TIMES = 1, 10
"""Seconds of processor time that a program has at least; and times that of the original."""
MAX_SHOWN_LINES = 12
"""Lines of a compiler's or sanitizer's output that are told."""


class ChosenChecks(TypedDict):
    """What candidates are asked."""

    flags: list[str]
    checks: list[CompilerCheck]
    runs: bool
    """Whether they are run as well."""
    seconds: int
    """Seconds of processor time that a run may take."""
    must_end: bool
    """Whether one that takes longer is refused: the original does not."""


class Chosen(TypedDict):
    """What was chosen, and what there is to be said of that."""

    problem: str
    hint: str
    choice: ChosenChecks
    notices: list[str]


def main(what: str, given: str, *paths: str) -> int:
    """Choose or check."""
    os.environ["LC_ALL"] = "C"
    sources = list(_sources(paths))
    with tempfile.TemporaryDirectory(prefix="undefined") as folder:
        if what == "choose":
            sys.stdout.write(json.dumps(choose(json.loads(given), sources, folder)))
            return 0
        found = check(json.loads(given), sources, folder)
    if found:
        sys.stderr.write("\n".join(found.splitlines()[:MAX_SHOWN_LINES]) + "\n")
    return 1 if found else 0


def choose(flags: list[str], sources: list[str], folder: str) -> Chosen:
    """Return what can be asked of candidates, given that the original must not be refused."""
    choice = ChosenChecks(flags=flags, checks=[], runs=False, seconds=SECONDS, must_end=False)
    chosen = Chosen(problem="", hint="", choice=choice, notices=[])
    languages = sorted({language_of(path) for path in sources})
    if not languages:
        chosen["problem"] = "none of the files is C or C++"
        chosen["hint"] = "their names must end in .c, .cc, .cpp, .cxx, .i or .ii"
    for language in languages:
        compilers = [name for name in COMPILERS[language] if shutil.which(name)]
        if not compilers and shutil.which(OTHER_COMPILERS[language]):
            compilers = [OTHER_COMPILERS[language]]
        if not compilers:
            chosen["problem"] = f"there is no compiler for {language}"
            chosen["hint"] = f"install {' or '.join(COMPILERS[language])}"
            return chosen
        asked = [CompilerCheck(compiler=name, language=language, warnings=[]) for name in compilers]
        taken = [_add(chosen, each, sources, folder) for each in asked]
        if not any(taken):
            chosen["problem"] = "; ".join(chosen["notices"])
            chosen["hint"] = (
                "if that is the failure, leave --no-ub out; else options like -I, -D and -std= are "
                "taken from a command after --"
            )
            return chosen
    if languages:
        _choose_runs(chosen, sources, folder)
    return chosen


def _add(chosen: Chosen, asked: CompilerCheck, sources: list[str], folder: str) -> bool:
    """Add what a compiler can be asked, if it takes the original at all; tell whether it does."""
    asked["warnings"] = known(asked["compiler"], asked["language"])
    left_out: list[str] = []
    while True:
        done = compiled(asked, chosen["choice"]["flags"], sources, folder)
        if done.status == 0:
            break
        given = warnings_in(asked["warnings"], done.said)
        if not given:
            why = done.errors or f"it ends with {done.status}"
            for source in sources:  # its private folder means nothing to anybody
                why = why.replace(source, os.path.basename(source))  # noqa: PTH119 - text, no path
            chosen["notices"].append(f"{asked['compiler']} does not compile the original: {why}")
            return False
        left_out += given
        asked["warnings"] = [name for name in asked["warnings"] if name not in given]
    if left_out:
        names = ", ".join(f"-W{name}" for name in left_out)
        chosen["notices"].append(
            f"--no-ub ignores {names} of {asked['compiler']}: the original triggers it too"
        )
    chosen["choice"]["checks"].append(asked)
    return True


def _choose_runs(chosen: Chosen, sources: list[str], folder: str) -> None:
    """Find out whether candidates can be run, and for how long."""
    choice = chosen["choice"]
    program = _program(choice, sources, folder, SANITIZERS)
    if program is None:
        if _program(choice, sources, folder, ()) is not None:
            chosen["notices"].append(
                f"--no-ub only compiles: {' '.join(SANITIZERS[:1])} does not work here"
            )
        return
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    try:
        done = ran(program, MAX_WAIT)
    except OSError as error:  # where programs may not be run from
        chosen["notices"].append(f"--no-ub only compiles: {error.strerror}")
        return
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    if done.is_report:
        chosen["notices"].append(
            f"--no-ub only compiles: the original has undefined behaviour itself: {done.errors}"
        )
        return
    choice["runs"], choice["must_end"] = True, done.status != STOPPED_STATUS
    choice["seconds"] = max(SECONDS, ceil(TIMES * used)) if choice["must_end"] else SECONDS


def check(choice: ChosenChecks, sources: list[str], folder: str) -> str:
    """Return what was found, in words; empty if nothing was."""
    for asked in choice["checks"]:
        done = compiled(asked, choice["flags"], sources, folder)
        if done.status != 0:
            return done.said or f"{asked['compiler']} ends with {done.status}"
    program = _program(choice, sources, folder, SANITIZERS) if choice["runs"] else None
    if program is None:
        return ""
    done = ran(program, choice["seconds"])
    if done.is_report:
        return done.said
    if done.status == STOPPED_STATUS and choice["must_end"]:
        return f"the program does not end within {choice['seconds']} s, as the original does"
    return ""


def _program(
    choice: ChosenChecks, sources: Sequence[str], folder: str, more: Sequence[str]
) -> str | None:
    return linked(choice["checks"], [*choice["flags"], *more], sources, folder)


def _sources(paths: Sequence[str]) -> Iterator[str]:
    """Yield the files that are C or C++, in order."""
    for path in paths:
        inside = Path(path).rglob("*") if Path(path).is_dir() else [Path(path)]
        yield from sorted(str(each) for each in inside if each.suffix in LANGUAGES)
