"""``wynot packages``: which upgrade broke it, and which to hold back."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from wynot.commands.inquiry_options import PackagesOptions
from wynot.core.errors import InvalidOption
from wynot.core.events import Doing, Event, InquiryEnded, Noticed
from wynot.core.files import Files
from wynot.core.phrases import some_of
from wynot.core.stop import Stop
from wynot.disk.fingerprint import of_folder
from wynot.disk.load import Target, contents_of
from wynot.disk.results import refuse_unwritable
from wynot.inquiries.inquiry import ON_DISK, Inquiry
from wynot.inquiries.packages.answer import worded
from wynot.inquiries.packages.circumstance import Upgrades
from wynot.inquiries.packages.declared_needs import DeclaredNeeds
from wynot.inquiries.packages.lock_file import Pins
from wynot.inquiries.packages.lock_reading import read_pair
from wynot.inquiries.packages.node_environments import node_environments
from wynot.inquiries.packages.python_environments import python_environments
from wynot.inquiries.questions import CAUSE, cure_by
from wynot.inquiries.sides import Names
from wynot.oracle.guards import on_circumstances
from wynot.oracle.provisioner import Provisioner
from wynot.oracle.trials import inquiring

LEFT_OUT = ("node_modules", ".git")
MAX_NAMED_PACKAGES = 3
"""So many packages without a version are named before they are counted."""


def inquire(options: PackagesOptions, observe: Callable[[Event], None]) -> InquiryEnded:
    """Find the upgrades that make it fail, and those to hold back."""
    options.validate()
    if options.out:
        refuse_unwritable(Path(options.out))
    observe(Doing(f"reading {options.good!r} and {options.bad!r}"))
    upgrades = Upgrades(*read_pair(options.good, options.bad))
    _warn(upgrades, observe)
    names = Names(
        f"the command with the packages of {options.bad!r}",
        f"the command with the packages of {options.good!r}",
        "install them by hand, and run the command",
        "making the environment for, and running,",
    )
    declared = DeclaredNeeds(upgrades.good, upgrades.bad)
    inquiry: Inquiry[Pins]
    with Inquiry(
        "packages",
        [
            of_folder(Path.cwd()),
            sorted(map(str, upgrades.chosen(upgrades.deltas))),
            sorted(map(str, upgrades.good.pins.values())),
        ],
        options,
        inquiring(options, options.command, as_bisect=False),
        _environments(options, upgrades, declared),
        names,
        observe,
        room=ON_DISK,
        guards=on_circumstances(options.passes, options.timeout),
        # What Node runs is a copy.
        apart=[Path.cwd()] if upgrades.bad.ecosystem == "node" else [],
    ) as inquiry:
        count = len(upgrades.changes)
        packages = "1 package differs" if count == 1 else f"{count:,} packages differ"
        inquiry.try_sides(upgrades, packages).require_pass()
        upgrades = replace(upgrades, known=declared.kinship)
        cause = inquiry.settle(CAUSE, upgrades, partial(worded, upgrades), out=options.out)
        if options.cure and inquiry.stopped == Stop.FINISHED:
            held = upgrades.held_back
            guess = held.deltas_of({*upgrades.names(cause.deltas)})
            inquiry.settle(cure_by(guess), held, partial(worded, held), out=options.out)
        return inquiry.conclude()


def _environments(
    options: PackagesOptions, upgrades: Upgrades, declared: DeclaredNeeds
) -> Provisioner[Pins]:
    """Return what installs a candidate, and where its test runs."""
    if upgrades.bad.ecosystem == "node":
        if options.installer not in {"auto", "npm"}:
            raise InvalidOption(
                f"is {options.installer!r}, but {options.bad!r} is for npm",
                option="installer",
                hint="leave --installer out",
            )
        return node_environments(upgrades, files=_project(), registry=options.index_url)
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
