"""Compiled languages with blocks in curly braces, other than C's family."""

from dataclasses import replace

from wynot.formats.tables.row_parts import DECLARED, NUMBER, STRING, replacements, row

_JAVA_NUMBERS = (
    "decimal_integer_literal hex_integer_literal octal_integer_literal binary_integer_literal "
    "decimal_floating_point_literal hex_floating_point_literal"
)
_JAVA_EXPRESSIONS = """
    array_access array_creation_expression assignment_expression binary_expression cast_expression
    field_access instanceof_expression lambda_expression method_invocation method_reference
    object_creation_expression ternary_expression unary_expression update_expression class_literal
    template_expression character_literal this
"""
_JAVA = (
    (_JAVA_EXPRESSIONS, (b"0", b"null")),
    ("array_initializer class_body block interface_body annotation_type_body", (b"{}",)),
    ("constructor_body enum_body switch_block element_value_array_initializer", (b"{}",)),
    ("expression_statement for_statement enhanced_for_statement if_statement", (b";",)),
    ("while_statement do_statement try_statement try_with_resources_statement", (b";",)),
    ("labeled_statement synchronized_statement assert_statement", (b";",)),
    ("argument_list formal_parameters", (b"()",)),
    ("parenthesized_expression", (b"(0)",)),
    (_JAVA_NUMBERS, NUMBER),
    ("string_literal", STRING),
    ("generic_type scoped_type_identifier array_type", (b"int", b"Object")),
)

_RUST_TYPES = """
    abstract_type array_type bounded_type dynamic_type function_type generic_type pointer_type
    reference_type scoped_type_identifier tuple_type
"""
_RUST_EXPRESSIONS = """
    array_expression assignment_expression await_expression binary_expression call_expression
    closure_expression compound_assignment_expr field_expression for_expression generic_function
    if_expression index_expression loop_expression macro_invocation match_expression
    range_expression reference_expression return_expression struct_expression try_expression
    tuple_expression type_cast_expression unary_expression unsafe_block while_expression async_block
    parenthesized_expression char_literal
"""
_GO_EXPRESSIONS = """
    binary_expression call_expression composite_literal func_literal index_expression
    parenthesized_expression rune_literal selector_expression slice_expression
    type_assertion_expression type_conversion_expression unary_expression
"""
_GO_TYPES = "array_type channel_type function_type generic_type map_type pointer_type slice_type"

_ROWS = (
    row(
        "java",
        ".java .jav",
        comments="line_comment block_comment",
        names="identifier type_identifier",
        strings="string_literal character_literal",
        numbers=_JAVA_NUMBERS,
        bodiless=DECLARED,
        replacements=replacements(*_JAVA),
    ),
    row(
        "groovy",
        ".groovy .gradle .gvy",
        file_names="Jenkinsfile",
        interpreters="groovy",
        comments="line_comment block_comment",
        names="identifier type_identifier",
        strings="string_literal character_literal",
        numbers=_JAVA_NUMBERS,
        replacements=replacements(*_JAVA, ("array_literal", (b"[]",)), ("closure", (b"{}",))),
    ),
    row(
        "c-sharp",
        ".cs .csx",
        strings="string_literal verbatim_string_literal raw_string_literal character_literal "
        "interpolated_string_expression",
        numbers="integer_literal real_literal",
        bodiless=DECLARED,
        replacements=replacements(
            (
                """
                    assignment_expression await_expression binary_expression cast_expression
                    conditional_expression element_access_expression invocation_expression
                    lambda_expression member_access_expression object_creation_expression
                    array_creation_expression postfix_unary_expression prefix_unary_expression
                    query_expression switch_expression typeof_expression tuple_expression
                    as_expression is_expression is_pattern_expression default_expression
                    parenthesized_expression character_literal
                """,
                (b"0", b"null"),
            ),
            ("block declaration_list enum_member_declaration_list switch_body", (b"{}",)),
            ("initializer_expression", (b"{}",)),
            ("expression_statement for_statement foreach_statement if_statement", (b";",)),
            ("while_statement do_statement try_statement using_statement lock_statement", (b";",)),
            ("switch_statement checked_statement unsafe_statement fixed_statement", (b";",)),
            ("argument_list parameter_list", (b"()",)),
            ("integer_literal real_literal", NUMBER),
            ("string_literal verbatim_string_literal raw_string_literal", STRING),
            ("interpolated_string_expression", STRING),
            ("generic_name qualified_name array_type nullable_type tuple_type", (b"int", b"A")),
        ),
    ),
    row(
        "go",
        ".go",
        names="identifier field_identifier type_identifier package_identifier label_name",
        strings="interpreted_string_literal raw_string_literal rune_literal",
        numbers="int_literal float_literal imaginary_literal",
        plain_type=b"int",
        replacements=replacements(
            (_GO_EXPRESSIONS, (b"0", b"nil")),
            (_GO_TYPES, (b"int", b"any")),
            ("struct_type", (b"struct{}",)),
            ("interface_type", (b"any",)),
            ("block literal_value field_declaration_list", (b"{}",)),
            ("parameter_list argument_list import_spec_list", (b"()",)),
            ("int_literal float_literal imaginary_literal", NUMBER),
            ("interpreted_string_literal raw_string_literal", STRING),
        ),
    ),
    row(
        "rust",
        ".rs",
        comments="line_comment block_comment",
        names="identifier type_identifier field_identifier shorthand_field_identifier metavariable",
        strings="string_literal raw_string_literal char_literal",
        numbers="integer_literal float_literal",
        plain_type=b"()",
        replacements=replacements(
            (_RUST_TYPES, (b"()",)),
            (_RUST_EXPRESSIONS, (b"0", b"()", b"todo!()")),
            ("block", (b"{}", b"{loop{}}")),
            ("declaration_list field_declaration_list enum_variant_list match_block", (b"{}",)),
            ("field_initializer_list use_list", (b"{}",)),
            ("arguments parameters token_tree", (b"()",)),
            ("ordered_field_declaration_list", (b"()",)),
            ("tuple_pattern struct_pattern tuple_struct_pattern or_pattern ref_pattern", (b"_",)),
            ("range_pattern reference_pattern slice_pattern", (b"_",)),
            ("integer_literal float_literal", NUMBER),
            ("string_literal raw_string_literal", STRING),
        ),
    ),
    row(
        "zig",
        ".zig .zon",
        strings="string multiline_string character",
        numbers="integer float",
        replacements=replacements(
            (
                """
                    binary_expression call_expression field_expression index_expression
                    if_expression try_expression unary_expression parenthesized_expression
                    builtin_function struct_initializer anonymous_struct_initializer character
                """,
                (b"0", b"undefined"),
            ),
            ("block", (b"{}",)),
            ("arguments parameters", (b"()",)),
            ("integer float", NUMBER),
            ("string", STRING),
        ),
    ),
    row(
        "odin",
        ".odin",
        comments="comment block_comment",
        strings="string character",
        numbers="number float",
        replacements=replacements(
            (
                """
                    binary_expression call_expression member_expression index_expression struct
                    ternary_expression unary_expression cast_expression parenthesized_expression
                """,
                (b"0", b"nil"),
            ),
            ("block", (b"{}",)),
            ("number float", NUMBER),
            ("string", STRING),
        ),
    ),
    row(
        "solidity",
        ".sol",
        names="identifier yul_identifier",
        strings="string string_literal hex_string_literal unicode_string_literal",
        numbers="number_literal yul_decimal_number yul_hex_number",
        replacements=replacements(
            ("expression", (b"0", b"1")),
            ("function_body contract_body block_statement", (b"{}",)),
            ("number_literal", NUMBER),
            ("string string_literal", STRING),
        ),
    ),
)

_BODIES = {
    "java": b"{throw null;}",
    "c-sharp": b"{throw null;}",
    "go": b"{panic(0)}",
    "rust": b"{loop{}}",
}
"""What any function of a language can do that has to give something back."""
CURLY = tuple(replace(each, any_body=_BODIES.get(each.name, b"")) for each in _ROWS)
