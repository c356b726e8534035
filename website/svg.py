"""Pictures as SVG: as little of it as the site needs, and the same bytes from the same figures."""

from collections.abc import Sequence
from html import escape
from math import ceil, log10
from typing import NamedTuple

INK, FAINT, PAPER, GRID = "#222222", "#b8b8b8", "#ffffff", "#e4e4e4"
FAILS, PASSES, UNRESOLVED = "#b3261e", "#1b6e3c", "#8a6d00"
"""Interesting, uninteresting, and neither; told apart by their marks too."""
CURVES = ("#b3261e", "#1f5fa8", "#1b6e3c")


class Picture:
    """Something to draw on."""

    def __init__(self, width: float, height: float, title: str) -> None:
        self.width, self.height = width, height
        self._title = title
        self._parts: list[str] = []

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        fill: str = INK,
        size: float = 12,
        anchor: str = "start",
    ) -> None:
        """Write a line."""
        placed = f' text-anchor="{anchor}"' if anchor != "start" else ""
        self._parts.append(
            f'<text x="{x:g}" y="{y:g}" fill="{fill}" font-size="{size:g}"{placed}>'
            f"{escape(text)}</text>"
        )

    def runs(self, x: float, y: float, runs: Sequence[tuple[str, str]], size: float = 13) -> None:
        """Write a line whose parts, each with its colour, stand under those of other lines."""
        spans = "".join(f'<tspan fill="{fill}">{escape(text)}</tspan>' for text, fill in runs)
        self._parts.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" font-family="monospace"'
            f' xml:space="preserve">{spans}</text>'
        )

    def box(self, x: float, y: float, width: float, height: float, fill: str) -> None:
        """Fill a rectangle."""
        self._parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}"/>'
        )

    def line(self, points: Sequence[tuple[float, float]], stroke: str, width: float = 1) -> None:
        """Draw a line from point to point."""
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self._parts.append(
            f'<polyline points="{path}" fill="none" stroke="{stroke}" stroke-width="{width:g}"/>'
        )

    def __str__(self) -> str:
        """The picture as a file."""
        size = f"{self.width:g} {self.height:g}"
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" role="img"'
            f' width="{self.width:g}" height="{self.height:g}" font-family="sans-serif">\n'
            f"<title>{escape(self._title)}</title>\n"
        )
        paper = f'<rect width="100%" height="100%" fill="{PAPER}"/>'
        return head + "\n".join([paper, *self._parts]) + "\n</svg>\n"


class Curve(NamedTuple):
    """Sizes over numbers of tests: each holds until the next."""

    label: str
    points: Sequence[tuple[float, float]]


class Frame(NamedTuple):
    """Where a chart is on its picture, and what it shows."""

    x: float
    y: float
    width: float
    height: float
    most_tests: float
    most_size: float
    is_log: bool = False
    """Whether sizes are on a logarithmic scale, from 1 on."""

    def at(self, tests: float, size: float) -> tuple[float, float]:
        """Return where a point is."""
        share = size / self.most_size
        if self.is_log:
            share = log10(max(1, size)) / max(1e-9, log10(self.most_size))
        return self.x + self.width * tests / self.most_tests, self.y + self.height * (1 - share)


def chart(picture: Picture, frame: Frame, curves: Sequence[Curve], unit: str) -> None:
    """Draw curves that go down in steps, with their axes."""
    for tests in ticks(frame.most_tests):
        x, _ = frame.at(tests, 0)
        picture.line([(x, frame.y), (x, frame.y + frame.height)], GRID)
        picture.text(x, frame.y + frame.height + 15, f"{tests:,g}", size=11, anchor="middle")
    marks = [10.0**n for n in range(ceil(log10(frame.most_size)) + 1)] if frame.is_log else []
    for size in [each for each in marks if each <= frame.most_size] or ticks(frame.most_size):
        x, y = frame.at(0, size)
        picture.line([(x, y), (x + frame.width, y)], GRID)
        picture.text(x - 6, y + 4, f"{size:,g}", size=11, anchor="end")
    foot = frame.y + frame.height
    picture.text(frame.x + frame.width / 2, foot + 31, "tests", size=12, anchor="middle")
    picture.text(6, frame.y - 12, unit)
    picture.line([(frame.x, frame.y), (frame.x, foot), (frame.x + frame.width, foot)], INK)
    for number, curve in enumerate(curves):
        colour = CURVES[number % len(CURVES)]
        path: list[tuple[float, float]] = []
        for tests, size in curve.points:
            x, y = frame.at(tests, size)
            path += [(x, path[-1][1]), (x, y)] if path else [(x, y)]
        picture.line(path, colour, 2)
        top = frame.y + 12 + 17 * number
        right = frame.x + frame.width
        picture.text(right - 4, top, curve.label, fill=colour, anchor="end")


def ticks(most: float) -> list[float]:
    """Return four to eight round numbers from 0 up to the most."""
    rough = most / 6
    power = 10 ** (ceil(log10(rough)) - 1) if rough > 1 else 1
    step = next((each * power for each in (1, 2, 5, 10) if each * power >= rough), power)
    return [step * number for number in range(int(most / step) + 1)]
