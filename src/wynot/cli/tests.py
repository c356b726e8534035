"""``wynot tests``."""

from argparse import Namespace
from functools import partial

from wynot.cli.inquiring import terms_of, told
from wynot.inquiries.tests.ask import TestsOptions, inquire


def run(arguments: Namespace) -> int:
    """Find the earlier tests that make a test fail, or that it needs to pass."""
    asked = TestsOptions(
        failing=arguments.failing,
        listed=arguments.list,
        list_command=arguments.list_command,
        project=arguments.project,
    )
    terms = terms_of(arguments, jobs=1, needs_command=False)
    return told(arguments, partial(inquire, asked, terms))
