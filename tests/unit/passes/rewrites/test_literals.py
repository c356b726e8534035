from collections.abc import Iterator

import pytest

from forests import outcomes
from wynot.passes.rewrites.literals import literals, number, string


@pytest.mark.parametrize(
    ("text", "ways"),
    [
        (b"7", {}),
        (b"1234", {"number halved": b"12"}),
        (b"-123", {"number halved": b"-12"}),
        (b"0xffUL", {"number without its tail": b"0xff", "number in tens": b"255"}),
        (b"12.5e3f", {"number without its tail": b"12", "number halved": b"1"}),
        (b"0x1'0000", {"number in tens": b"65536"}),
        (b"5usize", {"number without its tail": b"5"}),
        (b"nan", {}),
    ],
)
def test_a_number_gets_smaller(text: bytes, ways: dict[str, bytes]) -> None:
    assert dict(number(text)) == ways


@pytest.mark.parametrize(
    ("text", "ways"),
    [
        (b'""', {}),
        (b'"x"', {"string to empty": b'""'}),
        (b'"xy"', {"string to empty": b'""', "string to a letter": b'"a"'}),
        (
            b"L'wx\\nyz'",
            {
                "string to empty": b"L''",
                "string to a letter": b"L'a'",
                "string to its first half": b"L'wx\\n'",
                "string to its second half": b"L'yz'",
            },
        ),
        (
            b'r#"xy"#',
            {"string to empty": b'r#""#', "string to a letter": b'r#"a"#'},
        ),
        (
            b'b"""xy"""',
            {
                "string to empty": b'b""""""',
                "string in short quotes": b'b"xy"',
                "string to a letter": b'b"""a"""',
            },
        ),
        (
            b"some text",
            {
                "string to a letter": b"a",
                "string to its first half": b"some",
                "string to its second half": b"text",
            },
        ),
    ],
)
def test_a_string_gets_shorter(text: bytes, ways: dict[str, bytes]) -> None:
    letters: Iterator[bytes] = iter([b"a"])
    assert dict(string(text, letters)) == ways


def test_a_number_of_any_length_gets_shorter() -> None:
    [(way, shorter)] = number(b"7" * 5_000)
    assert (way, len(shorter)) == ("number halved", 2_500)


def test_equal_strings_stay_equal_and_others_different() -> None:
    text = '{"abc": [12345, "de", "abc"]}'
    assert outcomes(literals, "a.json", text) == {
        "number halved": ['{"abc": [123, "de", "abc"]}'],
        "string to a letter": ['{"a": [12345, "de", "a"]}', '{"abc": [12345, "b", "abc"]}'],
    }


def test_literals_that_the_table_does_not_know_are_told_by_their_quotes() -> None:
    assert outcomes(literals, "a.sql", "SELECT 'xy', 20;") == {
        "number halved": ["SELECT 'xy', 2;"],
        "string to a letter": ["SELECT 'a', 20;"],
    }


def test_data_has_literals_too() -> None:
    assert outcomes(literals, "a.toml", 'x = "bc"\n') == {"string to a letter": ['x = "a"\n']}
    assert outcomes(literals, "a.yaml", 'x: "bc"\n') == {"string to a letter": ['x: "a"\n']}
