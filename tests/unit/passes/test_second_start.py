"""A second start: when there is one, what it may cost, and that it is kept only if smaller."""

import json
from collections.abc import Callable
from itertools import pairwise
from math import inf

import pytest

from reduce_inline import Reduced, reduce_inline
from wynot.core.files import Files
from wynot.passes import second_start
from wynot.passes.second_start import SECOND_SHARE

LIGHT = {f"light{number}": [number] for number in range(28)}
"""Many parts, of which none can go alone."""
NUMBERS = list(range(100, 185))
"""A part that is somewhat lighter than those, and cannot become smaller."""
BOTH = {**LIGHT, "heavy": "x" * 1500}


def as_files(data: object) -> Files:
    return Files({"a.json": json.dumps(data).encode()})


def in_either_way(files: Files) -> bool:
    """Tell whether all light parts are there; or the heavy one, which goes first by its weight."""
    data = as_object(files)
    return "heavy" in data or data.items() >= LIGHT.items()


def by_all_light(files: Files) -> bool:
    return as_object(files).items() >= LIGHT.items()


def in_either_way_and_neither_is_light(files: Files) -> bool:
    data = as_object(files)
    heavy = data.get("heavy")
    has_numbers = isinstance(heavy, list) and NUMBERS in heavy
    return has_numbers or data.items() >= LIGHT.items()


def as_object(files: Files) -> dict[str, object]:
    try:
        data = json.loads(files.contents["a.json"])
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


def both_times(data: object, fails: Callable[[Files], bool]) -> tuple[Reduced, Reduced]:
    """Reduce without and with a second start."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(second_start, "MIN_RESULT_BYTES", inf)
        first = reduce_inline(as_files(data), fails)
    second = reduce_inline(as_files(data), fails)
    assert second.steps[: len(first.steps)] == first.steps
    assert second.passes[: len(first.passes)] == first.passes
    return first, second


@pytest.mark.slow
def test_another_order_leaves_less_and_is_kept() -> None:
    first, second = both_times(BOTH, in_either_way)
    assert as_object(first.files) == LIGHT
    assert second.content == b'{"heavy":0}'
    assert second.proved == ("nodes", "tokens")


@pytest.mark.slow
def test_the_best_case_never_becomes_larger() -> None:
    _, second = both_times(BOTH, in_either_way)
    sizes = [step.files.size for step in second.steps]
    assert all(before > after for before, after in pairwise(sizes))
    assert all(in_either_way(step.files) for step in second.steps)


@pytest.mark.slow
def test_what_is_only_somewhat_smaller_is_proved_before_it_is_kept() -> None:
    first, second = both_times(
        {**LIGHT, "heavy": ["x" * 1500, NUMBERS]}, in_either_way_and_neither_is_light
    )
    assert as_object(first.files) == LIGHT
    assert as_object(second.files) == {"heavy": [NUMBERS]}
    assert SECOND_SHARE < second.files.weight / first.files.weight < 1
    assert second.proved == ("nodes", "tokens")


@pytest.mark.slow
def test_one_that_leaves_no_less_is_given_up_and_what_was_proved_stays() -> None:
    first, second = both_times(BOTH, by_all_light)
    assert second.files == first.files
    assert second.steps == first.steps
    assert second.proved == first.proved == ("nodes", "tokens")
    # It has no more tests than the first turns had, which are a small part of all.
    assert first.tests < second.tests < 1.5 * first.tests
    again = [name for name, _ in second.passes[len(first.passes) :]]
    assert set(again) <= {"nodes", "texts", "names", "meanings", "white space"}


def test_where_little_is_left_there_is_none() -> None:
    few = dict(list(LIGHT.items())[:12])

    def by_few(files: Files) -> bool:
        data = as_object(files)
        return "heavy" in data or data.items() >= few.items()

    first, second = both_times({**few, "heavy": "x" * 1500}, by_few)
    assert as_object(first.files) == as_object(second.files) == few
    assert "nodes" not in {name for name, _ in second.passes[len(first.passes) :]}
