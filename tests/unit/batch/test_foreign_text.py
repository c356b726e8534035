"""Text that is not ours, where others read it."""

import pytest

from wynot.batch.foreign_text import legible, shown_content


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\n\ttext", "plain\n\ttext"),
        ("\x1b[31m\x00\ufffe", "\\x1b[31m\\x00\\ufffe"),
        ("\u202eabc", "\\u202eabc"),
        ("\udcff", "\\xff"),
        ("a\rb\x0cc", "a\\rb\\x0cc"),
    ],
)
def test_what_cannot_be_shown_is_an_escape(text: str, shown: str) -> None:
    assert legible(text) == shown
    assert legible(text).encode()


def test_contents_are_text_or_a_dump_up_to_some_bytes() -> None:
    assert shown_content(b"a\nb", 100) == "a\nb"
    assert shown_content(b"abcdef", 3) == "abc\n\u2026 3 more bytes"
    assert shown_content("aä".encode(), 2) == "a\ufffd\n\u2026 1 more bytes"
    assert shown_content(b"\x00\xff", 100).startswith("00000000  00 ff")
    assert shown_content(b"\xff" * 40, 16).count("\n") == 1
