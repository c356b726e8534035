"""``wynot reduce --explain``: what makes the difference to the nearest variant that passes."""

import sys
from argparse import Namespace
from dataclasses import fields
from pathlib import Path

from wynot.cli.exit_codes import DONE
from wynot.cli.inquiring import told
from wynot.core.errors import NotPassing
from wynot.disk.load import targets
from wynot.disk.output import Output
from wynot.inquiries.inputs.ask import IsolateOptions, inquire
from wynot.inquiries.inquiry_options import InquiryOptions
from wynot.oracle.failure_options import FailureOptions
from wynot.reduction.reduce_options import ReduceOptions
from wynot.reporters.words import clean


def run(arguments: Namespace, options: ReduceOptions) -> int:
    """Isolate; that there is no variant that passes is no failure of the reduction."""
    [result] = Output(targets(options.files), Path(options.out) if options.out else None).paths
    failure = {each.name: getattr(options, each.name) for each in fields(FailureOptions)}
    terms = InquiryOptions(
        **failure, jobs=options.searching.jobs, max_time=options.searching.max_time
    )
    asked = IsolateOptions(
        failing=str(result),
        grow=True,
        fixed=options.fixed,
        called=options.files[0],
        written=("passing",),
    )
    try:
        return told(arguments, lambda observe: inquire(asked, terms, observe))
    except NotPassing as error:
        for line in f"wynot: {error} [{error.slug}]".split("\n"):
            sys.stdout.write(f"{clean(line)}\n")
        return DONE
