"""``wynot reduce``."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from wynot.cli.exit_codes import BUDGET, DONE
from wynot.cli.reporter_choice import STDIN, reporter_of
from wynot.commands.reduce_options import CheckOptions, ReduceOptions
from wynot.core.errors import InvalidOption, NoSuchFile
from wynot.core.standing import COMPLETE_STOPS, Steering
from wynot.core.system.lazy import lazy
from wynot.reduction.job import Means, Reduce
from wynot.report.page import refuse_foreign
from wynot.reporters.reporter import ticking

if TYPE_CHECKING:
    from wynot.cli import explain, piped, report
else:
    explain, piped = lazy("wynot.cli.explain"), lazy("wynot.cli.piped")
    report = lazy("wynot.cli.report")

Asked = TypeVar("Asked", ReduceOptions, CheckOptions)


def run(asked: ReduceOptions) -> int:
    """Reduce, and tell about it in the way that was asked for."""
    options = named(asked)
    if STDIN in options.files:
        return piped.run(options)
    if options.report:
        refuse_foreign(Path(options.report))
    if options.explain and len(options.files) != 1:
        raise InvalidOption(
            f"compares one file or folder, and {len(options.files)} are given",
            option="explain",
            hint="put them into one folder",
        )
    steering = Steering()
    with ticking(reporter_of(options, sys.stdout, steering)) as reporter:
        ended = Reduce(options, reporter.handle, Means(steering=steering)).run()
    is_complete = ended.stopped in COMPLETE_STOPS
    code = DONE if is_complete else BUDGET
    if is_complete and options.explain:
        code = explain.after(options, ended)
    if options.report:  # with the explanation, if there is one
        report.after(options, ended)
    return code


def named(asked: Asked) -> Asked:
    """Return it with the test apart from the files; there is none if there is a command."""
    given = asked.files
    if not asked.has_script:
        if not given:
            raise InvalidOption("no file is given", hint="wynot reduce FILE -- CMD {}")
        return asked
    if not given:
        raise InvalidOption("no test and no file are given", hint="wynot reduce TEST FILE")
    if len(given) == 1:
        raise InvalidOption(
            f"only {given[0]!r} is given, and a test or a file is missing",
            hint="wynot reduce TEST FILE; or without a script: wynot reduce FILE -- CMD {}",
        )
    if not given[0]:
        raise NoSuchFile("there is no test ''", hint="wynot reduce TEST FILE")
    return replace(asked, test=given[0], files=given[1:])
