"""What the commands that ask about circumstances have in common."""

import sys
from argparse import Namespace
from collections.abc import Callable

from wynot.cli.exit_codes import BUDGET, DONE
from wynot.cli.parser import cores
from wynot.core.errors import InvalidOption
from wynot.core.events import Event, InquiryEnded
from wynot.core.stop import Stop
from wynot.inquiries.inquiry_options import InquiryOptions
from wynot.reporters.inquiry_lines import Inquest
from wynot.reporters.jsonlines import JsonLines
from wynot.reporters.reporter import Reporter
from wynot.reporters.ticking import ticking

SEEN = (
    *("exit", "signal", "stdout", "stderr", "not_stdout", "not_stderr", "text", "hangs"),
    *("passes", "no_ub"),
)


def terms_of(
    arguments: Namespace, *, jobs: int | None = None, needs_command: bool = True
) -> InquiryOptions:
    """Return what the options say that all these commands have."""
    if needs_command and not arguments.command:
        raise InvalidOption(
            "there is no command after --", hint=f"wynot {arguments.action} … -- CMD"
        )
    given = jobs if arguments.jobs is None else arguments.jobs
    return InquiryOptions(
        command=arguments.command or (),
        same=getattr(arguments, "same", None),
        **{name: getattr(arguments, name) for name in SEEN if name in arguments},
        timeout=arguments.timeout,
        memory=arguments.memory,
        confine=arguments.confine,
        writable=arguments.writable,
        jobs=cores() if given is None else given,
        max_tests=arguments.max_tests,
        max_time=arguments.max_time,
        fresh=arguments.fresh,
    )


def told(arguments: Namespace, inquire: Callable[[Callable[[Event], None]], InquiryEnded]) -> int:
    """Inquire, tell about it in the way that was asked for, and return the exit code."""
    with ticking(reporter_of(arguments)) as reporter:
        concluded = inquire(reporter.handle)
    return DONE if concluded.stopped == Stop.FINISHED else BUDGET


def reporter_of(arguments: Namespace) -> Reporter:
    """Return who tells: lines for people, JSON for programs."""
    if arguments.json:
        return JsonLines(sys.stdout)
    return Inquest(sys.stdout, quiet=arguments.quiet)
