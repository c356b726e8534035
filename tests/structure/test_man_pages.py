"""The manual pages are those of the options as they are now, and any roff understands them."""

import re
import tomllib
from itertools import pairwise

import pytest

from structure.man_pages import MAN, escaped, pages
from structure.pages import ROOT
from wynot.commands.table import COMMANDS

PAGES = pages()


def test_they_are_fresh() -> None:
    there = {path.name: path.read_text() for path in MAN.iterdir()}
    assert there == PAGES, "make docs"


def test_they_go_into_the_wheel() -> None:
    built = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"][
        "targets"
    ]
    assert built["wheel"]["shared-data"] == {"man": "share/man/man1"}
    assert "/man" in built["sdist"]["include"]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_has_its_place(command: str) -> None:
    text = PAGES[f"wynot-{command}.1"]
    shown = set(re.findall(r"\\fB(\\-[^ ]*?)\\fR", text))
    assert {escaped(flag) for flag in COMMANDS[command].flags} <= shown
    assert all(escaped(way) in text for way in COMMANDS[command].usage)


REQUESTS = {".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".I", ".BR", ".br", ".nf", ".fi"}
TAGGED = re.compile(r"(\\f[BIR]|\\[-e&]|\\\((?:aq|ga|ha|ti)|[^\\])*")
"""Text, with the escapes of the man macros that every roff knows."""


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_only_what_every_roff_knows(name: str) -> None:
    title, *lines = PAGES[name].splitlines()
    assert title.startswith(".TH ")
    for before, line in pairwise(lines):
        assert not line.startswith("'")
        assert not line.startswith(".") or line.split()[0] in REQUESTS
        assert TAGGED.fullmatch(line)
        assert line.count("\\fR") == line.count("\\fB") + line.count("\\fI")
        assert before != ".TP" or (line and line.split()[0] not in REQUESTS - {".BR"})


def test_what_is_typed_stays_as_it_is() -> None:
    assert escaped(".x -c 'a\\b' `c` ^~") == r"\&.x \-c \(aqa\eb\(aq \(gac\(ga \(ha\(ti"
