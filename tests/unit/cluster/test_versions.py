"""Versions of those who are to understand each other."""

import pytest

from wynot.cluster.deployed import ON_SCHEDULER, ON_WORKERS, difference

OURS = {"python": "3.11.7.final.0", "wynot": "0.1.0", "dask": "2026.8.0", "distributed": "2026.8.0"}


@pytest.mark.parametrize(
    ("worker", "words"),
    [
        ({"python": "3.12.1.final.0"}, "Python 3.12, and here it is 3.11"),
        ({"wynot": "0.0.9"}, "wynot 0.0.9, and here it is 0.1.0"),
        ({"wynot": None}, "no wynot"),
        ({"distributed": "2026.7.0"}, "distributed 2026.7.0, and here it is 2026.8.0"),
    ],
)
def test_what_differs_on_a_worker_is_named(worker: dict[str, str | None], words: str) -> None:
    assert difference(OURS, OURS | worker, ON_WORKERS) == words


def test_a_scheduler_with_another_dask() -> None:
    words = "dask 2026.7.0, and here it is 2026.8.0"
    assert difference(OURS, OURS | {"dask": "2026.7.0"}, ON_SCHEDULER) == words


def test_a_scheduler_needs_no_wynot_and_patch_levels_of_python_do_not_matter() -> None:
    assert not difference(OURS, OURS | {"wynot": None, "python": "3.12.0.final.0"}, ON_SCHEDULER)
    assert not difference(OURS, OURS | {"python": "3.11.9.final.0"}, ON_WORKERS)
