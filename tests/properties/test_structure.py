"""What reductions of structured texts keep, for any text and any test."""

import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reduce_inline import reduce_inline
from tiers import slow_but
from trees import SAMPLES
from wynot.commands.reduce_options import ReduceOptions
from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.files import Files
from wynot.passes.trees.parsed_files import Trees
from wynot.passes.trees.tokens import Tokens, TokensCase

FEW = settings(max_examples=settings().max_examples // 5)
"""For what runs a whole reduction, or several."""

words = st.sampled_from(["a", "b", "cat", "dog", "12", '"s t"', "+", "x.y"])
blanks = st.sampled_from(["", " ", "  ", "\n", "\n\n  ", "\t", " \r\n"])


def bracketed(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(
        lambda pair, parts, gap: pair[0] + gap + gap.join(parts) + gap + pair[1],
        st.sampled_from(["()", "[]", "{}"]),
        st.lists(inner, max_size=4),
        blanks,
    )


nested = st.recursive(words, bracketed, max_leaves=12)
plain = st.lists(
    st.builds("{}{}{}".format, st.sampled_from(["", "  ", "    "]), nested, blanks),
    min_size=1,
    max_size=5,
).map(lambda lines: "\n".join(lines).encode())
lists = st.lists(
    st.recursive(
        st.sampled_from(["a", "set-logic", "assert", "12", "|q q|", '"s"']),
        lambda inner: st.lists(inner, min_size=1, max_size=4).map(
            lambda parts: "(" + " ".join(parts) + ")"
        ),
        max_leaves=10,
    ),
    min_size=1,
    max_size=4,
).map(lambda forms: "\n".join(forms).encode())
values = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 999) | st.sampled_from(["", "key", "é"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["k", "name", "id"]), inner, max_size=3)
    ),
    max_leaves=10,
)
data = st.builds(
    lambda value, indent: json.dumps(value, indent=indent).encode(),
    values,
    st.sampled_from([None, 1, 4]),
)
cases = (
    plain.map(lambda text: Files({"a.txt": text}))
    | lists.map(lambda text: Files({"a.smt2": text}))
    | data.map(lambda text: Files({"a.json": text}))
    | st.builds(lambda one, two: Files({"a.txt": one, "b.json": two}), plain, data)
)
seeds = st.integers(0, 2**32)
layouts = st.sampled_from(["tidy", "short", "keep"])


class Arbitrary:
    """Any function at all, in which the whole fails."""

    def __init__(self, whole: Files, seed: int, often: int) -> None:
        self.whole = whole.digest
        self.seed = seed
        self.often = often

    def __call__(self, files: Files) -> bool | None:
        if files.digest == self.whole:
            return True
        return (True, False, None, False)[crc32(files.digest, self.seed) % self.often]


def needs(wanted: Sequence[bytes], files: Files) -> bool:
    """Tell whether these words are there, in this order."""
    rest = iter(words_of(files))
    return all(word in rest for word in wanted)


def words_of(files: Files) -> list[bytes]:
    return list(Trees.of(files).forest(files).words)


def written(content: bytes, tokens: Tokens, kept: Sequence[int]) -> bytes:
    """Write a text out by the rule for gaps, in the plainest way there is."""
    starts, stops = list(tokens.starts), list(tokens.stops)
    if not starts:
        return content
    count = len(starts)
    edges = [0, *stops], [*starts, len(content)]
    gaps = [content[low:high] for low, high in zip(*edges, strict=True)]
    text, left = b"", -1
    for right in [*kept, count]:
        between = gaps[left + 1 : right + 1]
        broken = [gap for n, gap in enumerate(between, left + 1) if b"\n" in gap or n == 0]
        ends = sorted([broken[-1], broken[0]], key=indentation) if broken else []
        if len(between) == 1:
            gap = between[0]
        elif broken and left >= 0 and right < count:
            gap = ends[0]
        elif broken and right < count:
            gap = ends[0].split(b"\n")[-1]
        elif broken and left >= 0:
            gap = b"\n"
        elif left < 0 or right == count:
            gap = b""
        else:
            gap = between[-1] if len(between[-1]) < len(between[0]) else between[0]
            sides = content[stops[left] - 1 :][:1], content[starts[right] :][:1]
            gap = gap or (b" " if would_join(*sides) else b"")
        text += gap
        if right < count:
            text += content[starts[right] : stops[right]]
        left = right
    return text


def indentation(gap: bytes) -> int:
    return len(gap.split(b"\n")[-1])


def would_join(one: bytes, two: bytes) -> bool:
    """Tell whether two characters can be of one token: both of words, or both of marks."""
    if one in b"()[]{},;" or two in b"()[]{},;":
        return False
    of_word = [each.isalnum() or each in b"_$" or each >= b"\x80" for each in (one, two)]
    return of_word[0] == of_word[1]


class Run(NamedTuple):
    """Tokens of one file that go together."""

    path: str
    tokens: range


def runs_of(files: Files, trees: Trees) -> dict[str, set[Run]]:
    """Return the tokens of every single node, and every single token."""
    forest = trees.forest(files)
    firsts = {path: first for first, path in forest.texts}
    nodes, singles = set(), set()
    for node in forest.nodes:
        if not forest.has_tokens(node):
            continue
        path, *_ = forest.span(node)
        nodes.add(
            Run(path, range(forest.firsts[node] - firsts[path], forest.ends[node] - firsts[path]))
        )
    for token, _ in forest.token_leaves:
        path, *_ = forest.span_of_token(token)
        singles.add(Run(path, range(token - firsts[path], token - firsts[path] + 1)))
    return {"nodes": nodes, "tokens": singles}


def can_still_go(
    files: Files, trees: Trees, fails: Callable[[Files], object]
) -> dict[str, list[Run]]:
    """Return by trying which single nodes and tokens can go."""
    tokens = trees.forest(files).tokens
    found: dict[str, list[Run]] = {}
    for kind, runs in runs_of(files, trees).items():
        for run in runs:
            content = files.contents[run.path]
            kept = [n for n in range(len(tokens[run.path].starts)) if n not in run.tokens]
            left = written(content, tokens[run.path], kept)
            if fails(files.replaced({**files.contents, run.path: left})) is True:
                found.setdefault(kind, []).append(run)
    return found


@FEW
@given(cases, seeds, st.sampled_from([2, 3, 4]), layouts)
def test_the_result_fails_and_no_single_node_or_token_of_it_can_go(
    files: Files, seed: int, often: int, layout: Any
) -> None:
    fails = Arbitrary(files, seed, often)
    found = reduce_inline(files, fails, ReduceOptions(files=(), layout=layout))
    assert fails(found.files) is True
    trees = Trees.of(files)
    assert can_still_go(found.files, trees, fails) == {}
    runs = runs_of(found.files, trees)
    assert {kind for kind in ("nodes", "tokens") if runs[kind]} <= {*found.proved}


@FEW
@given(cases, st.data())
def test_of_words_that_are_needed_nothing_else_is_left(files: Files, data: st.DataObject) -> None:
    all_words = words_of(files)
    places = data.draw(st.sets(st.sampled_from(range(len(all_words))), max_size=4))
    wanted = [all_words[place] for place in sorted(places)]
    found = reduce_inline(files, partial(needs, wanted), ReduceOptions(files=(), rename=False))
    assert words_of(found.files) == wanted


@FEW
@given(cases, seeds, st.sampled_from([2, 3, 4]), layouts)
def test_everything_is_the_same_at_any_width(
    files: Files, seed: int, often: int, layout: Any
) -> None:
    fails, options = Arbitrary(files, seed, often), ReduceOptions(files=(), layout=layout)
    alone = reduce_inline(files, fails, options)
    for width in (2, 4):
        assert reduce_inline(files, fails, options, width=width, seed=seed) == alone


@given(cases, st.data())
def test_a_candidate_is_written_as_the_rule_has_it(files: Files, data: st.DataObject) -> None:
    tokens = Trees.of(files).forest(files).tokens
    case = TokensCase(files, tokens)
    numbers = st.sets(st.sampled_from(list(case.deltas))) if case.deltas else st.just(set[int]())
    for _ in range(3):
        base = Deltas.of({*case.deltas} - data.draw(numbers))
        gone = Deltas.of({*base} & data.draw(numbers))
        kept = base.toggle(gone)
        want = files.replaced(
            {
                text.path: written(
                    text.content,
                    text.tokens,
                    [each - text.first for each in kept if text.first <= each < text.after],
                )
                for text in case.texts
            }
        )
        ways = (
            Candidate(base, Edit.drop(gone), ""),
            Candidate(base, Edit.keep(kept), ""),
            Candidate(kept.toggle(gone), Edit.drop(gone), ""),
        )
        for candidate in ways:
            assert TokensCase(files, tokens).render(candidate) == want
            assert case.render(candidate) == want
            assert case.digest(candidate) == want.digest


@given(cases, st.data())
def test_digests_are_equal_if_and_only_if_contents_are(files: Files, data: st.DataObject) -> None:
    case = TokensCase(files, Trees.of(files).forest(files).tokens)
    numbers = st.sets(st.sampled_from(list(case.deltas))) if case.deltas else st.just(set[int]())
    one, two = (Candidate.whole(Deltas.of(data.draw(numbers))) for _ in range(2))
    same = case.render(one).contents == case.render(two).contents
    assert (case.digest(one) == case.digest(two)) is same


@pytest.mark.parametrize("name", slow_but({"c", "python", "json", "lisp", "html"}, SAMPLES))
def test_any_sample_can_be_reduced(name: str) -> None:
    path = SAMPLES[name]
    files = Files({path.name: path.read_bytes()})
    trees = Trees.of(files)
    for seed in (1, 2):
        fails = Arbitrary(files, seed, 4)
        found = reduce_inline(files, fails)
        assert fails(found.files) is True
        assert can_still_go(found.files, trees, fails) == {}
        assert reduce_inline(files, fails, width=3, seed=seed) == found


def test_a_row_of_nothing_but_bars() -> None:
    files = Files({"a.md": b"||\n|-|\n"})
    assert reduce_inline(files, lambda files: b"|" in files.contents["a.md"]).content == b"|\n"


def test_a_file_that_matters_is_not_taken_for_its_twin_nor_for_nothing() -> None:
    files = Files({"d/a": b"x\n", "d/b": b"x\n"})
    assert reduce_inline(files, lambda files: "d/b" in files.contents).files == Files({"d/b": b""})
