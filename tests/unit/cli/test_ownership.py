"""Which options anybody may set for another user."""

from wynot.cli.config import _long, commands_of
from wynot.cli.ownership import HARMLESS
from wynot.cli.parser import parser


def test_what_runs_programs_or_names_files_is_not_harmless() -> None:
    known = {
        name: action
        for each in commands_of(parser()).values()
        for name, action in _long(each).items()
    }
    named = {
        name
        for name, action in known.items()
        if {"CMD", "CMD2", "FILE", "DIR", "OUT", "URL", "PYTHON"} & {*str(action.metavar).split()}
    }
    assert {"out", "with", "differs", "passes"} <= named
    assert not named & HARMLESS


def test_the_harmless_ones_are_options_of_the_commands_that_read_a_file() -> None:
    commands = commands_of(parser())
    known = {*_long(commands["reduce"]), *_long(commands["check"])}
    assert known >= HARMLESS
