"""What the page of a batch shows of files."""

from wynot.batch.batch_page import shown_content


def test_contents_are_text_or_a_dump_up_to_some_bytes() -> None:
    assert shown_content(b"a\nb", 100) == "a\nb"
    assert shown_content(b"abcdef", 3) == "abc\n\u2026 3 more bytes"
    assert shown_content("aä".encode(), 2) == "a\\xc3\n\u2026 1 more bytes"
    assert shown_content(b"\x00\xffa", 100) == f"00000000  00 ff 61{' ' * 39}  ..a"
    assert shown_content(b"\xff" * 40, 16).count("\n") == 1
