"""The final newline of a text is put back when all else is done."""

from collections.abc import Callable

import pytest

from reduce_inline import Reduced, reduce_inline
from wynot.commands.reduce_options import ReduceOptions
from wynot.core.files import Files
from wynot.passes.sources import EndLines, last_line_ends


def reduced(
    contents: dict[str, bytes],
    fails: Callable[[Files], object],
    options: ReduceOptions | None = None,
) -> Reduced:
    return reduce_inline(Files(contents), fails, options)


def has(word: bytes) -> Callable[[Files], bool]:
    return lambda files: all(word in content for content in files.contents.values())


def test_a_text_ends_with_a_line_end_again_for_one_question() -> None:
    found = reduced({"a.txt": b"one\ntwo\nthree\n"}, has(b"two"))
    plain = reduced(
        {"a.txt": b"one\ntwo\nthree\n"}, has(b"two"), ReduceOptions(files=(), layout="short")
    )
    assert (found.content, plain.content) == (b"two\n", b"two")
    assert found.asked.count("final newline") == 1
    assert found.tests <= plain.tests + 1
    *_, last = found.steps
    assert (last.pass_name, last.candidate, last.tests) == (
        *("line ends", "final newline", found.tests),
    )
    assert found.proved == plain.proved
    assert "characters" in found.proved


@pytest.mark.parametrize(
    ("original", "left"),
    [
        (b"one\ntwo\nthree", b"two"),
        (b"one\r\ntwo\r\nthree\r\n", b"two\r\n"),
        (b"\0one\ntwo\n", b"two"),
    ],
    ids=["it had none", "it had another", "it was no text"],
)
def test_what_the_original_ends_with_decides(original: bytes, left: bytes) -> None:
    assert reduced({"a.txt": original}, has(b"two")).content == left


def test_a_readable_result_always_has_one() -> None:
    options = ReduceOptions(files=(), rename=False, layout="pretty", readable=True)
    assert reduced({"a.txt": b"one\ntwo\nthree"}, has(b"two"), options).content == b"two\n"


@pytest.mark.parametrize(
    "options",
    [
        ReduceOptions(files=(), layout="short"),
        ReduceOptions(files=(), layout="keep"),
        ReduceOptions(files=(), atoms="bytes"),
    ],
    ids=["short", "keep", "bytes"],
)
def test_there_is_none_where_white_space_is_to_be_left_alone(options: ReduceOptions) -> None:
    assert reduced({"a.txt": b"one\ntwo\n"}, has(b"two"), options).content == b"two"


def test_there_is_none_where_the_failure_needs_it_so() -> None:
    def fails(files: Files) -> bool:
        (content,) = files.contents.values()
        return b"two" in content and (len(content) > 12 or not content.endswith(b"\n"))

    found = reduced({"a.txt": b"one\ntwo\nthree\n"}, fails)
    assert found.content == b"two"


def test_what_is_empty_stays_empty() -> None:
    files = {"a.txt": b"one\n", "b.txt": b"two\n"}
    found = reduced(files, lambda files: b"two" in files.contents["b.txt"])
    assert dict(found.files.contents) == {"a.txt": b"", "b.txt": b"two\n"}


def test_several_files_take_one_test() -> None:
    files = {f"{number}.txt": b"some\ntwo\n" for number in range(8)}
    found = reduced(files, has(b"two"))
    assert set(found.files.contents.values()) == {b"two\n"}
    assert [step.pass_name for step in found.steps].count("line ends") == 1


def test_those_of_several_files_that_may_get_theirs() -> None:
    files = {f"{number}.txt": b"some\ntwo\n" for number in range(8)}

    def fails(files: Files) -> bool:
        contents = files.contents.values()
        return all(b"two" in each for each in contents) and files.contents["5.txt"] != b"two\n"

    found = reduced(files, fails)
    assert [content for content in found.files.contents.values() if content != b"two\n"] == [b"two"]


def test_a_pass_over_texts_that_have_theirs_has_no_parts() -> None:
    files = Files({"a": b"x\n", "b": b"", "c": b"\0", "d": b"x"})
    assert last_line_ends(files) == {"a": b"\n"}
    assert set(last_line_ends(files, always=True)) == {"a", "b", "d"}
    assert not EndLines(last_line_ends(files)).cut(files, ()).case.deltas
