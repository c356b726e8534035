"""Statements that are nothing but a string."""

from forests import forest_of
from wynot.passes.trees.prune import string_statements

TEXT = '''"""About."""
x = "no"
def f():
    "what it does"
    return "no"
class A:
    """It."""
    f("no")
    f"{x}"
'''


def test_what_documents_something_does_nothing() -> None:
    forest = forest_of({"a.py": TEXT})
    found = [forest.text(node).decode() for node in string_statements(forest)]
    assert found == ['"""About."""', '"what it does"', '"""It."""']


def test_a_block_that_is_only_a_string_would_be_empty_without_it() -> None:
    forest = forest_of({"a.py": "class A:\n    'all of it'\ndef f(): 'too'\n"})
    assert list(string_statements(forest)) == []
