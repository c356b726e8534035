"""The commands: what each is for, and which options it takes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, Self

from wynot.core.errors import InvalidOption
from wynot.core.options.option import Heading, OptionRecord, debug_option, option, safe_option
from wynot.core.options.quantities import seconds
from wynot.core.system.lazy import lazy

if TYPE_CHECKING:
    from wynot.commands import batch_options, inquiry_options, reduce_options
else:
    # Records take long to make: only that of the command that is asked for is.
    batch_options = lazy("wynot.commands.batch_options")
    inquiry_options = lazy("wynot.commands.inquiry_options")
    reduce_options = lazy("wynot.commands.reduce_options")


@dataclass(frozen=True, kw_only=True)
class HistoryOptions(OptionRecord):
    """Which steps of a reduction are shown, and how."""

    heading = Heading.STEPS
    file: str = option("FILE", "the file that was reduced, or its journal", "")
    restore: int | None = option(
        "--restore STEP", "write the case as it was after this step; 0 is the original"
    )
    show: str | None = option(
        "--show STEP[:PATH]",
        "print the case as it was after this step; of a folder its files, or the one at PATH",
    )
    diff: tuple[int, int] | None = option("--diff A B", "print what differs between two steps")
    out: str = option("-o --out OUT", "where to write it", "", usual="FILE.STEP")
    json: bool = safe_option("--json", "the steps as JSON lines")

    def validate(self) -> Self:
        """Raise unless at most one thing is asked for."""
        entries = [
            f"--{name}" for name in ("restore", "show", "diff") if vars(self)[name] is not None
        ]
        if len(entries) > 1:
            raise InvalidOption(f"{' and '.join(entries)} are given", hint="choose one of them")
        return self


@dataclass(frozen=True, kw_only=True)
class ReportOptions(OptionRecord):
    """Of which reduction a page is made, and where it goes."""

    heading = Heading.OUTPUT
    file: str = option("FILE", "the file that was reduced, or its journal", "")
    out: str = option("-o --out OUT", "where to write the page", "", usual="FILE.html")


@dataclass(frozen=True, kw_only=True)
class ReproOptions(OptionRecord):
    """Of which reduction a folder is made for a bug report, and where it goes."""

    heading = Heading.OUTPUT
    file: str = option("FILE", "the file that was reduced, or its journal", "")
    out: str = option("-o --out DIR", "where to put the folder", "", usual="FILE.repro")


@dataclass(frozen=True, kw_only=True)
class WatchOptions(OptionRecord):
    """Which run is watched."""

    file: str = option(
        "FILE", "the file that is reduced, or its journal", "", alone="", usual="the run in .wynot"
    )


@dataclass(frozen=True, kw_only=True)
class ExplainOptions(OptionRecord):
    """Which reduction is explained, and how much that may take."""

    heading = Heading.OUTPUT
    file: str = option("FILE", "the file that was reduced, or its journal", "")
    explain_tests: int = safe_option(
        "--explain-tests N",
        "tests that it may take",
        300,
        matters=False,
        least=1,
        heading=Heading.LIMITS,
    )
    max_time: float | None = safe_option(
        "--max-time TIME", "stop after this time", parse=seconds, heading=Heading.LIMITS
    )
    jobs: int | None = safe_option(
        "-j --jobs N", "tests at a time", usual="one for each core", least=1, heading=Heading.LIMITS
    )
    all_causes: bool = safe_option(
        "--all-causes", "if the original fails for other reasons as well, find them"
    )
    json: bool = safe_option("--json", "events as JSON lines, for programs")
    quiet: bool = safe_option("-q --quiet", "the answer in one line")
    debug: str = debug_option()


@dataclass(frozen=True, kw_only=True)
class HelpOptions(OptionRecord):
    """Which command is asked about."""

    which: tuple[str, ...] = option("COMMAND ...", "the command that is asked about")


@dataclass(frozen=True, kw_only=True)
class CompletionOptions(OptionRecord):
    """Which shell is to complete."""

    which: Literal["bash", "zsh", "fish"] = option("SHELL", "bash, zsh or fish", "bash")


class Subcommand(NamedTuple):
    """A command: what it is for, what it takes, how it is called."""

    what: str
    records: Callable[[], type[OptionRecord]]
    usage: tuple[str, ...] = ()
    examples: str = ""
    """The first without the indent."""

    @property
    def record(self) -> type[OptionRecord]:
        """What it is asked to do."""
        return self.records()

    @property
    def flags(self) -> list[str]:
        """How its options are written."""
        return [flag for each in self.record.options() for flag in each.spellings]


REDUCE = """\
wynot reduce ./crash.sh prog.c           a script that exits with 0 if the failure shows
  wynot reduce prog.c -- gcc -O2 -c {}     no script: the first run shows what the failure is
  wynot reduce --stderr 'stack overflow' deep.json -- node parse.js {}
  wynot reduce -c 'grep -q boom log.txt' log.txt
  wynot reduce --serve 'node server.js {}' deep.json      a program that stays, in place of CMD
  wynot batch crashes/ -- ./prog {}        every input of a folder, one small case per cause
  wynot isolate good.json bad.json -- node parse.js {}      what is the difference?
  wynot changes --good v1.2 --bad HEAD -- make test         which change broke it?
  wynot options -- gcc -O3 -funroll-loops -c prog.c         which options does it need?
  wynot packages --good old.txt --bad new.txt -- pytest     which upgrade broke it?
  wynot tests tests/test_a.py::test_b      which earlier tests make it fail?
  wynot check ./crash.sh prog.c            is the test any good?"""
BATCH = """\
wynot batch out/default/crashes -- ./prog {}
  wynot batch --max-time-each 5min --max-time 1h crashes/ -- ./prog {}
  wynot batch crashes/ ./test.sh             exits with 0 if the failure shows"""
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
  wynot tests --shuffle                      is there an order in which one fails?
  wynot tests --list names.txt name -- ./runner {tests}"""

COMMANDS = {
    "reduce": Subcommand(
        "leave out everything that the failure does not need",
        lambda: reduce_options.ReduceOptions,
        ("TEST FILE...", "FILE... -- CMD {}"),
        REDUCE,
    ),
    "batch": Subcommand(
        "reduce a folder of failing inputs: one small case per cause",
        lambda: batch_options.BatchOptions,
        ("FOLDER -- CMD {}", "FOLDER TEST"),
        BATCH,
    ),
    "isolate": Subcommand(
        "find the difference between a passing and a failing input",
        lambda: inquiry_options.IsolateOptions,
        ("TEST PASSING FAILING", "[PASSING] FAILING -- CMD {}"),
        ISOLATE,
    ),
    "changes": Subcommand(
        "find the changes that make it fail",
        lambda: inquiry_options.ChangesOptions,
        (
            "--good REV --bad REV -- CMD",
            "--staged | --worktree | --patch FILE -- CMD",
            "PASSING_FOLDER FAILING_FOLDER -- CMD",
            "--patch FILE FOLDER -- CMD",
        ),
        CHANGES,
    ),
    "options": Subcommand(
        "find the options and variables that a failure needs",
        lambda: inquiry_options.OptionsOptions,
        ("-- CMD ARGS...",),
        OPTIONS,
    ),
    "packages": Subcommand(
        "find the upgrade that broke it",
        lambda: inquiry_options.PackagesOptions,
        ("--good FILE --bad FILE -- CMD",),
        PACKAGES,
    ),
    "tests": Subcommand(
        "find the earlier tests that make a test fail",
        lambda: inquiry_options.EarlierTestsOptions,
        (
            "FAILING_TEST [-- python -m pytest ARGS...]",
            "--shuffle [FAILING_TEST] [-- python -m pytest ARGS...]",
            "--list FILE FAILING_TEST -- CMD {tests}",
        ),
        TESTS,
    ),
    "check": Subcommand(
        "find out whether a test is any good, before reducing with it",
        lambda: reduce_options.CheckOptions,
        ("TEST FILE...", "FILE... -- CMD {}"),
    ),
    "explain": Subcommand(
        "find out what of a result may be anything, and what it needs",
        lambda: ExplainOptions,
        ("FILE",),
    ),
    "history": Subcommand(
        "show or restore the steps of a reduction", lambda: HistoryOptions, ("FILE",)
    ),
    "report": Subcommand(
        "write a page that shows what went, when, and what is left",
        lambda: ReportOptions,
        ("FILE",),
    ),
    "repro": Subcommand(
        "make a folder to attach to a bug report",
        lambda: ReproOptions,
        ("FILE",),
    ),
    "watch": Subcommand(
        "follow a reduction that runs in another terminal", lambda: WatchOptions, ("[FILE]",)
    ),
    "languages": Subcommand(
        "show which languages are known, and how each is parsed", lambda: OptionRecord
    ),
    "help": Subcommand(
        "show all commands, or the options of one", lambda: HelpOptions, ("COMMAND",)
    ),
    "completion": Subcommand(
        "print what makes a shell complete wynot's options", lambda: CompletionOptions, ("SHELL",)
    ),
}
