"""Strings that are nothing but text: each is one token, whatever a grammar makes of it."""

from wynot.core.tree import TOKEN, Tree
from wynot.formats.language import Language

LONGEST_STRING = 4
"""How many nodes a string has that is only text: its quotes and what is between them."""


def is_plain_string(tree: Tree, number: int, language: Language) -> bool:
    """Tell whether a node is a string with nothing but text in it: then it is one token."""
    if (
        tree.kind(number) not in language.strings
        or tree.subtree_ends[number] - number > LONGEST_STRING
    ):
        return False
    inside = range(number + 1, tree.subtree_ends[number])
    return all(tree.flags[each] & TOKEN for each in inside)
