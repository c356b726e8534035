"""C and what was made out of it."""

from wynot.formats.language import Language
from wynot.formats.tables.row_parts import NUMBER, STRING, kinds, replacements

_EXPRESSIONS = """
    assignment_expression binary_expression call_expression cast_expression comma_expression
    compound_literal_expression conditional_expression field_expression offsetof_expression
    pointer_expression sizeof_expression subscript_expression unary_expression update_expression
    char_literal
"""
_STATEMENTS = """
    do_statement expression_statement for_statement if_statement labeled_statement switch_statement
    while_statement
"""
_C = (
    (_EXPRESSIONS, (b"0",)),
    (_STATEMENTS, (b";",)),
    ("compound_statement field_declaration_list declaration_list", (b"{}",)),
    ("initializer_list", (b"{}", b"{0}")),
    ("argument_list parameter_list", (b"()",)),
    ("parenthesized_expression", (b"(0)", b"(1)")),
    ("number_literal", NUMBER),
    ("string_literal concatenated_string", STRING),
    ("type_descriptor struct_specifier union_specifier enum_specifier", (b"int",)),
    ("sized_type_specifier", (b"int",)),
)
_CPP = (
    *_C,
    ("lambda_expression new_expression fold_expression requires_expression this", (b"0",)),
    ("user_defined_literal co_await_expression template_function", (b"0",)),
    ("condition_clause", (b"(0)", b"(1)")),
    ("for_range_loop try_statement throw_statement co_yield_statement", (b";",)),
    ("template_argument_list", (b"<>",)),
    ("template_parameter_list", (b"<>",)),
    ("raw_string_literal", STRING),
    ("template_type class_specifier decltype dependent_type", (b"int",)),
)
_C_NAMES = kinds("identifier type_identifier field_identifier statement_identifier")
_C_STRINGS = kinds("string_literal char_literal system_lib_string")

C_FAMILY = (
    Language(
        name="c",
        suffixes=(".c", ".i", ".h"),
        interpreters=("tcc",),
        grammar="tree_sitter_c",
        package="tree-sitter-c",
        comments=kinds("comment"),
        names=_C_NAMES,
        strings=_C_STRINGS,
        numbers=kinds("number_literal"),
        replacements=replacements(*_C),
    ),
    Language(
        name="cpp",
        suffixes=(
            *(".cpp", ".cc", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h++", ".ii", ".ipp"),
            *(".inl", ".tpp", ".cppm", ".ixx", ".ino"),
        ),
        grammar="tree_sitter_cpp",
        package="tree-sitter-cpp",
        comments=kinds("comment"),
        names=_C_NAMES | {"namespace_identifier"},
        strings=_C_STRINGS | {"raw_string_literal"},
        numbers=kinds("number_literal"),
        replacements=replacements(*_CPP),
    ),
    Language(
        name="objective-c",
        suffixes=(".m", ".mm"),
        grammar="tree_sitter_objc",
        package="tree-sitter-objc",
        comments=kinds("comment"),
        names=_C_NAMES,
        strings=_C_STRINGS,
        numbers=kinds("number_literal"),
        replacements=replacements(
            *_C,
            ("message_expression at_expression selector_expression block_literal", (b"0",)),
            ("array_literal", (b"@[]",)),
            ("dictionary_literal", (b"@{}",)),
        ),
    ),
    Language(
        name="cuda",
        suffixes=(".cu", ".cuh"),
        grammar="tree_sitter_cuda",
        package="tree-sitter-cuda",
        comments=kinds("comment"),
        names=_C_NAMES | {"namespace_identifier"},
        strings=_C_STRINGS | {"raw_string_literal"},
        numbers=kinds("number_literal"),
        replacements=replacements(*_CPP),
    ),
    Language(
        name="glsl",
        suffixes=(".glsl", ".vert", ".frag", ".geom", ".comp", ".tesc", ".tese"),
        grammar="tree_sitter_glsl",
        package="tree-sitter-glsl",
        comments=kinds("comment"),
        names=_C_NAMES,
        strings=_C_STRINGS,
        numbers=kinds("number_literal"),
        replacements=replacements(*_C),
    ),
    Language(
        name="hlsl",
        suffixes=(".hlsl", ".hlsli", ".fx"),
        grammar="tree_sitter_hlsl",
        package="tree-sitter-hlsl",
        comments=kinds("comment"),
        names=_C_NAMES | {"namespace_identifier"},
        strings=_C_STRINGS,
        numbers=kinds("number_literal"),
        replacements=replacements(*_CPP),
    ),
)
