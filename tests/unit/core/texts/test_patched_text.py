"""A text with some patches done, and what some more make of it."""

from hypothesis import given
from hypothesis import strategies as st

from wynot.core.texts.patched_text import PatchedText, Splice, TextChange, spliced

ORIGINAL = b"abcdefghijkl"


def plainly(content: bytes, changes: list[TextChange]) -> bytes:
    """Return a text after changes, one after the other."""
    pieces: list[bytes] = []
    reached = 0
    for each in sorted(changes):
        if each.start >= reached:
            pieces += (content[reached : each.start], each.instead)
            reached = -each.negative_stop
    return b"".join((*pieces, content[reached:]))


@st.composite
def changes(draw: st.DrawFn) -> TextChange:
    start = draw(st.integers(0, len(ORIGINAL)))
    stop = draw(st.integers(start, min(start + 5, len(ORIGINAL))))
    return TextChange(
        start, -stop, draw(st.integers(0, 9)), draw(st.sampled_from([b"", b"X", b"YZ"]))
    )


@given(st.lists(changes(), max_size=6), st.lists(changes(), max_size=6))
def test_some_more_changes_are_splices_of_the_text_before(
    done: list[TextChange], more: list[TextChange]
) -> None:
    text = PatchedText(ORIGINAL, done)
    assert text.content == plainly(ORIGINAL, done)
    splices = text.splices(more)
    assert spliced(text.content, splices) == plainly(ORIGINAL, [*done, *more])
    reached = 0
    for start, stop, _ in splices:
        assert reached <= start <= stop
        reached = stop


def test_only_what_has_changed_is_spliced() -> None:
    text = PatchedText(b"x" * 1000, [TextChange(at, -at - 1, at, b"") for at in range(0, 1000, 10)])
    assert text.splices([TextChange(503, -505, 0, b"y")]) == [Splice(452, 454, b"y")]


def test_a_change_that_is_done_now_may_let_another_be_done() -> None:
    hidden, hiding = TextChange(4, -6, 1, b"hidden"), TextChange(2, -5, 2, b"")
    text = PatchedText(ORIGINAL, [hidden, hiding])
    assert text.content == b"abfghijkl"
    assert text.splices([TextChange(1, -3, 3, b"")]) == [Splice(1, 3, b"dhidden")]


def test_a_text_that_nothing_changes_is_not_copied() -> None:
    assert PatchedText(ORIGINAL, []).content is ORIGINAL
