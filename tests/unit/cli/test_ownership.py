"""Which options anybody may set for another user."""

from wynot.cli.config import entries
from wynot.commands.table import COMMANDS

KNOWN = {name: entry.option for each in COMMANDS for name, entry in entries(each).items()}
HARMLESS = {name for name, option in KNOWN.items() if option.is_harmless}


def test_what_runs_programs_or_names_files_is_not_harmless() -> None:
    kinds = {"CMD", "CMD2", "FILE", "DIR", "OUT", "URL", "PROGRAM", "REQUIREMENT", "LIST", "REV"}
    named = {name for name, option in KNOWN.items() if kinds & {*option.values}}
    assert {"out", "with", "differs", "passes", "index-url", "python", "also"} <= named
    assert not named & HARMLESS


def test_what_lifts_a_guard_is_not_harmless() -> None:
    assert not {"confine", "no-confine", "writable", "here", "env", "config"} & HARMLESS


def test_numbers_and_searches_are_harmless() -> None:
    assert {"jobs", "timeout", "max-tests", "search", "seed", "stderr", "keep", "json"} <= HARMLESS
