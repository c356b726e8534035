"""What a grammar does not know is hidden from it, and is in the tree all the same."""

import pytest

from trees import assert_is_tree, shape
from wynot.formats.detect import language_of, tree_of
from wynot.formats.language import cpp_mask

NAMESPACE = b'namespace std __attribute__ ((__visibility__ ("default")))\n{\n  int f();\n}\n'
FRIEND = (
    b"struct S {\n  int x;\n  [[nodiscard]] friend bool operator==(S, S) { return true; }\n};\n"
)
EXTERN = b"namespace n {\n  extern template int g(int);\n  int f();\n}\n"


@pytest.mark.parametrize(
    ("text", "part"),
    [
        (NAMESPACE, 'std __attribute__ ((__visibility__ ("default"))) declaration_list('),
        (FRIEND, "friend_declaration([[nodiscard]] friend function_definition("),
        (EXTERN, "template_instantiation(extern template int "),
    ],
    ids=["namespace", "friend", "extern template"],
)
def test_a_word_that_the_grammar_does_not_know_is_part_of_what_it_belongs_to(
    text: bytes, part: str
) -> None:
    language = language_of("a.cpp", text)
    assert language is not None
    tree = tree_of(language, text)
    assert_is_tree(tree, text)
    assert not tree.syntax_errors
    assert part in shape(tree, text)


@pytest.mark.parametrize("text", [NAMESPACE, FRIEND, EXTERN, b"int x [[unused]];", b""])
def test_a_mask_leaves_every_other_byte_where_it_is(text: bytes) -> None:
    masked = cpp_mask(text)
    assert len(masked) == len(text)
    assert all(new in (old, 0x20) for old, new in zip(text, masked, strict=True))


def test_brackets_that_never_end_are_no_attribute() -> None:
    text = b"namespace std __attribute__((" + b"(" * 2000
    assert cpp_mask(text) == text
