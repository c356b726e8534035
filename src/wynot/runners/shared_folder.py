"""A folder for what the sandboxes of a run share, which no agent takes with it when it is lost."""

import threading
from pathlib import Path

from wynot.runners.workdir import RunFolder


class SharedFolder:
    """Made when it is first asked for. Any thread may ask."""

    def __init__(self, room: int = 0) -> None:
        """Take the bytes that the run may need: it is then where those of the sandboxes are."""
        self._room = room
        self._lock = threading.Lock()
        self._root: RunFolder | None = None

    @property
    def path(self) -> Path:
        """Where it is."""
        with self._lock:
            if self._root is None:
                self._root = RunFolder.make(room=self._room)
            return self._root.folder

    def close(self) -> None:
        """Remove it."""
        with self._lock:
            if self._root is not None:
                self._root.close()
                self._root = None
