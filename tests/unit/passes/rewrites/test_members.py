from forests import outcomes
from wynot.passes.rewrites.members import members


def test_all_that_name_the_same_member_change_together() -> None:
    assert outcomes(members, "a.c", "void f() { a.b; c.b; p->q; }") == {
        "owner alone for all members": ["void f() { a; c; p->q; }"],
        "name alone for all members": ["void f() { b; b; p->q; }"],
    }
    assert outcomes(members, "a.py", "import os.path\nos.path.x(os.path.y)\n") == {
        "owner alone for all members": ["import os\nos.x(os.y)\n"],
        "name alone for all members": ["import path\npath.x(path.y)\n"],
    }
    assert outcomes(members, "a.rs", "fn f() { A::b(); A::b::<C>(); }") == {
        "owner alone for all members": ["fn f() { A(); A::<C>(); }"],
        "name alone for all members": ["fn f() { b(); b::<C>(); }"],
    }


def test_one_alone_and_a_remainder_are_no_such_members() -> None:
    assert outcomes(members, "a.c", "void f() { a.b; }") == {}
    assert outcomes(members, "a.c", "void f() { a % b; c % b; }") == {}
