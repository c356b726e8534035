"""``wynot isolate``."""

from argparse import Namespace
from dataclasses import replace
from functools import partial

from wynot.cli.inquiring import terms_of, told
from wynot.core.errors import InvalidOption
from wynot.inquiries.inputs.ask import IsolateOptions, inquire

USE = "wynot isolate TEST PASSING FAILING; or: wynot isolate [PASSING] FAILING -- CMD {}"
SCRIPT, COMMAND = 3, 2
"""How many arguments there are at most, with and without a test among them."""


def run(arguments: Namespace) -> int:
    """Find the difference between a passing and a failing input."""
    test, passing, failing = named(arguments)
    asked = IsolateOptions(
        failing=failing,
        passing=passing,
        atoms=arguments.atoms,
        grow=arguments.grow,
        fixed=arguments.fixed,
        out=arguments.out,
    )
    if asked.grow and asked.passing:
        raise InvalidOption("both --grow and a passing input are given", hint="choose one")
    terms = replace(
        terms_of(arguments, needs_command=False),
        test=test,
        shell=arguments.shell,
        invert=arguments.invert,
        differs=arguments.differs,
    )
    return told(arguments, partial(inquire, asked, terms))


def named(arguments: Namespace) -> tuple[str, str, str]:
    """Return the test, if there is one, the passing input, if there is one, and the failing one."""
    given: list[str] = arguments.arguments
    if arguments.command is not None and arguments.shell:
        raise InvalidOption(
            "both -c and a command after -- are given", hint="choose one of the two"
        )
    has_script = arguments.command is None and not arguments.shell
    least, most = (2, SCRIPT) if has_script else (1, COMMAND)
    if not least <= len(given) <= most:
        words = {0: "no argument is", 1: "only one argument is"}
        number = words.get(len(given), f"{len(given)} arguments are")
        raise InvalidOption(f"{number} given: {' '.join(map(repr, given))}", hint=USE)
    test = given.pop(0) if has_script else ""
    return test, given[0] if len(given) > 1 else "", given[-1]
