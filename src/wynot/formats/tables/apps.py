"""Scala, Kotlin, Swift and Dart."""

from wynot.formats.tables.row_parts import NUMBER, STRING, replacements, row

_DART_NUMBERS = "decimal_integer_literal hex_integer_literal decimal_floating_point_literal"

APPS = (
    row(
        "scala",
        ".scala .sc .sbt",
        interpreters="scala scala-cli",
        comments="comment block_comment",
        names="identifier type_identifier operator_identifier",
        strings="string interpolated_string_expression character_literal",
        numbers="integer_literal floating_point_literal",
        plain_type=b"Int",
        replacements=replacements(
            (
                """
                    assignment_expression call_expression field_expression for_expression
                    generic_function if_expression infix_expression instance_expression
                    lambda_expression match_expression parenthesized_expression
                    prefix_expression postfix_expression try_expression tuple_expression
                    while_expression throw_expression return_expression ascription_expression
                    character_literal
                """,
                (b"0", b"()", b"???"),
            ),
            ("block template_body case_block enum_body", (b"{}",)),
            ("parenthesized_expression", (b"0", b"(0)")),
            ("arguments parameters class_parameters", (b"()",)),
            ("generic_type function_type tuple_type compound_type infix_type", (b"Any",)),
            ("integer_literal floating_point_literal", NUMBER),
            ("string interpolated_string_expression", STRING),
        ),
        newline_sensitive=True,
    ),
    row(
        "kotlin",
        ".kt .kts",
        comments="line_comment block_comment",
        strings="string_literal multiline_string_literal character_literal",
        numbers="number_literal float_literal",
        replacements=replacements(
            (
                """
                    annotated_lambda as_expression binary_expression call_expression
                    if_expression in_expression index_expression infix_expression is_expression
                    lambda_literal navigation_expression object_literal parenthesized_expression
                    try_expression unary_expression when_expression anonymous_function
                    collection_literal range_expression throw_expression character_literal
                """,
                (b"0", b"null", b"TODO()"),
            ),
            ("block class_body enum_class_body annotated_lambda lambda_literal", (b"{}",)),
            ("value_arguments class_parameters function_value_parameters", (b"()",)),
            ("function_type nullable_type", (b"Any",)),
            ("number_literal float_literal", NUMBER),
            ("string_literal multiline_string_literal", STRING),
        ),
        newline_sensitive=True,
    ),
    row(
        "swift",
        ".swift",
        interpreters="swift",
        comments="comment multiline_comment",
        names="simple_identifier type_identifier",
        strings="line_string_literal multi_line_string_literal raw_string_literal",
        numbers="integer_literal real_literal hex_literal bin_literal oct_literal",
        replacements=replacements(
            (
                """
                    additive_expression array_literal as_expression bitwise_operation
                    call_expression comparison_expression conjunction_expression
                    dictionary_literal disjunction_expression equality_expression
                    infix_expression lambda_literal multiplicative_expression
                    navigation_expression nil_coalescing_expression postfix_expression
                    prefix_expression range_expression ternary_expression try_expression
                    tuple_expression
                """,
                (b"0", b"nil"),
            ),
            ("class_body enum_class_body protocol_body function_body lambda_literal", (b"{}",)),
            ("value_arguments", (b"()",)),
            ("array_type dictionary_type function_type optional_type tuple_type", (b"Any",)),
            ("integer_literal real_literal hex_literal bin_literal oct_literal", NUMBER),
            ("line_string_literal", STRING),
            ("multi_line_string_literal raw_string_literal", STRING),
        ),
        newline_sensitive=True,
    ),
    row(
        "dart",
        ".dart",
        interpreters="dart",
        comments="comment documentation_comment",
        names="identifier type_identifier",
        strings="string_literal",
        numbers=_DART_NUMBERS,
        replacements=replacements(
            (
                """
                    additive_expression assignment_expression await_expression
                    conditional_expression const_object_expression equality_expression
                    function_expression list_literal if_null_expression logical_and_expression
                    logical_or_expression new_expression multiplicative_expression
                    parenthesized_expression relational_expression set_or_map_literal
                    switch_expression unary_expression
                """,
                (b"0", b"null"),
            ),
            ("block class_body switch_block", (b"{}",)),
            ("expression_statement for_statement if_statement while_statement", (b";",)),
            ("arguments formal_parameter_list", (b"()",)),
            (_DART_NUMBERS, NUMBER),
            ("string_literal", STRING),
        ),
    ),
)
