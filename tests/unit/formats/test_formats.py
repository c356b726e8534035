"""Where texts are cut."""

from wynot.core.files import is_text
from wynot.core.texts.parts import Parts
from wynot.formats.cuts import blocks, characters, lines, paragraphs, tokens


def pieces(content: bytes, parts: Parts) -> list[bytes]:
    return [content[start:stop] for start, stop in parts.spans]


def test_lines_keep_their_ends() -> None:
    content = b"a\r\n\nlast"
    assert pieces(content, lines(content)) == [b"a\r\n", b"\n", b"last"]


def test_paragraphs_take_the_blank_lines_after_them() -> None:
    content = b"a\nb\n\n \t\nc\n\nd"
    assert pieces(content, paragraphs(content)) == [b"a\nb\n\n \t\n", b"c\n\n", b"d"]


def test_tokens_take_the_blanks_after_them_but_not_those_that_begin_a_line() -> None:
    content = b"  if x_1 == 0x1F:\n\treturn"
    assert pieces(content, tokens(content)) == [
        *(b"  ", b"if ", b"x_1 ", b"=", b"= ", b"0x1F", b":", b"\n", b"\t", b"return")
    ]


def test_characters_are_those_of_utf_8_and_bytes_where_it_is_none() -> None:
    content = "aé日🎉".encode() + b"\xff\xc3"
    assert pieces(content, characters(content)) == [
        *(b"a", "é".encode(), "日".encode(), "🎉".encode(), b"\xff", b"\xc3")
    ]


NESTED = b"""\
top
f {
  a
  g {
    b

    c
  }
}
last
"""


def test_a_block_is_what_is_indented_and_the_line_that_closes_it() -> None:
    assert [len(blocks(NESTED, level).starts) for level in range(4)] == [3, 2, 2, 0]
    assert pieces(NESTED, blocks(NESTED, 0))[1] == NESTED[4:-5]
    assert pieces(NESTED, blocks(NESTED, 1)) == [b"  a\n", b"  g {\n    b\n\n    c\n  }\n"]
    assert pieces(NESTED, blocks(NESTED, 2)) == [b"    b\n\n", b"    c\n"]


def test_else_belongs_to_its_if() -> None:
    content = b"if a:\n  b\nelse:\n  c\nd\n"
    assert pieces(content, blocks(content, 0)) == [b"if a:\n  b\nelse:\n  c\n", b"d\n"]


def test_what_is_text() -> None:
    assert is_text(b"")
    assert is_text("größer".encode("latin-1"))
    assert not is_text(b"\x7fELF\x02\x01\x01\0")
