"""The verdicts of a run that has not come to its end: so that the same command goes on from there.

They are kept outside of the user's folders, under a name that is a digest of all that is asked; and
they go when the run is finished, since what they were about may change from then on.
"""

from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from typing import Any
from zlib import crc32

from wynot.core.errors import BrokenJournal
from wynot.core.events import Event, Noticed
from wynot.core.files import Files
from wynot.disk.file_lock import FileLock
from wynot.disk.home import state_folder
from wynot.disk.journal import Journal
from wynot.job.evaluator import Evaluator
from wynot.oracle.repetition import RELIABLE


class Verdicts:
    """A journal that goes when its run is finished, and the lock on it."""

    def __init__(self, command: str, identity: str, *, fresh: bool) -> None:
        """Open what an unfinished run of the same ``identity`` has left, or begin anew."""
        name = f"{command}-{sha256(identity.encode('utf-8', 'surrogateescape')).hexdigest()[:24]}"
        path = state_folder() / f"{name}.journal"
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._lock = FileLock(path.with_suffix(".lock"))
        journal = None
        try:
            with suppress(BrokenJournal):  # a damaged one is none, as little is lost with it
                journal = None if fresh else Journal.open(path)
            if journal is not None and not journal.is_own:
                journal.close()
                journal = None
            self.journal = journal or Journal.create(path, Files({}), {"command": command})
        except BaseException:
            self._lock.release()
            raise
        self.known = self.journal.count()

    def begin(self, evaluator: Evaluator[Any], observe: Callable[[Event], None]) -> None:
        """Use only verdicts that were given under the rules that hold now."""
        oracle = evaluator.oracle
        if oracle.repetition is not RELIABLE:
            observe(Noticed("flaky", oracle.repetition.notice))
        rules = " ".join([f"{oracle.trial.words} {oracle.repetition}", *oracle.guards.words])
        evaluator.begin(self.journal, crc32(rules.encode("utf-8", "surrogateescape")))

    def end(self, *, is_finished: bool) -> None:
        """Let the journal go, with all that is in it if the run is finished."""
        try:
            if is_finished or not self.journal.count():
                self.journal.discard()
            else:
                self.journal.close()
        finally:
            self._lock.release()
