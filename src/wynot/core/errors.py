"""What can go wrong, and what is saved when it does.

Every message says what happened and the value seen; ``hint`` says what to do next. The slug is the
name of the class as an anchor, that of its entry in docs/reference/errors.md; ``exit_code`` is what
the command ends with.

What is said of an option begins with its name, which is not part of the message that is raised with
``option``: a keyword in the library, ``max_tests is -1``, is a flag on the command line,
``--max-tests is -1``.
"""

import re
from difflib import get_close_matches
from typing import ClassVar


class WynotError(Exception):
    """The base of all errors that wynot raises; ``result`` is the best result so far, or None."""

    slug: ClassVar[str] = "error"
    exit_code: ClassVar[int] = 2

    def __init_subclass__(cls, exit_code: int | None = None) -> None:
        """Give a class its slug: that of NoSuchFile is no-such-file."""
        cls.slug = vars(cls).get("slug") or re.sub(r"\B(?=[A-Z])", "-", cls.__name__).lower()
        if exit_code is not None:
            cls.exit_code = exit_code

    def __init__(
        self, message: str, *, option: str = "", hint: str = "", result: object = None
    ) -> None:
        text = f"{option} {message}" if option else message
        super().__init__(f"{text}\nhint: {hint}" if hint else text)
        self.option = option
        self.message = message
        self.hint = hint
        self.result = result


class UnknownOption(WynotError, TypeError):
    """An option that does not exist."""


class InvalidOption(WynotError, ValueError):
    """A value that an option does not take."""


class InvalidArgument(WynotError, TypeError):
    """A test that cannot be called, items that are no sequence, a number that is none."""


class NothingToReduce(WynotError, ValueError):
    """No items, or two sides without a difference."""


TEST, FILES, RUNNER = 1, 4, 5
"""Exit codes: the test is no good, files are in the way, the tests cannot be run."""


class NotInteresting(WynotError, exit_code=TEST):
    """The failure does not show on the whole, so that no part of it can be blamed."""


class AlwaysInteresting(WynotError, exit_code=TEST):
    """The test accepts even the empty list: it does not look at its input, or not enough."""


class NotPassing(WynotError, exit_code=TEST):
    """The passing side of a difference does not pass."""


class GuardFails(WynotError, exit_code=TEST):
    """A command that must succeed on every case does not on the one that all begins with."""


class BrokenTest(WynotError, exit_code=TEST):
    """The test raised an exception, or returned a number, which may mean the opposite."""


class BrokenServer(WynotError, exit_code=TEST):
    """The server that answers for candidates does not start, or answers nonsense."""


class BrokenObserver(WynotError):
    """What was to observe a run has raised; ``result`` is what the run has come to without it."""


class BrokenRunner(WynotError, exit_code=RUNNER):
    """The workers that run the tests have ended: by a test, or because they were shut down."""


class NoCluster(WynotError, exit_code=RUNNER):
    """The cluster cannot be reached, has no workers, or they cannot be used."""


class CannotConfine(WynotError, exit_code=RUNNER):
    """Tests are to be confined, and the system has nothing that could do it."""


class TooManyOpenFiles(WynotError, exit_code=RUNNER):
    """More files would be open at once than the system allows."""


class OnlyInPlace(NotInteresting):
    """The failure shows where the file is, but not in a private folder with a copy of it."""


class OnlyUnconfined(NotInteresting):
    """The failure shows only if the test can write to more than its private folder."""


class Unreliable(WynotError, exit_code=TEST):
    """The test says now this, now that, of the same content; and too rarely that it fails."""


class NoSuchFile(WynotError):
    """A file, folder or test that does not exist."""

    def __init__(self, message: str, *, path: str = "", hint: str = "") -> None:
        """Take the path that is missing: there may be one that is much like it."""
        super().__init__(message, hint=hint)
        self.path = path


class NotAFile(WynotError):
    """Something that cannot be read and written again: a FIFO, a device, a socket."""


class NotExecutable(WynotError):
    """A test that the system will not start."""


class Unreadable(WynotError, exit_code=FILES):
    """A file that may not be read."""


class ReadOnly(WynotError, exit_code=FILES):
    """A place where nothing may be written."""


class UnsafeFolder(WynotError, exit_code=FILES):
    """A folder ``.wynot`` that is a link, or another user's, or holds what wynot did not make."""


class NoSpace(WynotError, exit_code=FILES):
    """The disk is full."""


class Locked(WynotError, exit_code=FILES):
    """Another wynot is at work on the same file."""


class ChangedUnderneath(WynotError, exit_code=FILES):
    """The file was changed by someone else while it was reduced."""


class ChangedTest(WynotError, exit_code=FILES):
    """The test, or a program that it runs, was changed while wynot was running."""


class BrokenJournal(WynotError, exit_code=FILES):
    """A journal that is damaged, or was written by another version."""


class ForeignJournal(WynotError, exit_code=FILES):
    """A journal that this user has not begun, for a command that would do what it says."""


class InvalidLockFile(WynotError):
    """A file that names packages, but cannot be understood, or not together with the other one."""

    slug = "broken-lock"


class InvalidLog(WynotError):
    """A log of verdicts that cannot be understood, or is of something else than is asked now."""


class NoInstaller(WynotError, exit_code=RUNNER):
    """There is no program that could install the packages."""


class NoNetwork(WynotError, exit_code=RUNNER):
    """The place where the packages come from cannot be reached, so that no candidate can be tried.

    A package that is not there at all is another matter: that is a property of a candidate.
    """


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, and no Exception, so that it stays that; ``result`` is the best result so far."""

    slug: ClassVar[str] = "interrupted"

    def __init__(self, message: str, *, result: object) -> None:
        super().__init__(message)
        self.result = result


def nearest(wrong: str, right: "list[str]") -> str:
    """Return a hint that names the nearest right word, or all of them."""
    completions = [word for word in right if wrong and word.startswith(wrong.lower())]
    close = completions or get_close_matches(wrong.lower(), right, n=1)
    if close:
        return f"did you mean {close[0]!r}?"
    return f"it is one of {', '.join(map(repr, right))}"
