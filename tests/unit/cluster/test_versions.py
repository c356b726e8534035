"""Versions of those who are to understand each other."""

import pytest

from wynot.cluster.versions import require_same
from wynot.core.errors import NoCluster

OURS = {"python": "3.11.7.final.0", "wynot": "0.1.0", "dask": "2026.8.0", "distributed": "2026.8.0"}


def seen(scheduler: dict[str, str | None], worker: dict[str, str | None]) -> dict[str, object]:
    return {
        "client": {"packages": OURS},
        "scheduler": {"packages": OURS | scheduler},
        "workers": {"tcp://a:1": {"packages": OURS | worker}},
    }


@pytest.mark.parametrize(
    ("scheduler", "worker", "words"),
    [
        ({}, {"python": "3.12.1.final.0"}, "'tcp://a:1' has Python 3.12, and here it is 3.11"),
        ({}, {"wynot": "0.0.9"}, "'tcp://a:1' has wynot 0.0.9, and here it is 0.1.0"),
        ({}, {"wynot": None}, "'tcp://a:1' has no wynot"),
        ({}, {"distributed": "2026.7.0"}, "has distributed 2026.7.0, and here it is 2026.8.0"),
        ({"dask": "2026.7.0"}, {}, "the scheduler has dask 2026.7.0, and here it is 2026.8.0"),
    ],
)
def test_others_are_refused(
    scheduler: dict[str, str | None], worker: dict[str, str | None], words: str
) -> None:
    with pytest.raises(NoCluster) as raised:
        require_same(seen(scheduler, worker))
    assert words in str(raised.value)


def test_a_scheduler_needs_no_wynot_and_patch_levels_of_python_do_not_matter() -> None:
    require_same(seen({"wynot": None}, {"python": "3.11.9.final.0"}))
