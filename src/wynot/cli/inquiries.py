"""The options of the commands that ask about circumstances, as tables."""

from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from typing import get_args

from wynot.cli.exit_codes import TABLE
from wynot.cli.option_groups import beside, budget, told, what_fails, what_is_seen, what_passes
from wynot.settings import Same

ISOLATE = """\
wynot isolate good.json bad.json -- node parse.js {}
  wynot isolate ./test.sh good/ bad/         exits with 0 if the failure shows
  wynot isolate crash.c -- gcc -O2 -c {}     from nothing"""
CHANGES = """\
wynot changes --good v1.2 -- make test       1 to 124: bad, 125: cannot tell
  wynot changes --worktree -- pytest -x tests/test_a.py
  wynot changes old/ new/ -- ./run.sh"""
OPTIONS = """\
wynot options -- gcc -O3 -funroll-loops -c prog.c
  wynot options --env -- ./run --fast in.txt
  wynot options --try '-fno-inline -fwrapv' -- ./build.sh -O2"""
PACKAGES = """\
wynot packages --good old.txt --bad new.txt -- python prog.py
  wynot packages --good old/uv.lock --bad uv.lock --also pytest -- pytest"""
TESTS = """\
wynot tests tests/test_a.py::test_b
  wynot tests test_b -- python -m pytest -p no:randomly tests
  wynot tests --list names.txt name -- ./runner {tests}"""

SEEN = "what the failure is"
FAR = "how far to go"
OUTPUT = "output"


def isolate_options(to: ArgumentParser) -> None:
    """Add the options of ``wynot isolate``."""
    to.epilog = f"examples:\n  {ISOLATE}\n\nexit codes:\n{TABLE}"
    to.usage = (
        "wynot isolate [OPTIONS] TEST PASSING FAILING\n"
        "       wynot isolate [OPTIONS] [PASSING] FAILING -- CMD {}"
    )
    to.add_argument(
        "arguments",
        nargs="*",
        metavar="TEST PASSING FAILING",
        help="the test, then two files or two folders",
    )
    what_fails(to.add_argument_group(SEEN))
    goes = to.add_argument_group("what differs")
    goes.add_argument(
        "--atoms",
        choices=("auto", "lines", "tokens", "chars"),
        default="auto",
        help="the finest parts that may differ",
    )
    goes.add_argument(
        "--grow",
        action="store_true",
        help="without PASSING: start from the nearest variant that passes, not from nothing",
    )
    beside(goes, "beside every candidate")
    budget(to.add_argument_group(FAR))
    _output(to, "put the two sides and the patch there (default: beside FAILING)")


def changes_options(to: ArgumentParser) -> None:
    """Add the options of ``wynot changes``."""
    to.epilog = f"examples:\n  {CHANGES}\n\nexit codes:\n{TABLE}"
    to.usage = (
        "wynot changes [OPTIONS] --good REV --bad REV -- CMD\n"
        "       wynot changes [OPTIONS] --staged | --worktree | --patch FILE -- CMD\n"
        "       wynot changes [OPTIONS] PASSING_FOLDER FAILING_FOLDER -- CMD\n"
        "       wynot changes [OPTIONS] --patch FILE FOLDER -- CMD"
    )
    to.add_argument("arguments", nargs="*", metavar="FOLDER", help="two folders, without git")
    what = to.add_argument_group("which changes")
    what.add_argument("--good", metavar="REV", default="", help="the revision that passes")
    what.add_argument("--bad", metavar="REV", default="", help="the one that fails (default: HEAD)")
    what.add_argument("--repo", metavar="DIR", default=".", help="the repository")
    what.add_argument("--staged", action="store_true", help="from HEAD to what is staged")
    what.add_argument(
        "--worktree", action="store_true", help="from HEAD to the files as they are now"
    )
    what.add_argument("--patch", metavar="FILE", default="", help="from HEAD to HEAD with a patch")
    what.add_argument(
        "--atoms",
        choices=("commits", "files", "hunks", "lines"),
        default="lines",
        help="the finest parts of a change",
    )
    what.add_argument(
        "--clean",
        action="store_true",
        help="remove ignored files too before each test: no build goes on from the one before",
    )
    what.add_argument(
        "--no-cure",
        dest="cure",
        action="store_false",
        help="do not look for the smallest revert",
    )
    _seen(to, "it runs in the work tree")
    budget(to.add_argument_group(FAR))
    _output(to, "write cause.patch and revert.patch into this folder (default: only shown)")


def options_options(to: ArgumentParser) -> None:
    """Add the options of ``wynot options``."""
    to.epilog = f"examples:\n  {OPTIONS}\n\nexit codes:\n{TABLE}"
    to.usage = "wynot options [OPTIONS] -- CMD ARGS..."
    what = to.add_argument_group("which circumstances")
    what.add_argument(
        "--env",
        action="append",
        nargs="?",
        const="all",
        metavar="NAME[=VALUE]",
        default=[],
        help="this variable too; without a name, all that are set; can be repeated",
    )
    what.add_argument(
        "--try",
        dest="tried",
        action="append",
        metavar="LIST",
        default=[],
        help="which of these options prevent the failure; @FILE reads them; can be repeated",
    )
    what.add_argument(
        "--keep", action="append", metavar="REGEX", default=[], help="never leave these out"
    )
    what.add_argument(
        "--here",
        action="store_true",
        help="run in this folder, one at a time, not in a private one",
    )
    beside(what, "into the private folder")
    _seen(to, "{} are the arguments of CMD")
    budget(to.add_argument_group(FAR))
    _output(to, "")


def packages_options(to: ArgumentParser) -> None:
    """Add the options of ``wynot packages``."""
    to.epilog = f"examples:\n  {PACKAGES}\n\nexit codes:\n{TABLE}"
    to.usage = "wynot packages [OPTIONS] --good FILE --bad FILE -- CMD"
    what = to.add_argument_group("which packages")
    what.add_argument("--good", metavar="FILE", default="", help="the versions that work")
    what.add_argument("--bad", metavar="FILE", default="", help="those that do not")
    what.add_argument(
        "--python",
        metavar="PROGRAM",
        default="",
        help="the interpreter of the environments (default: python3)",
    )
    what.add_argument(
        "--installer",
        choices=("auto", "uv", "pip", "npm"),
        default="auto",
        help="what installs: uv if it is there, else pip; npm for package-lock.json",
    )
    what.add_argument("--index-url", metavar="URL", default="", help="where packages come from")
    what.add_argument(
        "--find-links", metavar="DIR", default="", help="a folder with packages to look in too"
    )
    what.add_argument(
        "--also",
        action="append",
        metavar="REQUIREMENT",
        default=[],
        help="install this too, for the test: pytest, or -e . ; can be repeated",
    )
    what.add_argument(
        "--no-cure",
        dest="cure",
        action="store_false",
        help="do not look for the smallest set to hold back",
    )
    _seen(to, "it runs with the packages of the case")
    budget(to.add_argument_group(FAR), jobs="1")
    _output(to, "write files to install from into this folder (default: only shown)")


def tests_options(to: ArgumentParser) -> None:
    """Add the options of ``wynot tests``."""
    to.epilog = f"examples:\n  {TESTS}\n\nexit codes:\n{TABLE}"
    to.usage = (
        "wynot tests [OPTIONS] FAILING_TEST [-- python -m pytest ARGS...]\n"
        "       wynot tests [OPTIONS] --list FILE FAILING_TEST -- CMD {tests}"
    )
    to.add_argument("failing", metavar="FAILING_TEST", help="the test, as its runner names it")
    what = to.add_argument_group("which tests")
    what.add_argument(
        "--list",
        metavar="FILE",
        default="",
        help="all tests in the failing order, one a line (default: asked of pytest)",
    )
    what.add_argument(
        "--list-command", metavar="CMD", default="", help="a command that prints that list"
    )
    what.add_argument("--project", metavar="DIR", default=".", help="where the tests are run")
    what_passes(to.add_argument_group(SEEN), "{} are the arguments of CMD")
    budget(to.add_argument_group(FAR), jobs="1")
    _output(to, "")


def _seen(to: ArgumentParser, how: str) -> None:
    group = to.add_argument_group(SEEN)
    group.add_argument(
        "--same",
        choices=get_args(Same),
        default=None,
        help="of the first run of the failing side, what must stay the same",
    )
    what_is_seen(group)
    what_passes(group, how)


def _output(to: ArgumentParser, out: str) -> None:
    group = to.add_argument_group(OUTPUT)
    if out:
        group.add_argument("-o", "--out", metavar="DIR", default="", help=out)
    group.add_argument(
        "--fresh",
        action="store_true",
        help="do not go on with an earlier run that was not finished",
    )
    told(group)


INQUIRIES: Sequence[tuple[str, str, Callable[[ArgumentParser], None]]] = (
    ("isolate", "find the difference between a passing and a failing input", isolate_options),
    ("changes", "find the changes that make it fail", changes_options),
    ("options", "find the options and variables that a failure needs", options_options),
    ("packages", "find the upgrade that broke it", packages_options),
    ("tests", "find the earlier tests that make a test fail", tests_options),
)
