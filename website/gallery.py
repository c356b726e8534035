"""The gallery: real failures out of benchmarks/cases, reduced again, each with a picture.

``python -m website.gallery`` runs them (benchmarks/cases/install.sh has installed the programs) and
writes docs/concepts/gallery.md and the pictures in it. What is on the page was measured then.
"""

import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import wynot
from website.links import ROOT
from website.svg import INK, Curve, Frame, Picture, chart
from wynot.core.files import Files
from wynot.report.origins import HUE_COUNT, NO_STEP, Origins, Run
from wynot.report.step_view import changed

CASES = ROOT / "benchmarks/cases"
PICTURES = ROOT / "docs/pictures/gallery"
PAGE = ROOT / "docs/concepts/gallery.md"
SHOWN = {
    "js-butternut": "js",
    "css-clean-css": "css",
    "sql-sqlglot": "sql",
    "yaml-ruamel": "yaml",
    "toml-tomlkit": "toml",
    "lua-luamin": "lua",
    "html-minifier": "html",
}
"""The cases, and what their results are highlighted as."""
HUES = ("#c8dcef", "#b2d0e8", "#a0c8e4", "#7ab2d8", "#569acb", "#3881bb", "#2067a5", "#124c87")
"""From what went first to what went last."""
LEFT = "#d81b1b"
MAP_WIDTH, MAP_HEIGHT, MAP_COLUMNS = 230, 300, 100
"""Of the original as a picture; columns of text that it shows."""
LEAD = Path(__file__).with_name("gallery.md")


class Exhibit(NamedTuple):
    """A failure, and what came of it."""

    name: str
    facts: dict[str, Any]
    original: bytes
    reduced: wynot.Reduced

    @property
    def curve(self) -> Curve:
        """Its size over tests."""
        steps = [
            (float(step.tests), float(sum(map(len, step.files.values())))) for step in self.steps
        ]
        points = [(0.0, float(len(self.original))), *steps]
        return Curve("bytes", [*points, (float(self.reduced.tests), points[-1][1])])

    @property
    def steps(self) -> Sequence[wynot.ReducedStep]:
        """What was accepted."""
        return self.reduced.steps

    @property
    def runs(self) -> list[Run]:
        """Which bytes of the original went with which step."""
        origins = Origins(self.original)
        before = Files({self.facts["file"]: self.original})
        for number, step in enumerate(self.steps, start=1):
            after = Files(dict(step.files))
            for change in changed(before, after):
                origins.go(change.after, number, change.head, change.tail)
            before = after
        return origins.runs()


def exhibit(name: str) -> Exhibit:
    """Reduce a case."""
    facts = tomllib.loads((CASES / name / "meta.toml").read_text())
    path = CASES / name / facts["file"]
    reduced = wynot.reduce(path, CASES / name / "test.sh", jobs=2)
    return Exhibit(name, facts, path.read_bytes(), reduced)


def drawn(shown: Exhibit) -> Picture:
    """Return the picture of a reduction."""
    picture = Picture(700, MAP_HEIGHT + 60, f"{shown.name}: what went when, and size over tests")
    picture.text(12, 18, f"{shown.facts['file']}, {len(shown.original):,} bytes", fill=INK)
    _draw_map(picture, shown)
    frame = Frame(330, 40, 350, 260, 1.02 * shown.reduced.tests, len(shown.original), is_log=True)
    picture.text(
        330, 18, f"{shown.reduced.size:,} bytes after {shown.reduced.tests} tests", fill=LEFT
    )
    chart(picture, frame, [shown.curve._replace(label="")], "")
    return picture


def _draw_map(picture: Picture, shown: Exhibit) -> None:
    """Draw every line of the original as a row, in the colours of when its parts went."""
    lines = shown.original.splitlines(keepends=True)
    row = min(6.0, MAP_HEIGHT / len(lines))
    column = MAP_WIDTH / MAP_COLUMNS
    steps, survivors = len(shown.steps), []
    runs = iter(shown.runs)
    run = next(runs)
    start = 0
    for number, line in enumerate(lines):
        at, end = start, start + len(line.rstrip())
        while at < end:
            while run.end <= at:
                run = next(runs)
            stop = min(run.end, end)
            left, right = (min(MAP_COLUMNS, each - start) for each in (at, stop))
            place = (12 + column * left, 30 + row * number, column * (right - left), row * 0.86)
            if run.step == NO_STEP:
                survivors.append(place)
            elif right > left:
                picture.box(
                    *_rounded(*place),
                    fill=HUES[min(HUE_COUNT - 1, HUE_COUNT * (run.step - 1) // steps)],
                )
            at = stop
        start += len(line)
    for x, y, width, height in survivors:  # on top, and large enough to be seen
        picture.box(*_rounded(x, y - 1, max(3.0, width), max(3.0, height)), fill=LEFT)


def _rounded(*numbers: float) -> tuple[float, float, float, float]:
    x, y, width, height = (round(number, 2) for number in numbers)
    return x, y, width, height


def entry(shown: Exhibit) -> str:
    """Return what the page says of a case."""
    facts = shown.facts
    left = shown.reduced.content.decode().strip("\n")
    minimal = " or ".join(kind.removesuffix("s") for kind in shown.reduced.minimal)
    proved = f"; no single {minimal} can go" if minimal else ""
    return (
        f"## {facts['language']}: {facts['program']} {facts['version']}\n\n"
        f"Fails: {facts['fails'].replace('<', '&lt;')}.\n\n"
        f"![{facts['file']}](../pictures/gallery/{shown.name}.svg)\n\n"
        f"{len(shown.original):,} bytes became {shown.reduced.size:,} in {shown.reduced.tests}"
        f" tests, {len(shown.steps)} of them kept{proved}. What is left:\n\n"
        f"```{SHOWN[shown.name]}\n{left}\n```\n"
    )


if __name__ == "__main__":
    assert len(HUES) == HUE_COUNT
    PICTURES.mkdir(parents=True, exist_ok=True)
    entries = []
    for each in SHOWN:
        done = exhibit(each)
        Path(PICTURES / f"{each}.svg").write_text(str(drawn(done)))
        entries.append(entry(done))
        sys.stdout.write(f"{each}: {done.reduced.size} bytes, {done.reduced.tests} tests\n")
    PAGE.write_text("\n".join([LEAD.read_text(), *entries]))
