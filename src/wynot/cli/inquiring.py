"""``wynot isolate``, ``changes``, ``options``, ``packages`` and ``tests``."""

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import wynot
from wynot.cli.exit_codes import BUDGET, DONE
from wynot.commands.inquiry_options import (
    ChangesOptions,
    EarlierTestsOptions,
    InquiryOptions,
    IsolateOptions,
    OptionsOptions,
    PackagesOptions,
)
from wynot.commands.table import COMMANDS
from wynot.core.errors import InvalidOption
from wynot.core.events import Event, InquiryEnded
from wynot.core.foreign_text import for_terminal
from wynot.core.options.command_line import command_line
from wynot.core.standing import Stop
from wynot.core.system.lazy import lazy
from wynot.report.inquiry_page import InquiryRecord, inquiry_page
from wynot.report.page import refuse_foreign, write_page
from wynot.reporters.choice import inquiry_reporter
from wynot.reporters.reporter import ticking

if TYPE_CHECKING:
    from wynot.inquiries.changes import ask as changes
    from wynot.inquiries.inputs import ask as inputs
    from wynot.inquiries.options import ask as options
    from wynot.inquiries.packages import ask as packages
    from wynot.inquiries.tests import ask as tests
else:
    changes, inputs, options, packages, tests = (
        lazy(f"wynot.inquiries.{name}.ask")
        for name in ("changes", "inputs", "options", "packages", "tests")
    )

USE = "wynot isolate TEST PASSING FAILING; or: wynot isolate [PASSING] FAILING -- CMD {}"
SCRIPT, COMMAND = 3, 2
"""How many arguments there are at most, with and without a test among them."""

Inquire = Callable[[Callable[[Event], None]], InquiryEnded]


def run(request: InquiryOptions) -> int:
    """Find what makes the difference, and tell about it in the way that was asked for."""
    inquire = _inquiry(request)
    chosen = inquiry_reporter(sys.stdout, as_json=request.json, quiet=request.quiet)
    with ticking(chosen) as reporter:
        concluded = _recorded(inquire, reporter.handle, request)
    if request.report and not (request.json or request.quiet):
        sys.stdout.write(f"page      {for_terminal(request.report)}\n")
    return DONE if concluded.stopped == Stop.FINISHED else BUDGET


def _recorded(
    inquire: Inquire, observe: Callable[[Event], None], request: InquiryOptions
) -> InquiryEnded:
    """Inquire; write a page if one is asked for, also if something has ended it before its time."""
    if not request.report:
        return inquire(observe)
    out = Path(request.report)
    refuse_foreign(out)
    record = InquiryRecord(observe)
    try:
        return inquire(record.handle)
    finally:
        if record.ended is not None:
            [name] = (name for name, each in COMMANDS.items() if each.record is type(request))
            options = json.loads(json.dumps(vars(request), default=str))
            command = command_line(options, name, type(request))
            write_page(out, inquiry_page(record, name, command, wynot.__version__))


def _inquiry(request: InquiryOptions) -> Inquire:
    """Return the inquiry that is asked for; only that one is imported."""
    match request:
        case IsolateOptions():
            return partial(inputs.inquire, named(request).validate())
        case ChangesOptions():
            return partial(changes.inquire, request)
        case OptionsOptions():
            return partial(options.inquire, request)
        case PackagesOptions():
            return partial(packages.inquire, request)
        case EarlierTestsOptions():
            return partial(tests.inquire, request)
    raise TypeError(request)


def named(request: IsolateOptions) -> IsolateOptions:
    """Return it with the test, if there is one, apart from the inputs."""
    arguments = request.inputs
    has_script = request.has_script
    least, most = (2, SCRIPT) if has_script else (1, COMMAND)
    if not least <= len(arguments) <= most:
        numbers = {0: "no argument is", 1: "only one argument is"}
        number = numbers.get(len(arguments), f"{len(arguments)} arguments are")
        raise InvalidOption(f"{number} given: {' '.join(map(repr, arguments))}", hint=USE)
    found = replace(request, test=arguments[0], inputs=arguments[1:]) if has_script else request
    if found.grow and found.passing:
        raise InvalidOption("both --grow and a passing input are given", hint="choose one")
    return found
