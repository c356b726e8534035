"""``wynot isolate``: what makes the difference between an input that passes and one that fails."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wynot.commands.inquiry_options import IsolateOptions
from wynot.core.deltas import NONE
from wynot.core.errors import InvalidOption, NothingToReduce
from wynot.core.events import Doing, Event, InquiryEnded
from wynot.core.files import Files
from wynot.core.options.quantities import counted
from wynot.core.round import Search
from wynot.core.system.lazy import lazy
from wynot.core.verdict import Verdict
from wynot.disk.load import Target, contents_of, load, of_named, targets
from wynot.disk.output import shown
from wynot.disk.results import refuse_unwritable, write_sides
from wynot.failures.wording import Vocabulary
from wynot.formats.detect import reserved_words
from wynot.inquiries.driver import Course
from wynot.inquiries.inputs.answer import IsolatedInputs, unfinished, worded
from wynot.inquiries.inputs.circumstance import InputDifference
from wynot.inquiries.inputs.grown import Grown
from wynot.inquiries.inputs.nearest import emptied
from wynot.inquiries.inputs.paths import patch_of
from wynot.inquiries.inputs.stages import Finest, stages
from wynot.inquiries.inquiry import Inquiry
from wynot.inquiries.question_stages import Reached
from wynot.inquiries.questions import DIFFERENCE, groups_left
from wynot.inquiries.sides import Names
from wynot.oracle.command import has_hole, naming
from wynot.oracle.no_ub import guards_of
from wynot.oracle.provisioner import FilesInFolder, Invocation
from wynot.oracle.trials import trial_of
from wynot.search.sides.dd import Pair

if TYPE_CHECKING:
    from wynot.inquiries.inputs import taking_out
else:
    taking_out = lazy("wynot.inquiries.inputs.taking_out")

CUTTING_ODDS = 0.3
"""How likely two sides must be to be cut finer before it is known that they are what is left."""


def inquire(options: IsolateOptions, observe: Callable[[Event], None]) -> InquiryEnded:
    """Narrow the difference; show both sides, and write them and the patch between them."""
    observe(Doing(f"reading {options.failing!r}"))
    [target] = targets([options.failing])
    called = options.called or options.failing
    path = target.path.with_name(options.named or target.path.name)
    target = target._replace(name=targets([called])[0].name)
    failing = load([target])
    given = _passing(options, target)
    folder = Path(options.out) if options.out else target.path.parent
    refuse_unwritable(folder)
    fixed = contents_of(targets(options.fixed)) if options.fixed else Files({})
    names = Names(
        repr(options.failing),
        repr(options.passing) if options.passing else "an empty input",
        _hint(options.command, called),
    )
    contents = [side.contents.items() for side in (failing, given) if side is not None]
    stdin = None if target.is_folder else target.name
    with Inquiry(
        "isolate",
        [
            *(failing.digest.hex(), given and given.digest.hex(), fixed.digest.hex()),
            *(target.name, of_named([options.test, *options.command, *options.serve.split()])),
        ],
        options,
        trial_of(options, [called], Vocabulary.of(partial(chain, *contents), reserved_words)),
        FilesInFolder(Invocation((target.name,), stdin), fixed),
        names,
        observe,
        guards=guards_of(options, [called]),
        candidates=[called],
        apart=[options.failing, called, *([options.passing] if options.passing else [])],
    ) as inquiry:
        if given == failing:
            raise NothingToReduce(
                f"{options.passing!r} and {options.failing!r} are the same", hint="check the names"
            )
        beginning = _begun(inquiry, options, given, failing)
        if isinstance(beginning, StartingSides):
            isolated = isolate(inquiry, beginning, options.atoms)
            _tell(inquiry, target._replace(path=path), isolated, options.written, folder)
        else:
            _tell_unfinished(inquiry, target._replace(path=path), beginning, folder)
        return inquiry.conclude()


def _hint(command: Sequence[str], called: str) -> str:
    """Return what to do if a side is not what it should be: a name may be missing."""
    names_it = has_hole(command) or any(Path(naming(word).path) == Path(called) for word in command)
    if command and not names_it:
        return (
            "the command does not name the file, so it gets it on standard input only: "
            "write {} where its name goes"
        )
    return "run the test by hand on both; wynot check TEST FILE shows what it does"


class StartingSides(NamedTuple):
    """Two sides, and the first of the stages that their difference is narrowed in."""

    passing: Files
    failing: Files
    stage: InputDifference | Grown | None
    """None: there is nothing to be parted."""
    pair: Pair

    @classmethod
    def between(
        cls, passing: Files, failing: Files, atoms: Finest, grown: Grown | None = None
    ) -> "StartingSides":
        """Begin with two sides; along the tree, if the passing one is empty and there is a tree."""
        stage = grown or next(stages(passing, failing, atoms), None)
        return cls(passing, failing, stage, Pair(NONE, stage.deltas if stage else NONE))


def _begun(
    inquiry: Inquiry[Files], options: IsolateOptions, given: Files | None, failing: Files
) -> StartingSides | Files:
    """Try both sides, and begin between them; without a passing one, with what is found for it."""
    start = emptied(failing) if given is None else given
    inquiry.observe(Doing("comparing the two sides"))
    first = InputDifference(start, failing, "hunks")
    units = len(first.levels[-1].units)
    hunks = counted(units, "hunk")
    tried = inquiry.try_sides(first, f"{Path(options.failing).name}: {hunks} of difference")
    passes = tried.passing.verdict is Verdict.UNINTERESTING
    grown = Grown.of(failing) if given is None and options.atoms != "lines" else None
    if given is None and (options.grow or not passes):
        return _grown(inquiry, failing, options, grown, start if passes else None)
    tried.require_pass()
    return StartingSides.between(start, failing, options.atoms, grown)


def isolate(inquiry: Inquiry[Files], beginning: StartingSides, atoms: Finest) -> IsolatedInputs:
    """Narrow a difference from coarse parts to fine ones; look at the answer once more."""
    while True:
        found = _narrowed(inquiry, beginning, atoms)
        last = InputDifference(*found[:2], "files")
        if inquiry.confirmed(DIFFERENCE, last, Pair(NONE, last.deltas)):
            return found


def _narrowed(inquiry: Inquiry[Files], beginning: StartingSides, atoms: Finest) -> IsolatedInputs:
    """Narrow a difference as far as it goes; what comes after each stage is looked at ahead."""
    passing, failing, first, whole = beginning
    found = IsolatedInputs(passing, failing, 1, "hunks", "hunks")

    def finer(stage: InputDifference | Grown, pair: Pair) -> InputDifference | None:
        sides = stage.written(pair.passing), stage.written(pair.failing)
        return next(stages(*sides, atoms, stage.granularity), None)

    def by_stages(course: Course[Files]) -> Search[None]:
        nonlocal found
        stage, pair = first, whole
        while stage is not None:
            reached = yield from course.narrow(DIFFERENCE, stage, pair, stage.levels)
            if course.is_live:
                found = _isolated(stage, reached)
            if reached.is_ended:
                break
            # It takes a while to cut a large file finer.
            yield from course.tests("cutting the two sides finer", CUTTING_ODDS)
            stage = course.once(partial(finer, stage, reached.pair))
            pair = Pair(NONE, stage.deltas if stage else NONE)

    inquiry.driver.run(by_stages)
    return found


def _isolated(stage: InputDifference | Grown, reached: Reached) -> IsolatedInputs:
    """Return the two sides that a stage has come to."""
    level, pair = stage.levels[-1], reached.pair
    sides = stage.written(pair.passing), stage.written(pair.failing)
    return IsolatedInputs(*sides, groups_left(level, pair), level.name, reached.minimal)


def _passing(options: IsolateOptions, target: Target) -> Files | None:
    """Return the passing side under the names that the failing side has; None if none is given."""
    if not options.passing:
        return None
    [other] = targets([options.passing])
    if other.is_folder is not target.is_folder:
        kinds = [("a file", "a folder")[each.is_folder] for each in (other, target)]
        raise InvalidOption(
            f"{options.passing!r} is {kinds[0]}, but {options.failing!r} is {kinds[1]}",
            hint="give two files, or two folders",
        )
    return contents_of([other._replace(name=target.name)])


def _grown(
    inquiry: Inquiry[Files],
    failing: Files,
    options: IsolateOptions,
    grown: Grown | None,
    last: Files | None,
) -> StartingSides | Files:
    """Begin with a variant of the failing input that passes: its skeleton, or the nearest one.

    If something ends it before there is one, return the smallest input so far that fails.
    """
    if grown is not None and not options.grow:
        inquiry.progress("looking for a skeleton that passes")
        skeletons = [*grown.skeletons()]
        kept = inquiry.driver.find_first(grown, skeletons, Verdict.UNINTERESTING)
        if kept is not None:
            pair = Pair(kept, grown.deltas)
            return StartingSides(grown.written(kept), failing, grown, pair)
    looking = taking_out.TakingOut(inquiry, failing, last)
    sides = looking.sides() if inquiry.is_going else None
    return StartingSides.between(*sides, options.atoms) if sides else looking.smallest


def _tell(
    inquiry: Inquiry[Files],
    target: Target,
    isolated: IsolatedInputs,
    written: Sequence[str],
    folder: Path,
) -> None:
    """Show the two sides, and write them."""
    patch = patch_of(isolated.passing, isolated.failing)
    inquiry.tell("difference", worded(target.path.name, isolated, patch), isolated.minimal)
    sides = {"passing": isolated.passing, "failing": isolated.failing}
    chosen = {label: sides[label] for label in written}
    for label, where in write_sides(target, chosen, patch, folder):
        inquiry.written.append((label, shown(where)))


def _tell_unfinished(
    inquiry: Inquiry[Files], target: Target, smallest: Files, folder: Path
) -> None:
    """Show that there is no passing side so far, and write what fails."""
    inquiry.tell("difference", unfinished(target.path.name, smallest))
    for label, where in write_sides(target, {"failing": smallest}, None, folder):
        inquiry.written.append((label, shown(where)))
