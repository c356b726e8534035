"""How a text names another file that it brings in: a row of a table, not code.

What a statement brings in can mostly be written in its place: as it is, as the directive of a
preprocessor does it, or between brackets that make it what it is there: a module, a function that
is called at once, an expression.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

_HOLE = re.compile(rb"\{(\w+)\}")
WHOLE = re.compile(rb"(?s)\A(?P<content>.*)\Z")


class Paste(NamedTuple):
    """What is written in the place of a statement that brings in a file."""

    instead: bytes = b"{content}"
    """Holes are filled with the groups of the two patterns: of the statement, of the file."""
    of: re.Pattern[bytes] = WHOLE
    """What the file looks like; if it does not, this is not a way."""
    drop: re.Pattern[bytes] | None = None
    """What is left out of the file first: it may only stand at the beginning of one."""

    def text(self, statement: re.Match[bytes], content: bytes) -> bytes | None:
        """Return what to write; None if it cannot be done in this way."""
        left = self.drop.sub(b"", content) if self.drop else content
        found = self.of.match(left.rstrip())
        if found is None:
            return None
        known = {**statement.groupdict(), **found.groupdict()}
        return _HOLE.sub(lambda hole: known.get(hole[1].decode()) or b"", self.instead)


class Inclusion(NamedTuple):
    """A kind of statement that brings in a file."""

    languages: frozenset[str]
    suffixes: frozenset[str]
    """Of files of no known language that have such statements."""
    statement: re.Pattern[bytes]
    """Its group ``name`` is the name of the file, as it is written there."""
    endings: tuple[str, ...] = ("",)
    """What may be missing from that name at its end; a slash stands for a folder."""
    separator: str = "/"
    """What is between the names of folders."""
    variants: tuple[Paste, ...] = (Paste(),)
    once: bool = True
    """Whether a file that is named again is not brought in again."""
    paths: Callable[[re.Match[bytes]], Iterator[str]] | None = None
    """Yields the paths that a statement may mean, where that takes more than a name."""

    def named(self, statement: re.Match[bytes]) -> Iterator[str]:
        """Yield the paths that a statement may mean."""
        if self.paths is not None:
            yield from self.paths(statement)
            return
        name = statement["name"].decode("utf-8", "replace")
        path = name if self.separator == "/" else name.replace(self.separator, "/")
        folder, slash, base = path.rpartition("/")
        for ending in self.endings:
            yield path + ending
        for ending in self.endings:  # Sass leaves out an underscore, OCaml has a capital
            yield f"{folder}{slash}_{base}{ending}"
            yield f"{folder}{slash}{base[:1].lower()}{base[1:]}{ending}"


def inclusion(
    languages: str,
    statement: bytes,
    endings: str = "",
    *variants: Paste,
    suffixes: str = "",
    separator: str = "/",
    once: bool = True,
) -> Inclusion:
    """Make a row; words are apart by blanks."""
    return Inclusion(
        frozenset(languages.split()),
        frozenset(suffixes.split()),
        re.compile(statement, re.MULTILINE),
        ("", *endings.split()),
        separator,
        variants or (Paste(),),
        once,
    )
