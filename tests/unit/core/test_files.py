"""Files and how they are told apart."""

from hashlib import sha256
from typing import TYPE_CHECKING

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.ending import Ending, signal_name
from wynot.core.files import Files, FolderCase

if TYPE_CHECKING:
    from _collections_abc import dict_values


def test_the_digest_of_one_file_is_its_sha256() -> None:
    assert Files({"a": b"x"}).digest == sha256(b"x").digest()


def test_several_files_differ_if_their_bytes_are_elsewhere() -> None:
    digests = {
        Files(contents).digest
        for contents in (
            {"a": b"x", "b": b""},
            {"a": b"", "b": b"x"},
            {"a": b"x", "c": b""},
            {"a": b"x"},
        )
    }
    assert len(digests) == 4


def test_weight_counts_bytes_once_and_no_white_space() -> None:
    class Watched(dict[str, bytes]):
        looks = 0

        def values(self) -> "dict_values[str, bytes]":
            self.looks += 1
            return super().values()

    contents = Watched(a=bytes(range(256)), b=b"x y")
    files = Files(contents)
    assert [files.weight, files.weight] == [256 - 6 + 2] * 2
    assert contents.looks == 1


def test_what_is_left_of_a_folder_is_told_by_its_name_and_from_nothing() -> None:
    left: tuple[dict[str, bytes], ...] = (
        {},
        {"d/a": b""},
        {"d/b": b""},
        {"d/a": b"x"},
        {"d/b": b"x"},
    )
    assert len({Files(contents).digest for contents in left}) == len(left)


def test_a_folder_loses_whole_files() -> None:
    case = FolderCase(Files({"a": b"1", "d/b": b"22", "d/c": b""}), ["d/b", "d/c"])
    assert case.weights == [3, 1]
    without = Candidate(case.deltas, Edit.drop(Deltas.of([0])), "")
    assert case.render(without).contents == {"a": b"1", "d/c": b""}


def test_endings_in_words() -> None:
    assert Ending(3, 0.1).description == "exit status 3"
    assert Ending(-11, 0.1).description == "killed by SIGSEGV"
    assert Ending(-9, 2.04, "timeout").description == "stopped after 2.0 s"
    assert signal_name(200) == "signal 200"
