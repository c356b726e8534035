"""Where a page of the repository is on the site, and links that still lead there.

On GitHub the pages link to each other, and to files of the repository, by relative paths. On the
site there are only pages, in other places: a link to a page is made one to where that is now, and a
link to any other file one to the repository.
"""

import re
from os.path import relpath
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
REPOSITORY = "https://github.com/wynot/wynot/blob/main/"
FENCED = re.compile(r"^( *)```.*?^\1```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?P<open>\]\()(?P<target>[^)\s#]*)(?P<anchor>#[^)\s]*)?(?P<close>\))")
MOVED = {
    "README.md": "index.md",
    "docs/README.md": "contents.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
}
"""Pages that have another place on the site than in docs."""


class DeadLink(Exception):
    """A link to a file that does not exist."""


class Page(NamedTuple):
    """A file of the repository that is on the site."""

    source: str
    """Its path in the repository."""
    place: str
    """Its path on the site, before it is built."""


def pages(root: Path = ROOT) -> list[Page]:
    """Return all files of the site: pages, and the pictures in them."""
    found = [path for path in (root / "docs").rglob("*") if path.suffix in {".md", ".svg", ".png"}]
    sources = [str(path.relative_to(root)) for path in sorted(found)]
    at_top = [name for name in MOVED if not name.startswith("docs/")]
    return [
        Page(source, MOVED.get(source, source.removeprefix("docs/")))
        for source in (*at_top, *sources)
    ]


def relinked(text: str, page: Page, places: dict[str, str], root: Path = ROOT) -> str:
    """Return the text of a page with links that lead to where everything is on the site."""

    def moved(match: re.Match[str]) -> str:
        target, anchor = match["target"], match["anchor"] or ""
        if not target or "://" in target or target.startswith("mailto:"):
            return match[0]
        path = relpath((root / page.source).parent / target, root)
        if path in places:
            new = relpath(places[path], str(Path(page.place).parent))
        elif (root / path).exists():
            new = REPOSITORY + path
        else:
            raise DeadLink(f"{page.source}: {target} does not exist")
        return f"{match['open']}{new}{anchor}{match['close']}"

    parts, end = [], 0
    for block in FENCED.finditer(text):
        parts += [LINK.sub(moved, text[end : block.start()]), block[0]]
        end = block.end()
    return "".join([*parts, LINK.sub(moved, text[end:])])
