"""What can go wrong, and what is saved when it does.

    Exception
    └── WynotError            has .slug, .hint and .result, the best result so far or None
        ├── UnknownOption     also a TypeError: no option of that name
        ├── InvalidOption     also a ValueError: no such value for that option
        ├── InvalidArgument   also a TypeError: not the kind of thing that is asked for
        ├── NothingToReduce   also a ValueError: there are no items, or nothing differs
        ├── NotInteresting    the whole does not show the failure
        │   ├── OnlyInPlace   … in a private folder, though it does in its own
        │   └── OnlyUnconfined … while it can write to its private folder only
        ├── AlwaysInteresting the test also accepts the empty list
        ├── NotPassing        isolate: the passing side does not pass
        ├── GuardFails        a command that must succeed on every case fails on the first one
        ├── Unreliable        the test says now this, now that, and too rarely the failure shows
        ├── BrokenTest        the test raised, or returned a number; the cause is chained
        ├── BrokenObserver    the run was observed by something that raised; the cause is chained
        ├── BrokenRunner      what runs the tests is gone; the cause is chained
        ├── CannotConfine     tests are to be confined, and the system cannot do that
        ├── TooManyOpenFiles  more files would be open at once than the system allows
        ├── NoSuchFile        a file or test that is not there
        ├── NotAFile          a FIFO, a device: nothing that can be read and written again
        ├── NotExecutable     a test that cannot be started
        ├── Unreadable        a file that cannot be read
        ├── ReadOnly          a place that cannot be written to
        ├── NoSpace           the disk is full
        ├── Locked            another wynot is at work on this file
        ├── ChangedUnderneath someone else wrote the file meanwhile
        ├── ChangedTest       the test, or a program it runs, changed while wynot ran
        ├── BrokenJournal     a journal that cannot be read
        ├── BrokenLock        a file that names packages, but cannot be understood
        ├── NoInstaller       nothing that could install packages
        └── NoNetwork         packages cannot be had from where they are
    KeyboardInterrupt
    └── Interrupted           has .result; not an Exception, so that Ctrl-C stays Ctrl-C

Every message says what happened and the value seen; ``hint`` says what to do next. The slug is the
anchor of its entry in docs/reference/errors.md; ``exit_code`` is what the command ends with.

What is said of an option begins with its name, which is not part of the message that is raised with
``option``: a keyword in the library, ``max_tests is -1``, is a flag on the command line,
``--max-tests is -1``.
"""

from difflib import get_close_matches
from typing import ClassVar


class WynotError(Exception):
    """The base of all errors that wynot raises."""

    slug: ClassVar[str] = "error"
    exit_code: ClassVar[int] = 2

    def __init__(
        self, message: str, *, option: str = "", hint: str = "", result: object = None
    ) -> None:
        said = f"{option} {message}" if option else message
        super().__init__(f"{said}\nhint: {hint}" if hint else said)
        self.option = option
        self.message = message
        self.hint = hint
        self.result = result


class UnknownOption(WynotError, TypeError):
    """An option that does not exist."""

    slug = "unknown-option"


class InvalidOption(WynotError, ValueError):
    """A value that an option does not take."""

    slug = "invalid-option"


class InvalidArgument(WynotError, TypeError):
    """A test that cannot be called, items that are no sequence, a number that is none."""

    slug = "invalid-argument"


class NothingToReduce(WynotError, ValueError):
    """No items, or two sides without a difference."""

    slug = "nothing-to-reduce"


TEST, FILES, RUNNER = 1, 4, 5
"""Exit codes: the test is no good, files are in the way, the tests cannot be run."""


class NotInteresting(WynotError):
    """The failure does not show on the whole, so that no part of it can be blamed."""

    slug = "not-interesting"
    exit_code = TEST


class AlwaysInteresting(WynotError):
    """The test accepts even the empty list: it does not look at its input, or not enough."""

    slug = "always-interesting"
    exit_code = TEST


class NotPassing(WynotError):
    """The passing side of a difference does not pass."""

    slug = "not-passing"
    exit_code = TEST


class GuardFails(WynotError):
    """A command that must succeed on every case does not on the one that all begins with."""

    slug = "guard-fails"
    exit_code = TEST


class BrokenTest(WynotError):
    """The test raised an exception, or returned a number, which may mean the opposite."""

    slug = "broken-test"
    exit_code = TEST


class BrokenObserver(WynotError):
    """What was to observe a run has raised; ``result`` is what the run has come to without it."""

    slug = "broken-observer"


class BrokenRunner(WynotError):
    """The workers that run the tests have ended: by a test, or because they were shut down."""

    slug = "broken-runner"
    exit_code = RUNNER


class CannotConfine(WynotError):
    """Tests are to be confined, and the system has nothing that could do it."""

    slug = "cannot-confine"
    exit_code = RUNNER


class TooManyOpenFiles(WynotError):
    """More files would be open at once than the system allows."""

    slug = "too-many-open-files"
    exit_code = RUNNER


class OnlyInPlace(NotInteresting):
    """The failure shows where the file is, but not in a private folder with a copy of it."""

    slug = "only-in-place"


class OnlyUnconfined(NotInteresting):
    """The failure shows only if the test can write to more than its private folder."""

    slug = "only-unconfined"


class Unreliable(WynotError):
    """The test says now this, now that, of the same content; and too rarely that it fails."""

    slug = "unreliable"
    exit_code = TEST


class NoSuchFile(WynotError):
    """A file, folder or test that does not exist."""

    slug = "no-such-file"

    def __init__(self, message: str, *, path: str = "", hint: str = "") -> None:
        """Take the path that is missing: there may be one that is much like it."""
        super().__init__(message, hint=hint)
        self.path = path


class NotAFile(WynotError):
    """Something that cannot be read and written again: a FIFO, a device, a socket."""

    slug = "not-a-file"


class NotExecutable(WynotError):
    """A test that the system will not start."""

    slug = "not-executable"


class Unreadable(WynotError):
    """A file that may not be read."""

    slug = "unreadable"
    exit_code = FILES


class ReadOnly(WynotError):
    """A place where nothing may be written."""

    slug = "read-only"
    exit_code = FILES


class NoSpace(WynotError):
    """The disk is full."""

    slug = "no-space"
    exit_code = FILES


class Locked(WynotError):
    """Another wynot is at work on the same file."""

    slug = "locked"
    exit_code = FILES


class ChangedUnderneath(WynotError):
    """The file was changed by someone else while it was reduced."""

    slug = "changed-underneath"
    exit_code = FILES


class ChangedTest(WynotError):
    """The test, or a program that it runs, was changed while wynot was running."""

    slug = "changed-test"
    exit_code = FILES


class BrokenJournal(WynotError):
    """A journal that is damaged, or was written by another version."""

    slug = "broken-journal"
    exit_code = FILES


class InvalidLockFile(WynotError):
    """A file that names packages, but cannot be understood, or not together with the other one."""

    slug = "broken-lock"


class NoInstaller(WynotError):
    """There is no program that could install the packages."""

    slug = "no-installer"
    exit_code = RUNNER


class NoNetwork(WynotError):
    """The place where the packages come from cannot be reached, so that no candidate can be tried.

    A package that is not there at all is another matter: that is a property of a candidate.
    """

    slug = "no-network"
    exit_code = RUNNER


class Interrupted(KeyboardInterrupt):
    """Ctrl-C; ``result`` is the best result so far."""

    slug: ClassVar[str] = "interrupted"

    def __init__(self, message: str, *, result: object) -> None:
        super().__init__(message)
        self.result = result


def nearest(wrong: str, right: "list[str]") -> str:
    """Return a hint that names the nearest right word, or all of them."""
    begun = [word for word in right if wrong and word.startswith(wrong.lower())]
    close = begun or get_close_matches(wrong.lower(), right, n=1)
    if close:
        return f"did you mean {close[0]!r}?"
    return f"it is one of {', '.join(map(repr, right))}"


def counted(count: int) -> str:
    """Return how many items, in words that fit the number."""
    return "1 item" if count == 1 else f"{count} items"
