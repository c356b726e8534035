"""How files are shown: as text, or as a dump would show them, one character a byte."""

MAX_BINARY_SHARE = 0.1
"""Of the bytes of a text, how many may be none that a text has."""
ODD = bytes({*range(32), 127} - {9, 10, 12, 13})


def is_text(content: bytes) -> bool:
    """Tell whether a file is to be shown as text."""
    sample = content[:65536]
    odd = len(sample) - len(sample.translate(None, ODD))
    odd += sample.decode("utf-8", "replace").count("\ufffd")
    return odd <= MAX_BINARY_SHARE * len(sample)


def dotted(content: bytes) -> str:
    """Return content one character a byte."""
    return "".join(chr(each) if 32 <= each < 127 else "·" for each in content)  # noqa: PLR2004
