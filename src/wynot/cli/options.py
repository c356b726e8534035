"""``wynot options``."""

from argparse import Namespace
from functools import partial

from wynot.cli.inquiring import terms_of, told
from wynot.core.errors import InvalidOption
from wynot.inquiries.options.ask import OptionsOptions, inquire


def run(arguments: Namespace) -> int:
    """Find the options and variables that a failure needs, or those that prevent it."""
    asked = OptionsOptions(
        env=arguments.env,
        tried=arguments.tried,
        keep=arguments.keep,
        fixed=arguments.fixed,
        here=arguments.here,
    )
    if arguments.here and (arguments.jobs or 1) > 1:
        raise InvalidOption(
            f"is {arguments.jobs}, but --here runs one test at a time",
            option="jobs",
            hint="leave -j out",
        )
    terms = terms_of(arguments, jobs=1 if arguments.here else None)
    return told(arguments, partial(inquire, asked, terms))
