"""Which options a project may set that nobody trusts: each is listed here, after some thought."""

from wynot.cli.config import entries
from wynot.commands.table import COMMANDS

HARMLESS = {
    # how to search, and what may be left out
    *("atoms", "cold", "fast", "format", "keep", "language", "no-rename", "readable"),
    *("search", "seed", "star"),
    # what the failure is
    *("also-interesting", "confidence", "exit", "flaky", "hangs", "invert", "not-stderr"),
    *("not-stdout", "same", "signal", "stderr", "stdout", "text", "threshold", "worse"),
    # how far to go; the user's own limits take precedence
    *("explain", "explain-tests", "jobs", "max-tests", "max-time", "max-time-each", "memory"),
    *("no-cure", "patience", "per-group", "prove", "runs", "target-size", "timeout", "tries"),
    # how it is shown
    *("json", "quiet"),
}
NEED_TRUST = {
    # they name a program, or what is installed
    *("also", "differs", "find-links", "index-url", "installer", "list-command", "no-ub"),
    *("passes", "python", "vendor"),
    # they name a file, a folder or a side of the question
    *("bad", "good", "grow", "list", "out", "patch", "project", "repo", "shuffle", "staged"),
    *("tags", "try", "with", "worktree", "writable"),
    # they drop a protection, or change where tests run and what they see
    *("clean", "cluster", "confine", "env", "here", "no-check", "no-confine"),
}


READING = [name for name, each in COMMANDS.items() if "--config" in each.flags]


def test_every_option_is_listed_as_harmless_or_not() -> None:
    """Add a new option to one of the two: it needs trust unless it clearly is harmless."""
    for command in READING:
        for name, entry in entries(command).items():
            listed = (name in HARMLESS, name in NEED_TRUST)
            is_harmless = entry.option.is_harmless
            assert listed == (is_harmless, not is_harmless), (command, name)


def test_programs_and_files_are_not_harmless() -> None:
    kinds = {"CMD", "CMD2", "FILE", "DIR", "OUT", "URL", "PROGRAM", "REQUIREMENT", "LIST", "REV"}
    for command in READING:
        for name, entry in entries(command).items():
            assert not (kinds & {*entry.option.values} and entry.option.is_harmless), name
