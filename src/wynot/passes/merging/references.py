"""Which files of a case name which others, and where."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from posixpath import commonprefix, dirname, join, normpath, splitext
from typing import NamedTuple, TypeAlias

from wynot.core.files import Files, is_text
from wynot.formats.inclusion import Inclusion
from wynot.formats.language_table import BRACKETS, LANGUAGES
from wynot.formats.tables.inclusions import INCLUSIONS
from wynot.passes.merging.python_imports import PYTHON_IMPORTS
from wynot.passes.merging.script_imports import PACKAGE_FILE, SCRIPT_IMPORTS, main_of

MAX_TEXT_BYTES = 256 << 10
"""Bytes of a text that is looked through for names of others."""
MAX_REFERENCES = 1000

LanguageOf: TypeAlias = Callable[[str], str]
"""Returns the name of the language of a file, empty if it has none."""


class Reference(NamedTuple):
    """A statement that names a file."""

    path: str
    """The file it is in."""
    statement: re.Match[bytes]
    row: Inclusion
    target: str
    """The file of the case that is meant; empty if it is none of these."""

    @property
    def text(self) -> str:
        """The statement, on one line."""
        return " ".join(self.statement[0].decode("utf-8", "replace").split())


def references(files: Files, language_of: LanguageOf) -> list[Reference]:
    """Return all statements that name a file, in the order of the files."""
    known = _Known.of(files.contents)
    found: list[Reference] = []
    for path, content in files.contents.items():
        if len(content) > MAX_TEXT_BYTES or not is_text(content):
            continue
        rows = _rows(language_of(path), splitext(path)[1].lower())
        here = references_in(path, content, rows, known.resolved)
        found += sorted(here, key=lambda each: each.statement.start())
        if len(found) > MAX_REFERENCES:
            break
    return found


def references_in(
    path: str,
    content: bytes,
    rows: Iterable[Inclusion],
    resolve: Callable[[str, re.Match[bytes], Inclusion], str],
) -> Iterator[Reference]:
    """Yield what a text names; where two rows see a statement in one place, the first has it."""
    taken: list[tuple[int, int]] = []
    for row in rows:
        for statement in islice(row.statement.finditer(content), MAX_REFERENCES):
            span = statement.span()
            if not any(start < span[1] and span[0] < stop for start, stop in taken):
                taken.append(span)
                yield Reference(path, statement, row, resolve(path, statement, row))


@lru_cache(256)
def _rows(language: str, suffix: str) -> tuple[Inclusion, ...]:
    """Return the rows for a text; that there is no grammar for its language does not matter."""
    names = {language}
    if language in {"", BRACKETS.name}:
        names |= {row.name for row in LANGUAGES if suffix in row.suffixes}
    return tuple(
        row
        for row in (*PYTHON_IMPORTS, *SCRIPT_IMPORTS, *INCLUSIONS)
        if names & row.languages or suffix in row.suffixes
    )


@dataclass(frozen=True, slots=True)
class _Known:
    """The files of a case, by the last part of their names."""

    paths: Mapping[str, bytes]
    by_base: Mapping[str, list[str]]

    @classmethod
    def of(cls, paths: Mapping[str, bytes]) -> "_Known":
        by_base: dict[str, list[str]] = {}
        for path in paths:
            by_base.setdefault(path.rpartition("/")[2], []).append(path)
        return cls(paths, by_base)

    def resolved(self, path: str, statement: re.Match[bytes], row: Inclusion) -> str:
        """Return the file that a statement means; empty if it is none of the case.

        It is looked for beside the text. Where else a program looks is not known: so if there is no
        such file, it is one whose path ends like this, and of several the nearest.
        """
        found = self._found(path, list(row.named(statement)))
        if found.endswith(f"/{PACKAGE_FILE}") and row in SCRIPT_IMPORTS:
            main = normpath(join(dirname(found), main_of(self.paths[found])))
            names = (main, f"{main}.js", f"{main}/index.js")
            return next((each for each in names if each in self.paths and each != path), "")
        return found

    def _found(self, path: str, names: Sequence[str]) -> str:
        folder = dirname(path)
        for each in names:
            beside = normpath(join(folder, each))
            if beside in self.paths and beside != path:
                return beside
        for each in names:
            ending = normpath(each).lstrip("./")
            others = [
                other
                for other in self.by_base.get(ending.rpartition("/")[2], ())
                if f"/{other}".endswith(f"/{ending}") and other != path
            ]
            if others:
                return max(others, key=lambda other: (len(commonprefix([other, path])), other))
        return ""
