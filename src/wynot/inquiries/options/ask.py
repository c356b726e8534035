"""``wynot options``: which options and variables a failure needs, or which would prevent it."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from wynot.core.deltas import NONE
from wynot.core.events import Event, InquiryEnded
from wynot.core.files import Files
from wynot.core.verdict import Verdict
from wynot.disk.fingerprint import of_folder, of_named
from wynot.disk.load import contents_of, targets
from wynot.inquiries.inquiry import Inquiry
from wynot.inquiries.inquiry_options import InquiryOptions
from wynot.inquiries.options.circumstance import CommandOptions, Direct
from wynot.inquiries.options.environment import variables
from wynot.inquiries.options.preventing import Preventing
from wynot.inquiries.questions import CAUSE, CURE
from wynot.inquiries.sides import Names
from wynot.oracle.guards import on_circumstances
from wynot.oracle.trials import in_full, inquiring, require_program

NAMES = Names(
    "the command as it is",
    "the command without any of them",
    "it runs in an empty folder: name files by their full path, give --with FILE for each that "
    "it needs, or --here to run in this one",
)
TRIED = NAMES._replace(passing="the command with all of these options")


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionsOptions:
    """What is asked of a command."""

    env: Sequence[str] = ()
    tried: Sequence[str] = ()
    """Lists of options that may prevent the failure; none: which of its own does it need?"""
    keep: Sequence[str] = ()
    fixed: Sequence[str] = ()
    here: bool = False


def inquire(
    asked: OptionsOptions, terms: InquiryOptions, observe: Callable[[Event], None]
) -> InquiryEnded:
    """Find what the failure needs, or what prevents it."""
    here = Path.cwd()
    require_program(terms.command)
    command = list(terms.command) if asked.here else in_full(terms.command)
    case: CommandOptions | Preventing
    if asked.tried:
        case = Preventing.read(command, asked.tried, here=here)
    else:
        added = variables(asked.env)
        case = CommandOptions.read(command, here=here, keep=asked.keep, variables=added)
    fixed = contents_of(targets(asked.fixed)) if asked.fixed else Files({})
    provisioner = Direct(here if asked.here else None, fixed)
    with Inquiry(
        "options",
        _identity(asked, terms, command, fixed),
        terms,
        inquiring(terms, command, as_bisect=False),
        provisioner,
        TRIED if asked.tried else NAMES,
        observe,
        guards=on_circumstances(terms.passes, terms.timeout),
    ) as inquiry:
        level = case.levels[0]
        count = len(level.units)
        name = level.name if count != 1 else level.name.removesuffix("s")
        tried = inquiry.try_sides(case, f"{count} {name}")
        if isinstance(case, Preventing):
            tried.require_pass("then none of them prevents it: try others")
            found = inquiry.ask(CURE, case)
            inquiry.observe(case.answered(found.deltas)._replace(minimal=found.minimal))
        elif tried.passing.verdict is Verdict.INTERESTING:
            inquiry.observe(case.answered(NONE))
        else:
            found = inquiry.ask(CAUSE, case)
            inquiry.observe(case.answered(found.deltas)._replace(minimal=found.minimal))
        return inquiry.conclude()


def _identity(
    asked: OptionsOptions, terms: InquiryOptions, command: Sequence[str], fixed: Files
) -> str:
    """Return all that the verdicts depend on, as far as it can be known."""
    here = of_folder(Path.cwd()) if asked.here else str(Path.cwd())
    return json.dumps(
        [asdict(asked), terms.identity, here, of_named(command), fixed.digest.hex()], default=str
    )
