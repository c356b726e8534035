"""Whether a test runs the candidate itself, as a program or a script.

A mangled program does what nobody has thought of: ``rm -rf "$D"/*`` without the line that sets
``D``. So it matters whether a command merely reads the candidate, as a compiler does, or does what
it says. That is told by the command line: the candidate is its program, or what an interpreter is
given to run, be it inside of ``sh -c`` or behind ``timeout``.
"""

import re
import shlex
from collections.abc import Collection, Sequence
from contextlib import suppress
from itertools import pairwise
from os import X_OK, access
from pathlib import Path
from typing import NamedTuple

from wynot.oracle.command import HOLES

SHELLS = frozenset({"sh", "ash", "bash", "dash", "fish", "ksh", "mksh", "yash", "zsh"})
INTERPRETERS = SHELLS | {
    *("awk", "bats", "bun", "deno", "elixir", "escript", "expect", "gawk", "groovy", "guile"),
    *("java", "jruby", "julia", "just", "kotlin", "lua", "luajit", "mawk", "node", "nodejs"),
    *("octave", "perl", "php", "pwsh", "py.test", "pypy", "pypy3", "pytest", "python", "racket"),
    *("rake", "Rscript", "ruby", "runghc", "runhaskell", "scala", "scons", "swift", "tclsh"),
    *("ts-node", "tsx", "wish"),
}
MAKES = frozenset({"make", "gmake", "bmake", "pmake", "remake"})
MAKEFILES = frozenset({"Makefile", "makefile", "GNUmakefile", "BSDmakefile"})
BEFORE = frozenset(
    {
        *("catchsegv", "chrt", "coverage", "env", "exec", "faketime", "gdb", "hatch", "ionice"),
        *("ltrace", "nice", "nohup", "pdm", "perf", "pipenv", "poetry", "rr", "setarch", "setsid"),
        *("stdbuf", "strace", "sudo", "taskset", "time", "timeout", "unbuffer", "uv", "valgrind"),
        "xvfb-run",
    }
)
"""Programs that run another one, which comes after their own options."""
VALUED = frozenset({"-W", "-X", "-r", "--require", "-I", "-o", "-O", "-d", "--import", "-n", "-u"})
"""Options, of any of these programs, that take the next word."""
CODE = frozenset({"-c", "-e", "-E", "--eval", "-m", "-M", "-jar"})
"""Options that say what is run instead of a file: then files are only read."""
RUNNING_MODULES = frozenset({"pytest", "unittest", "pdb", "trace", "cProfile", "doctest", "runpy"})
SCRIPTS = (".sh", ".bash", ".zsh", ".ksh", ".bats", ".mk", ".mak")
MAX_SCRIPT_BYTES = 1 << 16
_VERSIONED = re.compile(r"(python|pypy|perl|ruby|lua|php|tclsh)[\d.]+")
_BETWEEN = re.compile(r"&&|\|\||[;&|()\n`]|\$\(|\b(?:if|then|else|elif|while|until|do)\s|!\s")
_ARGUMENT = re.compile(r"\$(1|@|\*|\{1\})")


class _Named(NamedTuple):
    """What the candidate is called in a command line."""

    names: Collection[str]

    def __contains__(self, word: object) -> bool:
        if isinstance(word, int):
            return True
        text = str(word)
        if any(hole in text for hole in HOLES) or _ARGUMENT.search(text):
            return True
        first = text.removeprefix("./")
        return first in self.names or first.partition("/")[0] in self.names


def by_command(argv: Sequence[str | int], names: Collection[str]) -> bool:
    """Tell whether a command line runs the candidate, given the names of its files."""
    words, named = [*argv], _Named(names)
    while words:
        program = words.pop(0)
        if program in named:
            return True
        called = Path(str(program)).name
        if called in BEFORE:
            words = _without_options(words)
        elif called in MAKES:
            return any(word in named for word in words) or not MAKEFILES.isdisjoint(names)
        elif called in INTERPRETERS or _VERSIONED.fullmatch(called):
            return _is_interpreted(called, words, named)
        else:
            return False
    return False


def runs_pytest(argv: Sequence[str]) -> bool:
    """Tell whether a command line is one of pytest's, so that its exit status is pytest's too."""
    words: list[str | int] = [*argv]
    while words:
        called = Path(str(words.pop(0))).name
        if called in {"pytest", "py.test"}:
            return True
        if called in {"python", "pypy"} or _VERSIONED.fullmatch(called):
            return ("-m", "pytest") in pairwise(words)
        if called not in BEFORE:
            return False
        words = _without_options(words)
    return False


def by_shell(line: str, names: Collection[str]) -> bool:
    """Tell whether some command of a shell script runs the candidate."""
    for piece in _BETWEEN.split(line):
        with suppress(ValueError):
            if by_command(shlex.split(piece, comments=True), names):
                return True
    return False


def by_script(test: Path, files: Sequence[Path]) -> bool:
    """Tell whether a test script seems to run the candidate.

    What the script does cannot be known in general: it is looked through if it is one for a shell.
    """
    with suppress(OSError, UnicodeDecodeError):
        if not test.is_file():  # to open a FIFO would wait for somebody who writes to it
            return False
        with test.open("rb") as stream:
            head = stream.read(MAX_SCRIPT_BYTES).decode()
        first = head.partition("\n")[0]
        if first.startswith("#!") and any(word in SHELLS for word in re.split(r"[\s/]+", first)):
            return by_shell(head, [path.name for path in files])
    return False


def is_script(path: Path) -> bool:
    """Tell whether a file is there to be run: a shell script, a Makefile, an executable script.

    A test that is given one probably runs it.
    """
    if path.name in MAKEFILES or path.suffix in SCRIPTS:
        return True
    with suppress(OSError):
        if path.is_file() and access(path, X_OK):
            with path.open("rb") as stream:
                return stream.read(2) == b"#!"
    return False


def _without_options(words: list[str | int]) -> list[str | int]:
    """Return what another program is given to run, without the options of that program itself."""
    for number, word in enumerate(words):
        text = str(word)
        is_own = text.startswith("-") or "=" in text or text in {"run", "record", "--"}
        is_amount = text[:1].isdigit() or (number > 0 and str(words[number - 1]) in VALUED)
        if not is_own and not is_amount:
            return words[number:]
    return []


def _is_interpreted(program: str, words: list[str | int], named: _Named) -> bool:
    """Tell whether an interpreter is given the candidate to run."""
    takes_value = False
    for number, word in enumerate(words):
        text = str(word)
        if takes_value:
            takes_value = False
        elif program in SHELLS and re.fullmatch(r"-[a-z]*c", text):
            return by_shell(" ".join(map(str, words[number + 1 : number + 2])), named.names)
        elif text == "-m":
            modules = map(str, words[number + 1 : number + 2])
            return any(each in RUNNING_MODULES for each in modules)
        elif text in CODE and program not in SHELLS:
            return False
        elif text in VALUED:
            takes_value = True
        elif text in {"-", "/dev/stdin"}:
            return True
        elif not text.startswith("-") or word in named:
            is_subcommand = program in {"deno", "bun"} and text == "run"
            if not is_subcommand:
                return word in named
    return program not in {"pytest", "py.test", "bats", "java", "just", "rake", "scons"}
