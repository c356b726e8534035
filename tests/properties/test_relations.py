"""What numbers tell of a text stays true, whatever is left out of it."""

import struct
from bisect import bisect_left
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counted_bytes import BYTE_FORMATS
from counted_formats import FORMATS as TEXT_FORMATS
from counted_formats import CountedFormat
from counting import is_linear, steps
from tiers import slow_but
from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.files import Files
from wynot.core.texts.parts import Parts, PartsCase
from wynot.core.texts.patched_text import Splice, spliced
from wynot.passes.reduction_pass import CutCase, RelationsByPath
from wynot.passes.related import Related, RelatedCase
from wynot.passes.relation_passes import DropItems
from wynot.relations.mining import mine
from wynot.relations.relation import Relation, Size, Span
from wynot.relations.sizes import line_sizes
from wynot.relations.updates import Moves, RelatedText, update

FORMATS = (*TEXT_FORMATS, *BYTE_FORMATS)
COSTLY = {"triangles"}
PADDED = {"riff", "ar"}
"""Padding behind a record stays as it is: of these, records go as a whole."""
TEXTS = 20
"""Texts of each format."""
CANDIDATES = 12
"""Candidates of each text."""
WELL_FORMED_SHARE = 0.99


def cases(text: bytes) -> list[CutCase]:
    """Return the ways to leave out what numbers tell of: items, and bytes that have a length."""
    kept: RelationsByPath = {"x": mine(text)}
    assert kept["x"], text
    files = Files({"x": text})
    sums = {place for each in kept["x"] if each.family == "checksum" for place in range(*each.at)}
    numbers = sorted(each.at.start for each in kept["x"] if each.at.start not in sums)
    lengths = {
        place
        for each in kept["x"]
        if isinstance(each.measure, Size) and each.factor == 1
        if bisect_left(numbers, each.scope.stop) == bisect_left(numbers, each.scope.start)
        for place in {*range(*each.scope)} - sums
    }
    parts = Parts.apart([(place, place + 1) for place in sorted(lengths)])
    bodies = PartsCase(files, {"x": parts})
    items = Related(DropItems(kept), kept).cut(files, ()).case
    return [case for case in (items, RelatedCase(bodies, bodies.splices, kept)) if case.deltas]


def some_of(random: Random, count: int) -> Deltas:
    """Return what is to go: neighbours, or here and there."""
    if random.random() < 0.5:
        start = random.randrange(count)
        return Deltas((start, random.randrange(start, count) + 1))
    return Deltas.of(each for each in range(count) if random.random() < 0.3)


def is_well_formed(counted: CountedFormat, text: bytes) -> bool:
    try:
        return counted.check(text)
    except (ValueError, IndexError, struct.error):
        return False


@pytest.mark.parametrize(
    "counted",
    slow_but([each for each in FORMATS if each.name not in COSTLY], FORMATS),
    ids=lambda each: each.name,
)
def test_candidates_of_a_counted_format_are_well_formed(counted: CountedFormat) -> None:
    good = every = 0
    for seed in range(TEXTS):
        random = Random(seed)
        text = counted.make(random)
        assert counted.check(text)
        if not mine(text):  # too small to be told from chance
            continue
        for case in cases(text)[: 1 if counted.name in PADDED else None]:
            for _ in range(CANDIDATES):
                gone = some_of(random, len(case.deltas))
                left = case.render(Candidate.whole(case.deltas.toggle(gone))).contents["x"]
                every += 1
                good += is_well_formed(counted, left)
    assert every >= TEXTS * CANDIDATES // 2
    assert good >= WELL_FORMED_SHARE * every


@pytest.mark.parametrize("counted", FORMATS, ids=lambda each: each.name)
def test_relations_are_found_and_hold(counted: CountedFormat) -> None:
    found = 0
    for seed in range(TEXTS):
        text = counted.make(Random(seed))
        relations = mine(text)
        found += bool(relations)
        everywhere = [Splice(0, 0, b"")]
        assert update(text, relations, everywhere).content == text
    assert found >= 0.8 * TEXTS


@given(st.randoms(use_true_random=False), st.binary(max_size=40))
def test_relations_of_a_damaged_text_stay_inside_of_it(random: Random, noise: bytes) -> None:
    text = bytearray(random.choice(FORMATS).make(random))
    for byte in noise:
        place = random.randrange(len(text) + 1)
        text[place : place + random.randrange(3)] = bytes([byte]) * random.randrange(3)
    content = bytes(text)
    relations = mine(content)
    start = random.randrange(len(content) + 1)
    splices = [Splice(start, random.randrange(start, len(content) + 1), b"")]
    left = update(content, relations, splices)
    for each in left.relations:
        assert 0 <= each.at.start < each.at.stop <= len(left.content)
        assert 0 <= each.scope.start <= each.scope.stop <= len(left.content)


@pytest.mark.parametrize("content", [b"\0\1", b"\0\0\0\1", b"\0\1 made of a few words"])
def test_number_with_nothing_behind_it_counts_nothing(content: bytes) -> None:
    assert all(each.factor for each in mine(content))


@given(st.binary(max_size=60), st.data())
def test_places_are_followed_through_splices(content: bytes, data: st.DataObject) -> None:
    bounds = sorted(data.draw(st.sets(st.integers(0, len(content)), max_size=6)))
    runs = zip(bounds[::2], bounds[1::2], strict=False)
    splices = [Splice(start, stop, data.draw(st.binary(max_size=3))) for start, stop in runs]
    after, moves = spliced(content, splices), Moves(splices)
    for start in range(len(content)):
        span = Span(start, start + 1)
        if not moves.overlap(span):
            assert after[slice(*moves.span(span))] == content[slice(*span)]


def some_splices(random: Random, size: int, dense: int) -> list[Splice]:
    """Return splices anywhere, with little between them if many bytes are replaced."""
    bounds = sorted({random.randrange(size + 1) for _ in range(random.randrange(2, dense))})
    runs = zip(bounds[::2], bounds[1::2], strict=False)
    return [Splice(*run, random.choice([b"", b"", b"7", b"xy\n"])) for run in runs]


def twisted(random: Random, relation: Relation, size: int) -> Relation:
    """Return a relation that no miner would find: not true, or of more than it is about."""
    if relation.whole or random.random() < 0.5:
        return relation._replace(addend=relation.addend + random.randrange(2))
    start, stop = relation.scope
    scope = Span(random.randrange(start + 1), random.randrange(stop, size + 1))
    return relation._replace(scope=scope)


@pytest.mark.parametrize("counted", FORMATS, ids=lambda each: each.name)
def test_measuring_only_changed_scopes_gives_the_same_text(counted: CountedFormat) -> None:
    for seed in range(4):
        random = Random(seed)
        text = counted.make(random)
        relations = mine(text)
        if seed % 2:
            relations = tuple(twisted(random, each, len(text)) for each in relations)
        related = RelatedText(text, relations)
        for _ in range(CANDIDATES):
            splices = some_splices(random, len(text), random.choice([3, 6, 40]))
            assert related.content_after(splices) == update(text, relations, splices).content


def test_candidate_costs_no_more_with_more_relations_elsewhere() -> None:
    def cost(count: int) -> int:
        text = b"".join(
            b"%d:%s," % (each % 40 + 1, b"x" * (each % 40 + 1)) for each in range(count)
        )
        kept: RelationsByPath = {"x": mine(text)}
        assert len(kept["x"]) == count
        files, parts = Files({"x": text}), Parts.apart([(at, at + 1) for at in range(len(text))])
        bodies = PartsCase(files, {"x": parts})
        case = RelatedCase(bodies, bodies.splices, kept)
        middle = kept["x"][count // 2].scope.start
        first, second = (
            Candidate.whole(case.deltas.toggle(Deltas((at, at + 1)))) for at in (middle, middle + 1)
        )
        case.render(first)
        return steps(lambda: case.render(second))

    assert cost(2000) <= 1.2 * cost(200)


LETTERS = bytes.maketrans(b"0123456789", b"ghijklmnop")


def test_looking_for_lengths_takes_linear_time() -> None:
    def look(size: int) -> None:
        words = (b"%x" % each for each in range(size))
        line_sizes(b"".join(word.translate(LETTERS) + b": 5\n" for word in words))

    assert is_linear(look, 1_000)


def test_letters_take_no_longer_than_other_characters_to_look_for_lengths_in() -> None:
    little = 1 << 15

    def look(size: int) -> None:
        line_sizes((b"," if size == little else b"x") * size)

    assert is_linear(look, little)
