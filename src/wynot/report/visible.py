"""What files hold, so that it can be shown: every byte can be seen, none does anything.

Controls, what turns the direction of writing, and bytes that are not text are written as escapes;
lines and tabs stay. A file that is not text is shown as a dump would show it, one character a byte.
"""

import re

ESCAPED = re.compile("[^\n\t -~]")
MAX_BINARY_SHARE = 0.1
"""Of the bytes of a text, how many may be none that a text has."""
ODD = bytes({*range(32), 127} - {9, 10, 12, 13})


def is_text(content: bytes) -> bool:
    """Tell whether a file is to be shown as text."""
    sample = content[:65536]
    odd = len(sample) - len(sample.translate(None, ODD))
    odd += sample.decode("utf-8", "replace").count("\ufffd")
    return odd <= MAX_BINARY_SHARE * len(sample)


def visible(content: bytes) -> str:
    """Return content as text that is all visible."""
    text = content.decode("utf-8", "surrogateescape")
    return text if text.isascii() and text.isprintable() else ESCAPED.sub(_escape, text)


def dotted(content: bytes) -> str:
    """Return content one character a byte."""
    return "".join(chr(each) if 32 <= each < 127 else "·" for each in content)  # noqa: PLR2004


def _escape(match: "re.Match[str]") -> str:
    character = match[0]
    if character.isprintable():
        return character
    if "\udc80" <= character <= "\udcff":
        return f"\\x{ord(character) - 0xDC00:02x}"
    return ascii(character)[1:-1]
