"""The library's reduce: what it takes, what it hands back, and what it does with wrong input."""

import gc
import sys
import threading
import tracemalloc
from dataclasses import fields
from itertools import pairwise
from pathlib import Path
from typing import get_type_hints

import pytest

import counting
import wynot
from wynot.commands.shared_options import FailureOptions
from wynot.core.files import Files
from wynot.core.result import PatchedStep, ReducedSteps
from wynot.core.texts.patches import patch, patched
from wynot.reducing import FailureKeywords

TEXT = b"int a;\nint b = 1;\nint crash;\nint c;\n"


def crashes(content: bytes) -> bool:
    return b"crash" in content


def test_bytes_are_reduced_by_a_function_of_bytes() -> None:
    found = wynot.reduce(TEXT, crashes)
    assert found.content == b"crash\n"
    assert (found.stopped, found.minimal) == ("finished", ("nodes", "tokens", "characters"))
    assert found.size == 6
    assert found.steps[-1].files == found.files
    assert all(crashes(content) for step in found.steps for content in step.files.values())
    assert found.steps[-1].tests <= found.tests
    assert found.extra == 0


def test_steps_take_less_memory_than_their_files() -> None:
    lines = [b"%03d %s\n" % (number, b"x" * 300) for number in range(300)]
    needed = {*lines[::10]}

    def fails(content: bytes) -> bool:
        return needed <= {*content.splitlines(keepends=True)}

    tracemalloc.start()
    try:
        found = wynot.reduce(b"".join(lines), fails, rename=False, atoms="lines", fast=True)
        gc.collect()
        before, _ = tracemalloc.get_traced_memory()
        number, steps = len(found.steps), found.steps
        del found
        gc.collect()
        kept, _ = tracemalloc.get_traced_memory()
        del steps
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert number > 20
    assert before >= kept
    assert kept - after < 4 * len(b"".join(lines))


def patched_steps(number: int) -> tuple[list[Files], ReducedSteps]:
    """Return states that get smaller by a byte each, and the same as steps."""
    states = [Files({"a": b"a" * 10, "b": b"x" * (number - n)}) for n in range(number + 1)]
    patches = [patch(before, after) for before, after in pairwise(states)]
    steps = [PatchedStep("p", str(n), n, each) for n, each in enumerate(patches)]
    return states, ReducedSteps(states[0], steps)


def test_steps_are_the_same_in_any_order() -> None:
    states, steps = patched_steps(50)
    wanted = [state.contents for state in states[1:]]
    assert [step.files for step in steps] == wanted
    for places in ([*range(49, -1, -1)], [-1, 3, 3, 40, 7, 8, 9, 0, -50]):
        _, steps = patched_steps(50)
        assert [steps[place].files for place in places] == [wanted[place] for place in places]
    assert [step.tests for step in steps[10:20:3]] == [10, 13, 16, 19]
    assert len(steps) == 50
    assert steps == patched_steps(50)[1] != patched_steps(49)[1]
    with pytest.raises(IndexError):
        steps[50]


def test_going_through_all_steps_takes_one_patch_each() -> None:
    few, many = patched_steps(50)[1], patched_steps(400)[1]
    assert counting.steps(lambda: [*many]) < 10 * counting.steps(lambda: [*few])


def test_the_steps_of_a_command_are_not_built_for_each_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    count = 0

    def counted(files: Files, change: bytes, original: Files) -> Files:
        nonlocal count
        count += 1
        return patched(files, change, original)

    monkeypatch.setattr("wynot.disk.journal.patched", counted)
    text = b"".join(b"line %d\n" % number for number in range(12))
    found = wynot.reduce(text, ["sh", "-c", "grep -q 'line 5' {} && grep -q 'line 9' {}"], exit=0)
    assert len(found.steps) > 2
    assert count <= len(found.steps)


@pytest.mark.parametrize("jobs", [2, 5])
def test_the_result_does_not_depend_on_jobs(jobs: int) -> None:
    alone, found = wynot.reduce(TEXT, crashes), wynot.reduce(TEXT, crashes, jobs=jobs)
    assert (found.files, found.steps, found.tests) == (alone.files, alone.steps, alone.tests)


def test_files_by_name_are_reduced_by_a_function_of_them() -> None:
    def fails(files: dict[str, bytes]) -> bool:
        return b"crash" in files.get("src/b.c", b"")

    found = wynot.reduce({"src/a.c": TEXT, "src/b.c": TEXT}, fails)
    assert found.files == {"src/b.c": b"crash\n"}


def test_a_file_is_read_and_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_bytes(TEXT)
    seen = set()

    def fails(candidate: Path) -> bool:
        seen.add(candidate.name)
        return crashes(candidate.read_bytes())

    assert wynot.reduce(path, fails).files == {"a.c": b"crash\n"}
    assert seen == {"a.c"}
    assert path.read_bytes() == TEXT
    assert [*tmp_path.iterdir()] == [path]


def test_a_folder_is_reduced_by_a_function_of_its_path(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / "in").mkdir(exist_ok=True)
        (tmp_path / "in" / name).write_bytes(TEXT)

    def fails(folder: Path) -> bool:
        return (folder / "b.txt").is_file() and crashes((folder / "b.txt").read_bytes())

    assert wynot.reduce(str(tmp_path / "in"), fails).files == {"in/b.txt": b"crash\n"}


def test_a_command_is_what_it_is_on_the_command_line() -> None:
    code = "import sys; sys.exit('crash' in open(sys.argv[1]).read() and 3)"
    found = wynot.reduce(TEXT, [sys.executable, "-c", code, "{}"], exit=3)
    assert found.content == b"crash\n"
    assert found.stopped == "finished"
    assert found.steps[-1].files == found.files
    assert found.tests >= found.steps[-1].tests > 0


def test_a_script_is_a_test_too(tmp_path: Path) -> None:
    script = tmp_path / "test.sh"
    script.write_text("#!/bin/sh\ngrep -q crash a.c\n")
    script.chmod(0o755)
    assert wynot.reduce({"a.c": TEXT}, script).content == b"crash\n"


def test_a_budget_ends_it_with_the_best_so_far() -> None:
    found = wynot.reduce(TEXT, crashes, max_tests=2)
    assert (found.stopped, found.tests) == ("max-tests", 2)
    assert crashes(found.content)
    assert wynot.reduce(TEXT, crashes, target_size=20).stopped == "target-size"


def test_errors_carry_the_best_result_so_far() -> None:
    def breaks(content: bytes) -> bool:
        if b"a" not in content:
            raise LookupError("gone")
        return b"crash" in content and len(content) > 6

    with pytest.raises(wynot.BrokenTest, match="gone") as caught:
        wynot.reduce(TEXT, breaks, check=False)
    assert isinstance(caught.value.result, wynot.Reduced)
    assert caught.value.result.stopped == "broken-test"
    assert crashes(caught.value.result.content)


def test_ctrl_c_hands_the_best_so_far_on() -> None:
    asked = 0

    def interrupts(content: bytes) -> bool:
        nonlocal asked
        asked += 1
        if asked == 5:
            raise KeyboardInterrupt
        return crashes(content)

    with pytest.raises(wynot.Interrupted) as caught:
        wynot.reduce(TEXT, interrupts)
    assert isinstance(caught.value.result, wynot.Reduced)
    assert crashes(caught.value.result.content)


def test_ctrl_c_does_not_wait_for_the_tests_that_still_run() -> None:
    first, started, release, over = threading.Lock(), *(threading.Event() for _ in range(3))

    def interrupts(content: bytes) -> bool:
        if threading.current_thread() is threading.main_thread():
            return crashes(content)  # the checks before the search
        if first.acquire(blocking=False):
            assert started.wait(60)
            raise KeyboardInterrupt
        started.set()
        release.wait(20)  # nobody lets it go before the call has come back, or it has waited
        over.set()
        return crashes(content)

    with pytest.raises(wynot.Interrupted):
        wynot.reduce(TEXT, interrupts, jobs=2)
    assert not over.is_set()
    release.set()


def test_a_failing_command_hands_the_original_on() -> None:
    with pytest.raises(wynot.NotInteresting) as caught:
        wynot.reduce(TEXT, ["true", "{}"], exit=3)
    assert isinstance(caught.value.result, wynot.Reduced)
    assert caught.value.result.content == TEXT


def test_what_must_stay_stays() -> None:
    assert wynot.reduce(TEXT, crashes, keep=["int b"]).content == b"int bcrash\n"


@pytest.mark.parametrize(
    ("files", "test", "options", "error", "says"),
    [
        (b"", crashes, {}, wynot.NothingToReduce, "0 bytes"),
        (7, crashes, {}, wynot.InvalidArgument, "7"),
        ({"../a": b"x"}, crashes, {}, wynot.InvalidArgument, "../a"),
        ({"/a": b"x"}, crashes, {}, wynot.InvalidArgument, "/a"),
        ({"a": "x"}, crashes, {}, wynot.InvalidArgument, "'x'"),
        ("/no/such/file", crashes, {}, wynot.NoSuchFile, "/no/such/file"),
        (TEXT, [], {}, wynot.InvalidArgument, r"\[\]"),
        (TEXT, crashes, {"stderr": "x"}, wynot.InvalidArgument, "stderr"),
        (TEXT, crashes, {"atoms": "words"}, wynot.InvalidOption, "words"),
        (TEXT, crashes, {"jobs": 0}, wynot.InvalidOption, "0"),
        (TEXT, lambda _content: False, {}, wynot.NotInteresting, "uninteresting"),
        (TEXT, lambda _content: True, {}, wynot.AlwaysInteresting, "empty"),
    ],
)
def test_wrong_input_is_told_what_is_wrong(
    files: object, test: object, options: dict[str, object], error: type, says: str
) -> None:
    with pytest.raises(error, match=says):
        wynot.reduce(files, test, **options)  # type: ignore[arg-type]


def test_the_options_of_a_command_are_those_of_the_command_line() -> None:
    # A type checker knows them by this list; the command knows them by the record.
    known = {field.name for field in fields(FailureOptions)} - {"test", "command"}
    assert get_type_hints(FailureKeywords).keys() == known | {"fixed"}
