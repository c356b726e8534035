"""What tests leave and nobody can remove: the user is told once of each place."""

from collections.abc import Callable
from pathlib import Path

from wynot.core.events import Event, Noticed
from wynot.runners.sandbox import Sandbox

LEFT_OVER = (
    "a test leaves {!r}, which cannot be removed: it has files of another user, immutable files or "
    "a mount; the tests continue in new folders: remove {!r} afterwards"
)


class LeftOvers:
    """Looks at sandboxes after tests; any thread may call it."""

    def __init__(self, observe: Callable[[Event], None]) -> None:
        self._observe = observe
        self._told: set[Path] = set()

    def look(self, sandbox: Sandbox) -> None:
        """Tell of what is stuck in a sandbox, if that is new."""
        if sandbox.stuck is not None and (root := sandbox.private.parent) not in self._told:
            self._told.add(root)
            self._observe(Noticed("left-over", LEFT_OVER.format(str(sandbox.stuck), str(root))))
