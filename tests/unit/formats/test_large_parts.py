"""The large parts of a text: how many there are, where they begin, how deep that is."""

from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest

from counting import steps
from wynot.core.texts.chains import height
from wynot.formats.language_table import BRACKETS, BY_NAME
from wynot.formats.large_parts import LEAST_BYTES, MOST_PARTS, LargeParts, large_parts
from wynot.formats.source import REPETITION_BYTES, is_repetition, tree_up_to
from wynot.passes.trees.parsed_files import Trees

SIZE = 1 << 18
SAMPLES = sorted(Path(__file__).parents[2].glob("samples/*.*"))
UNITS = (
    '"',
    "a.",
    ";",
    "é",
    '{"id":1,"n":"u1","t":["a","b"],"x":{"s":1.5,"f":null}},',
    "function a(b,c){var d=b.e('x y',{f:1,g:[2,3]});return d&&c?d.h(/z/g):!1};",
    "/* ",
    "(",
    "x" * 50_000 + ",",
    "\n",
    "one line\n  another\n\n",
)


def repeated(unit: str, size: int = SIZE) -> bytes:
    return (unit * (size // len(unit))).encode()


def texts_of(content: bytes, name: str = "brackets") -> list[bytes]:
    """Return the texts of the parts."""
    return [content[a:b] for a, b in pairwise(large_parts(content, BY_NAME[name]).bounds)]


@pytest.mark.parametrize("unit", UNITS)
def test_the_parts_are_few_and_make_up_the_text(unit: str) -> None:
    content = repeated(unit)
    texts = texts_of(content)
    assert 100 < len(texts) <= 2 * MOST_PARTS
    assert b"".join(texts) == content
    for text in texts:
        text.decode()  # no character is cut


def test_a_small_text_is_one_part() -> None:
    assert texts_of(b"a" * LEAST_BYTES) == [b"a" * LEAST_BYTES]


def test_a_part_begins_at_the_line_that_is_indented_least() -> None:
    text = repeated("def f(x):\n    if x:\n        return 1\n    return 2\n\n\n", 10_000)
    assert all(each.startswith(b"def f") for each in texts_of(text, "python"))


def test_a_part_does_not_begin_with_a_bracket_that_closes() -> None:
    record = '{\n "id": 1,\n "name": "a name of some length",\n "list": [1, 2, 3]\n},\n'
    assert all(each.startswith(b"{") for each in texts_of(repeated(record, 10_000), "json"))


def test_a_part_of_a_long_line_begins_behind_a_comma_outside_of_most_brackets() -> None:
    text = repeated('{"id":1,"n":"u1","t":["a","b"],"x":{"s":1.5,"f":null}},', 10_000)
    assert all(each.startswith(b'{"id"') for each in texts_of(text, "json"))


def test_levels_tell_which_parts_can_go_together() -> None:
    records = '{"id":1,"n":"u1","t":["a","b"],"x":{"s":1.5,"f":null}},' * 100
    text = f'{{"head":[{records}0],"tail":[{records}0]}}'.encode()
    parts = large_parts(text, BY_NAME["json"])
    count = len(parts.bounds) - 1
    for start, stop in ((0, count), (0, count // 2), (count // 4, count), (3, count // 3)):
        low, high = parts.closed(start, stop)
        gone = text[parts.bounds[low] : parts.bounds[high]]
        assert gone.count(b"{") + gone.count(b"[") == gone.count(b"}") + gone.count(b"]")
        assert 2 * (high - low) > stop - start - 1


def test_levels_that_tell_nothing_are_ignored() -> None:
    assert LargeParts([*range(9)], [*range(9)]).closed(2, 7) == (2, 7)


@pytest.mark.parametrize(
    ("name", "text", "levels"),
    [
        ("xml", '<a><b/>text<!-- "x" --><c d="e">', {0, 2}),
        ("lisp", "(a [b (c", {0, 2}),
        ("brackets", "(a {b", {0}),
    ],
)
def test_a_level_is_how_much_is_open(name: str, text: str, levels: set[int]) -> None:
    assert {*large_parts(text.encode(), BY_NAME[name]).levels} == levels


@pytest.mark.parametrize("unit", ["a.", "line\n"])
def test_ten_times_the_text_takes_no_more_steps(unit: str) -> None:
    little, much = (steps(partial(large_parts, repeated(unit, n << 20), BRACKETS)) for n in (1, 10))
    assert much < 1.5 * little


@pytest.mark.parametrize("unit", ["<a>", "a.", "-", '""', "{}"])
@pytest.mark.parametrize("name", ["ada", "bash", "dart", "java", "brackets"])
def test_a_long_repetition_is_not_parsed(name: str, unit: str) -> None:
    language, content = BY_NAME[name], repeated(unit, 2 * REPETITION_BYTES)
    tree = tree_up_to(language, content, most=len(content))
    assert tree is None
    assert Trees({"in": language}).is_huge("in", content)
    assert Trees({"in": language}).checked("in", content) is None
    assert not is_repetition(content[: REPETITION_BYTES - 1])


def test_a_long_nest_is_a_nest() -> None:
    content = repeated("[", 2 * REPETITION_BYTES)
    tree = tree_up_to(BY_NAME["json"], content, most=len(content))
    assert tree is not None
    assert height(tree.parents) > REPETITION_BYTES


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_no_source_is_a_repetition_however_often_it_repeats_itself(path: Path) -> None:
    content = path.read_bytes()
    whole = content * (2 * REPETITION_BYTES // len(content) + 1)
    for text in (whole, whole[::2], whole[: REPETITION_BYTES + 1], whole.replace(b"\n", b" ")):
        assert not is_repetition(text)


def test_blanks_and_rules_in_a_source_make_no_repetition() -> None:
    line = b"x = 1" + b" " * 40 + b"# " + b"-" * 40 + b"\n"
    assert not is_repetition(line * 2000)
