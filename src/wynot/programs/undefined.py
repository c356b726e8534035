"""Looks for undefined behaviour in C and C++, with compilers' warnings and sanitizers.

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
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from math import ceil
from pathlib import Path
from typing import IO, NamedTuple, TypedDict

LANGUAGES = {
    **dict.fromkeys((".c", ".i"), "C"),
    **dict.fromkeys((".C", ".cc", ".cp", ".cpp", ".cxx", ".c++", ".CPP", ".ii"), "C++"),
}
COMPILERS = {"C": ("gcc", "clang"), "C++": ("g++", "clang++")}
OTHER_COMPILERS = {"C": "cc", "C++": "c++"}
"""Taken if none of the usual ones is there."""

WARNINGS = (
    *("uninitialized", "maybe-uninitialized", "sometimes-uninitialized", "init-self"),
    *("conditional-uninitialized", "return-type", "return-mismatch", "array-bounds"),
    *("shift-overflow", "shift-count-negative", "shift-count-overflow", "shift-negative-value"),
    *("div-by-zero", "division-by-zero", "overflow", "integer-overflow"),
    *("implicit-function-declaration", "implicit-int", "int-conversion"),
    *("incompatible-pointer-types", "incompatible-function-pointer-types"),
    *("builtin-declaration-mismatch", "incompatible-library-redeclaration"),
    *("declaration-missing-parameter-type", "format", "nonnull", "sequence-point", "unsequenced"),
    *("strict-aliasing", "infinite-recursion", "return-local-addr", "return-stack-address"),
    *("dangling-pointer", "use-after-free", "free-nonheap-object", "stringop-overflow"),
    *("stringop-overread", "restrict", "null-dereference", "aggressive-loop-optimizations"),
    *("main", "varargs", "mismatched-new-delete", "delete-incomplete", "delete-non-virtual-dtor"),
)
"""Of any compiler; each is asked which of them it knows."""

SANITIZERS = ("-fsanitize=undefined,address", "-fno-sanitize-recover=all")
REPORTED_STATUS = 113
"""The exit status of a program in which a sanitizer has found something."""
MEMORY_MEGABYTES = 2048
"""Megabytes that a program may use; sanitizers reserve far more, so no other limit will do."""
MAX_WAIT = 60
"""Seconds after which a program is stopped that only waits."""
KEPT_BYTES = 1 << 18
"""Bytes of output that are looked at."""
STOPPED_STATUS = -1000
"""In place of a status: it took too long."""
UNKNOWN_OPTION = re.compile(r"-W(?:error=)?(?!error=)([a-z][a-z0-9-]*)")
"""An option that a compiler complains about, the first one of the line."""
WARNING_NAME = re.compile(r"\[-Werror(?:=|,-W)([a-z0-9-]+)=?\d*\]")
"""What a compiler says which warning it was by."""
SANITIZER_OPTIONS = {
    "ASAN_OPTIONS": f"exitcode={REPORTED_STATUS}:detect_leaks=0:detect_stack_use_after_return=1:"
    f"allocator_may_return_null=1:hard_rss_limit_mb={MEMORY_MEGABYTES}",
    "UBSAN_OPTIONS": f"exitcode={REPORTED_STATUS}",
}


class CompilerCheck(TypedDict):
    """What one compiler is asked."""

    compiler: str
    language: str
    warnings: list[str]


class ProgramEnd(NamedTuple):
    """How a program ended, and what it printed."""

    status: int
    said: str

    @property
    def errors(self) -> str:
        """The first of what is wrong, in one line."""
        lines = [line for line in self.said.splitlines() if "error:" in line.lower()] or [""]
        return lines[0].strip()[:200]

    @property
    def is_report(self) -> bool:
        """Whether a sanitizer has found something; other programs may exit like that too."""
        return self.status == REPORTED_STATUS and (
            "runtime error:" in self.said or "Sanit" in self.said
        )


def known(compiler: str, language: str) -> list[str]:
    """Return the warnings that a compiler knows, for a language."""
    names = list(WARNINGS)
    asking = [compiler, "-x", language.lower(), "-fsyntax-only", "-"]
    while True:
        done = _run([*asking, *(f"-Werror={name}" for name in names)])
        named = [UNKNOWN_OPTION.findall(line)[:1] for line in done.said.splitlines()]
        unknown = {name for names_of_line in named for name in names_of_line}
        if unknown.isdisjoint(names):
            return names
        names = [name for name in names if name not in unknown]


def warnings_in(warnings: Sequence[str], said: str) -> list[str]:
    """Return which of the warnings a compiler gave; it may name a part of one: format-security."""
    found = set(WARNING_NAME.findall(said))
    return [
        name
        for name in warnings
        if any(each == name or each.startswith(f"{name}-") for each in found)
    ]


def compiled(
    asked: CompilerCheck, flags: Sequence[str], sources: Sequence[str], folder: str
) -> ProgramEnd:
    """Compile what is in a language, as far as it takes to have all warnings; stop at errors."""
    # Some warnings come only of optimizing, so it is not enough to look at the syntax.
    words = [asked["compiler"], *flags, "-O2", "-S", "-o", f"{folder}/out.s"]
    words += [f"-Werror={name}" for name in asked["warnings"]]
    for source in sources:
        if language_of(source) == asked["language"]:
            done = _run([*words, source])
            if done.status != 0:
                return done
    return ProgramEnd(0, "")


def linked(
    checks: Sequence[CompilerCheck], options: Sequence[str], sources: Sequence[str], folder: str
) -> str | None:
    """Return a program that is made of the sources; None if they are not a whole one."""
    made: list[str] = []
    options = [*options, "-O1", "-w"]
    # Each by its own compiler: that of C++ takes a file of C for C++.
    compilers = {asked["language"]: asked["compiler"] for asked in reversed(checks)}
    for number, source in enumerate(sources):
        made.append(f"{folder}/{number}.o")
        words = [compilers[language_of(source)], *options, "-c", "-o", made[-1], source]
        if _run(words).status != 0:
            return None
    program = f"{folder}/program"
    linker = compilers.get("C++") or compilers["C"]
    done = _run([linker, *options, "-o", program, *made, "-lm"])
    return program if done.status == 0 else None


def ran(program: str, seconds: int) -> ProgramEnd:
    """Run a program, without input and for so many seconds of processor time."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(  # noqa: S603 - in a private folder, as the test is
            [program],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=said,
            env={**os.environ, **SANITIZER_OPTIONS},
            preexec_fn=limit,  # noqa: PLW1509 - there are no threads here
        )
        try:
            status = process.wait(MAX_WAIT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            status = STOPPED_STATUS
        if status in {-signal.SIGXCPU, -signal.SIGKILL}:
            status = STOPPED_STATUS
        return ProgramEnd(status, _end_of(said))


def _run(words: Sequence[str]) -> ProgramEnd:
    with tempfile.TemporaryFile() as said:
        done = subprocess.run(  # noqa: S603 - a list, no shell
            words, stdin=subprocess.DEVNULL, stdout=said, stderr=said, check=False
        )
        return ProgramEnd(done.returncode, _end_of(said))


def _end_of(file: IO[bytes]) -> str:
    """Return the end of what was written: a report comes last."""
    file.seek(max(0, os.fstat(file.fileno()).st_size - KEPT_BYTES))
    return file.read().decode("utf-8", "replace")


def language_of(path: str) -> str:
    """Return what a source is written in, by its name."""
    return LANGUAGES[Path(path).suffix]


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
