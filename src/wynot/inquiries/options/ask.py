"""``wynot options``: which options and variables a failure needs, or which would prevent it."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from wynot.commands.inquiry_options import OptionsOptions
from wynot.core.deltas import NONE
from wynot.core.events import Event, InquiryEnded
from wynot.core.files import Files
from wynot.core.verdict import Verdict
from wynot.disk.load import contents_of, of_folder, of_named, targets
from wynot.inquiries.inquiry import Inquiry
from wynot.inquiries.options.answer import needed, prevented, prevented_alone
from wynot.inquiries.options.circumstance import CommandOptions, CommandRun, Direct
from wynot.inquiries.options.environment import variables
from wynot.inquiries.options.preventing import Preventing
from wynot.inquiries.questions import CAUSE, CURE
from wynot.inquiries.sides import Names, Tried
from wynot.oracle.guards import on_circumstances
from wynot.oracle.trials import in_full, inquiring, require_program
from wynot.search.sides.dd import Pair

NAMES = Names(
    "the command as it is",
    "the command without any of them",
    "it runs in an empty folder: name files by their full path, give --with FILE for each that "
    "it needs, or --here to run in this one",
)
TRIED = NAMES._replace(passing="the command with all of these options")


def inquire(options: OptionsOptions, observe: Callable[[Event], None]) -> InquiryEnded:
    """Find what the failure needs, or what prevents it."""
    options.validate()
    here = Path.cwd()
    if not options.replay:  # all that it would say may be in that log
        require_program(options.command)
    command = list(options.command) if options.here else in_full(options.command)
    case: CommandOptions | Preventing
    if options.tried:
        case = Preventing.read(command, options.tried, here=here)
    else:
        added = variables(options.env)
        case = CommandOptions.read(command, here=here, keep=options.keep, variables=added)
    fixed = contents_of(targets(options.fixed)) if options.fixed else Files({})
    provisioner = Direct(here if options.here else None, fixed)
    with Inquiry(
        "options",
        [
            of_folder(here, options.logs) if options.here else here,
            *(of_named(command), fixed.digest.hex()),
        ],
        options,
        inquiring(options, command, worse=options.worse, as_bisect=False),
        provisioner,
        TRIED if options.tried else NAMES,
        observe,
        guards=on_circumstances(options.passes, options.timeout),
    ) as inquiry:
        level = case.levels[0]
        count = len(level.units)
        name = level.name if count != 1 else level.name.removesuffix("s")
        tried = inquiry.try_sides(case, f"{count} {name}")
        if isinstance(case, Preventing):
            return _prevented(inquiry, case, tried)
        if tried.passing.verdict is Verdict.INTERESTING:
            inquiry.tell("cause", needed(case, "cause", NONE))
            return inquiry.conclude()
        return inquiry.answer([CAUSE], case, partial(needed, case))


def _prevented(inquiry: Inquiry[CommandRun], case: Preventing, tried: Tried) -> InquiryEnded:
    """Tell every option that prevents the failure by itself; if none does, those that together do.

    The smallest set is looked for among all of them: so all together have to prevent it.
    """
    units, every = case.levels[0].units, case.deltas

    def show(done: int) -> None:
        inquiry.progress("trying each option alone", done, len(units))

    found: tuple[int, ...] = ()
    is_settled = False
    while not is_settled:
        found = inquiry.driver.passing_without(case, units, show)
        passing = [Pair(every.toggle(units[number]), every) for number in found]
        is_settled = all(inquiry.confirmed(CURE, case, pair) for pair in passing)
    is_all = inquiry.is_going
    if found or not is_all:
        inquiry.tell("cure", prevented_alone(case, found, is_all=is_all))
        return inquiry.conclude()
    tried.require_pass("no single one of them prevents it, nor do all together: try others")
    return inquiry.answer([CURE], case, partial(prevented, case))
