"""What every language keeps, whatever the text: its tree is one, and nothing is raised."""

import random
from importlib.util import find_spec

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiers import slow_after
from trees import SAMPLES, assert_is_tree, sample
from wynot.core.texts.tree import TOKEN
from wynot.formats import grammar
from wynot.formats.detect import language_of, syntax_errors_of, tree_of
from wynot.formats.language import Language
from wynot.formats.language_table import BY_NAME, LANGUAGES
from wynot.formats.tables.pack import PACK

TRIED = [BY_NAME[name] for name in SAMPLES]
OWN = [*{language.parser: language for language in LANGUAGES if language.parser}.values()]
PARSED = [BY_NAME[name] for name in ("c", "python", "json", "yaml", "markdown", "sql", "bash")]
DEEP = 100_000

every = pytest.mark.parametrize("language", TRIED, ids=lambda language: language.name)
own = pytest.mark.parametrize("language", OWN, ids=lambda language: language.name)

PIECES = [
    *(
        *(b"( ) [ ] { } < > \" ' ` | ; , : = -> -- \\ # #| |# (; ;) // /* */".split()),
        *(b"a b1 12 .5 \xff \0".split()),
    ),
    *(b"if def class int return digraph define @f %x !0 ${ #{ << EOF do end let".split()),
    *(b"\n", b" ", b"\n  ", b"\n\t", b"\r\n", b"@@ -1,3 +1,4 @@\n", b"--- a\n+++ b\n", b"\n}\n"),
]
texts = st.one_of(
    st.binary(max_size=200),
    st.lists(st.sampled_from(PIECES), max_size=60).map(b"".join),
)


def holds(language: Language, content: bytes) -> None:
    tree = tree_of(language, content)
    assert_is_tree(tree, content)
    assert syntax_errors_of(language, content) == tree.syntax_errors


def test_every_language_that_can_be_tried_here_has_a_sample() -> None:
    packed = {language.name for language in PACK}
    assert set(SAMPLES) == BY_NAME.keys() - packed


@every
def test_a_sample_is_recognised_and_without_flaw(language: Language) -> None:
    content = sample(language.name)
    assert language_of(SAMPLES[language.name].name, content) is language
    holds(language, content)
    assert syntax_errors_of(language, content) == 0


@every
def test_a_text_that_ends_anywhere_has_a_tree(language: Language) -> None:
    content = sample(language.name)
    for stop in range(0, len(content), 7):
        holds(language, content[:stop])


@every
def test_a_text_with_holes_has_a_tree(language: Language) -> None:
    content = sample(language.name)
    chance = random.Random(language.name)
    for _ in range(25):
        cuts = sorted(chance.randrange(len(content) + 1) for _ in range(4))
        holds(language, content[: cuts[0]] + content[cuts[1] : cuts[2]] + content[cuts[3] :])


@every
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b" \n\t",
        b"\0",
        b"\xff\xfe\0a",
        bytes(range(256)),
        b"\r\r\n\x0b\x0c",
        "日本🎉\u2028".encode(),
    ],
    ids=["nothing", "blank", "zero", "utf-16", "all-bytes", "line-ends", "wide"],
)
def test_what_is_no_text_of_a_language_has_a_tree(language: Language, content: bytes) -> None:
    holds(language, content)


@every
def test_small_nodes_can_be_taken_as_they_are(language: Language) -> None:
    content = sample(language.name)
    whole, large = tree_of(language, content), tree_of(language, content, 20)
    assert_is_tree(large, content)
    spans = {
        (whole.kind(node), whole.starts[node], whole.stops[node]) for node in range(len(whole))
    }
    for node in range(len(large)):
        assert (large.kind(node), large.starts[node], large.stops[node]) in spans
        if language.parser is None and large.stops[node] - large.starts[node] < 20:
            assert large.flags[node] & TOKEN


@own
@given(content=texts)
def test_our_own_parsers_give_a_tree_for_any_bytes(language: Language, content: bytes) -> None:
    holds(language, content)


@pytest.mark.parametrize("language", PARSED, ids=lambda language: language.name)
@given(content=texts)
def test_grammars_give_a_tree_for_any_bytes(language: Language, content: bytes) -> None:
    holds(language, content)


@own
@pytest.mark.parametrize("piece", slow_after(1, [b"(", b"\n ", b"(]", b"'(", b"{a=["]))
def test_no_nesting_is_too_deep_for_our_own_parsers(language: Language, piece: bytes) -> None:
    content = piece * (DEEP // len(piece))
    tree = tree_of(language, content)
    assert tree.stops[0] == len(content)


@own
def test_what_is_opened_and_closed_often_is_deep(language: Language) -> None:
    content = b"(" * (DEEP // 10) + b")" * (DEEP // 10)
    assert_is_tree(tree_of(language, content), content)


def test_no_nesting_is_too_deep_for_a_grammar() -> None:
    content = b"[" * 20_000 + b"]" * 20_000
    tree = tree_of(BY_NAME["json"], content)
    assert_is_tree(tree, content)
    assert tree.syntax_errors == 0


def kinds_of(language: Language) -> set[str | None]:
    """Return the kinds that a language can have; for our own parsers, those that its sample has."""
    if language.parser is not None:
        tree = tree_of(language, sample(language.name))
        return {tree.kind(node) for node in range(len(tree))}
    loaded = grammar.load(language)
    return {loaded.node_kind_for_id(kind) for kind in range(loaded.node_kind_count)}


def assert_means_what_is_there(language: Language) -> None:
    there = kinds_of(language)
    for column in (language.comments, language.names, language.strings, language.numbers):
        assert column <= there, column - there
    assert language.replacements.keys() <= there, language.replacements.keys() - there


@every
def test_a_row_names_only_kinds_that_its_grammar_has(language: Language) -> None:
    assert_means_what_is_there(language)


@pytest.mark.slow
@pytest.mark.skipif(find_spec("tree_sitter_language_pack") is None, reason="an extra")
def test_so_do_the_rows_of_the_pack() -> None:
    for language in PACK:
        assert_means_what_is_there(language)


@every
def test_short_texts_can_stand_for_most_of_what_they_are_for(language: Language) -> None:
    content = sample(language.name)
    tree = tree_of(language, content)
    found = fitting = 0
    for node in range(1, len(tree)):
        texts = language.replacements.get(tree.kind(node), ()) if tree.is_named(node) else ()
        if texts:
            before, after = content[: tree.starts[node]], content[tree.stops[node] :]
            found += 1
            fitting += any(syntax_errors_of(language, before + text + after) == 0 for text in texts)
    assert fitting >= 0.75 * found


def test_a_row_is_found_by_its_name_only_once() -> None:
    assert len(BY_NAME) == len(LANGUAGES)
    for language in LANGUAGES:
        assert all(suffix.startswith(".") and suffix.islower() for suffix in language.suffixes)
        assert (language.parser is None) == bool(language.grammar)
        assert (language.parser is None) == bool(language.package)
