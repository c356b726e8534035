"""``wynot reduce --explain``: what makes the difference to the nearest variant that passes."""

import sys
from pathlib import Path

from wynot.cli import inquiring
from wynot.cli.exit_codes import DONE
from wynot.commands.inquiry_options import IsolateOptions
from wynot.commands.reduce_options import ReduceOptions
from wynot.commands.shared_options import FailureOptions
from wynot.core.errors import NotPassing
from wynot.disk.load import targets
from wynot.disk.output import Output
from wynot.reporters.words import clean


def run(options: ReduceOptions) -> int:
    """Isolate; that there is no variant that passes is no failure of the reduction."""
    [result] = Output(targets(options.files), Path(options.out) if options.out else None).paths
    asked = IsolateOptions(
        **options.taken(FailureOptions),
        inputs=[str(result)],
        grow=True,
        fixed=options.fixed,
        jobs=options.jobs,
        max_time=options.max_time,
        json=options.json,
        quiet=options.quiet,
        called=options.files[0],
        written=("passing",),
    )
    try:
        return inquiring.run(asked)
    except NotPassing as error:
        for line in f"wynot: {error} [{error.slug}]".split("\n"):
            sys.stdout.write(f"{clean(line)}\n")
        return DONE
