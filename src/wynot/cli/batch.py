"""``wynot batch``."""

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from wynot.batch.batch_job import BatchRun
from wynot.cli.exit_codes import BUDGET, DONE, TEST
from wynot.commands.batch_options import BatchOptions
from wynot.core.errors import InvalidOption
from wynot.core.standing import Steering, Stop
from wynot.reporters.batch_lines import BatchLines, BatchTable
from wynot.reporters.reporter import JsonLines, Reporter, ticking

USE = "wynot batch FOLDER -- CMD {}; or: wynot batch FOLDER TEST"


def run(asked: BatchOptions) -> int:
    """Reduce what is in a folder, and tell about it in the way that was asked for."""
    options = named(asked)
    steering = Steering()
    with ticking(_reporter(options, sys.stdout, steering)) as reporter:
        ended = BatchRun(options, reporter.handle, steering).run()
    if ended.stopped != Stop.FINISHED:
        return BUDGET
    if ended.unusable == ended.causes:
        return TEST
    return BUDGET if ended.unfinished else DONE


def named(asked: BatchOptions) -> BatchOptions:
    """Return it with the test apart from the folder; both orders are taken, if it is clear."""
    given = [*asked.files]
    expected = 2 if asked.has_script else 1
    if len(given) != expected:
        said = " ".join(map(repr, given)) or "nothing"
        missing = "a folder and a test" if asked.has_script else "one folder"
        raise InvalidOption(f"{said} is given where {missing} should be", hint=USE)
    if not asked.has_script:
        return replace(asked, files=tuple(given))
    if Path(given[1]).is_dir() and not Path(given[0]).is_dir():
        given.reverse()
    return replace(asked, test=given[1], files=(given[0],))


def _reporter(options: BatchOptions, stream: TextIO, steering: Steering) -> Reporter:
    if options.json:
        return JsonLines(stream)
    is_terminal = stream.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    if is_terminal and not options.quiet:
        return BatchTable(stream, steering=steering)
    return BatchLines(stream, quiet=options.quiet)
