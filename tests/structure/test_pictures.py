"""The pictures and tables of the papers are what the code draws now."""

import xml.etree.ElementTree as ET
from collections.abc import Callable

import pytest
from website.papers.__main__ import PAGE, PICTURES, retabled
from website.papers.figures import FIGURES
from website.papers.parallel_runs import combinations, measured
from website.papers.tables import table_3a
from website.svg import Picture, ticks

from structure.pages import ROOT

MAX_PICTURE_BYTES = 60_000


@pytest.mark.parametrize(("name", "draw"), FIGURES.items())
def test_a_picture_of_the_papers_is_up_to_date(name: str, draw: Callable[[], Picture]) -> None:
    # After a change on purpose: make papers
    assert (PICTURES / f"{name}.svg").read_text() == str(draw())


def test_the_tables_of_the_papers_are_up_to_date() -> None:
    assert retabled(PAGE.read_text()) == PAGE.read_text()
    assert "| A | 22 (+22) [8] | 17 (+5) [8] | 14 (+1) [8] | 2 |" in table_3a()


def test_everything_that_the_tables_need_was_measured() -> None:
    assert [row[:5] for row in measured()] == list(combinations())


@pytest.mark.parametrize(
    "path", sorted((ROOT / "docs/pictures").rglob("*.svg")), ids=lambda path: path.name
)
def test_a_picture_is_small_well_formed_and_has_a_title(path: object) -> None:
    text = path.read_text()  # type: ignore[attr-defined]
    assert len(text) < MAX_PICTURE_BYTES
    root = ET.fromstring(text)  # noqa: S314 - our own
    assert root.find("{http://www.w3.org/2000/svg}title") is not None
    assert "<script" not in text
    assert "href" not in text


@pytest.mark.parametrize("most", [1, 3, 7, 15, 141, 794, 5694])
def test_an_axis_has_a_few_round_numbers(most: int) -> None:
    marks = ticks(most)
    assert marks[0] == 0
    assert marks[-1] <= most
    assert 2 <= len(marks) <= 9
