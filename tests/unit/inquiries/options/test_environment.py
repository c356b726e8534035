"""Variables that are asked about."""

import pytest

from wynot.core.errors import InvalidOption, NothingToReduce
from wynot.inquiries.options.environment import Variable, variables

PRESENT = {"PATH": "/bin", "LANG": "C", "CC": "gcc", "WYNOT_TEST": "1.2", "HOME": "/h", "E": ""}


def test_all_leaves_alone_what_every_program_needs() -> None:
    assert variables(["all"], PRESENT) == (
        Variable("CC", "gcc", None, "gcc"),
        Variable("E", "", None, ""),
        Variable("LANG", "C", None, "C"),
    )


def test_a_name_is_as_it_is_now_or_not_set() -> None:
    assert variables(["PATH"], PRESENT) == (Variable("PATH", "/bin", None, "/bin"),)


def test_a_value_is_that_of_the_failing_side() -> None:
    assert variables(["CC=clang", "NEW=a=b", "LANG="], PRESENT) == (
        Variable("CC", "clang", "gcc", "gcc"),
        Variable("NEW", "a=b", None, None),
        Variable("LANG", "", "C", "C"),
    )


@pytest.mark.parametrize("asked", [["all", "CC=clang"], ["CC=x", "CC=clang", "all"]])
def test_one_variable_counts_more_than_all(asked: list[str]) -> None:
    found = {variable.name: variable.failing for variable in variables(asked, PRESENT)}
    assert found == {"CC": "clang", "E": "", "LANG": "C"}


def test_the_present_environment_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_VARIABLE", "\udcff")
    assert variables(["SOME_VARIABLE"])[0].failing == "\udcff"


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ("GONE", "'GONE', which is not set"),
        ("LNG", "did you mean 'LANG'"),
        ("", "names no variable"),
        ("=x", "names no variable"),
        ("A\0B", "names no variable"),
        ("WYNOT_TEST", "sets WYNOT_TEST itself"),
        ("CC=gcc", "both sides would be the same"),
    ],
)
def test_what_cannot_be_asked_is_refused(asked: str, says: str) -> None:
    with pytest.raises(InvalidOption, match="hint: ") as caught:
        variables([asked], PRESENT)
    assert says in str(caught.value)


def test_an_environment_with_nothing_to_leave_out_is_refused() -> None:
    with pytest.raises(NothingToReduce):
        variables(["all"], {"PATH": "/bin"})
