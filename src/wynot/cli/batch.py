"""``wynot batch``."""

import sys
from dataclasses import replace
from pathlib import Path

from wynot.batch.batch_job import BatchRun
from wynot.cli.exit_codes import BUDGET, DONE, TEST
from wynot.commands.batch_options import BatchOptions
from wynot.core.errors import InvalidOption
from wynot.core.standing import Steering, Stop
from wynot.reporters.choice import batch_reporter
from wynot.reporters.reporter import ticking

USE = "wynot batch FOLDER -- CMD {}; or: wynot batch FOLDER TEST"


def run(options_: BatchOptions) -> int:
    """Reduce what is in a folder, and tell about it in the way that was asked for."""
    options = named(options_)
    steering = Steering()
    chosen = batch_reporter(sys.stdout, steering, as_json=options.json, quiet=options.quiet)
    with ticking(chosen) as reporter:
        ended = BatchRun(options, reporter.handle, steering).run()
    if ended.stopped != Stop.FINISHED:
        return BUDGET
    if ended.unusable == ended.causes:
        return TEST
    return BUDGET if ended.unfinished else DONE


def named(options_: BatchOptions) -> BatchOptions:
    """Return it with the test apart from the folder; both orders are taken, if it is clear."""
    arguments = [*options_.files]
    expected = 2 if options_.has_script else 1
    if len(arguments) != expected:
        listed = " ".join(map(repr, arguments)) or "nothing"
        missing = "a folder and a test" if options_.has_script else "one folder"
        raise InvalidOption(f"{listed} is given where {missing} should be", hint=USE)
    if not options_.has_script:
        return replace(options_, files=tuple(arguments))
    if Path(arguments[1]).is_dir() and not Path(arguments[0]).is_dir():
        arguments.reverse()
    return replace(options_, test=arguments[1], files=(arguments[0],))
