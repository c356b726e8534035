"""The parts of a case, their sorts, what they can be, and what can be measured of them."""

import pytest

from wynot.commands.reduce_options import ReduceOptions
from wynot.core.files import Files
from wynot.explaining.case_parts import CaseParts, Part
from wynot.explaining.value_kinds import PartSort, QuotedText, sort_of
from wynot.explaining.variants import VariantSources
from wynot.formats.detect import syntax_errors_of
from wynot.reduction.whole_plan import trees_of


def sources_of(path: str, content: bytes, original: bytes = b"") -> VariantSources:
    files, whole = Files({path: content}), Files({path: original or content})
    languages = trees_of(ReduceOptions(files=()), whole).languages
    return VariantSources(CaseParts(files, languages), whole, languages)


def part_of(sources: VariantSources, text: bytes) -> Part:
    return next(part for part in sources.parts.largest_first if part.text == text)


@pytest.mark.parametrize(
    ("path", "content", "text", "sort"),
    [
        ("a.json", b'{"a": [1, -2.5]}', b"1", PartSort.INTEGER),
        ("a.json", b'{"a": [1, -2.5]}', b"-2.5", PartSort.DECIMAL),
        ("a.json", b'{"a": [1, -2.5]}', b'"a"', PartSort.STRING),
        ("a.json", b'{"a": [1, -2.5]}', b"[1, -2.5]", PartSort.LIST),
        ("a.json", b'{"a": null}', b"null", PartSort.CONSTANT),
        ("a.json", b'{"a": null}', b":", PartSort.MARK),
        ("a.py", b"x = y < 3\n", b"<", PartSort.OPERATOR),
        ("a.py", b"x = y < 3\n", b"y", PartSort.NAME),
        ("a.py", b"x = y < 3\n", b"y < 3", PartSort.NODE),
        ("a.txt", b"some words (here)\nand 12\n", b"words", PartSort.WORD),
        ("a.txt", b"some words (here)\nand 12\n", b"12", PartSort.INTEGER),
        ("a.txt", b"some words (here)\nand 12\n", b"some words (here)", PartSort.LINE),
        ("a.txt", b"host 10.0.300.1\n", b"300", PartSort.INTEGER),
        ("a.csv", b"a,b\n1,x\n", b"x", PartSort.FIELD),
        ("a.sql", b"LIMIT 500\n", b"500", PartSort.INTEGER),
    ],
)
def test_a_part_is_of_a_sort(path: str, content: bytes, text: bytes, sort: PartSort) -> None:
    sources = sources_of(path, content)
    assert sort_of(part_of(sources, text), sources.parts) is sort


def test_nodes_with_the_same_bytes_are_one_part() -> None:
    parts = sources_of("a.py", b"f(1)\n").parts
    spans = [(part.start, part.stop) for part in parts.all]
    assert len(spans) == len({*spans})
    assert parts.all[0].kinds[0] == "module"
    sizes = [part.size for part in parts.largest_first]
    assert sizes == sorted(sizes, reverse=True)


def test_only_what_follows_the_grammar_is_a_variant() -> None:
    sources = sources_of("a.py", b"def f(a):\n    return a + 1\n")
    for part in sources.parts.all:
        for each in sources.classes(part):
            assert part.text not in each.samples
            for text in each.samples:
                content = sources.parts.files.contents["a.py"]
                put = content[: part.start] + text + content[part.stop :]
                assert syntax_errors_of(sources.parts.language(part), put) == 0, put


def test_values_come_from_the_original_too() -> None:
    original = b'{"key": 1, "other": 2, "third": {"x": 7}}'
    sources = sources_of("a.json", b'{"key": 1}', original)
    few = sources.few(part_of(sources, b'"key"'))
    assert few[:3] == [b'"other"', b'"third"', b'"x"']


def test_what_can_be_measured() -> None:
    sources = sources_of("a.json", b'{"a": [1, 2], "b": "xyz", "c": [[[[]]]]}')
    measured = {
        text: [(scale.what, scale.now) for scale in sources.scales(part_of(sources, text))]
        for text in (b"[1, 2]", b'"xyz"', b"1", b"[[[[]]]]")
    }
    assert measured[b"[1, 2]"] == [("count", 2)]
    assert measured[b'"xyz"'] == [("length", 3)]
    assert measured[b"1"] == [("value", 1)]
    assert measured[b"[[[[]]]]"] == [("depth", 4), ("count", 1)]
    [depth, count] = sources.scales(part_of(sources, b"[[[[]]]]"))
    assert depth.write(2) == b"[[]]"
    assert count.write(0) == b"[]"
    [length] = sources.scales(part_of(sources, b'"xyz"'))
    assert [length.write(size) for size in (0, 2, 5)] == [b'""', b'"xy"', b'"xyzxy"']


def test_a_row_of_equal_neighbours_can_be_counted() -> None:
    sources = sources_of("a.txt", b"x\nx\nx\nx\ny\n")
    first = next(part for part in sources.parts.all if part.text == b"x")
    [repeats] = [scale for scale in sources.scales(first) if scale.what == "repeats"]
    assert repeats.now == 4
    assert repeats.write(2) == b"x\nx"


def test_a_string_is_taken_apart() -> None:
    found = QuotedText.of(b"b'x y'")
    assert found == (b"b", b"'", b"x y")
    assert found is not None
    assert found.holding(b"z") == b"b'z'"
    assert QuotedText.of(b"plain") is None
