from forests import outcomes
from wynot.passes.rewrites.scopes import scopes


def test_what_is_in_a_scope_stands_outside_and_is_named_without_it() -> None:
    text = "namespace b { int x; } using b::x; int y = b::x;"
    assert outcomes(scopes, "a.cpp", text) == {
        "namespace_definition unwrapped": ["int x;  int y = x;"]
    }
    text = "mod b { pub fn f() {} } use b::f; fn g() { b::f(); }"
    assert outcomes(scopes, "a.rs", text) == {
        "mod_item unwrapped": ["pub fn f() {}  fn g() { f(); }"]
    }
    text = "namespace b { export let x = 1; } let y = b.x;"
    assert outcomes(scopes, "a.ts", text) == {
        "internal_module unwrapped": ["export let x = 1;  let y = x;"]
    }


def test_what_opens_again_is_unwrapped_each_time() -> None:
    text = "namespace b { int x; } namespace b { int z; } int y = b::x;"
    assert outcomes(scopes, "a.cpp", text) == {
        "namespace_definition unwrapped": ["int x;  int z;  int y = x;"]
    }


def test_a_name_that_is_used_alone_is_no_scope() -> None:
    assert outcomes(scopes, "a.cpp", "struct A { int x; }; A a;") == {}
    assert outcomes(scopes, "a.py", "class A:\n    x = 1\nA.x\n") == {}
