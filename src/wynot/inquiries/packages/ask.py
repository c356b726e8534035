"""``wynot packages``: which upgrade broke it, and which to hold back."""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from wynot.commands.inquiry_options import PackagesOptions
from wynot.commands.shared_options import cores
from wynot.core.deltas import NONE, Deltas
from wynot.core.errors import InvalidLockFile, InvalidOption, NothingToReduce, NotPassing
from wynot.core.events import Doing, Event, InquiryEnded, Noticed
from wynot.core.files import Files
from wynot.core.options.quantities import counted, some_of
from wynot.core.verdict import Verdict
from wynot.disk.load import Target, contents_of, of_folder
from wynot.disk.results import refuse_unwritable
from wynot.inquiries.driver import LessonLearned
from wynot.inquiries.inquiry import ON_DISK, Inquiry
from wynot.inquiries.packages.answer import worded
from wynot.inquiries.packages.circumstance import Upgrades
from wynot.inquiries.packages.lock_file import LockFile, Pins
from wynot.inquiries.packages.lock_reading import read, require_pair
from wynot.inquiries.packages.lock_versions import (
    LockVersion,
    LockVersions,
    by_doubling,
    lock_versions,
    read_revised,
    revised,
)
from wynot.inquiries.packages.npm.node_environments import node_environments, project_settings
from wynot.inquiries.packages.python.declared_needs import DeclaredNeeds
from wynot.inquiries.packages.python.python_environments import python_environments
from wynot.inquiries.questions import Question, cause_among, cure_among
from wynot.inquiries.sides import Names
from wynot.job.inquiry_log import InquiryLog
from wynot.machine.run_folder import RunFolder
from wynot.oracle.confining import confinement
from wynot.oracle.guards import on_circumstances
from wynot.oracle.provisioner import Provisioner
from wynot.oracle.trials import inquiring

LEFT_OUT = ("node_modules", ".git")
TRYING = "making the environment for, and running,"
MADE_AHEAD = 2
"""How many environments are made while a test runs: for what comes next if it fails, and if not."""
MAX_NAMED_PACKAGES = 3
OWN_NPMRC = "those that you want belong in your own, ~/.npmrc"
"""So many packages without a version are named before they are counted."""


class StepBack(NamedTuple):
    """An earlier version of the bad file."""

    back: int
    """How many versions back it is."""
    version: LockVersion
    upgrades: Upgrades
    """What has changed since."""


def inquire(options: PackagesOptions, observe: Callable[[Event], None]) -> InquiryEnded:
    """Find the upgrades that make it fail, and those to hold back."""
    options.validate()
    if options.out:
        refuse_unwritable(Path(options.out))
    private = RunFolder.make()
    try:
        if options.good:
            observe(Doing(f"reading {options.good!r} and {options.bad!r}"))
            sides = options.good, options.bad
            locks = [read_revised(each, private.folder) for each in sides]
            return _search(options, Upgrades(*require_pair(locks, sides)), options.good, observe)
        return _search_back(options, private.folder, observe)
    finally:
        private.close()


def _search_back(
    options: PackagesOptions, private: Path, observe: Callable[[Event], None]
) -> InquiryEnded:
    """Go back over earlier versions of the bad file until one passes, and search from there."""
    observe(Doing(f"reading earlier versions of {options.bad!r}"))
    if found := revised(options.bad, private):
        versions, last = found
        bad, earlier = versions.read(last), versions.before_version(last)
    else:
        bad = read(options.bad)
        versions = lock_versions(bad.path, private)
        earlier = versions.before(bad.path)
    steps = _steps(versions, earlier, bad)
    first = next(steps, None)
    if first is None:
        raise NothingToReduce(
            f"no earlier version of {options.bad!r} in git can be read and names other packages",
            hint="give --good FILE: the versions that work",
        )
    # What is logged and replayed is the search: it begins when both sides are known.
    unlogged = InquiryLog()
    with _opened(options, first.upgrades, str(first.version), observe, unlogged) as inquiry:
        failing = inquiry.try_failing(first.upgrades, once=True)
        spent = failing.tests
        for step in chain([first], steps):
            going = f"going back, {step.back} of {len(earlier)} versions: {TRYING}"
            names = _names(options, str(step.version))._replace(trying=going)
            tried = inquiry.try_passing(step.upgrades, failing, once=True, names=names)
            spent += tried.tests - failing.tests
            if tried.passing.verdict is Verdict.UNINTERESTING:
                break
        else:
            raise NotPassing(
                f"no earlier version of {options.bad!r} passes: the oldest of {len(earlier)} in "
                f"git, {step.version}, does not either: {tried.ended}",
                hint="give --good FILE: the versions that work",
            )
    observe(Noticed("good-end", f"{step.version} passes: {counted(step.back, 'version')} back"))
    return _search(options, step.upgrades, str(step.version), observe, spent=spent)


def _steps(
    versions: LockVersions, earlier: Sequence[LockVersion], bad: LockFile
) -> Iterator[StepBack]:
    """Yield what differs since earlier versions; those of another kind, or the same, are passed."""
    for back, version in by_doubling(earlier):
        try:
            pair = require_pair((versions.read(version), bad), (str(version), str(bad.path)))
        except (InvalidLockFile, NothingToReduce):
            continue
        yield StepBack(back, version, Upgrades(*pair))


def _search(
    options: PackagesOptions,
    upgrades: Upgrades,
    good: str,
    observe: Callable[[Event], None],
    *,
    spent: int = 0,
) -> InquiryEnded:
    """Try both sides, and ask which upgrades make the difference; some tests were spent before."""
    _warn(upgrades, observe)
    declared = DeclaredNeeds(upgrades.good, upgrades.bad)
    with _opened(options, upgrades, good, observe, declared=declared) as inquiry:
        count = len(upgrades.changes)
        packages = "1 package differs" if count == 1 else f"{count:,} packages differ"
        inquiry.try_sides(upgrades, packages, spent=spent).require_pass()
        if upgrades.bad.ecosystem == "python" and declared.kinship is None:
            # What a log says of the sides was not installed here.
            inquiry.provision([upgrades.chosen(side) for side in (NONE, upgrades.deltas)])
        upgrades = replace(upgrades, known=declared.kinship)
        upgrades, cause = _settled(
            inquiry, lambda case: cause_among(case.closed), upgrades, options.out
        )
        if options.cure and inquiry.is_going:
            guilty = {*upgrades.names(cause)}
            _settled(
                inquiry,
                lambda case: cure_among(case.closed, case.deltas_of(guilty)),
                upgrades.held_back,
                options.out,
            )
        return inquiry.conclude()


def _settled(
    inquiry: Inquiry[Pins],
    questioning: Callable[[Upgrades], Question],
    upgrades: Upgrades,
    out: str,
) -> tuple[Upgrades, Deltas]:
    """Ask a question until the installer teaches nothing new, tell the answer, and return both."""
    while True:
        question = questioning(upgrades)
        try:
            finding = inquiry.ask(question, upgrades)
            break
        except LessonLearned as learned:
            upgrades = learned.case
    answer = partial(worded, upgrades, question.name, finding.deltas)
    inquiry.report(question.name, answer, finding.minimal, out)
    return upgrades, finding.deltas


def _opened(
    options: PackagesOptions,
    upgrades: Upgrades,
    good: str,
    observe: Callable[[Event], None],
    log: InquiryLog | None = None,
    declared: DeclaredNeeds | None = None,
) -> Inquiry[Pins]:
    """Return the inquiry, not begun yet."""
    is_node = upgrades.bad.ecosystem == "node"
    return Inquiry(
        "packages",
        [
            of_folder(Path.cwd(), options.logs),
            sorted(map(str, upgrades.chosen(upgrades.deltas))),
            sorted(map(str, upgrades.good.pins.values())),
        ],
        options,
        inquiring(options, options.command, worse=options.worse, as_bisect=False),
        _environments(options, upgrades, declared),
        _names(options, good),
        observe,
        room=ON_DISK,
        guards=on_circumstances(options.passes, options.timeout),
        # What Node runs is a copy.
        apart=[Path.cwd()] if is_node else [],
        log=log,
        ahead=_ahead(options),
    )


def _names(options: PackagesOptions, good: str) -> Names:
    return Names(
        f"the command with the packages of {options.bad!r}",
        f"the command with the packages of {good!r}",
        "install them by hand, and run the command",
        TRYING,
        placer="the installer",
    )


def _ahead(options: PackagesOptions) -> int:
    """Return how many environments are made while a test runs.

    As many as cores are free: where there are none, what is made in vain would hold up the rest.
    None if several run anyway, or if a folder is built for each of them that the test may look at.
    """
    free = max(0, int(cores() - os.getloadavg()[0]))
    is_built = any(each.startswith(("-e", "--editable")) or "/" in each for each in options.also)
    return 0 if options.width > 1 or is_built or "." in options.also else min(free, MADE_AHEAD)


def _environments(
    options: PackagesOptions, upgrades: Upgrades, declared: DeclaredNeeds | None
) -> Provisioner[Pins]:
    """Return what installs a candidate, and where its test runs."""
    writable = confinement(options).writable
    if upgrades.bad.ecosystem == "node":
        if options.installer not in {"auto", "npm"}:
            raise InvalidOption(
                f"is {options.installer!r}, but {options.bad!r} is for npm",
                option="installer",
                hint="leave --installer out",
            )
        return node_environments(
            upgrades, files=_project(), registry=options.index_url, writable=writable
        )
    if options.installer == "npm":
        raise InvalidOption(
            f"is 'npm', but {options.bad!r} is for Python",
            option="installer",
            hint="leave --installer out",
        )
    named = {"--index-url": options.index_url, "--find-links": options.find_links}
    return python_environments(
        upgrades,
        python=options.python,
        installer=options.installer,
        lines=[*(f"{option} {value}" for option, value in named.items() if value), *options.also],
        folder=Path.cwd(),
        declared=declared,
        writable=writable,
    )


def _project() -> Files:
    """Return the files of this folder: Node looks for packages beside the program."""
    target = Target(Path.cwd(), "project", is_folder=True)
    files = contents_of([target], LEFT_OUT)

    def inside(name: str) -> str:
        return name.removeprefix("project/")

    return Files(
        {inside(name): content for name, content in files.contents.items()},
        {inside(name): mode for name, mode in files.modes.items()},
        {inside(name): to for name, to in files.links.items()},
    )


def _warn(upgrades: Upgrades, observe: Callable[[Event], None]) -> None:
    """Warn of what may make answers less certain than they look."""
    loose = dict.fromkeys((*upgrades.good.unpinned, *upgrades.bad.unpinned))
    if loose:
        some = some_of([*loose], MAX_NAMED_PACKAGES)
        observe(Noticed("unpinned", f"no exact version is given for {some}"))
    for name in dict.fromkeys((*upgrades.good.left_out, *upgrades.bad.left_out)):
        observe(Noticed("left-out", f"{name} is a folder of the project, and is not installed"))
    if upgrades.bad.ecosystem == "node" and (ignored := project_settings(upgrades).ignored):
        some = some_of(ignored, MAX_NAMED_PACKAGES)
        observe(Noticed("npm-settings", f"wynot ignores settings of .npmrc: {some}; {OWN_NPMRC}"))
