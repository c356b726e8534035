"""Sources that take turns come to an end, whatever they do."""

from wynot.core.files import Files
from wynot.passes.progress import Progress
from wynot.passes.tiers import MOST_IDLE_TURNS, Turns
from wynot.search.combinators import done

STEPS = (done, done)


def text(content: bytes) -> Progress:
    return Progress(Files({"a.txt": content}))


def turns_until_all_are_vain(contents: list[bytes]) -> int:
    """Let passes change a text into these, one after the other, and again; count the turns."""
    turns, number = Turns.of(STEPS), 0
    while len(turns.exhausted) < len(STEPS):
        advance = turns.advance(text(contents[number % len(contents)]))
        number += 1
        turns = advance.after(text(contents[number % len(contents)]))
    return number


def test_those_that_change_things_back_are_in_vain_at_last() -> None:
    assert turns_until_all_are_vain([b"a b", b"b a"]) == MOST_IDLE_TURNS + 1


def test_those_that_change_nothing_are_in_vain_at_once() -> None:
    assert turns_until_all_are_vain([b"a b"]) == len(STEPS)
