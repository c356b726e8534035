"""Orders of tests: each pair both ways in two runs, the same again by a seed."""

from itertools import combinations, islice, pairwise

from hypothesis import given
from hypothesis import strategies as st

from wynot.core.ending import Ending
from wynot.inquiries.tests.failing_order import orders, orders_before, shuffled
from wynot.inquiries.tests.selection import Listed, every_seen

TESTS = [
    Listed(f"test_{file}.py::{owner}test_{number}", f"/test_{file}.py")
    for file in range(4)
    for owner in ("", "TestA::", "TestB::")
    for number in range(3)
]


@given(st.integers(0, 10**9))
def test_an_order_has_every_test_once_and_is_the_same_again(seed: int) -> None:
    mixed = [*shuffled(TESTS, seed)]
    assert sorted(mixed) == sorted(TESTS)
    assert mixed == [*shuffled(TESTS, seed)]


def test_seeds_give_different_orders() -> None:
    assert len({tuple(shuffled(TESTS, seed)) for seed in range(20)}) == 20


@given(st.integers(0, 10**9))
def test_what_is_set_up_for_a_file_or_class_is_set_up_once(seed: int) -> None:
    mixed = [*shuffled(TESTS, seed)]
    files = [test.path for test in mixed]
    classes = [test.name.rpartition("::")[0] for test in mixed]
    for groups in (files, classes):
        changes = sum(one != other for one, other in pairwise(groups))
        assert changes + 1 == len({*groups})


def test_two_orders_have_each_pair_both_ways() -> None:
    first, seeded, back = islice(orders(TESTS, None), 3)
    assert (first.seed, first.tests) == (None, tuple(reversed(TESTS)))
    assert (seeded.seed, back.seed) == (0, 0)
    for one, other in combinations(TESTS, 2):
        before = [order.index(one) < order.index(other) for order in (seeded.tests, back.tests)]
        assert sum(before) == 1


def test_a_seed_is_where_the_orders_begin() -> None:
    from_two = islice(orders(TESTS, 2), 4)
    assert [*from_two] == [*islice(orders(TESTS, None), 5, 9)]


def test_a_test_that_is_named_comes_after_all_others() -> None:
    for order in islice(orders_before(TESTS, 5, None), 6):
        assert order.tests[-1] == TESTS[5]
        assert sorted(order.tests) == sorted(TESTS)
    first = next(orders_before(TESTS, 5, None))
    assert [*first.tests[:-1]] == [test for test in TESTS if test != TESTS[5]]


def test_what_became_of_every_test_is_read() -> None:
    rows = b'[0, "started", ""]\n[0, "passed", ""]\n[1, "started", ""]\n[1, "failed", "x"]\n'
    seen = every_seen(rows + b'[2, "started", ""]\n', 4, Ending(-11, 1.0))
    assert [each.outcome for each in seen] == ["passed", "failed", "crashed", "not run"]
    [stopped] = every_seen(b'[0, "started", ""]\n', 1, Ending(-9, 1.0, "timeout"))
    assert stopped.outcome == "stopped"


@given(st.binary(max_size=200))
def test_whatever_a_test_writes_there_does_no_harm(noise: bytes) -> None:
    hostile = b'{"a": 1}\n[9, "failed", ""]\n[-1, "failed", ""]\n[0]\n[0, 1, 2]\n' + b"[" * 9999
    seen = every_seen(noise + b"\n" + hostile, 2, Ending(0, 1.0))
    assert len(seen) == 2
