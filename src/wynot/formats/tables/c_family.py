"""C and what was made out of it."""

from dataclasses import replace

from wynot.formats.language import cpp_mask
from wynot.formats.tables.row_parts import DECLARED, NUMBER, STRING, replacements, row

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
_CPP_DECLARED = (*DECLARED, b"=default;", b"=delete;")
_C_NAMES = "identifier type_identifier field_identifier statement_identifier"
_C_STRINGS = "string_literal char_literal system_lib_string"

_ROWS = (
    row(
        "c",
        ".c .i .h",
        interpreters="tcc",
        names=_C_NAMES,
        strings=_C_STRINGS,
        numbers="number_literal",
        plain_type=b"int",
        bodiless=DECLARED,
        replacements=replacements(*_C),
    ),
    row(
        "cpp",
        ".cpp .cc .cxx .c++ .hpp .hh .hxx .h++ .ii .ipp .inl .tpp .cppm .ixx .ino",
        names=f"{_C_NAMES} namespace_identifier",
        strings=f"{_C_STRINGS} raw_string_literal",
        numbers="number_literal",
        plain_type=b"int",
        bodiless=_CPP_DECLARED,
        replacements=replacements(*_CPP),
    ),
    row(
        "objective-c",
        ".m .mm",
        grammar="tree_sitter_objc",
        names=_C_NAMES,
        strings=_C_STRINGS,
        numbers="number_literal",
        plain_type=b"int",
        bodiless=DECLARED,
        replacements=replacements(
            *_C,
            ("message_expression at_expression selector_expression block_literal", (b"0",)),
            ("array_literal", (b"@[]",)),
            ("dictionary_literal", (b"@{}",)),
        ),
    ),
    row(
        "cuda",
        ".cu .cuh",
        names=f"{_C_NAMES} namespace_identifier",
        strings=f"{_C_STRINGS} raw_string_literal",
        numbers="number_literal",
        plain_type=b"int",
        bodiless=_CPP_DECLARED,
        replacements=replacements(*_CPP),
    ),
    row(
        "glsl",
        ".glsl .vert .frag .geom .comp .tesc .tese",
        names=_C_NAMES,
        strings=_C_STRINGS,
        numbers="number_literal",
        plain_type=b"int",
        bodiless=DECLARED,
        replacements=replacements(*_C),
    ),
    row(
        "hlsl",
        ".hlsl .hlsli .fx",
        names=f"{_C_NAMES} namespace_identifier",
        strings=_C_STRINGS,
        numbers="number_literal",
        plain_type=b"int",
        bodiless=_CPP_DECLARED,
        replacements=replacements(*_CPP),
    ),
)
C_FAMILY = tuple(
    replace(each, mask=cpp_mask) if each.name in {"cpp", "cuda"} else each for each in _ROWS
)
