"""``wynot``: finds the command, runs it, and says how it ended."""

import _thread
import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import fields
from types import FrameType
from typing import TYPE_CHECKING, Any, Protocol

from wynot.cli import config
from wynot.cli.exit_codes import INTERRUPTED, TERMINATED, USAGE
from wynot.cli.parser import parser
from wynot.commands.table import COMMANDS
from wynot.core.errors import Interrupted, InvalidOption
from wynot.core.foreign_text import for_terminal
from wynot.core.options.option import OptionRecord
from wynot.core.system.debug_log import debug_log
from wynot.core.system.lazy import lazy

if TYPE_CHECKING:
    from wynot.cli import (
        batch,
        check,
        completion,
        explain,
        history,
        inquiring,
        languages,
        reduce,
        report,
        usage_messages,
        watching,
    )
else:
    # Together they take longer to import than to run.
    batch = lazy("wynot.cli.batch")
    check, completion = lazy("wynot.cli.check"), lazy("wynot.cli.completion")
    explain, history = lazy("wynot.cli.explain"), lazy("wynot.cli.history")
    inquiring, languages = lazy("wynot.cli.inquiring"), lazy("wynot.cli.languages")
    usage_messages, reduce = lazy("wynot.cli.usage_messages"), lazy("wynot.cli.reduce")
    report, watching = lazy("wynot.cli.report"), lazy("wynot.cli.watching")


class CommandModule(Protocol):
    """What runs a command."""

    def run(self, options: Any, /) -> int:
        """Do what is asked for, and return the exit code."""
        ...


RUNNERS: Mapping[str, CommandModule] = {
    "reduce": reduce,
    "batch": batch,
    **dict.fromkeys(("isolate", "changes", "options", "packages", "tests"), inquiring),
    "check": check,
    "explain": explain,
    "history": history,
    "report": report,
    "repro": report,
    "watch": watching,
    "languages": languages,
    "completion": completion,
}

SELDOM_COLLECTED = (20_000, 20, 20)
"""How often Python looks for circles of objects: of a large text there are very many objects, and
no circles; at its usual thresholds that took a sixth of our time."""
PAIRED_SECONDS = 2.0
"""Seconds within which a signal is taken for one with that before."""


class Terminated(KeyboardInterrupt):
    """Someone asked wynot to end, though not with Ctrl-C."""


LOCKING = frozenset(
    getattr(threading.Condition, name).__code__
    for name in ("__enter__", "__exit__", "_release_save", "_acquire_restore")
)
"""Functions of Python in which an exception leaves a lock as it should not be."""
RETRY_SECONDS = 0.005


class Interruption:
    """Ends the run at the first signal, and lets that end be: signals like to come in pairs.

    GNU `timeout` sends one to its child and one to the group; a terminal that closes does the like.
    Whoever still presses Ctrl-C after a while means it.

    A signal that comes while the main thread takes or releases the lock of a condition is sent
    again a moment later. For example, `Future.cancel` begins with `with self._condition`: raised
    between the taking of its lock and the body, an exception would leave the lock taken for good,
    and the worker that is to answer this future would wait for it for ever.
    """

    def __init__(self) -> None:
        self._since: float | None = None

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Raise, unless that was done just now."""
        now = time.monotonic()
        if self._since is not None and now - self._since < PAIRED_SECONDS:
            return
        if _is_locking(frame):
            _thread.start_new_thread(_send_again, (number,))
            return
        self._since = now
        raise KeyboardInterrupt if number == signal.SIGINT else Terminated


def _is_locking(frame: FrameType | None) -> bool:
    while frame is not None and frame.f_code not in LOCKING:
        frame = frame.f_back
    return frame is not None


def _send_again(number: int) -> None:
    time.sleep(RETRY_SECONDS)
    os.kill(os.getpid(), number)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    if sys.platform == "win32":
        sys.stderr.write("wynot: it runs on Linux and macOS; on Windows, use it in WSL\n")
        return USAGE
    _have_streams()
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        return _run(arguments)
    except KeyboardInterrupt as interrupt:
        return _interrupted(interrupt)
    except Exception as error:  # noqa: BLE001 - so that each has its exit code
        return usage_messages.report_error(error, arguments)


def _run(arguments: list[str]) -> int:
    # What follows -- is another program's command line; argparse would take it apart.
    cut = arguments.index("--") if "--" in arguments else len(arguments)
    ours = _with_help_flag(arguments[:cut])
    top = parser([*ours, *arguments[cut:]])
    values = vars(top.parse_args(ours))
    action = values.pop("action")
    if action is None:
        top.print_help()
        return USAGE
    options = _options(action, values, arguments[cut:])
    run = RUNNERS[action].run
    # Not before: a signal that comes during an import ends the process at once.
    interruption = Interruption()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # Who says nohup wants it to go on when the terminal closes.
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, interruption)
    gc.set_threshold(*SELDOM_COLLECTED)
    gc.enable()
    with debug_log(getattr(options, "debug", "")):
        code = run(options)
    sys.stdout.flush()
    return code


def _with_help_flag(arguments: list[str]) -> list[str]:
    """Return the usual way to ask for help, if it is asked for as a command."""
    if arguments[:1] != ["help"] or arguments[1:2] == ["--help"]:
        return arguments
    return [*arguments[1:2], "--help"]


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
        sys.stderr.write(f"wynot: {for_terminal(note)}\n")
    cause: BaseException | None = interrupt
    while cause is not None and not isinstance(cause, Terminated):
        cause = cause.__cause__ or cause.__context__
    return INTERRUPTED if cause is None else TERMINATED


def _options(action: str, values: dict[str, Any], after: Sequence[str]) -> OptionRecord:
    """Return what is asked of a command: what is not given is as config files have it, or usual.

    A project that nobody trusts can be quiet, but not about where options come from.
    """
    record = COMMANDS[action].record
    names = {each.name for each in fields(record)}
    if "command" in names and after:
        values["command"] = after[1:]
        if not values["command"]:
            raise InvalidOption("there is no command after --", hint=f"wynot {action} … -- CMD")
    found = config.read(values.get("config", ""), action) if "config" in names else ()
    merged: dict[str, Any] = {}
    for layer in (*(each.values for each in found), values):
        for name, value in layer.items():
            is_added = name in merged and record.option(name).is_many
            merged[name] = [*merged[name], *value] if is_added else value
    options = record(**merged)
    own = (values, *(each.values for each in found if not each.file.distrust))
    is_quiet = any(layer.get("quiet", False) for layer in own)
    for each in found:
        if each.applied or each.refused:
            usage_messages.report_config(each, briefly=is_quiet)
    return options
