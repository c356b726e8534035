"""Options that several commands have in common, in the groups that ``--help`` shows."""

from argparse import _ArgumentGroup
from typing import get_args

from wynot.cli.quantities import parts, seconds, size, statuses
from wynot.settings import CHOICES, Atoms, Layout, Same, TreeSearch


def what_fails(group: _ArgumentGroup) -> None:
    """Add how the failure is known."""
    group.add_argument(
        "-c",
        "--shell",
        metavar="LINE",
        default="",
        help="a line of shell in place of TEST; the file is $1",
    )
    group.add_argument(
        "--invert",
        action="store_true",
        help="the test exits with 0 if all is well, as for git bisect run",
    )
    group.add_argument(
        "--same",
        choices=get_args(Same),
        default="auto",
        help="of the first run of CMD, what must stay the same",
    )
    what_is_seen(group)
    group.add_argument(
        "--differs", metavar="CMD2", default="", help="CMD and CMD2 print different things"
    )
    what_passes(group, "the file is {}")
    group.add_argument(
        "--no-ub",
        action="store_true",
        help="nor may any case have undefined behaviour (C and C++)",
    )


def what_passes(group: _ArgumentGroup, how: str) -> None:
    """Add what else must hold of every case that is taken."""
    group.add_argument(
        "--passes",
        action="append",
        metavar="CMD",
        default=[],
        help=f"this must succeed on every case that fails; {how}; can be repeated",
    )


def what_is_seen(group: _ArgumentGroup) -> None:
    """Add what a run of CMD can be known by."""
    group.add_argument("--exit", type=int, metavar="N", help="CMD exits with N")
    group.add_argument("--signal", metavar="SIG", help="CMD dies of this signal")
    for stream in ("stdout", "stderr"):
        group.add_argument(f"--{stream}", metavar="REGEX", help=f"CMD prints this to {stream}")
        group.add_argument(f"--not-{stream}", metavar="REGEX", help="and does not print this")
    group.add_argument(
        "--text",
        action="append",
        metavar="STRING",
        default=[],
        help="CMD prints this text, to either; can be repeated",
    )
    group.add_argument(
        "--hangs", action="store_true", help="CMD does not end (within --timeout, or 10 s)"
    )


def what_else(group: _ArgumentGroup) -> None:
    """Add what else is kept, and what is not checked."""
    group.add_argument(
        "--also-interesting",
        type=statuses,
        metavar="N,..",
        default=[],
        help="keep candidates aside whose test exits with N",
    )
    group.add_argument(
        "--no-check",
        dest="check",
        action="store_false",
        help="do not ask about the original and the empty file first",
    )


def what_goes(group: _ArgumentGroup) -> None:
    """Add what may be left out."""
    group.add_argument(
        "--atoms", choices=get_args(Atoms), default="auto", help="the finest parts to leave out"
    )
    group.add_argument(
        "--language",
        metavar="NAME",
        default="",
        help="what the files are written in (default: found out; see wynot languages)",
    )
    group.add_argument(
        "--no-rename", dest="rename", action="store_false", help="leave names as they are"
    )
    group.add_argument(
        "--format",
        dest="layout",
        choices=get_args(Layout),
        help="white space: no blanks but lines (the default), or indented, or none at all, or as "
        "it comes",
    )
    group.add_argument(
        "--readable",
        action="store_true",
        help="a result to show: --no-rename, --format pretty, and a line end at the end",
    )
    group.add_argument(
        "--keep",
        action="append",
        metavar="REGEX",
        default=[],
        help="never touch what matches; can be repeated",
    )
    beside(group, "beside every candidate")


def beside(group: _ArgumentGroup, where: str) -> None:
    """Add what is put there for every test."""
    group.add_argument(
        "--with",
        dest="fixed",
        action="append",
        metavar="FILE",
        default=[],
        help=f"put this file or folder {where}; can be repeated",
    )


def budget(group: _ArgumentGroup, jobs: str = "one for each core") -> None:
    """Add what all commands that run many tests may take."""
    group.add_argument(
        "-j",
        "--jobs",
        type=int,
        metavar="N",
        default=None,
        help=f"tests at a time (default: {jobs})",
    )
    group.add_argument(
        "--timeout", type=seconds, metavar="TIME", help="for one test (default: learned)"
    )
    group.add_argument("--memory", type=size, metavar="SIZE", help="for one test")
    confining(group)
    group.add_argument("--max-time", type=seconds, metavar="TIME", help="stop after this time")
    group.add_argument("--max-tests", type=int, metavar="N", help="stop after so many tests")


def confining(group: _ArgumentGroup) -> None:
    """Add where tests can write."""
    group.add_argument(
        "--confine",
        action="store_true",
        default=None,
        help="let tests write only to their private folders (default: if what is run is FILE)",
    )
    group.add_argument(
        "--no-confine",
        dest="confine",
        action="store_false",
        default=None,
        help="let them write wherever you may",
    )
    group.add_argument(
        "--writable",
        action="append",
        metavar="DIR",
        default=[],
        help="confined, they may write there too; can be repeated",
    )


def told(group: _ArgumentGroup) -> None:
    """Add how the run is told of."""
    group.add_argument("--json", action="store_true", help="events as JSON lines, for programs")
    group.add_argument("-q", "--quiet", action="store_true", help="one line at the end")


def explaining(group: _ArgumentGroup) -> None:
    """Add what is said of the result."""
    group.add_argument(
        "--explain",
        action="store_true",
        help="at the end, isolate what makes the difference to the nearest variant that passes",
    )


def how_far(group: _ArgumentGroup) -> None:
    """Add what a run may take."""
    budget(group)
    group.add_argument("--target-size", type=size, metavar="SIZE", help="stop when this small")
    group.add_argument(
        "--fast",
        action="store_true",
        help="leave out the last sweep, which proves that nothing more can go",
    )
    group.add_argument(
        "--patience", type=int, metavar="N", help="stop after N tests in a row without progress"
    )


def searching(group: _ArgumentGroup) -> None:
    """Add the fine points of the searches."""
    for name, what in (
        ("search", "the algorithm"),
        ("order", "subsets, complements or both"),
        ("subset_iterator", "in what order subsets are tried"),
        ("complement_iterator", "in what order complements are tried"),
        ("memo", "which verdicts are not asked for again"),
        ("pick", "which of several successes counts"),
    ):
        group.add_argument(
            f"--{name.replace('_', '-')}",
            choices=[*CHOICES[name], *(get_args(TreeSearch) if name == "search" else ())],
            default=CHOICES[name][0] if name not in DEFAULTS else DEFAULTS[name],
            help=what,
        )
    group.add_argument(
        "--level-search",
        choices=[name for name in CHOICES["search"] if name != "auto"],
        default="opdd",
        help="with --search hdd and its kin: the algorithm on each level of the tree",
    )
    group.add_argument(
        "--split",
        choices=("weight", *CHOICES["split"]),
        default="weight",
        help="where a chunk is cut in two",
    )
    group.add_argument(
        "--granularity",
        type=parts,
        metavar="N",
        default=2,
        help="parts at the start, and how many times finer; 2 or more, or inf",
    )
    group.add_argument("--seed", type=int, metavar="N", default=0, help="for random iterators")
    group.add_argument(
        "--restart", action="store_true", help="go back to the first chunk after each success"
    )
    group.add_argument(
        "--combined", action="store_true", help="subsets and complements in one round"
    )
    group.add_argument(
        "--star", action="store_true", help="repeat each search until nothing changes"
    )


DEFAULTS = {"order": "complements-only"}


def around(group: _ArgumentGroup) -> None:
    """Add where things go."""
    group.add_argument(
        "-o",
        "--out",
        metavar="OUT",
        default="",
        help="put the result there (default: in place; FILE.orig is kept)",
    )
    again = group.add_mutually_exclusive_group()
    again.add_argument(
        "--resume",
        action="store_true",
        help="go on with an earlier run, or say why not (default: if there is one)",
    )
    again.add_argument("--fresh", action="store_true", help="begin anew, whatever there is")
    group.add_argument(
        "--config",
        metavar="FILE",
        help="options from here (default: [tool.wynot] of pyproject.toml)",
    )
    told(group)
