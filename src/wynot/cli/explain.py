"""``wynot reduce --explain``: what makes the difference to the nearest variant that passes."""

import sys
from pathlib import Path

from wynot.cli import inquiring
from wynot.cli.exit_codes import DONE
from wynot.commands.inquiry_options import IsolateOptions
from wynot.commands.reduce_options import ReduceOptions
from wynot.commands.shared_options import FailureOptions
from wynot.core.errors import NotPassing
from wynot.core.events import ReductionEnded
from wynot.disk.load import targets
from wynot.disk.output import Output
from wynot.reporters.words import clean

IN_THE_ORIGINAL = "no part of the result can be left out so that it passes; of the original:"


def run(options: ReduceOptions, ended: ReductionEnded) -> int:
    """Isolate; that there is no variant that passes is no failure of the reduction.

    What is left may have nothing to spare; then it is taken out of the original, which has.
    """
    [result] = Output(targets(options.files), Path(options.out) if options.out else None).paths
    try:
        return _isolated(options, str(result))
    except NotPassing:
        if not options.json:
            _say(IN_THE_ORIGINAL)
    try:
        return _isolated(options, ended.original, result.name)
    except NotPassing as error:
        _say(f"{error} [{error.slug}]")
        return DONE


def _isolated(options: ReduceOptions, failing: str, named: str = "") -> int:
    """Find what makes the difference between an input and one that passes."""
    return inquiring.run(
        IsolateOptions(
            **options.taken(FailureOptions),
            inputs=[failing],
            grow=True,
            fixed=options.fixed,
            jobs=options.jobs,
            max_time=options.max_time,
            json=options.json,
            quiet=options.quiet,
            called=options.files[0],
            named=named,
            written=("passing",),
        )
    )


def _say(text: str) -> None:
    for line in f"wynot: {text}".split("\n"):
        sys.stdout.write(f"{clean(line)}\n")
