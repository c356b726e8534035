"""What the pages about the command say is what the command does."""

import re
from typing import get_args

import pytest

from structure.option_tables import AS_IN, MARKED, MODEL
from structure.pages import ROOT
from wynot.cli.exit_codes import CODES
from wynot.commands.table import COMMANDS
from wynot.core.events import Event, event_name
from wynot.disk.database import (
    SCHEMA,
    SCHEMA_VERSION,
)

CLI = (ROOT / "docs/reference/cli.md").read_text()
EVENTS = (ROOT / "docs/reference/events.md").read_text()
JOURNAL = (ROOT / "docs/reference/journal.md").read_text()


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


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_of_a_command_is_in_a_table_of_its_section(command: str) -> None:
    # That the tables are up to date is a test of all pages: make docs
    text = section(CLI, f"## wynot {command}")
    assert {found["command"] for found in MARKED.finditer(text)} <= {command}
    named = [row[0] for row in rows(text)]
    named += [line for line in text.splitlines() if line.startswith(AS_IN)]
    shown = [flag for each in named for flag in re.findall(r"`(--?[a-z][a-z-]*)", each)]
    assert sorted(shown) == sorted(["-h", "--help", *COMMANDS[command].flags])


@pytest.mark.parametrize("command", COMMANDS)
def test_a_row_says_which_values_there_are_and_what_is_usual(command: str) -> None:
    for option in COMMANDS[command].record.options():
        if option.flags:
            [what, usual] = row_of(command, option.flags[-1])[1:]
            assert all(f"`{choice}`" in what for choice in option.choices)
            is_said = option.is_flag or option.usual or option.default in (None, "", ())
            assert usual if is_said else usual == f"`{option.default}`"


def row_of(command: str, flag: str) -> list[str]:
    """Return the row of an option in the section of its command, or where that says that it is."""
    for each in (command, MODEL):
        text = section(CLI, f"## wynot {each}")
        found = [row for row in rows(text) if re.search(rf"`{flag}(?![a-z-])", row[0])]
        if found:
            break
    assert len(found) == 1, f"{command} {flag}: {len(found)} rows"
    return found[0]


def test_the_exit_codes_are_those_of_the_table() -> None:
    text = section(CLI, "## Exit codes")
    assert {int(row[0]): row[1] for row in rows(text) if row[0].isdigit()} == CODES


@pytest.mark.parametrize("event", get_args(Event), ids=event_name)
def test_every_event_and_each_of_its_fields_is_described(event: type) -> None:
    text = section(EVENTS, f"### {event_name(event)}")
    described = {field for row in rows(text) for field in re.findall(r"`(\w+)`", row[0])}
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
