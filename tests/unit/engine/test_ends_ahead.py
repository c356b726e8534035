from collections.abc import Sequence

from wynot.engine.bet import ForeseenEnd
from wynot.engine.ends_ahead import WORKERS_AN_END, EndsAhead


class Told:
    """Takes note of what it is told; so many workers are busy with each."""

    def __init__(self, busy: int = WORKERS_AN_END) -> None:
        self.ends: list[list[str]] = []
        self._busy = busy

    def __call__(self, ends: Sequence[str]) -> int:
        self.ends.append(list(ends))
        return self._busy * len(ends)


def ends(**odds: float) -> list[ForeseenEnd]:
    return [ForeseenEnd(each, name) for name, each in odds.items()]


def test_an_end_takes_the_place_of_questions_that_are_less_likely() -> None:
    told = Told()
    ahead = EndsAhead[str](told)
    ahead.foresee(ends(a=0.2, b=0.01), [1.0, 0.5, *[0.05] * 14], 16)
    assert told.ends == [["a"]]
    assert ahead.taken == WORKERS_AN_END


def test_an_end_that_is_less_likely_than_all_questions_has_to_wait() -> None:
    told = Told()
    ahead = EndsAhead[str](told)
    ahead.foresee(ends(a=0.04), [1.0, 0.5, *[0.05] * 14], 16)
    assert told.ends == []
    assert ahead.taken == 0


def test_workers_with_nothing_to_do_turn_to_any_end() -> None:
    told = Told()
    EndsAhead[str](told).foresee(ends(a=0.02, b=0.01), [1.0, 0.5], 16)
    assert told.ends == [["a", "b"]]


def test_the_question_that_is_needed_next_keeps_its_worker() -> None:
    for width in (2, 3, 16):
        ahead = EndsAhead[str](Told(busy=width))
        ahead.foresee(ends(a=0.9), [1.0, 0.1], width)
        assert ahead.taken == width - 1
    told = Told()
    EndsAhead[str](told).foresee(ends(a=0.9), [1.0], 1)
    assert told.ends == []


def test_what_was_begun_is_kept_while_no_other_end_is_likely() -> None:
    told = Told()
    ahead = EndsAhead[str](told)
    ahead.foresee(ends(a=0.5), [1.0, 0.4], 2)
    ahead.foresee(ends(b=0.1), [1.0, 0.4], 2)
    assert told.ends == [["a"], ["a"]]
