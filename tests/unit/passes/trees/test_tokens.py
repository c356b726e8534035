"""Tokens left out of texts, and what becomes of the white space between them."""

from collections.abc import Iterable
from itertools import combinations, pairwise
from random import Random

import pytest

from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE, Deltas
from wynot.core.edit import Edit
from wynot.core.files import Files
from wynot.passes.trees.tokens import NO_TOKENS, Tokens, TokensCase, TokenText


def cut(text: bytes, words: Iterable[bytes]) -> Tokens:
    """Return where words are, in order."""
    starts, stops, at = [], [], 0
    for word in words:
        at = text.index(word, at)
        starts.append(at)
        at += len(word)
        stops.append(at)
    return Tokens(starts, stops)


def of(text: bytes, words: str = "") -> TokensCase:
    """Return a text as a case; its tokens are what white space parts, unless they are given."""
    tokens = cut(text, words.encode().split() if words else text.split())
    return TokensCase(Files({"f": text}), {"f": tokens})


def without(case: TokensCase, *gone: int) -> bytes:
    dropped = Candidate(case.deltas, Edit.drop(Deltas.of(gone)), "")
    return case.render(dropped).contents["f"]


def test_with_all_tokens_it_is_the_text() -> None:
    text = b"  \n a  b\n\n\tc \n"
    case = of(text)
    assert len(case.deltas) == case.size(case.deltas) == 3
    assert without(case) == text
    assert case.weights == [1, 1, 1]


@pytest.mark.parametrize(
    ("text", "gone", "left"),
    [
        # What is between two lines stays a line end, whatever goes.
        (b"a\nb\nc\n", [1], b"a\nc\n"),
        (b"a b\nc d\n", [1, 2], b"a\nd\n"),
        (b"a b c d\n", [1, 2], b"a d\n"),
        # Of the line that went first and the one that follows, the one that is indented less: what
        # was inside of something takes its place.
        (b"a\n  b\n    c\n", [1], b"a\n  c\n"),
        (b"a\n    b\nc\n", [1], b"a\nc\n"),
        (b"a\n    b\nc\n    d\n", [1, 2], b"a\n    d\n"),
        (b"a\n\n\nb\nc\n", [1], b"a\nc\n"),
        # But a comment may be indented in any way.
        (b"a\n#b\n    c\n", [1], b"a\n    c\n"),
        (b"a\n#b\n  #c\n    d\n", [1, 2], b"a\n    d\n"),
        (b"a\n#b\n  c\n    d\n", [1, 2], b"a\n  d\n"),
        # If only what begins a line goes, the rest has the indentation of that line.
        (b"a\n    b c\n", [1], b"a\n    c\n"),
        (b"a\r\n  b\r\nc\r\n", [1], b"a\r\nc\r\n"),
        # In a line the smaller gap is taken.
        (b"a  b c\n", [1], b"a c\n"),
        (b"a b   c\n", [1], b"a c\n"),
        (b"a\tb c\n", [1], b"a\tc\n"),  # of equals the first
        # The start of the file is that of a line, but there is no line end.
        (b"a\n  b\n", [0], b"b\n"),
        (b"  a\n    b\n", [0], b"  b\n"),
        (b"a\n\n\nb\n", [0], b"b\n"),
        (b"  a b\n", [0], b"  b\n"),
        (b"\n  a b\n", [0], b"  b\n"),
        (b"a b\n  c d\n", [0, 1, 2], b"d\n"),
        # Its end: one line end if there was any.
        (b"a\nb\n\n\n", [1], b"a\n"),
        (b"a\nb", [1], b"a\n"),
        (b"a b  ", [1], b"a"),
        (b"a b\n", [1], b"a\n"),
        # Nothing is left.
        (b"a\n  b\n", [0, 1], b""),
        (b"  a  ", [0], b""),
    ],
)
def test_what_is_left_of_white_space(text: bytes, gone: list[int], left: bytes) -> None:
    assert without(of(text), *gone) == left


@pytest.mark.parametrize(
    ("text", "words", "gone", "left"),
    [
        # Words never run together, nor do marks.
        (b"a,b", "a , b", [1], b"a b"),
        (b"a+1", "a + 1", [1], b"a 1"),
        (b"x(y)", "x ( y )", [1, 3], b"x y"),
        (b"\xc3\xa9.e", "\u00e9 . e", [1], b"\xc3\xa9 e"),
        (b"$a.b", "$a . b", [1], b"$a b"),
        (b"a-=b", "a - = b", [3], b"a-="),
        (b"+a+b", "+ a + b", [1], b"+ +b"),
        (b"<a>", "< a >", [1], b"< >"),
        # A word beside a mark is told apart from it, and brackets from everything.
        (b"a*b+c", "a * b + c", [1, 2], b"a+c"),
        (b"f(x)", "f ( x )", [2], b"f()"),
        (b"(a)(b)", "( a ) ( b )", [1, 2, 3, 4], b"()"),
        (b"a;b;c", "a ; b ; c", [1, 2], b"a;c"),
        # Where one of the two had a blank, that one had none is enough.
        (b"a (b) c", "a ( b ) c", [1, 2, 3], b"a c"),
        (b"f (x)", "f ( x )", [0], b"(x)"),
        (b"- a-b", "- a - b", [1], b"- -b"),
    ],
)
def test_what_is_left_between_tokens_without_white_space(
    text: bytes, words: str, gone: list[int], left: bytes
) -> None:
    assert without(of(text, words), *gone) == left


LONG = b"""\
int f(int a) {
    if (a > 1) {
        return g( a , 2 );   // two
    }

\treturn+a;
}
"""
WORDS = "int f ( int a ) { if ( a > 1 ) { return g ( a , 2 ) ; // two } return + a ; }"


def from_scratch(kept: Deltas) -> bytes:
    """Write out, with nothing written before."""
    return of(LONG, WORDS).render(Candidate.whole(kept)).contents["f"]


def test_several_stretches_at_once_are_as_if_written_from_scratch() -> None:
    case = of(LONG, WORDS)
    chance = Random(1)
    for _ in range(300):
        base = Deltas.of(each for each in case.deltas if chance.random() < 0.8)
        gone = Deltas.of(each for each in base if chance.random() < 0.3)
        candidate = Candidate(base, Edit.drop(gone), "")
        assert case.render(candidate).contents["f"] == from_scratch(candidate.kept)


def test_every_single_stretch_is_as_if_written_from_scratch() -> None:
    case = of(LONG, WORDS)
    for start, stop in combinations(range(len(case.deltas) + 1), 2):
        candidate = Candidate(case.deltas, Edit.drop(Deltas((start, stop))), "")
        assert case.render(candidate).contents["f"] == from_scratch(candidate.kept)


def test_deltas_can_also_be_put_in_or_kept() -> None:
    case = of(b"a b c d\n")
    part = Deltas.of([0, 2])
    assert case.render(Candidate(part, Edit.add(Deltas.of([3])), "")).contents["f"] == b"a c d\n"
    assert case.render(Candidate(case.deltas, Edit.keep(part), "")).contents["f"] == b"a c\n"
    assert case.render(Candidate.whole(NONE)).contents["f"] == b""


def test_tokens_are_numbered_through_all_files_and_those_without_any_stay() -> None:
    contents = {"a": b"1 2\n", "b": b"\0\1", "c": b" ", "d": b"3\n4\n"}
    files = Files(contents, modes={"a": 0o755})
    tokens = {path: cut(contents[path], contents[path].split()) for path in ("a", "c", "d")}
    case = TokensCase(files, tokens)
    assert [(text.first, text.after) for text in case.texts] == [(0, 2), (2, 2), (2, 2), (2, 4)]
    left = case.render(Candidate(case.deltas, Edit.drop(Deltas((1, 3))), ""))
    assert left.contents == {"a": b"1\n", "b": b"\0\1", "c": b" ", "d": b"4\n"}
    assert left.modes == files.modes
    assert case.render(Candidate.whole(NONE)).contents == {**contents, "a": b"", "d": b""}


def test_the_digest_is_that_of_the_files() -> None:
    case = of(b"a b a b\n")
    first, second = (Candidate(case.deltas, Edit.drop(Deltas(run)), "") for run in ((0, 2), (2, 4)))
    assert case.digest(first) == case.digest(second) == case.render(first).digest
    other = Candidate(case.deltas, Edit.drop(Deltas((1, 3))), "")
    assert case.digest(other) == case.digest(first)  # `a b` again
    assert case.digest(Candidate.whole(NONE)) != case.digest(first)


def test_two_ways_to_cut_are_told_apart_by_their_key() -> None:
    one, same, other = of(b"a bc"), of(b"a bc"), of(b"a bc", "a b c")
    assert one.key == same.key != other.key


def test_without_tokens_the_text_is_one_gap() -> None:
    text = TokenText("f", b" x ", NO_TOKENS, 0)
    assert text.between(-1, 0) == b" x "
    assert not text.would_join(-1, 0)


def test_what_stands_at_the_ends_joins_nothing() -> None:
    text = TokenText("f", b"a b", cut(b"a b", [b"a", b"b"]), 0)
    joins = [text.would_join(left, right) for left, right in pairwise(range(-1, 3))]
    assert joins == [False, True, False]
