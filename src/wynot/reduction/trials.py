"""From the options to what is run and what it is held against."""

import ast
import os
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from wynot.core.errors import InvalidOption, NoSuchFile, NotAFile, NotExecutable
from wynot.oracle.command import Command
from wynot.oracle.expectation import Expectation
from wynot.oracle.trial import ByExitStatus, ByFirstRun, OneCommand, Trial, TwoCommands
from wynot.reduction.options import Options

INTERPRETERS = {
    ".sh": "sh",
    ".bash": "bash",
    ".py": "python3",
    ".pl": "perl",
    ".rb": "ruby",
    ".js": "node",
}


def trial_of(options: Options) -> Trial:
    """Return what is run once for each candidate."""
    if options.test:
        return OneCommand(script(options.test), ByExitStatus(options.invert))
    if options.shell:
        line = Command.script("/bin/sh", "-c", options.shell, "sh")
        return OneCommand(line, by_hand(options) or ByExitStatus(options.invert))
    command = Command.line(resolved(options.command), options.files)
    if options.differs:
        try:
            other = shlex.split(options.differs)
        except ValueError as error:
            raise InvalidOption(
                f"differs is {options.differs!r}: {error}", hint="quote it as in a shell"
            ) from error
        return TwoCommands(command, Command.line(resolved(other), options.files))
    return OneCommand(command, by_hand(options) or ByFirstRun(options.same))


def by_hand(options: Options) -> Expectation | None:
    """Return what the user says the failure looks like."""
    if not options.by_hand:
        return None
    return Expectation.by_hand(
        exit=options.exit,
        signal=options.signal,
        stdout=options.stdout,
        stderr=options.stderr,
        not_stdout=options.not_stdout,
        not_stderr=options.not_stderr,
        hangs=options.hangs,
    )


def resolved(command: Sequence[str]) -> list[str]:
    """Return a command line whose program can be started from another folder."""
    if not command:
        raise InvalidOption("there is no command after --", hint="wynot reduce FILE -- CMD {}")
    if not shutil.which(command[0]):
        raise NoSuchFile(
            f"there is no program {command[0]!r}",
            hint="check its name; scripts in this folder are called ./NAME",
        )
    return list(map(_from_here, command))


def _from_here(argument: str) -> str:
    """Return a path of this folder in full: the test will run in another."""
    path = Path(argument)
    is_ours = "/" in argument and not path.is_absolute() and path.exists()
    return str(path.absolute()) if is_ours else argument


def script(test: str) -> Command:
    """Return the command that runs a test script, or say why it cannot be run."""
    path = Path(test)
    if not path.exists():
        found = shutil.which(test) if "/" not in test else None
        if found:
            return Command.script(found)
        raise NoSuchFile(
            f"there is no test {test!r}",
            hint="first the test, then the files: wynot reduce TEST FILE; "
            "or without a script: wynot reduce FILE -- CMD {}",
        )
    if path.is_dir():
        raise NotAFile(f"the test {test!r} is a folder", hint="first the test, then the files")
    path = path.absolute()
    if is_lithium_check(path):
        return Command.script(sys.executable, "-m", "wynot.oracle.lithium", str(path))
    if not os.access(path, os.X_OK):
        raise NotExecutable(f"the test {test!r} is not executable", hint=_way_out(path, test))
    return Command.script(str(path))


def _way_out(path: Path, test: str) -> str:
    """Return a hint with the interpreter that a script seems to be meant for."""
    with path.open("rb") as stream:
        first = stream.readline(200).decode("utf-8", "replace").strip()
    interpreter = first.removeprefix("#!").strip() if first.startswith("#!") else ""
    interpreter = interpreter or INTERPRETERS.get(path.suffix, "")
    if not interpreter:
        return f"chmod +x {shlex.quote(test)}"
    return (
        f"chmod +x {shlex.quote(test)}; or: "
        f"wynot reduce -c '{interpreter} {shlex.quote(str(path))} \"$@\"' FILE"
    )


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
