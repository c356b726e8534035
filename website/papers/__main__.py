"""Draws the figures, and writes the tables into their page; what takes time is measured before."""

import re
import sys

from website.links import ROOT
from website.papers.figures import FIGURES
from website.papers.tables import TABLES

PICTURES = ROOT / "docs/pictures/papers"
PAGE = ROOT / "docs/concepts/papers.md"


def retabled(text: str) -> str:
    """Return the page with its tables as they are now."""
    for name, made in TABLES.items():
        around = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        found = around.search(text)
        assert found is not None, name
        text = f"{text[: found.end(1)]}\n{made()}\n{text[found.start(2) :]}"
    return text


if __name__ == "__main__":
    PICTURES.mkdir(parents=True, exist_ok=True)
    for name, draw in FIGURES.items():
        (PICTURES / f"{name}.svg").write_text(str(draw()))
        sys.stdout.write(f"{PICTURES.relative_to(ROOT)}/{name}.svg\n")
    PAGE.write_text(retabled(PAGE.read_text()))
