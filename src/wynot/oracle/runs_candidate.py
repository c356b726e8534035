"""Whether a test runs the candidate itself, as far as the text of its script shows.

Quotes, here-documents, command substitutions and redirections are read as a shell reads them.
Nothing is expanded: ``awk '{s+=$1}' "$1"`` has three words, in the second of which another
character stands for the dollar sign, as it is only a letter there.

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

import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from os import X_OK, access
from pathlib import Path
from typing import NamedTuple

from wynot.oracle.command import HOLES

LITERAL_DOLLAR = "\0"
"""A dollar sign in single quotes, or after a backslash: it expands nothing."""
HERE_DOCUMENT = "<<"
MAX_NESTING = 50

_RESERVED = frozenset({"!", "{", "}", "if", "then", "else", "elif", "fi", "do", "done", "time"})
_LOOPING = frozenset({"while", "until"})
_OPERATOR = re.compile(r"&&|\|\||;;|\|&|[;&|()\n]")
_REDIRECTION = re.compile(r"(\d*|&)(>>|>\||>&|<<-|<<<|<<|<>|<&|>|<)")
_VARIABLE = re.compile(r"\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=.*", re.DOTALL)


class ShellCommand(NamedTuple):
    """A program with its arguments, or only assignments."""

    assignments: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    """Files that its output is written to."""
    inputs: tuple[str, ...] = ()
    """Files that are its input; a here-document is ``<<``."""
    is_piped: bool = False
    """Whether its input is the output of the command before it."""


def written_files(text: str) -> list[str]:
    """Return the files, by absolute paths, that a script redirects output to, or has ``tee`` write.

    Variables are followed that the script sets to plain text, and those of the environment but for
    the folder for temporary files, which is private to each test.
    """
    variables = {name: value for name, value in os.environ.items() if name != "TMPDIR"}
    found: list[str] = []
    for command in commands_in(text):
        targets = [*command.outputs]
        if command.tokens[:1] == ("tee",):
            targets += [token for token in command.tokens[1:] if not token.startswith("-")]
        for target in targets:
            path = _expanded(target, variables)
            if path.startswith("/") and "$" not in path and path not in found:
                found.append(path)
        for assignment in command.assignments:
            name, _, value = assignment.partition("=")
            variables[name] = _expanded(value, variables)
    return found


def _expanded(token: str, variables: Mapping[str, str]) -> str:
    """Return a word with the variables in it that are known, and the user's folder."""
    known = _VARIABLE.sub(lambda each: variables.get(each[1] or each[2], each[0]), token)
    is_home = known == "~" or known.startswith("~/")
    return variables.get("HOME", "~") + known[1:] if is_home else known


def commands_in(text: str) -> list[ShellCommand]:
    """Return the commands of a script, those inside of others before them."""
    reader = _Reader(text.replace("\\\n", ""))
    reader.read()
    return reader.commands


@dataclass(slots=True)
class _Reader:
    text: str
    at: int = 0
    depth: int = 0
    commands: list[ShellCommand] = field(default_factory=list)
    _tokens: list[str] = field(default_factory=list)
    _redirections: list[tuple[str, str]] = field(default_factory=list)
    _is_piped: bool = False
    _documents: list[tuple[str, bool]] = field(default_factory=list)
    """The last lines of here-documents that begin after this line; and if tabs precede them."""

    def read(self) -> None:
        """Read to the end."""
        while self.at < len(self.text):
            if self._skips():
                continue
            if found := _REDIRECTION.match(self.text, self.at):
                self._redirect(found)
            elif found := _OPERATOR.match(self.text, self.at):
                self._end_command(found[0])
                self.at = found.end()
                if found[0] == "\n":
                    self._skip_documents()
            else:
                self._tokens.append(self._word())
        self._end_command("\n")

    def _skips(self) -> bool:
        """Go on after blanks, or after a comment."""
        letter = self.text[self.at]
        if letter == "#" and (self.at == 0 or self.text[self.at - 1] in " \t\n;&|("):
            end = self.text.find("\n", self.at)
            self.at = len(self.text) if end < 0 else end
            return True
        if letter in " \t\r":
            self.at += 1
            return True
        return False

    def _redirect(self, found: re.Match[str]) -> None:
        self.at = found.end()
        while self.text[self.at : self.at + 1] in {" ", "\t"}:
            self.at += 1
        target, operator = self._word(), found[2]
        if operator in {"<<", "<<-"}:
            self._documents.append((target, operator == "<<-"))
        if operator in {"<<", "<<-", "<<<"}:
            self._redirections.append(("<", HERE_DOCUMENT))
        elif operator in {">", ">>", ">|", "<", "<>"} or (operator == ">&" and target[:1] != "-"):
            is_number = operator == ">&" and target.isdigit()
            if target and not is_number:
                self._redirections.append((operator[0], target))

    def _skip_documents(self) -> None:
        for last, has_tabs in self._documents:
            while self.at < len(self.text):
                line, _, _ = self.text[self.at :].partition("\n")
                self.at += len(line) + 1
                if (line.lstrip("\t") if has_tabs else line) == last:
                    break
        self._documents.clear()

    def _word(self) -> str:
        """Read a word; what it substitutes is read, too."""
        pieces: list[str] = []
        while self.at < len(self.text):
            letter = self.text[self.at]
            if letter in " \t\r\n;&|()<>":
                break
            if letter == "'":
                end = self._find("'", self.at + 1)
                pieces.append(self.text[self.at + 1 : end].replace("$", LITERAL_DOLLAR))
                self.at = end + 1
            elif letter == '"':
                self.at += 1
                pieces.append(self._quoted())
            else:
                pieces.append(self._piece())
        return "".join(pieces)

    def _quoted(self) -> str:
        """Read to the end of double quotes."""
        pieces: list[str] = []
        while self.at < len(self.text) and self.text[self.at] != '"':
            pieces.append(self._piece())
        self.at += 1
        return "".join(pieces)

    def _piece(self) -> str:
        """Read a letter, or an expansion."""
        letter, rest = self.text[self.at], self.text[self.at + 1 : self.at + 2]
        if letter == "\\":
            self.at += 2
            return LITERAL_DOLLAR if rest == "$" else rest
        if letter == "`":
            end = self._find("`", self.at + 1)
            self._substitute(self.text[self.at + 1 : end])
            self.at = end + 1
            return ""
        if letter == "$" and rest == "(":
            start = self.at + 2
            self.at = self._closing(start)
            self._substitute(self.text[start : self.at])
            self.at += 1
            return ""
        self.at += 1
        return letter

    def _substitute(self, inner: str) -> None:
        if self.depth < MAX_NESTING:
            reader = _Reader(inner, depth=self.depth + 1)
            reader.read()
            self.commands += reader.commands

    def _find(self, letter: str, start: int) -> int:
        end = self.text.find(letter, start)
        return len(self.text) if end < 0 else end

    def _closing(self, start: int) -> int:
        """Return where the parenthesis is that closes one."""
        at, open_count = start, 1
        while at < len(self.text):
            letter = self.text[at]
            if letter == "\\":
                at += 1
            elif letter == "'":
                at = self._find("'", at + 1)
            elif letter in "()":
                open_count += 1 if letter == "(" else -1
                if not open_count:
                    return at
            at += 1
        return len(self.text)

    def _end_command(self, operator: str) -> None:
        tokens = self._tokens
        while tokens and (tokens[0] in _RESERVED or tokens[0] in _LOOPING):
            del tokens[0]
        count = 0
        while count < len(tokens) and _ASSIGNMENT.fullmatch(tokens[count]):
            count += 1
        if tokens or self._redirections:
            outputs = tuple(each for kind, each in self._redirections if kind == ">")
            inputs = tuple(each for kind, each in self._redirections if kind == "<")
            found = (tuple(tokens[:count]), tuple(tokens[count:]), outputs, inputs)
            self.commands.append(ShellCommand(*found, is_piped=self._is_piped))
            self._is_piped = operator in {"|", "|&"}
        elif operator not in {"(", "\n"}:
            self._is_piped = False
        self._tokens, self._redirections = [], []


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
_ARGUMENT = re.compile(r"\$(1|@|\*|\{[1@*][^{}]*\})")
_ANY_VARIABLE = re.compile(r"\$(?:\{(\w+)[^}]*\}|(\w+))")
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

    def __contains__(self, token: object) -> bool:
        if isinstance(token, int):
            return True
        text = str(token)
        if any(hole in text for hole in HOLES):
            return True
        if self._has_arguments and _ARGUMENT.search(text):
            return True
        if any({one, other} & self._variables for one, other in _ANY_VARIABLE.findall(text)):
            return True
        first = text.removeprefix("./")
        if first in self.names or first.partition("/")[0] in self.names:
            return True
        return "$" in text and text.rpartition("/")[2] in self.names

    def add(self, token: str) -> None:
        """Take note of another name of the candidate: a file, or ``$VARIABLE``."""
        if found := _ANY_VARIABLE.fullmatch(token):
            self._variables.add(found[1] or found[2])
        elif token:
            self.names.add(token.removeprefix("./"))

    def follow(self, command: ShellCommand) -> None:
        """Take note of variables and files that are the candidate after a command."""
        for assignment in command.assignments:
            name, _, value = assignment.partition("=")
            if value in self:
                self.add(f"${name}")
        match command.tokens:
            case ["for", name, "in", *values] if any(value in self for value in values):
                self.add(f"${name}")
            case [program, *tokens, last] if program in _COPYING:
                if any(token in self for token in tokens):
                    self.add(last)
            case ["cat", *tokens] if any(token in self for token in (*tokens, *command.inputs)):
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
    tokens = [*argv]
    while tokens and tokens[0] not in named and Path(str(tokens[0])).name in BEFORE:
        tokens = _without_options(tokens[1:])
    if not tokens or tokens[0] in named:
        return bool(tokens)
    called, tokens = Path(str(tokens[0])).name or str(tokens[0]), tokens[1:]
    if called in FILTERS:
        return _is_filter_program(tokens, named)
    versioned = _VERSIONED.fullmatch(called)
    if (called in INTERPRETERS or versioned) and tokens[:1] != ["run"]:
        program = versioned[1] if versioned else called
        return _is_interpreted(program, tokens, named, is_input=is_input)
    return _is_operand(called, tokens, named)


def _is_operand(called: str, tokens: list[str | int], named: _CandidateNames) -> bool:
    """Tell whether a program that runs what is among its words is given the candidate."""
    if called in MAKES and not MAKEFILES.isdisjoint(named.names):
        return True
    if called in {".", "source"}:
        return any(token in named for token in tokens[:1])
    runs_all = called in MAKES or called == "eval"
    if runs_all or (called in SUBCOMMANDS and tokens[:1] in (["run"], ["r"])):
        return any(token in named for token in tokens)
    return False


def runs_pytest(argv: Sequence[str]) -> bool:
    """Tell whether a command line is one of pytest's, so that its exit status is pytest's too."""
    tokens: list[str | int] = [*argv]
    while tokens:
        called = Path(str(tokens.pop(0))).name
        if called in {"pytest", "py.test"}:
            return True
        if called in {"python", "pypy"} or _VERSIONED.fullmatch(called):
            return ("-m", "pytest") in pairwise(tokens)
        if called not in BEFORE:
            return False
        tokens = _without_options(tokens)
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
        if _runs(command.tokens, named, is_input=is_input):
            return True
        is_read = is_named_input or any(token in named for token in command.tokens)
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
        if first.startswith("#!") and any(token in SHELLS for token in re.split(r"[\s/]+", first)):
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


def _without_options(tokens: list[str | int]) -> list[str | int]:
    """Return what another program is given to run, without the options of that program itself."""
    for number, token in enumerate(tokens):
        text = str(token)
        is_own = text.startswith("-") or "=" in text or text in {"run", "record", "--"}
        is_amount = text[:1].isdigit() or (number > 0 and str(tokens[number - 1]) in VALUED)
        if not is_own and not is_amount:
            return tokens[number:]
    return []


def _is_filter_program(tokens: list[str | int], named: _CandidateNames) -> bool:
    """Tell whether awk or sed is given the candidate as its program, and not as data."""
    for token, value in pairwise((*tokens, "")):
        option, _, joined = str(token).partition("=")
        if _PROGRAM_FILE.fullmatch(option) and (joined or value) in named:
            return True
    return False


def _is_interpreted(
    program: str, tokens: list[str | int], named: _CandidateNames, *, is_input: bool
) -> bool:
    """Tell whether an interpreter is given the candidate to run."""
    takes_value = False
    code = _CODE_IN_SHELL if program in SHELLS else _CODE.get(program, _CODE[""])
    for number, token in enumerate(tokens):
        text, following = str(token), tokens[number + 1 :]
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
        elif not text.startswith("-") or token in named:
            return token in named or (program == "java" and text in named.modules)
    return is_input and program not in _NO_SCRIPT_ON_INPUT


def _is_in_code(
    program: str, option: str, following: list[str | int], named: _CandidateNames
) -> bool:
    """Tell whether an inline program runs the candidate."""
    inline = "".join(str(each) for each in following[:1]).replace(LITERAL_DOLLAR, "$")
    if program in SHELLS:
        # The word after it is what the program is called, the next one its first argument.
        has_arguments = any(token in named for token in following[2:])
        return by_shell(inline, named.names, has_arguments=has_arguments)
    if option == "-jar":
        return following[:1] != [] and following[0] in named
    return any(found in named.modules for found in _loaded_names(f"{option}\n{inline}"))


def _loaded_names(code: str) -> Iterator[str]:
    """Yield the names of modules and files that an inline program loads."""
    for found in _LOADING.finditer(code):
        for path in re.findall(r"[\w./-]+", found[1]):
            yield Path(path).stem
