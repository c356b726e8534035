"""What a real compiler complains of leads to what a failure needs, in a large source."""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from e2e.programs import CALM, Ran, told

pytestmark = pytest.mark.skipif(not shutil.which("gcc"), reason="gcc is not installed")

COUNT = 700
FAILS = "int fail(void) { return *f500(0); }\n"
"""The star is what is wrong: f500 gives no pointer."""
COMMAND = ("gcc", "-fsyntax-only", "-Werror=implicit-function-declaration", "{}")
BUDGET = ("--target-size", "600", "--json", *CALM)


def source() -> str:
    """Return a program in which each name is mentioned, if only as that of a type elsewhere."""
    lines = []
    for number in range(COUNT):
        other = (number + 1) % COUNT
        lines.append(f"struct f{number} {{ int shown; }};")
        lines.append(f"int f{number}(struct f{other} *s) {{ return s != 0 ? 1 : 2 + 3; }}")
    return "\n".join(lines) + "\n" + FAILS


@pytest.fixture
def large(tmp_path: Path) -> Path:
    (tmp_path / "large.c").write_text(source())
    return tmp_path


def steps(ran: Ran) -> list[tuple[str, int, int]]:
    return [
        (event["pass_name"], event["tests"], event["size"])
        for event in ran.events
        if event["event"] == "accepted"
    ]


def reduced(folder: Path, *options: str) -> Ran:
    return told(folder, "reduce", *BUDGET, *options, "large.c", "--", *COMMAND)


def test_one_function_is_left_of_a_thousand(large: Path) -> None:
    ran = reduced(large, "-j", "1")
    left = (large / "large.c").read_text()
    assert ran.code in {0, 3}, ran.err
    assert "complaints" in {name for name, _, _ in steps(ran)}
    assert "f500(" in left
    assert "f499(" not in left


@pytest.mark.slow
def test_the_way_is_the_same_at_any_width_and_when_it_is_continued(large: Path) -> None:
    wide = large / "wide"
    halved = large / "halved"
    for folder in (wide, halved):
        folder.mkdir()
        shutil.copy(large / "large.c", folder)
    whole = reduced(large, "-j", "1")
    assert steps(reduced(wide, "-j", "3")) == steps(whole)
    assert reduced(halved, "-j", "2", "--max-tests", "3").code == 3
    assert steps(reduced(halved, "-j", "1"))[-1] == steps(whole)[-1]
    texts = {(folder / "large.c").read_text() for folder in (large, wide, halved)}
    assert len(texts) == 1


@pytest.mark.slow
def test_what_was_said_is_in_the_journal(large: Path) -> None:
    reduced(large, "-j", "1")
    with closing(sqlite3.connect(large / ".wynot" / "large.c.journal")) as connection:
        rows = connection.execute("SELECT body FROM events WHERE kind = 'ran'").fetchall()
    found = [json.loads(body)[6:] for (body,) in rows]
    assert any(json.loads(text) for texts in found for text in texts)


@pytest.mark.slow
def test_a_script_that_prints_nothing_is_no_hint(large: Path) -> None:
    line = f"{' '.join(COMMAND).replace('{}', '$1')} 2>&1 | grep -q 'invalid type argument'"
    ran = told(large, "reduce", *BUDGET, "--max-tests", "12", "-j", "1", "-c", line, "large.c")
    assert ran.code in {0, 3}, ran.err
    assert "complaints" not in {name for name, _, _ in steps(ran)}
