"""The last bytes: what no other pass finds is found, within bounds, and the same at any width."""

import re
from collections.abc import Callable

import pytest

from reduce_inline import Reduced, reduce_inline
from wynot.core.files import Files
from wynot.core.rewrites import Patch, Rewrite, RewritesCase, rewritten
from wynot.passes.forest import Forest
from wynot.passes.last_bytes import LEFTOVERS, LastBytes
from wynot.passes.leftovers.line_joins import all_blanks, line_joins
from wynot.passes.leftovers.stand_ins import descendants, plain_texts
from wynot.passes.leftovers.substrings import substrings
from wynot.passes.leftovers.token_sets import alike, pairs, window_pairs, windows
from wynot.passes.trees import Trees


def reduced(
    path: str,
    text: str,
    fails: Callable[[str], object],
    *,
    last_bytes: bool = True,
    width: int = 1,
) -> Reduced:
    return reduce_inline(
        Files({path: text.encode()}),
        lambda candidate: fails(candidate.contents[path].decode()),
        last_bytes=last_bytes,
        width=width,
        seed=width,
    )


def proposed(
    path: str, text: bytes, propose: Callable[[Forest], object], *, sort: str = ""
) -> set[bytes]:
    files = Files({path: text})
    rewrites = propose(Trees.of(files).forest(files))
    assert not isinstance(rewrites, Rewrite)
    return {
        rewritten(text, [*rewrite.patches])
        for rewrite in rewrites  # type: ignore[attr-defined]
        if sort in rewrite.category
    }


@pytest.mark.parametrize(
    ("propose", "path", "text", "left"),
    [
        (windows, "a.js", b"f(a,b,c,d,e)", b"f()"),
        (windows, "a.js", b"f(a,b,c,d,e)", b"b,c,d"),
        (pairs, "a.js", b"f((a))", b"f(a)"),
        (pairs, "a.js", b"f(a,b)", b"f a b"),
        (window_pairs, "a.js", b"f(1,a,2)+3", b"f a+3"),
        (alike, "a.c", b"for(;;)f(;;)", b"for()f()"),
        (alike, "a.js", b"a?b?c:d:e", b"a b c d e"),
        (descendants, "a.ts", b"interface A{b:{c:0}}", b"interface A{c:0}"),
        (descendants, "a.json", b'{"a":[{"b":0}]}', b'{"b":0}'),
        (plain_texts, "a.py", b"f(lambda:0)", b"f(0)"),
        (plain_texts, "a.py", b"aa(bb)", b"a(bb)"),
        (substrings, "a.toml", b'"" =0', b'""=0'),
        (substrings, "a.py", b"a=1.5e3", b"a=15e3"),
        (line_joins, "a.c", b"int a()\n{}", b"int a(){}"),
        (line_joins, "a.c", b"int\na()", b"int a()"),
        (all_blanks, "a.sql", b"SELECT 1 IN(2)", b"SELECT 1IN(2)"),
    ],
)
def test_what_is_proposed(
    propose: Callable[[Forest], object], path: str, text: bytes, left: bytes
) -> None:
    assert left in proposed(path, text, propose)


def test_what_is_much_gets_no_proposals() -> None:
    text = b"f(a);" * 100
    for propose in (windows, pairs, window_pairs, alike, descendants, plain_texts, substrings):
        assert proposed("a.js", text, propose) == set()


def test_lines_are_joined_only_as_far_as_they_fit() -> None:
    text = b"".join(b"f%d(%s);\n" % (number, b"a" * 30) for number in range(4))
    joined = rewritten(
        text,
        [
            patch
            for rewrite in line_joins(Trees.of(Files({"a.js": text})).forest(Files({"a.js": text})))
            for patch in rewrite.patches
        ],
    )
    assert len(joined.splitlines()) == 2
    assert max(map(len, joined.splitlines())) <= 80


def test_what_goes_only_with_another_token_goes() -> None:
    def fails(text: str) -> bool:
        return text.count("(") == text.count(")") and "!" not in text and "a;b" in text

    text = "x(a;b)\n"
    before = reduced("a.unknown", text, fails, last_bytes=False)
    after = reduced("a.unknown", text, fails)
    assert before.content == after.content == b"a;b\n"


def test_it_takes_no_more_tests_than_all_before() -> None:
    for number in range(6):
        text = "".join(f"def f{each}(a, b):\n    return a + {each}\n" for each in range(12))
        before = reduced("a.py", text, re.compile(rf"f{number}\(").search, last_bytes=False)
        after = reduced("a.py", text, re.compile(rf"f{number}\(").search)
        assert len(after.content) <= len(before.content)
        assert after.tests <= 2 * before.tests + len(before.content)
        assert after.steps[: len(before.steps) - 1] == before.steps[:-1]


def test_what_is_proved_is_proved_of_the_result() -> None:
    text = '{\n  "a": [1, 2],\n  "b": {"c": null}\n}\n'
    found = reduced("a.json", text, lambda candidate: "[" in candidate and "null" in candidate)
    assert found.proved == ("nodes", "tokens")
    for token in re.findall(rb"\w+|\S", found.content):
        without = found.content.replace(token, b"", 1).decode()
        assert "[" not in without or "null" not in without or token == b"\n"


def test_names_stay_as_they_are_if_they_are_to() -> None:
    text = b"int twice(int value){return value;}\n"
    files = Files({"a.c": text})
    for names in (True, False):
        found = LastBytes(Trees.of(files), LEFTOVERS, 10, names).cut(files, ())
        assert isinstance(found.case, RewritesCase)
        shorter = {patch for rewrite in found.case.rewrites for patch in rewrite.patches}
        assert (Patch("a.c", 4, 9, b"a") in shorter) is names
