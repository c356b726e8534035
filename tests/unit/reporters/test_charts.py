"""Small charts out of characters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wynot.core.deltas import Deltas
from wynot.reporters.run_figures import BLOCKS, bar, curve, lowest, strip


def test_a_bar() -> None:
    assert bar(0, 4) == ("", "────")
    assert bar(0.001, 4) == ("╸", "───")
    assert bar(0.5, 4) == ("━━", "──")
    assert bar(0.6, 4) == ("━━╸", "─")
    assert bar(1, 4) == ("━━━━", "")
    assert bar(7, 4) == ("━━━━", "")
    assert bar(-1, 4) == ("", "────")


@pytest.mark.parametrize(
    ("size", "top", "low"),
    [
        (32_689, 32_689, 20_000),
        (463, 32_689, 200),
        (116, 32_689, 100),
        (99, 32_689, 50),
        (1, 32_689, 1),
        (0, 32_689, 1),
        (10_000, 10_000, 5_000),
        (1, 1, 1),
        (0, 0, 1),
    ],
)
def test_the_scale_ends_at_a_round_number(size: int, top: int, low: int) -> None:
    assert lowest(size, top) == low


def test_a_curve_falls_by_orders_of_magnitude() -> None:
    steps = [(0.0, 10_000), (2.0, 1_000), (4.0, 100), (6.0, 10)]
    assert curve(steps, 8.0, columns=8, rows=3) == [
        "█       ",
        "███     ",
        "█████▁▁▁",
    ]


def test_nothing_yet() -> None:
    assert curve([], 3.0, columns=5, rows=2) == ["", ""]
    assert curve([(3.0, 0)], 3.0, columns=2, rows=1) == ["▁▁"]


@given(
    st.lists(st.tuples(st.floats(0, 1e6), st.integers(0, 10**9)), min_size=1).map(sorted),
    st.floats(0, 2e6),
    st.integers(1, 60),
    st.integers(1, 5),
)
def test_a_curve_has_its_size(
    steps: list[tuple[float, int]], until: float, columns: int, rows: int
) -> None:
    drawn = curve(steps, until, columns=columns, rows=rows)
    assert [len(row) for row in drawn] == [columns] * rows
    assert " " not in drawn[-1]


def test_a_strip_shows_what_is_left() -> None:
    assert strip(Deltas((0, 4, 8, 10)), 16, 4) == "█ ▄ "
    assert strip(Deltas((1, 2)), 2, 4) == "  ██"
    assert strip(Deltas(()), 7, 3) == "   "
    assert strip(Deltas((0, 1)), 100_000, 2) == "▁ "


@given(st.sets(st.integers(0, 500)), st.integers(1, 400), st.integers(1, 90))
def test_a_strip_has_its_width(indices: set[int], total: int, columns: int) -> None:
    drawn = strip(Deltas.of(indices), total, columns)
    assert len(drawn) == columns
    assert set(drawn) <= set(BLOCKS)
