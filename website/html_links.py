"""Sees whether the links, pictures and anchors of built pages lead somewhere.

The builder checks what is a link in Markdown. This looks at what came out: links of the theme, of
the navigation and of pages that were made, and whether anything is loaded from elsewhere.
"""

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {"img", "script", "link", "iframe", "source", "object"}
"""What a browser fetches without being asked."""
HARMLESS_LINKS = {"canonical", "alternate", "edit", "prev", "next"}
"""Kinds of <link> that are only said, and not fetched."""


class Seen(HTMLParser):
    """The anchors of a page, and what it leads to or loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.targets: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what an element is called, and where it leads."""
        given = dict(attrs)
        self.anchors |= {given[key] or "" for key in ("id", "name") if key in given}
        target = given.get("href") or given.get("src") or ""
        if target:
            self.targets.append(target)
            if tag in LOADED and not (tag == "link" and given.get("rel") in HARMLESS_LINKS):
                self.loaded.append(target)


def dead_links(folder: Path) -> list[str]:
    """Return the links that lead nowhere, and what is loaded from elsewhere, with their pages."""
    seen = {path.resolve(): Seen(path.read_text()) for path in folder.rglob("*.html")}
    found = []
    for path, page in sorted(seen.items()):
        if path.name == "404.html":  # its links are those of the top, wherever it is shown
            continue
        where = path.relative_to(folder.resolve())
        for target in page.targets:
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                continue
            there = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            there = there / "index.html" if there.is_dir() else there
            if not there.exists():
                found.append(f"{where}: {target}")
            elif there in seen and unquote(parts.fragment) not in {*seen[there].anchors, ""}:
                found.append(f"{where}: {target}, an anchor")
        found += [f"{where}: {each}, from elsewhere" for each in page.loaded if "//" in each]
    return found
