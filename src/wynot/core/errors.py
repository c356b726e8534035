"""What can go wrong, and what is saved when it does.

    Exception
    └── WynotError            has .slug, .hint and .result, the best result so far or None
        ├── UnknownOption     also a TypeError: no option of that name
        ├── InvalidOption     also a ValueError: no such value for that option
        ├── InvalidArgument   also a TypeError: not the kind of thing that is asked for
        ├── NothingToReduce   also a ValueError: there are no items, or nothing differs
        ├── NotInteresting    the whole does not show the failure
        ├── AlwaysInteresting the test also accepts the empty list
        ├── NotPassing        isolate: the passing side does not pass
        ├── BrokenTest        the test raised, or returned a number; the cause is chained
        └── BrokenRunner      what runs the tests is gone; the cause is chained
    KeyboardInterrupt
    └── Interrupted           has .result; not an Exception, so that Ctrl-C stays Ctrl-C

Every message says what happened and the value seen; ``hint`` says what to do next. The slug is the
anchor of its entry in docs/reference/errors.md.
"""

from difflib import get_close_matches
from typing import ClassVar


class WynotError(Exception):
    """The base of all errors that wynot raises."""

    slug: ClassVar[str] = "error"

    def __init__(self, message: str, *, hint: str = "", result: object = None) -> None:
        super().__init__(f"{message}\nhint: {hint}" if hint else message)
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


class NotInteresting(WynotError):
    """The failure does not show on the whole, so that no part of it can be blamed."""

    slug = "not-interesting"


class AlwaysInteresting(WynotError):
    """The test accepts even the empty list: it does not look at its input, or not enough."""

    slug = "always-interesting"


class NotPassing(WynotError):
    """The passing side of a difference does not pass."""

    slug = "not-passing"


class BrokenTest(WynotError):
    """The test raised an exception, or returned a number, which may mean the opposite."""

    slug = "broken-test"


class BrokenRunner(WynotError):
    """The workers that run the tests have ended: by a test, or because they were shut down."""

    slug = "broken-runner"


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
