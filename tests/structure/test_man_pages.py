"""The manual pages are those of the options as they are now, and roff understands them."""

import re
import shutil
import subprocess
import tomllib

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


CHECKERS = {
    "mandoc": ["-Tlint", "-Wwarning"],
    "man": ["--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z"],
}


@pytest.mark.parametrize("program", CHECKERS)
@pytest.mark.parametrize("name", PAGES)
def test_roff_has_nothing_to_say_against_them(name: str, program: str) -> None:
    found = shutil.which(program)
    if found is None:
        pytest.skip(f"{program} is not installed")
    done = subprocess.run(  # noqa: S603 - programs that read a page of ours
        [found, *CHECKERS[program], MAN / name], capture_output=True, check=False
    )
    assert not done.stderr
    assert program == "man" or not done.stdout


def test_what_is_typed_stays_as_it_is() -> None:
    assert escaped(".x -c 'a\\b' `c` ^~") == r"\&.x \-c \(aqa\eb\(aq \(gac\(ga \(ha\(ti"
