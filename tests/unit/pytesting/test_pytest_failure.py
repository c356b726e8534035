"""When two failures are the same, and how inputs are saved."""

import json
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest

from wynot.pytesting.inputs import file_of, input_of
from wynot.pytesting.same_failure import SameFailure, failure_of
from wynot.pytesting.saving import MAX_NAME_CHARS, name, save, written
from wynot.pytesting.shrink import Shrinking


def one() -> None:
    raise ValueError("a thing at 0x1234\n[1, 2, 3]")


def same_place() -> None:
    one()


def other_message() -> None:
    raise ValueError("another")


def other_type() -> None:
    raise KeyError("a")


def in_a_library() -> None:
    json.loads("{")


def in_another_part_of_it() -> None:
    int("x")


class Mute(ValueError):
    """An error without words."""

    def __str__(self) -> str:
        raise RuntimeError


def mute() -> None:
    raise Mute


def recursive(depth: int = 0) -> None:
    recursive(depth + 1)


def error_of(function: Callable[[], object]) -> BaseException:
    with pytest.raises(Exception) as raised:  # noqa: PT011 - any
        function()
    return raised.value


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        (one, same_place, {"type", "place", "message"}),
        (one, other_message, {"type"}),
        (one, other_type, set()),
        (one, in_a_library, set()),
        (one, in_another_part_of_it, {"type"}),
        (mute, mute, {"type", "place", "message"}),
        (recursive, lambda: recursive(3), {"type", "place", "message"}),
        (in_a_library, in_a_library, {"type", "place", "message"}),
    ],
)
def test_failures_are_the_same_by_type_place_and_message(
    left: Callable[[], None], right: Callable[[], None], equal: set[str]
) -> None:
    errors = error_of(left), error_of(right)
    found = {
        same for same in get_args(SameFailure) if len({failure_of(e, same) for e in errors}) == 1
    }
    assert found == equal


def test_the_place_is_the_last_function_that_is_not_of_a_library() -> None:
    assert failure_of(error_of(in_a_library), "place")[1].endswith("py:in_a_library")


def test_an_error_that_was_never_raised_has_no_place() -> None:
    assert failure_of(ValueError("x"), "place") == ("builtins.ValueError", "")


@pytest.mark.parametrize(
    ("value", "suffix", "content"),
    [
        ([1, {"a": (None, 1.5)}], ".json", b'[\n 1,\n {\n  "a": [\n   null,\n   1.5\n  ]\n }\n]\n'),
        (deque(["\xe9"]), ".json", '[\n "é"\n]\n'.encode()),
        ({1: 2}, ".txt", b"{1: 2}\n"),
        ([{1}], ".txt", b"[{1}]\n"),
        ([float("nan")], ".txt", b"[nan]\n"),
        ([Path("a")], ".txt", f"{[Path('a')]!r}\n".encode()),
        ("a\n", ".txt", b"a\n"),
        (b"\0", ".bin", b"\0"),
        (bytearray(b"a"), ".bin", b"a"),
        ([Mute], ".txt", f"[{Mute!r}]\n".encode()),
    ],
)
def test_json_is_written_where_it_says_all(value: Any, suffix: str, content: bytes) -> None:
    assert written(input_of(value, "x"), value) == (suffix, content)


def test_a_file_is_written_as_it_is() -> None:
    assert written(file_of(b"a", "in.log"), b"a") == (".log", b"a")


def test_what_cannot_be_written_at_all_is_no_reason_to_fail() -> None:
    class Bad:
        def __repr__(self) -> str:
            raise RuntimeError

    assert b"cannot be written" in written(input_of([Bad()], "x"), [Bad()])[1]


def test_names_of_files_are_safe_and_each_is_another() -> None:
    tests = ["a/../../b.py::t[x/y]", "a/../../b.py::t[x:y]", "t" * 1000, "..", "\ud800", ""]
    names = {name(test, number, "../é\0") for test in tests for number in range(2)}
    assert len(names) == 2 * len(tests)
    for each in names:
        assert "/" not in each
        assert "\0" not in each
        assert each[0] != "."
        assert len(each) < 2 * MAX_NAME_CHARS + 20


def test_a_folder_that_cannot_be_made_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    found = Shrinking([input_of([1], "x")], lambda _values: True, 1, 1, lambda: 0)
    (said,) = save(found, tmp_path / "file" / "inside", "t")
    assert "cannot be written" in said
