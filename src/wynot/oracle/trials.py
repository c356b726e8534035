"""From what the options say to what is run and what it is held against."""

import ast
import os
import shlex
import shutil
import sys
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from wynot.commands.shared_options import FailureOptions
from wynot.core.errors import (
    InvalidOption,
    NoSuchFile,
    NotAFile,
    NotExecutable,
    Unreadable,
)
from wynot.core.foreign_text import for_shell
from wynot.failures.criteria import ByBisect, ByExitStatus, ByFirstRun, Criterion
from wynot.failures.expectation import Expectation
from wynot.failures.metrics import ByMetric, Metric
from wynot.failures.wording import NO_INPUT, Vocabulary
from wynot.oracle.command import HOLES, Command, Named, has_hole, is_there, is_written, naming
from wynot.oracle.confining import runs_candidate
from wynot.oracle.runs_candidate import runs_pytest
from wynot.oracle.served import ServedCommand
from wynot.oracle.trial import OneCommand, Trial, TwoCommands

INTERPRETERS = {
    ".sh": "sh",
    ".bash": "bash",
    ".py": "python3",
    ".pl": "perl",
    ".rb": "ruby",
    ".js": "node",
}


def trial_of(
    failure: FailureOptions, files: Sequence[str] = (), vocabulary: Vocabulary = NO_INPUT
) -> Trial:
    """Return what is run once for each candidate; the vocabulary is that of the original."""
    if failure.test:
        return OneCommand(script(failure.test, files), ByExitStatus(failure.invert))
    if failure.shell:
        shell = Command.script("/bin/sh", "-c", failure.shell, "sh")
        return OneCommand(shell, Expectation.from_options(failure) or ByExitStatus(failure.invert))
    vocabulary = replace(vocabulary, is_run=runs_candidate(failure, files))
    criterion = Expectation.from_options(failure) or ByFirstRun(
        failure.same or "auto", vocabulary, runs_pytest(failure.command)
    )
    if failure.serve:
        return ServedCommand(line(_split("serve", failure.serve), files, "--serve"), criterion)
    command = line(failure.command, files)
    if failure.differs:
        return TwoCommands(command, line(_split("differs", failure.differs), files, "--differs"))
    return OneCommand(command, criterion, is_part=command.is_candidate)


def _split(option: str, text: str) -> list[str]:
    """Return the words of a command that is the value of an option."""
    try:
        return shlex.split(text)
    except ValueError as error:
        raise InvalidOption(
            f"is {text!r}: {error}", option=option, hint="quote it as in a shell"
        ) from error


def line(command: Sequence[str], files: Sequence[str], option: str = "") -> Command:
    """Return a command line that can be run in another folder, as given or as an option has it."""
    if not command:
        raise InvalidOption("there is no command after --", hint="wynot reduce FILE -- CMD {}")
    if not has_hole(command[:1]):
        require_program(command, option)
    elif command[0] in HOLES:  # it is not looked for where programs are installed
        command = [f"./{command[0]}", *command[1:]]
    numbers = {Path(path).resolve(): number for number, path in enumerate(files)}
    named: dict[str, Named] = {}
    inside: dict[str, str] = {}
    for argument in command:
        before, path, _ = naming(argument)
        if place := _inside(path, files):
            inside[argument] = before + place
        elif (number := numbers.get(Path(path).resolve())) is not None:
            named[argument] = Named(number, "./" if argument is command[0] else before)
    argv = [inside.get(argument, argument) for argument in command]
    return Command.line(in_full(argv, {*named, *inside.values()}), named)


def _inside(argument: str, files: Sequence[str]) -> str:
    """Return where a file of a given folder is in a private one; empty: it is of none."""
    for folder in files:
        top = Path(folder)
        if "\0" not in argument and top.is_dir() and "/" in argument and Path(argument).exists():
            path = Path(os.path.abspath(argument))  # noqa: PTH100 - a link stays what it is
            if path.is_relative_to(top.absolute()) and path != top.absolute():
                return f"./{top.absolute().name}/{path.relative_to(top.absolute())}"
    return ""


def require_program(command: Sequence[str], option: str = "") -> None:
    """Raise if there is no such program, and say which option asks for it."""
    if not shutil.which(command[0]):
        usage = f"; {option} takes a command to run" if option else ""
        raise NoSuchFile(
            f"there is no program {command[0]!r}{usage}",
            path=command[0] if "/" in command[0] else "",
            hint=_program_hint(command[0]),
        )


def _program_hint(name: str) -> str:
    if is_there(name, may_be_folder=False):
        return (
            f"did you mean {f'./{name}'!r}?" if "/" not in name else f"chmod +x {for_shell(name)}"
        )
    if any(blank in name for blank in " \t\n"):
        return "it is one word: leave the quotes out, or write sh -c '…'"
    return "check its name; scripts in this folder are called ./NAME"


def in_full(command: Sequence[str], named: Collection[str] = ()) -> list[str]:
    """Return a command line with paths in full, but for those that are ``named``."""
    first, *rest = command
    argv = [first if first in named else _from_here(first, is_program=True)]
    for previous, each in zip(command, rest, strict=False):
        before, path, may_be_folder = naming(each, previous)
        is_kept = each in named or is_written(each, previous)
        argv.append(each if is_kept else before + _from_here(path, may_be_folder=may_be_folder))
    return argv


def inquiring(
    failure: FailureOptions, command: Sequence[str], *, worse: str, as_bisect: bool
) -> Trial:
    """Return what is run for each candidate that is no file; ``as_bisect``: unless more is said."""
    usual: Criterion = (
        ByBisect(is_pytest=runs_pytest(command))
        if as_bisect
        else ByFirstRun(failure.same or "auto", is_pytest=runs_pytest(command))
    )
    if worse:
        usual = ByMetric(Metric.read(worse))
    criterion = Expectation.from_options(failure) or usual
    return OneCommand(Command(tuple(command), appends=False), criterion, is_part=True)


def _from_here(path: str, *, is_program: bool = False, may_be_folder: bool = False) -> str:
    """Return a path of this folder in full: the test will run in another.

    A program without a slash is looked for elsewhere; any other argument that is the name of a file
    here most likely means that file.
    """
    if Path(path).is_absolute() or (is_program and "/" not in path):
        return path
    return str(Path(path).absolute()) if is_there(path, may_be_folder=may_be_folder) else path


def script(test: str, files: Sequence[str]) -> Command:
    """Return the command that runs a test script, or say why it cannot be run."""
    path = Path(test)
    if not _is_there(path):
        found = shutil.which(test) if test and "/" not in test else None
        if found:
            return Command.script(found)
        raise NoSuchFile(
            f"there is no test {test!r}",
            path=test,
            hint="first the test, then the files: TEST FILE; or without a script: FILE -- CMD {}",
        )
    if path.is_dir():
        raise NotAFile(f"the test {test!r} is a folder", hint="first the test, then the files")
    if not path.is_file():
        raise NotAFile(f"the test {test!r} is not a file", hint="give a script, or a program")
    path = path.absolute()
    if is_lithium_check(path):
        return Command.script(sys.executable, "-m", "wynot.programs.lithium", str(path))
    if not os.access(path, os.X_OK):
        raise NotExecutable(
            f"the test {test!r} is not executable", hint=_way_out(path, test, files)
        )
    return Command.script(str(path))


def _is_there(path: Path) -> bool:
    try:
        path.lstat()
    except PermissionError as error:
        raise Unreadable(
            f"the test {str(path)!r} cannot be reached: {error.strerror}",
            hint="check the permissions of its folder",
        ) from error
    except OSError:
        return False
    return True


def _way_out(path: Path, test: str, files: Sequence[str]) -> str:
    """Return a hint: the files are swapped, or what interpreter a script seems to be meant for."""
    if len(files) == 1 and os.access(files[0], os.X_OK) and Path(files[0]).is_file():
        return f"are they swapped? wynot reduce {for_shell(files[0])} {for_shell(test)}"
    first = ""
    with suppress(OSError), path.open("rb") as stream:
        first = stream.readline(200).decode("utf-8", "replace").strip()
    interpreter = first.removeprefix("#!").strip() if first.startswith("#!") else ""
    interpreter = interpreter or INTERPRETERS.get(path.suffix, "")
    if not interpreter:
        return (
            "is it the test? a command comes after --: FILE -- CMD {}; "
            f"else chmod +x {for_shell(test)}"
        )
    run = f'{interpreter} {for_shell(str(path))} "$@"'
    return f"chmod +x {for_shell(test)}; or: wynot reduce -c {for_shell(run)} FILE"


def is_lithium_check(path: Path) -> bool:
    """Tell whether a test is a module as lithium takes it: with a function ``interesting``."""
    if path.suffix != ".py":
        return False
    try:
        body = ast.parse(path.read_bytes()).body
    except (SyntaxError, ValueError, OSError):
        return False
    runs = any(isinstance(each, ast.If) for each in body)
    return not runs and any(
        isinstance(each, ast.FunctionDef) and each.name == "interesting" for each in body
    )
