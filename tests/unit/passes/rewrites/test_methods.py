from forests import outcomes
from wynot.passes.rewrites.methods import methods

GONE, ARGUMENT, ZERO = (
    "parameter without its arguments",
    "parameter gone, its argument for it",
    "parameter gone, 0 for it",
)


def test_the_receiver_of_a_method_is_no_argument() -> None:
    text = "class A:\n    def f(self, a, b):\n        return a\nA().f(1, 2)\n"
    assert outcomes(methods, "a.py", text) == {
        ARGUMENT: ["class A:\n    def f(self, b):\n        return 1\nA().f(2)\n"],
        ZERO: ["class A:\n    def f(self, b):\n        return 0\nA().f(2)\n"],
        GONE: ["class A:\n    def f(self, a):\n        return a\nA().f(1)\n"],
    }
    text = "struct S; impl S { fn f(&self, a: u8) {} } fn g(s: S) { s.f(1); }"
    assert outcomes(methods, "a.rs", text) == {
        GONE: ["struct S; impl S { fn f(&self) {} } fn g(s: S) { s.f(); }"]
    }


def test_a_constructor_is_called_by_the_name_of_its_class() -> None:
    text = "class A:\n    def __init__(self, x):\n        self.y = 2\nA(1)\n"
    assert outcomes(methods, "a.py", text) == {
        GONE: ["class A:\n    def __init__(self):\n        self.y = 2\nA()\n"]
    }
    text = "class A { constructor(x, y) { f(x) } } new A(1, 2)"
    assert outcomes(methods, "a.js", text) == {
        ARGUMENT: ["class A { constructor(y) { f(1) } } new A(2)"],
        ZERO: ["class A { constructor(y) { f(0) } } new A(2)"],
        GONE: ["class A { constructor(x) { f(x) } } new A(1)"],
    }
    text = "class A\n  def initialize(x)\n  end\nend\nA.new(1)\n"
    assert outcomes(methods, "a.rb", text) == {
        GONE: ["class A\n  def initialize()\n  end\nend\nA.new()\n"]
    }


def test_fields_can_be_the_parameters_of_their_class_and_arguments_can_have_names() -> None:
    text = "@dataclass\nclass A:\n    x: int\n    y: int = 1\nA(1, y=2)\nA(x=3)\n"
    assert outcomes(methods, "a.py", text) == {
        GONE: [
            "@dataclass\nclass A:\n    y: int = 1\nA(y=2)\nA()\n",
            "@dataclass\nclass A:\n    x: int\nA(1)\nA(x=3)\n",
        ]
    }


def test_a_member_of_the_same_name_is_something_else() -> None:
    text = "class A:\n    def f(self, a):\n        return a + self.a + g.a\nA().f(b)\n"
    assert outcomes(methods, "a.py", text)[ARGUMENT] == [
        "class A:\n    def f(self):\n        return b + self.a + g.a\nA().f()\n"
    ]


def test_plain_functions_are_left_to_others() -> None:
    assert outcomes(methods, "a.py", "def f(a):\n    pass\nf(1)\n") == {}
