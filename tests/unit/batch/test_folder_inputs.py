"""What in a folder is an input."""

from pathlib import Path

import pytest

from wynot.batch.folder_inputs import BatchInput, folder_inputs
from wynot.core.errors import NothingToReduce


def put(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    return folder


def found(folder: Path, *, hangs: bool = False) -> list[str]:
    return [each.name for each in folder_inputs(str(folder), folder / "out", hangs=hangs).inputs]


def test_the_files_of_libfuzzer_and_of_people_are_taken_by_name(tmp_path: Path) -> None:
    names = ["crash-0a1b", "leak-2c", "oom-3d", "slow-unit-4e", "timeout-5f", "sub/plain.txt"]
    assert found(put(tmp_path, *names, ".hidden", "out/result", ".wynot/journal")) == names


def test_readme_is_an_input_unless_it_is_afls(tmp_path: Path) -> None:
    assert found(put(tmp_path / "people", "README.txt", "a")) == ["README.txt", "a"]
    assert found(put(tmp_path / "afl", "README.txt", "id:000000,sig:06")) == ["id:000000,sig:06"]
    with pytest.raises(NothingToReduce, match="no inputs"):
        found(put(tmp_path / "crashes", "README.txt"))


def test_of_all_that_afl_writes_crashes_or_hangs_are_taken(tmp_path: Path) -> None:
    put(tmp_path, "default/fuzzer_stats", "default/queue/id:0", "default/cmdline")
    put(tmp_path, "default/crashes/id:1", "default/hangs/id:2", "second/queue/id:3")
    put(tmp_path, "second/crashes/id:4")
    assert found(tmp_path) == ["default/crashes/id:1", "second/crashes/id:4"]
    assert found(tmp_path / "default") == ["crashes/id:1"]
    assert found(tmp_path / "default", hangs=True) == ["hangs/id:2"]


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("a.json", "input.json"),
        ("id:000000,sig:06,src:000000,op:flip1,pos:3", "input"),
        ("id:000000,time:1.5,op:havoc", "input"),
        ("x.tar.gz", "input.gz"),
        ("x.; rm -r", "input"),
        (".svg", "input"),
        ("x." + "y" * 99, "input"),
    ],
)
def test_an_input_keeps_the_ending_of_its_name_if_it_is_harmless(name: str, called: str) -> None:
    assert BatchInput(name, Path(name), 0).called == called
