"""Typed looks into what a TOML or JSON file holds: anyone may have written anything there."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from wynot.core.errors import InvalidLockFile
from wynot.inquiries.packages import package_names


class Table(NamedTuple):
    """A table of a file, and how to call it in a message."""

    values: Mapping[str, object]
    where: str

    def text(self, key: str, default: str | None = None) -> str:
        """Return a string; raise if there is none and no default."""
        value = self.values.get(key, default)
        if not isinstance(value, str):
            raise self.wrong(key, "a string")
        return value

    def table(self, key: str) -> "Table":
        """Return a table, an empty one if it is not there."""
        return self._as_table(self.values.get(key, {}), key)

    def tables(self, key: str) -> "list[Table]":
        """Return a list of tables, an empty one if it is not there."""
        return [self._as_table(each, f"{key}[{at}]") for at, each in enumerate(self._list(key))]

    def texts(self, key: str) -> list[str]:
        """Return a list of strings, an empty one if it is not there."""
        values = self._list(key)
        if not all(isinstance(each, str) for each in values):
            raise self.wrong(key, "a list of strings")
        return [str(each) for each in values]

    def wrong(self, key: str, wanted: str) -> InvalidLockFile:
        """Return the error that this key is not what it should be."""
        seen = package_names.shown_name(str(self.values[key])) if key in self.values else "nothing"
        return InvalidLockFile(
            f"{self.where}: {key} should be {wanted}, and is {seen}",
            hint="write the file again with the tool that made it",
        )

    def _as_table(self, value: object, name: str) -> "Table":
        if not isinstance(value, Mapping):
            raise self.wrong(name.partition("[")[0], "a table")
        is_plain = name.isprintable() and len(name) <= package_names.MAX_SHOWN_CHARS
        return Table(value, f"{self.where}, {name if is_plain else package_names.shown_name(name)}")

    def _list(self, key: str) -> Sequence[object]:
        value = self.values.get(key, [])
        if not isinstance(value, list):
            raise self.wrong(key, "a list")
        return value
