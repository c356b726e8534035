"""Which keys there are, on a screen of its own."""

from collections.abc import Sequence

from wynot.reporters.words import cut, wrap

FIXED_KEYS = (
    ("Ctrl-Z", "hand the terminal back to the shell; fg goes on"),
    ("?", "show these keys"),
)
KEY_COLUMNS = 8


class HelpScreen:
    """Shows the keys, until another is pressed."""

    def __init__(self, keys: Sequence[tuple[str, str]]) -> None:
        self._keys = [*keys, *FIXED_KEYS]

    def hear(self, _key: str) -> bool:
        """Go away."""
        return False

    def rows(self, columns: int, rows: int) -> list[str]:
        """Return a screen of it."""
        lines = ["Keys while it runs:", ""]
        indent = " " * KEY_COLUMNS
        for key, does in self._keys:
            lines += wrap(does, first=f"{key:<{KEY_COLUMNS}}", indent=indent, width=columns)
        return [cut(line, columns) for line in [*lines, "", "Any key: back."]][:rows]
