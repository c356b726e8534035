"""What the pages about the command say is what the command does."""

import argparse
import re
from typing import get_args

import pytest

from structure.pages import ROOT
from wynot.cli.config import commands_of
from wynot.cli.exit_codes import CODES
from wynot.cli.parser import actions, parser
from wynot.core.events import Event
from wynot.disk.database import SCHEMA, SCHEMA_VERSION
from wynot.reporters.jsonlines import name

CLI = (ROOT / "docs/reference/cli.md").read_text()
EVENTS = (ROOT / "docs/reference/events.md").read_text()
JOURNAL = (ROOT / "docs/reference/journal.md").read_text()
COMMANDS = commands_of(parser())


def section(text: str, head: str) -> str:
    """Return what stands under a heading, up to the next one of the same level."""
    level = head.split(" ", maxsplit=1)[0]
    assert f"\n{head}\n" in text, head
    return re.split(rf"\n{level} ", text.split(f"\n{head}\n", 1)[1])[0]


def rows(text: str) -> list[list[str]]:
    """Return the cells of all tables in a text, without their heads."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    split = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    return [row for row in split if not set(row[0]) <= {"-"}]


def options(command: str) -> list[argparse.Action]:
    return [each for each in actions(COMMANDS[command]) if each.option_strings]


def row_of(command: str, action: argparse.Action) -> list[str]:
    """Return the row of an option in the section of its command."""
    long = action.option_strings[-1]
    text = section(CLI, f"## wynot {command}")
    found = [row for row in rows(text) if re.search(rf"`{long}(?![a-z-])", row[0])]
    assert len(found) == 1, f"{command} {long}: {len(found)} rows"
    return found[0]


EVERY = [(command, action) for command in COMMANDS for action in options(command)]
IDS = [f"{command} {action.option_strings[-1]}" for command, action in EVERY]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_section(command: str) -> None:
    assert section(CLI, f"## wynot {command}")


@pytest.mark.parametrize(("command", "action"), EVERY, ids=IDS)
def test_every_spelling_and_value_of_an_option_is_in_its_row(
    command: str, action: argparse.Action
) -> None:
    row = row_of(command, action)
    for spelling in action.option_strings:
        assert f"`{spelling}" in row[0], spelling
    for choice in action.choices or ():
        assert f"`{choice}`" in " ".join(row), choice


@pytest.mark.parametrize(("command", "action"), EVERY, ids=IDS)
def test_every_default_is_in_its_row(command: str, action: argparse.Action) -> None:
    if action.nargs == 0:  # a flag: it is given or not
        return
    default = row_of(command, action)[-1]
    if action.default in (None, "", []):
        assert default, "say what happens without it"
    else:
        assert f"`{action.default}`" in default


@pytest.mark.parametrize("command", COMMANDS)
def test_there_is_no_row_for_an_option_that_is_not_there(command: str) -> None:
    known = {spelling for action in options(command) for spelling in action.option_strings}
    for row in rows(section(CLI, f"## wynot {command}")):
        for spelling in re.findall(r"`(--?[a-z][a-z-]*)", row[0]):
            assert spelling in known, spelling


def test_the_exit_codes_are_those_of_the_table() -> None:
    text = section(CLI, "## Exit codes")
    assert {int(row[0]): row[1] for row in rows(text) if row[0].isdigit()} == CODES


@pytest.mark.parametrize("event", get_args(Event), ids=name)
def test_every_event_and_each_of_its_fields_is_described(event: type) -> None:
    text = section(EVENTS, f"### {name(event)}")
    described = {row[0].strip("`") for row in rows(text)} - {"field"}
    fields = set(event._fields) - {"so_far"}  # type: ignore[attr-defined]
    assert described == fields


def test_the_schema_of_the_journal_is_as_written() -> None:
    shown = re.search(r"```sql\n(.*?)```", JOURNAL, re.DOTALL)
    assert shown is not None
    words = [" ".join(line.split()) for line in statements(SCHEMA)]
    assert [" ".join(line.split()) for line in statements(shown[1])] == words
    assert f"version {SCHEMA_VERSION}" in JOURNAL


def statements(text: str) -> list[str]:
    """Return the statements of a text of SQL, without comments."""
    bare = re.sub(r"--.*", "", text)
    return [each.strip() for each in bare.split(";") if each.strip()]
