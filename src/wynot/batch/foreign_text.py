"""Text of inputs and programs, made harmless for pages and files that others read.

It may contain characters that XML cannot express, that reverse the direction of writing, or that
look like the end of a line. All of these are written as escapes; line ends and tabs stay.
"""


def legible(text: str) -> str:
    """Return the text, with all that cannot be shown as escapes."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() or each in "\n\t" else _escape(each) for each in text)


def legible_name(name: str) -> str:
    """Return a name for a list of one in each line: names may have line ends, too."""
    return legible(name).replace("\n", "\\n").replace("\t", "\\t")


def _escape(character: str) -> str:
    if "\udc80" <= character <= "\udcff":  # a byte of a name that is not UTF-8
        return f"\\x{ord(character) - 0xDC00:02x}"
    return ascii(character)[1:-1]


def shown_content(content: bytes, most: int) -> str:
    """Return the beginning of a file as text, or as a dump if it is not text."""
    part = content[:most]
    more = f"\n… {len(content) - most:,} more bytes" if len(content) > most else ""
    try:
        text = part.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start < most - 4 or not more:  # not only cut in the middle of a character
            return _dump(part) + more
        text = part.decode("utf-8", "replace")
    return _dump(part) + more if "\0" in text else legible(text) + more


def _dump(content: bytes) -> str:
    lines = []
    for at in range(0, len(content), 16):
        row = content[at : at + 16]
        plain = "".join(chr(each) if 32 <= each < 127 else "." for each in row)  # noqa: PLR2004
        lines.append(f"{at:08x}  {row.hex(' '):<47}  {plain}")
    return "\n".join(lines)
