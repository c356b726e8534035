"""Inputs of tests, cut and put together again."""

import threading
from collections import Counter, OrderedDict, UserDict, UserList, defaultdict, deque, namedtuple
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wynot.core.errors import InvalidArgument
from wynot.pytesting import shapes
from wynot.pytesting.fixture import Desk, Given
from wynot.pytesting.inputs import check, file_of, input_of

Point = namedtuple("Point", "x y")  # noqa: PYI024 - the plain kind


class Stack(list[int]):
    """A list that knows something."""

    name = "stack"


class Stubborn(list[int]):
    """A list that cannot be copied like others."""

    def __copy__(self) -> "Stubborn":
        raise RuntimeError


class Bag(set[int]):
    """A set of one's own."""


class Pair(tuple[int, int]):
    """A tuple that cannot be made out of a list."""

    __slots__ = ()

    def __new__(cls, left: int, right: int) -> Self:
        return super().__new__(cls, (left, right))


def only(value: object, *kept: int, depth: int = 1) -> Any:
    return input_of(value, "x").cuts[depth - 1].cutter(value).keep(kept)


@pytest.mark.parametrize(
    ("value", "left"),
    [
        ([1, 2, 3], [2]),
        ((1, 2, 3), (2,)),
        (deque([1, 2, 3], maxlen=5), deque([2], maxlen=5)),
        (frozenset({1}), frozenset()),
        (OrderedDict(a=1, b=2), OrderedDict(b=2)),
        (defaultdict(int, a=1, b=2), defaultdict(int, b=2)),
        (Counter("abb"), Counter("bb")),
        (Stack([1, 2]), Stack([2])),
        (Stubborn([1, 2]), [2]),
        (Pair(1, 2), (2,)),
        (Bag([1, 2]), Bag([2])),
        ("a\nb\nc", "b\n"),
        (b"a\nb\nc", b"b\n"),
        (bytearray(b"a\nb"), bytearray(b"b")),
    ],
)
def test_what_is_left_is_of_the_same_type_where_that_can_be(value: object, left: object) -> None:
    found = only(value, 1)
    assert (found, type(found)) == (left, type(left))


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (range(3), [0, 1, 2]),
        (UserList([1, 2]), [1, 2]),
        (UserDict(a=1), {"a": 1}),
        (MappingProxyType({"a": 1}), {"a": 1}),
        ({1: 2}.keys(), {1}),
    ],
)
def test_what_cannot_be_made_again_is_made_plain(value: object, plain: object) -> None:
    kept = input_of(value, "x").value
    assert (kept, type(kept)) == (plain, type(plain))


def test_what_a_container_knows_stays() -> None:
    found = only(defaultdict(list, a=[1], b=[2]), 1)
    assert found["new"] == []
    stack = Stack([1, 2])
    stack.name = "mine"
    assert only(stack, 0).name == "mine"


def test_a_named_tuple_keeps_its_fields_but_not_all_that_is_in_them() -> None:
    value = [Point([1, 2], 3), Point([4], 5)]
    cut = input_of(value, "x")
    assert [each.cutter(value).size for each in cut.cuts] == [2, 0, 3]
    assert only(value, 1, 2, depth=3) == [Point([2], 3), Point([4], 5)]
    alone = input_of(Point([1, 2], 3), "x")
    assert alone.cuts[0].cutter(alone.value).keep([]) == alone.value
    assert (alone.parts(alone.value), alone.size(Point([2], 3))) == (
        2,
        "1 of 2 parts inside of them",
    )


def test_what_does_not_change_is_not_copied() -> None:
    inner: list[object] = [1]
    value = [inner, [2, 3]]
    found = only(value, 0, 1, depth=2)
    assert found == [[1], [2]]
    assert found[0] is inner


def test_what_is_on_a_level_is_counted_over_all_containers() -> None:
    value = [{"a": [1, 2], "b": 3}, (4, 5), "text", {6}]
    assert [each.cutter(value).size for each in input_of(value, "x").cuts] == [4, 5, 2]
    assert only(value, 1, 3, depth=2) == [{"b": 3}, (5,), "text", set()]


def test_depth_is_as_wished() -> None:
    assert len(input_of([[[1]]], "x").cuts) == 3
    assert len(input_of([[[1]]], "x", depth=1).cuts) == 1
    assert len(input_of([1], "x", depth=9).cuts) == 1
    assert len(input_of([], "x").cuts) == 1


def test_what_contains_itself_has_an_end() -> None:
    loop: list[object] = [1]
    loop.append(loop)
    cut = input_of(loop, "x")
    assert len(cut.cuts) == shapes.MAX_DEPTH
    assert cut.cuts[1].cutter(cut.value).keep([0]) == [1, [1]]
    twice: list[object] = []
    twice += [twice, twice]
    assert len(input_of(twice, "x").cuts) < shapes.MAX_DEPTH  # it is too much before


@pytest.mark.parametrize("value", [5, None, iter([]), object(), {1}.__len__, memoryview(b"a")])
def test_what_cannot_be_cut_is_refused(value: object) -> None:
    with pytest.raises(InvalidArgument, match="x is of type"):
        check(value, "x", None)


def test_a_copy_is_a_copy() -> None:
    value = [{"a": [1]}]
    cut = input_of(value, "x")
    value[0]["a"].append(2)
    assert cut.value == [{"a": [1]}]
    copy: Any = cut.copy(cut.value)
    copy[0]["a"].append(3)
    assert cut.value == [{"a": [1]}]
    assert not cut.note


def test_of_what_cannot_be_copied_the_containers_are() -> None:
    lock = threading.Lock()
    value = [{"a": lock}]
    cut = input_of(value, "x")
    assert "TypeError" in cut.note
    copy: Any = cut.copy(cut.value)
    copy[0].clear()
    assert cut.value == [{"a": lock}]


def test_the_size_is_told_in_words() -> None:
    value = [{"a": 1, "b": [2, 3]}, {"c": 4}]
    assert input_of(value, "x").size([{"b": [2]}]) == "1 of 2 items, 2 of 5 parts inside of them"
    assert input_of({"a": 1}, "x").size({}) == "0 of 1 keys"
    assert input_of("ab\nc", "x").size("c") == "1 of 2 lines, 1 of 4 characters"
    assert file_of(b"a b\n", "x").size(b"a") == "1 of 1 lines, 1 of 4 characters"
    assert file_of(b"a\0", "x").size(b"") == "0 of 2 bytes"


def test_a_run_gets_what_is_smaller_in_place_of_what_it_asks_for(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    source = tmp_path / "f"
    source.write_bytes(b"abc")
    desk = Desk(keeps=True)
    first = Given(desk, tmp_path_factory)
    value = [1, 2]
    assert first(value) is value
    assert first.file(source).read_bytes() == b"abc"
    desk.smaller = [[2], b"c"]
    again = Given(desk, tmp_path_factory)
    assert again(value) == [2]
    source.unlink()
    assert again.file(source).read_bytes() == b"c"
    assert again([3]) == [3]  # it did not ask so often at first


def test_a_copy_of_a_file_can_be_run_but_has_no_privileges(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    source = tmp_path / "program"
    source.write_bytes(b"abc")
    source.chmod(0o4755)
    copied = Given(Desk(keeps=False), tmp_path_factory).file(source)
    assert copied.stat().st_mode == 0o100755


def test_a_run_that_goes_another_way_gets_what_it_asks_for(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    desk = Desk(keeps=True)
    Given(desk, tmp_path_factory)([1, 2], "first")
    desk.smaller = [[2]]
    assert Given(desk, tmp_path_factory)([1, 2], "other") == [1, 2]
    source = tmp_path / "f"
    source.write_bytes(b"abc")
    assert Given(desk, tmp_path_factory).file(source, "first").read_bytes() == b"abc"
    assert len(desk.inputs) == 1


def test_a_name_is_a_text(tmp_path_factory: pytest.TempPathFactory) -> None:
    with pytest.raises(InvalidArgument, match="the name is 3"):
        Given(Desk(keeps=False), tmp_path_factory)([], 3)  # type: ignore[arg-type]


json_like = st.recursive(
    st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.tuples(inner, inner),
)


@given(value=st.lists(json_like) | st.text() | st.binary(), data=st.data())
def test_a_value_of_all_its_parts_is_the_value_and_keys_tell_values_apart(
    value: Any, data: st.DataObject
) -> None:
    cut = input_of(value, "x")
    whole = cut.value
    for each in cut.cuts:
        level = each.cutter(whole)
        assert level.keep(range(level.size)) == whole
        assert cut.key(level.keep(range(level.size))) == cut.key(whole)
        if level.size:
            left = data.draw(st.integers(0, level.size - 1))
            smaller = level.keep([at for at in range(level.size) if at != left])
            assert type(smaller) is type(whole)
            assert cut.key(smaller) != cut.key(whole)


@given(text=st.text(alphabet=st.characters(codec=None)))
def test_any_text_can_be_cut(text: str) -> None:
    for each in input_of(text, "x").cuts:
        level = each.cutter(text)
        assert "".join(str(level.keep([at])) for at in range(level.size)) == text
