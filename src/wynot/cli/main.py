"""``wynot``: finds the command, runs it, and says how it ended."""

import os
import signal
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Sequence
from importlib import import_module
from types import FrameType

from wynot.cli import config
from wynot.cli.exit_codes import INTERRUPTED, TERMINATED, USAGE
from wynot.cli.parser import CommandParser, parser
from wynot.core.errors import Interrupted

PAIRED_SECONDS = 2.0
"""Seconds within which a signal is taken for one with that before."""


class Terminated(KeyboardInterrupt):
    """Someone asked wynot to end, though not with Ctrl-C."""


class Interruption:
    """Ends the run at the first signal, and lets that end be: signals like to come in pairs.

    GNU `timeout` sends one to its child and one to the group; a terminal that closes does the like.
    Whoever still presses Ctrl-C after a while means it.
    """

    def __init__(self) -> None:
        self._since: float | None = None

    def __call__(self, number: int, _frame: FrameType | None) -> None:
        """Raise, unless that was done just now."""
        now = time.monotonic()
        if self._since is not None and now - self._since < PAIRED_SECONDS:
            return
        self._since = now
        raise KeyboardInterrupt if number == signal.SIGINT else Terminated


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    if sys.platform == "win32":
        sys.stderr.write("wynot: it runs on Linux and macOS; on Windows, use it in WSL\n")
        return USAGE
    _have_streams()
    given = list(sys.argv[1:] if argv is None else argv)
    try:
        return _run(given)
    except KeyboardInterrupt as interrupt:
        return _interrupted(interrupt)
    except Exception as error:  # noqa: BLE001 - so that each has its exit code
        # Costly to import, and mostly not needed.
        complained: int = import_module("wynot.cli.complaint").complain(error, given)
        return complained


def _run(given: list[str]) -> int:
    # What follows -- is another program's command line; argparse would take it apart.
    cut = given.index("--") if "--" in given else len(given)
    top = parser()
    ours = _asked_for_help(given[:cut])
    top.given = [*ours, *given[cut:]]
    arguments = _parsed(top, ours)
    if arguments.action is None:
        top.print_help()
        return USAGE
    arguments.command = given[cut + 1 :] if cut < len(given) else None
    # Only the command that is asked for: together they take longer to import than to run.
    run: Callable[[Namespace], int] = import_module(f"wynot.cli.{arguments.action}").run
    # Not before: a signal that comes during an import ends the process at once.
    interruption = Interruption()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # Who says nohup wants it to go on when the terminal closes.
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, interruption)
    code = run(arguments)
    sys.stdout.flush()
    return code


def _asked_for_help(given: list[str]) -> list[str]:
    """Return the usual way to ask for help, if it is asked for as a command."""
    if given[:1] != ["help"] or given[1:2] == ["--help"]:
        return given
    return [*given[1:2], "--help"]


def _have_streams() -> None:
    """See to it that there is something to write to: Python has None for what is closed."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115, PTH123 - it is open to the end
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115, PTH123


def _interrupted(interrupt: KeyboardInterrupt) -> int:
    """Say so, if the reduction has not, and return the exit code for how it came."""
    if not isinstance(interrupt, Interrupted):
        sys.stderr.write("wynot: interrupted before anything was done\n")
    for note in getattr(interrupt, "__notes__", ()):
        sys.stderr.write(f"wynot: {note}\n")
    cause: BaseException | None = interrupt
    while cause is not None and not isinstance(cause, Terminated):
        cause = cause.__cause__ or cause.__context__
    return INTERRUPTED if cause is None else TERMINATED


def _parsed(top: CommandParser, given: Sequence[str]) -> Namespace:
    """Return the arguments; what a config file says are the defaults of what is not given."""
    arguments = top.parse_args(given)
    if not hasattr(arguments, "config"):
        return arguments
    found = config.read(arguments.config, top, arguments.action)
    arguments = top.parse_args(given)
    if found is not None and (found.taken or found.refused):
        # Costly to import, and mostly not needed.
        told = import_module("wynot.cli.config_used")
        told.tell(found, briefly=getattr(arguments, "quiet", False))
    return arguments
