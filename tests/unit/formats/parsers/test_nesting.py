"""Brackets that have no partner."""

from functools import partial
from itertools import product

from counting import steps
from wynot.formats.parsers.nesting import MARK_KIND, Token, pairs, unpaired

LONGEST = 6


def test_as_many_have_no_partner_as_are_in_no_pair() -> None:
    for length in range(LONGEST + 1):
        for each in product(b"()[]", repeat=length):
            marks = [Token(MARK_KIND, at, at + 1, named=False) for at in range(length)]
            assert unpaired(bytes(each)) == length - 2 * len(pairs(bytes(each), marks))


def test_brackets_that_are_never_closed_or_opened_are_only_counted() -> None:
    assert unpaired(b"[" * 9) == unpaired(b"}" * 9) == 9
    for bracket in (b"(", b"]", b"{"):
        few, many = (steps(partial(unpaired, bracket * count)) for count in (5, 5000))
        assert few == many
