"""The navigation of the site, taken from the page of contents: a page is listed in one place."""

import json
import re
from pathlib import Path

SECTION = re.compile(r"^\*\*(\w[\w ]*)\*\*:", re.MULTILINE)
ENTRY = re.compile(r"\[([^\]]+)\]\(([^)#]+\.md)\)", re.DOTALL)


class UnlistedPage(Exception):
    """A page that nothing leads to, or an entry that leads nowhere."""


def sections(contents: str) -> dict[str, list[tuple[str, str]]]:
    """Return the sections of the page of contents as it is on the site: titles and places."""
    _, *parts = SECTION.split(contents)
    found = {}
    for name, text in zip(parts[::2], parts[1::2], strict=True):
        found[name] = [(" ".join(title.split()), place) for title, place in ENTRY.findall(text)]
    return found


def navigation(contents: str, added: dict[str, tuple[str, str]], pages: Path) -> str:
    """Return the navigation, in TOML; ``added`` are pages that are made, by their section."""
    listed = sections(contents)
    for place, (section, title) in added.items():
        listed[section].append((title, place))
    places = {place for entries in listed.values() for _, place in entries}
    there = {str(path.relative_to(pages)) for path in pages.rglob("*.md")}
    if wrong := (there - {"index.md", "contents.md"}) ^ places:
        raise UnlistedPage(f"in docs/README.md or in docs, but not in both: {sorted(wrong)}")
    start = f"{_entry('Home', 'index.md')}, {_entry('Contents', 'contents.md')}"
    rows = [f"{{ Start = [{start}] }}"]
    for name, entries in listed.items():
        shown = ", ".join(_entry(_titled(title, pages / place), place) for title, place in entries)
        rows.append(f"{{ {json.dumps(name)} = [{shown}] }}")
    return "nav = [\n" + "".join(f"  {row},\n" for row in rows) + "]\n"


def _titled(title: str, page: Path) -> str:
    """Return a title in the letters of its page: in the contents it may stand in a sentence."""
    heading = page.read_text().partition("\n")[0].removeprefix("# ")
    return heading if heading.lower() == title.lower() else title


def _entry(title: str, place: str) -> str:
    bare = title.replace("`", "")
    return f"{{ {json.dumps(bare)} = {json.dumps(place)} }}"
