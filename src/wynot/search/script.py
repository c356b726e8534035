"""script: a search written as a plain function, in which what is found decides what follows.

The function runs searches through its script, and goes on with what they found. A search made of
others must have a way back to every round of theirs (``core.round``). The combinators keep what the
outer one knows in its arguments; here the script does: it remembers what was found so far. On the
way back the function is called anew and is told that, up to the search that was under way. So it
has to do the same each time, and whatever takes a while in it is done ``once``.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar, cast

from wynot.core.round import Search, Stage
from wynot.search.combinators import nested

Found = TypeVar("Found")
Value = TypeVar("Value")


def scripted(
    write: Callable[["Script"], Search[Found]],
    found: tuple[object, ...] = (),
    running: Search[object] | None = None,
) -> Search[Found]:
    """Run the search that a function makes of its script; so much is found, and this is running."""
    return write(Script(partial(scripted, write), found, running))


class Script:
    """What a function has found so far, and what it runs now."""

    def __init__(
        self,
        resume: Callable[[tuple[object, ...], Search[object]], Search[object]],
        found: tuple[object, ...],
        running: Search[object] | None,
    ) -> None:
        """Take how to begin anew with so much found, and the next search running."""
        self.found = found
        """What was found so far, and what was made out once, in order."""
        self._resume = resume
        self._running = running
        self._at = 0

    def once(self, make: Callable[[], Value]) -> Value:
        """Return what something comes to; it is made out once, and remembered."""
        if self._at == len(self.found):
            self.found += (make(),)
        return cast("Value", self._next())

    def run(self, search: Callable[[], Search[Found]], stage: Stage | None = None) -> Search[Found]:
        """Run a search to its end, and return what it finds; ``stage`` is what it is about."""
        if self._at == len(self.found):
            running: Search[Any] = search() if self._running is None else self._running
            self._running = None
            ran = yield from nested(running, partial(self._resume, self.found), stage=stage)
            self.found += (ran.found,)
        return cast("Found", self._next())

    def _next(self) -> object:
        self._at += 1
        return self.found[self._at - 1]
