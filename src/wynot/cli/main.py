"""``wynot``: finds the command, runs it, and says how it ended."""

import signal
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from importlib import import_module
from types import FrameType

from wynot.cli import config
from wynot.cli.exit_codes import INTERRUPTED, TERMINATED, USAGE
from wynot.cli.parser import Parser, parser
from wynot.core.errors import WynotError


class Terminated(KeyboardInterrupt):
    """Someone asked wynot to end, though not with Ctrl-C."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    if sys.platform == "win32":
        sys.stderr.write("wynot: it runs on Linux and macOS; on Windows, use it in WSL\n")
        return USAGE
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _terminate)
    given = list(sys.argv[1:] if argv is None else argv)
    # What follows -- is another program's command line; argparse would take it apart.
    cut = given.index("--") if "--" in given else len(given)
    top = parser()
    try:
        arguments = _parsed(top, given[:cut])
        if arguments.action is None:
            top.print_help()
            return USAGE
        arguments.command = given[cut + 1 :] if cut < len(given) else None
        # Only the command that is asked for: together they take longer to import than to run.
        run: Callable[[Namespace], int] = import_module(f"wynot.cli.{arguments.action}").run
        return run(arguments)
    except WynotError as error:
        sys.stderr.write(f"wynot: {error}\n")
        return error.exit_code
    except KeyboardInterrupt as interrupt:
        cause: BaseException | None = interrupt
        while cause is not None and not isinstance(cause, Terminated):
            cause = cause.__cause__
        return INTERRUPTED if cause is None else TERMINATED


def _parsed(top: Parser, given: Sequence[str]) -> Namespace:
    """Return the arguments; what a config file says are the defaults of what is not given."""
    arguments = top.parse_args(given)
    if not hasattr(arguments, "config"):
        return arguments
    config.read(arguments.config, config.command_of(top, arguments.action))
    return top.parse_args(given)


def _terminate(_number: int, _frame: FrameType | None) -> None:
    raise Terminated("terminated")
