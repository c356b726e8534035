"""When two items, or two configurations, are the same to a test."""

from wynot.core.candidate import Candidate
from wynot.core.case import FEW_CONFIGURATIONS, SHORT_SEQUENCE, Contents, content, numbered
from wynot.core.deltas import Deltas
from wynot.core.edit import Edit


def of(*indices: int) -> Candidate:
    kept = Deltas.of(indices)
    return Candidate(kept, Edit.keep(kept), "")


def test_equal_is_not_enough_to_be_the_same() -> None:
    unlike = [1, True, 1.0, "1", b"1", 0, False, 0.0, -0.0, None, (1,), (True,), [1], ("1",)]
    assert numbered(unlike) == list(range(len(unlike)))


def test_plain_and_nested_values_are_the_same_by_value() -> None:
    assert content(("a", [1, (2.5, None)])) == content(("a", [1, (2.5, None)]))


def test_other_objects_are_only_themselves() -> None:
    one, other = {"a": 1}, {"a": 1}
    assert content(one) == content(one)
    assert content(one) != content(other)


def test_a_list_that_holds_itself_is_no_trouble() -> None:
    loop: list[object] = []
    loop.append(loop)
    assert content(loop) == content(loop)


def test_a_long_sequence_is_numbered_only_when_that_is_the_cheaper_way() -> None:
    contents = Contents(list(range(SHORT_SEQUENCE + 1)))
    digests = [contents.digest(of(index)) for index in range(FEW_CONFIGURATIONS)]
    assert contents._seen[1]  # noqa: SLF001 - still comparing
    digests += [
        contents.digest(of(index)) for index in range(FEW_CONFIGURATIONS, 2 * FEW_CONFIGURATIONS)
    ]
    assert len(set(digests)) == 2 * FEW_CONFIGURATIONS
    assert digests == [contents.digest(of(index)) for index in range(2 * FEW_CONFIGURATIONS)]


def test_digests_given_before_the_items_were_numbered_stay() -> None:
    items = [number % (SHORT_SEQUENCE // 2) for number in range(SHORT_SEQUENCE + 2)]
    contents = Contents(items)
    early = [contents.digest(of(0, 1)), contents.digest(of(2, 3)), contents.digest(of(7))]
    twin = contents.digest(of(SHORT_SEQUENCE // 2, SHORT_SEQUENCE // 2 + 1))
    assert twin == early[0]
    assert [contents.digest(of(0, 1)), contents.digest(of(2, 3)), contents.digest(of(7))] == early
    assert contents.digest(of(SHORT_SEQUENCE // 2 + 7)) == early[2]
    assert contents.digest(of(4, 5)) not in early
