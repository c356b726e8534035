"""Regular expressions that users write, for bytes."""

import re
import warnings

from wynot.core.errors import InvalidOption


def compiled(option: str, text: str) -> re.Pattern[bytes]:
    """Compile what was given to an option; ``^`` and ``$`` are those of a line."""
    try:
        with warnings.catch_warnings():
            # [[:alpha:]] means something else to Python, which only warns of it.
            warnings.simplefilter("error", FutureWarning)
            return re.compile(text.encode("utf-8", "surrogateescape"), re.MULTILINE)
    except (re.error, FutureWarning, OverflowError, RecursionError) as error:
        raise InvalidOption(
            f"is {text!r}, which is not a valid regular expression: {error}",
            option=option,
            hint="a backslash makes a special character mean itself: "
            r"\(  \[  \{  \.  \*  \+  \?  \|",
        ) from error
