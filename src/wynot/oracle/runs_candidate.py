"""Whether a test runs the candidate itself, as a program or a script.

A mangled program does what nobody has thought of: ``rm -rf "$D"/*`` without the line that sets
``D``. So it matters whether a command merely reads the candidate, as a compiler does, or does what
it says. The command line shows it. The candidate is run if it is

* the program: ``./{}``, also behind ``timeout`` or ``env``;
* the script of an interpreter: ``python3 {}``, ``awk -f {}``, ``go run {}``, ``make -f {}``;
* a part of an inline program: ``python3 -c 'import case'``, ``sh -c '. ./case.sh'``;
* the input of an interpreter that has no script: ``bash < {}``, ``cat {} | python3 -``.

For an inline program that has no part of it (``awk '{s+=$1}' {}``, ``perl -ne 'print' {}``) the
candidate is data. In a shell script, variables and copies that are the candidate are followed.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from os import X_OK, access
from pathlib import Path

from wynot.oracle.command import HOLES
from wynot.oracle.shell_commands import LITERAL_DOLLAR, ShellCommand, commands_in

SHELLS = frozenset({"sh", "ash", "bash", "dash", "fish", "ksh", "mksh", "yash", "zsh"})
INTERPRETERS = SHELLS | {
    *("bats", "bun", "deno", "elixir", "escript", "expect", "groovy", "guile", "java", "jruby"),
    *("julia", "just", "kotlin", "lua", "luajit", "node", "nodejs", "octave", "perl", "php"),
    *("pwsh", "py.test", "pypy", "pypy3", "pytest", "python", "racket", "rake", "Rscript", "ruby"),
    *("runghc", "runhaskell", "scala", "scons", "swift", "tclsh", "ts-node", "tsx", "wish"),
}
FILTERS = frozenset({"awk", "gawk", "mawk", "nawk", "sed", "gsed"})
"""Programs whose first operand is an inline program, unless an option names a file with one."""
SUBCOMMANDS = frozenset({"bun", "crystal", "dart", "deno", "go", "nim", "zig"})
"""Programs that run a file after ``run``; without that, some of them compile it."""
MAKES = frozenset({"make", "gmake", "bmake", "pmake", "remake"})
MAKEFILES = frozenset({"Makefile", "makefile", "GNUmakefile", "BSDmakefile"})
BEFORE = frozenset(
    {
        *("catchsegv", "chrt", "command", "coverage", "env", "exec", "faketime"),
        *("gdb", "hatch", "ionice", "ltrace", "nice", "nohup", "pdm", "perf", "pipenv", "poetry"),
        *("rr", "setarch", "setsid"),
        *("stdbuf", "strace", "sudo", "taskset", "time", "timeout", "unbuffer", "uv", "valgrind"),
        "xvfb-run",
    }
)
"""Programs that run another one, which comes after their own options."""
VALUED = frozenset({"-W", "-X", "-r", "--require", "-I", "-o", "-O", "-d", "--import", "-n", "-u"})
"""Options, of any of these programs, that take the next word."""
RUNNING_MODULES = frozenset({"pytest", "unittest", "pdb", "trace", "cProfile", "doctest", "runpy"})
SCRIPTS = (".sh", ".bash", ".zsh", ".ksh", ".bats", ".mk", ".mak")
MAX_SCRIPT_BYTES = 1 << 16
_VERSIONED = re.compile(r"(python|pypy|perl|ruby|lua|php|tclsh)[\d.]+")
_CODE = {
    "python": re.compile(r"-[bBdEiIOPqsSuvx]*c"),
    "pypy": re.compile(r"-[bBdEiIOPqsSuvx]*c"),
    "perl": re.compile(r"-[acFilnpsStTuUvwW0-9.]*[eE].*", re.DOTALL),
    "ruby": re.compile(r"-[acilnpsSvw0-9.]*e.*", re.DOTALL),
    "php": re.compile(r"-[rBRE]"),
    "": re.compile(r"-c|-e|-E|-p|-pe|--eval|--print|--expression|-Command|-jar"),
}
"""The options of each interpreter that an inline program, or a compiled one, follows."""
_MODULE = re.compile(r"-[bBdEiIOPqsSuvx]*m|-M")
_CODE_IN_SHELL = re.compile(r"-[a-z]*c")
_PROGRAM_FILE = re.compile(r"-[nErsuz]*f|--file|-E|--exec")
_FILTER_VALUES = frozenset({"-F", "-v", "-l", "--assign", "--field-separator"})
_ARGUMENT = re.compile(r"\$(1|@|\*|\{[1@*][^{}]*\})")
_VARIABLE = re.compile(r"\$(?:\{(\w+)[^}]*\}|(\w+))")
_LOADING = re.compile(
    r"\b(?:import|from|require|require_relative|load|source|include)\b"
    r"""\s*\(?\s*["']?([\w./, -]+)"""
)
_COPYING = frozenset({"cp", "mv", "ln", "install"})
_NO_SCRIPT_ON_INPUT = frozenset({"pytest", "py.test", "bats", "java", "just", "rake", "scons"})


class _CandidateNames:
    """What the candidate is called in a command line, or in a script as far as it was read."""

    def __init__(self, names: Collection[str], *, has_arguments: bool = False) -> None:
        """With ``has_arguments``, the first one is the candidate."""
        self.names = set(names)
        self._has_arguments = has_arguments
        self._variables: set[str] = set()

    def __contains__(self, word: object) -> bool:
        if isinstance(word, int):
            return True
        text = str(word)
        if any(hole in text for hole in HOLES):
            return True
        if self._has_arguments and _ARGUMENT.search(text):
            return True
        if any({one, other} & self._variables for one, other in _VARIABLE.findall(text)):
            return True
        first = text.removeprefix("./")
        if first in self.names or first.partition("/")[0] in self.names:
            return True
        return "$" in text and text.rpartition("/")[2] in self.names

    def add(self, word: str) -> None:
        """Take note of another name of the candidate: a file, or ``$VARIABLE``."""
        if found := _VARIABLE.fullmatch(word):
            self._variables.add(found[1] or found[2])
        elif word:
            self.names.add(word.removeprefix("./"))

    def follow(self, command: ShellCommand) -> None:
        """Take note of variables and files that are the candidate after a command."""
        for assignment in command.assignments:
            name, _, value = assignment.partition("=")
            if value in self:
                self.add(f"${name}")
        match command.words:
            case ["for", name, "in", *values] if any(value in self for value in values):
                self.add(f"${name}")
            case [program, *words, last] if program in _COPYING:
                if any(word in self for word in words):
                    self.add(last)
            case ["cat", *words] if any(word in self for word in (*words, *command.inputs)):
                for output in command.outputs:
                    self.add(output)

    @property
    def modules(self) -> set[str]:
        """What its files are called when they are imported."""
        return {Path(name).stem for name in self.names}


def by_command(argv: Sequence[str | int], names: Collection[str]) -> bool:
    """Tell whether a command line runs the candidate, given the names of its files."""
    return _runs(argv, _CandidateNames(names), is_input=True)


def _runs(argv: Sequence[str | int], named: _CandidateNames, *, is_input: bool) -> bool:
    """Tell whether a command runs the candidate, which may be its input."""
    words = [*argv]
    while words and words[0] not in named and Path(str(words[0])).name in BEFORE:
        words = _without_options(words[1:])
    if not words or words[0] in named:
        return bool(words)
    called, words = Path(str(words[0])).name or str(words[0]), words[1:]
    if called in FILTERS:
        return _is_filter_program(words, named)
    versioned = _VERSIONED.fullmatch(called)
    if (called in INTERPRETERS or versioned) and words[:1] != ["run"]:
        program = versioned[1] if versioned else called
        return _is_interpreted(program, words, named, is_input=is_input)
    return _is_operand(called, words, named)


def _is_operand(called: str, words: list[str | int], named: _CandidateNames) -> bool:
    """Tell whether a program that runs what is among its words is given the candidate."""
    if called in MAKES and not MAKEFILES.isdisjoint(named.names):
        return True
    if called in {".", "source"}:
        return any(word in named for word in words[:1])
    runs_all = called in MAKES or called == "eval"
    if runs_all or (called in SUBCOMMANDS and words[:1] in (["run"], ["r"])):
        return any(word in named for word in words)
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


def by_shell(line: str, names: Collection[str], *, has_arguments: bool = True) -> bool:
    """Tell whether some command of a shell script runs the candidate.

    It is the input of the script; with ``has_arguments`` also its first argument.
    """
    named = _CandidateNames(names, has_arguments=has_arguments)
    is_read = False
    for command in commands_in(line):
        is_named_input = any(each in named for each in command.inputs)
        is_input = is_named_input or (not command.inputs and (is_read or not command.is_piped))
        if _runs(command.words, named, is_input=is_input):
            return True
        is_read = is_named_input or any(word in named for word in command.words)
        named.follow(command)
    return False


def by_script(test: Path, files: Sequence[Path]) -> bool:
    """Tell whether a test script seems to run the candidate.

    What the script does cannot be known in general: it is looked through if it is one for a shell.
    """
    text = shell_text(test)
    return bool(text) and by_shell(text, [path.name for path in files])


def shell_text(test: Path) -> str:
    """Return the text of a test that is a shell script; empty if it is something else."""
    with suppress(OSError, UnicodeDecodeError):
        if not test.is_file():  # to open a FIFO would wait for somebody who writes to it
            return ""
        with test.open("rb") as stream:
            head = stream.read(MAX_SCRIPT_BYTES).decode()
        first = head.partition("\n")[0]
        if first.startswith("#!") and any(word in SHELLS for word in re.split(r"[\s/]+", first)):
            return head
    return ""


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


def _is_filter_program(words: list[str | int], named: _CandidateNames) -> bool:
    """Tell whether awk or sed is given the candidate as its program, and not as data."""
    for word, value in pairwise((*words, "")):
        option, _, joined = str(word).partition("=")
        if _PROGRAM_FILE.fullmatch(option) and (joined or value) in named:
            return True
    return False


def _is_interpreted(
    program: str, words: list[str | int], named: _CandidateNames, *, is_input: bool
) -> bool:
    """Tell whether an interpreter is given the candidate to run."""
    takes_value = False
    code = _CODE_IN_SHELL if program in SHELLS else _CODE.get(program, _CODE[""])
    for number, word in enumerate(words):
        text, following = str(word), words[number + 1 :]
        if takes_value:
            takes_value = False
        elif code.fullmatch(text):
            return _is_in_code(program, text, following, named)
        elif _MODULE.fullmatch(text):
            modules = {str(each) for each in following[:1]}
            return not modules.isdisjoint(RUNNING_MODULES | named.modules)
        elif text in VALUED:
            takes_value = True
        elif text in {"-", "/dev/stdin"}:
            return is_input
        elif not text.startswith("-") or word in named:
            return word in named or (program == "java" and text in named.modules)
    return is_input and program not in _NO_SCRIPT_ON_INPUT


def _is_in_code(
    program: str, option: str, following: list[str | int], named: _CandidateNames
) -> bool:
    """Tell whether an inline program runs the candidate."""
    inline = "".join(str(each) for each in following[:1]).replace(LITERAL_DOLLAR, "$")
    if program in SHELLS:
        # The word after it is what the program is called, the next one its first argument.
        has_arguments = any(word in named for word in following[2:])
        return by_shell(inline, named.names, has_arguments=has_arguments)
    if option == "-jar":
        return following[:1] != [] and following[0] in named
    return any(found in named.modules for found in _loaded_names(f"{option}\n{inline}"))


def _loaded_names(code: str) -> Iterator[str]:
    """Yield the names of modules and files that an inline program loads."""
    for found in _LOADING.finditer(code):
        for path in re.findall(r"[\w./-]+", found[1]):
            yield Path(path).stem
