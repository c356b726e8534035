"""Bodies of functions, emptied."""

import pytest

from forests import forest_of
from wynot.core.texts.rewrites import Patch, rewritten
from wynot.passes.rewrites.bodies import emptied

LONG = "first(second, third); fourth(fifth, sixth, seventh);"
CASES = {
    "a.py": (f"def f(x):\n    {LONG}\n\nclass A:\n    def g(self): {LONG}\n    h = 1\n", b"pass"),
    "a.js": (f"function f() {{ {LONG} }} class A {{ g() {{ {LONG} }} }}", b"{}"),
    "a.java": (f"class A {{ int f() {{ {LONG} }} A() {{ {LONG} }} }}", b"{throw null;}"),
    "a.rs": (f"fn f() -> u8 {{ {LONG} }} impl A {{ fn g() {{ {LONG} }} }}", b"{loop{}}"),
    "a.ts": (f"function f(): number {{ {LONG} }} class A {{ g() {{ {LONG} }} }}", b"{throw 0}"),
    "a.go": (f"package a\nfunc f() int {{ {LONG} }}\nfunc (x a) g() {{ {LONG} }}\n", b"{panic(0)}"),
}


@pytest.mark.parametrize("path", CASES)
def test_each_function_gets_the_shortest_body_that_any_can_have(path: str) -> None:
    text, body = CASES[path]
    patches: list[Patch] = [each.patches[0] for each in emptied(forest_of({path: text}))]
    assert len(patches) == 2
    assert {patch.instead for patch in patches} == {body}
    assert b"first" not in rewritten(text.encode(), patches)


def test_what_has_no_name_has_a_body_and_what_is_short_is_not_worth_it() -> None:
    text = f"run(() => {{ {LONG} }}, function () {{ {LONG} }}, () => {{ x; }}); function f() {{}}"
    assert len(list(emptied(forest_of({"a.js": text})))) == 2
