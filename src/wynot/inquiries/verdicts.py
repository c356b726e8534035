"""The verdicts of a run that has not come to its end: so that the same command goes on from there.

They are kept outside of the user's folders, under a name that is a digest of all that is asked; and
they go when the run is finished, since what they were about may change from then on.
"""

from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Self

from wynot.core.errors import BrokenJournal
from wynot.core.files import Files
from wynot.disk.file_lock import FileLock
from wynot.disk.home import state_folder
from wynot.disk.journal import Journal


class Verdicts:
    """A journal that goes when its run is finished, and the lock on it."""

    def __init__(self, command: str, identity: str, *, fresh: bool) -> None:
        """Open what an unfinished run of the same ``identity`` has left, or begin anew."""
        name = f"{command}-{sha256(identity.encode('utf-8', 'surrogateescape')).hexdigest()[:24]}"
        self._path = state_folder() / f"{name}.journal"
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._lock = FileLock(self._path.with_suffix(".lock"))
        try:
            self.journal = (None if fresh else _opened(self._path)) or Journal.create(
                self._path, Files({}), {"command": command}
            )
        except BaseException:
            self._lock.release()
            raise
        self.known = self.journal.count()
        self.is_finished = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        try:
            if self.is_finished or not self.journal.count():
                self.journal.discard()
            else:
                self.journal.close()
        finally:
            self._lock.release()


def _opened(path: Path) -> Journal | None:
    """Open a journal; a damaged one is none, as little is lost with it."""
    try:
        return Journal.open(path)
    except BrokenJournal:
        return None
