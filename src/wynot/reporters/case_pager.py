"""The best case so far, to be read on a screen of its own while the run goes on."""

from collections.abc import Callable, Mapping

from wynot.core.foreign_text import for_terminal
from wynot.core.quantities import counted
from wynot.reporters.words import cells, cut

TAB_COLUMNS = 8
REVERSE, NORMAL = "\x1b[7m", "\x1b[0m"
LEAVE = ("q", "escape", "v")
FORWARD, BACKWARD = ("page down", " ", "f"), ("page up", "b")
DOWN, UP = ("down", "j", "enter"), ("up", "k")


class CasePager:
    """Shows it as it is now, from a line on; each key moves that line."""

    def __init__(self, case: Callable[[], Mapping[str, bytes]]) -> None:
        self._case = case
        self._contents: Mapping[str, bytes] = {}
        self._lines: list[str] = []
        self._top = self._left = 0
        self._page = 1

    def hear(self, key: str) -> bool:
        """Move; tell whether it is still to be shown."""
        if key in LEAVE:
            return False
        moves = {
            **dict.fromkeys(FORWARD, self._page),
            **dict.fromkeys(BACKWARD, -self._page),
            **dict.fromkeys(DOWN, 1),
            **dict.fromkeys(UP, -1),
            **dict.fromkeys(("home", "g"), -len(self._lines)),
            **dict.fromkeys(("end", "G"), len(self._lines)),
        }
        self._top += moves.get(key, 0)
        self._left = max(0, self._left + {"right": 20, "left": -20}.get(key, 0))
        return True

    def rows(self, columns: int, rows: int) -> list[str]:
        """Return a screen of it."""
        self._read()
        self._page = max(1, rows - 1)
        self._top = max(0, min(self._top, len(self._lines) - self._page))
        seen = self._lines[self._top : self._top + self._page]
        shown = [self._row(line, columns) for line in seen]
        shown += [""] * (self._page - len(shown))
        size = sum(map(len, self._contents.values()))
        last = self._top + len(seen)
        where = f"lines {self._top + 1:,} to {last:,} of {len(self._lines):,}"
        bar = cut(f" {counted(size, 'byte')} · {where} · q: back · arrows, space: move", columns)
        return [*shown, f"{REVERSE}{bar}{' ' * (columns - cells(bar))}{NORMAL}"]

    def _read(self) -> None:
        """Cut the case into lines, if it is another than before."""
        contents = self._case()
        if contents is self._contents:
            return
        self._contents = contents
        self._lines = []
        for path, content in contents.items():
            if len(contents) > 1:
                self._lines.append(f"── {path}, {counted(len(content), 'byte')}")
            text = content.decode("utf-8", "surrogateescape")
            self._lines += text.removesuffix("\n").split("\n")

    def _row(self, line: str, columns: int) -> str:
        """Return as much of a line as fits; a line may have a million characters."""
        seen = line[self._left : self._left + columns + 1].expandtabs(TAB_COLUMNS)
        return cut(for_terminal(seen), columns)
