"""What runs in, or writes pages for, a browser."""

from dataclasses import replace

from wynot.formats.tables.row_parts import DECLARED, NUMBER, STRING, replacements, row

_SCRIPT = (
    (
        """
            array arrow_function assignment_expression augmented_assignment_expression
            await_expression binary_expression call_expression class function_expression
            generator_function member_expression new_expression object regex sequence_expression
            subscript_expression template_string ternary_expression unary_expression
            update_expression yield_expression
        """,
        (b"0",),
    ),
    ("array", (b"0", b"[]")),
    ("object", (b"0", b"{}")),
    ("class_body statement_block switch_body object_pattern export_clause named_imports", (b"{}",)),
    ("array_pattern", (b"[]",)),
    ("do_statement expression_statement for_in_statement for_statement if_statement", (b";",)),
    ("labeled_statement switch_statement try_statement while_statement with_statement", (b";",)),
    ("arguments formal_parameters", (b"()",)),
    ("parenthesized_expression", (b"(0)",)),
    ("number", NUMBER),
    ("string", STRING),
)
_SCRIPT_NAMES = (
    "identifier property_identifier private_property_identifier shorthand_property_identifier "
    "shorthand_property_identifier_pattern statement_identifier"
)
_TYPED = (
    *_SCRIPT,
    ("as_expression non_null_expression satisfies_expression", (b"0",)),
    (
        """
            array_type conditional_type constructor_type function_type generic_type
            intersection_type literal_type lookup_type object_type parenthesized_type
            readonly_type template_literal_type tuple_type type_query union_type
            index_type_query
        """,
        (b"any",),
    ),
    ("enum_body interface_body", (b"{}",)),
)
_PHP_EXPRESSIONS = """
    anonymous_function array_creation_expression arrow_function assignment_expression
    augmented_assignment_expression binary_expression cast_expression clone_expression
    class_constant_access_expression conditional_expression function_call_expression
    match_expression member_access_expression member_call_expression object_creation_expression
    parenthesized_expression scoped_call_expression subscript_expression unary_op_expression
    update_expression
"""

_ROWS = (
    row(
        "javascript",
        ".js .mjs .cjs .jsx",
        interpreters="node nodejs bun",
        comments="comment html_comment",
        names=_SCRIPT_NAMES,
        strings="string template_string regex",
        replacements=replacements(*_SCRIPT),
    ),
    row(
        "typescript",
        ".ts .mts .cts",
        interpreters="deno ts-node tsx",
        function="language_typescript",
        comments="comment html_comment",
        names=f"{_SCRIPT_NAMES} type_identifier",
        strings="string template_string regex",
        plain_type=b"any",
        bodiless=DECLARED,
        replacements=replacements(*_TYPED, ("type_assertion", (b"0",))),
    ),
    row(
        "tsx",
        ".tsx",
        grammar="tree_sitter_typescript",
        function="language_tsx",
        comments="comment html_comment",
        names=f"{_SCRIPT_NAMES} type_identifier",
        strings="string template_string regex",
        plain_type=b"any",
        bodiless=DECLARED,
        replacements=replacements(*_TYPED),
    ),
    row(
        "php",
        ".php .php5 .phtml",
        interpreters="php",
        function="language_php",
        names="name",
        strings="string encapsed_string heredoc nowdoc shell_command_expression",
        numbers="integer float",
        bodiless=DECLARED,
        replacements=replacements(
            (_PHP_EXPRESSIONS, (b"0",)),
            ("parenthesized_expression", (b"0", b"(0)")),
            ("compound_statement declaration_list switch_block match_block", (b"{}",)),
            ("enum_declaration_list", (b"{}",)),
            ("expression_statement for_statement foreach_statement if_statement", (b";",)),
            ("switch_statement try_statement while_statement do_statement", (b";",)),
            ("arguments formal_parameters", (b"()",)),
            ("integer float", NUMBER),
            ("string encapsed_string heredoc nowdoc", (b"''",)),
        ),
    ),
    row(
        "html",
        ".html .htm .xhtml",
        names="attribute_name",
        strings="quoted_attribute_value attribute_value",
        numbers="",
        replacements=replacements(("quoted_attribute_value", STRING)),
        tags=True,
    ),
    row(
        "svelte",
        ".svelte",
        names="attribute_name",
        strings="quoted_attribute_value attribute_value",
        numbers="",
        replacements=replacements(("quoted_attribute_value", STRING)),
        tags=True,
    ),
    row(
        "css",
        ".css",
        comments="comment js_comment",
        names="class_name id_name keyframes_name",
        strings="string_value",
        numbers="integer_value float_value",
        replacements=replacements(
            ("block keyframe_block_list", (b"{}",)),
            ("integer_value float_value call_expression color_value", (b"0",)),
            ("string_value", STRING),
            ("selectors", (b"*", b"a")),
        ),
    ),
)

_BODIES = {"typescript": b"{throw 0}", "tsx": b"{throw 0}", "php": b"{}"}
"""What any function of a language can do that has to give something back."""
WEB = tuple(replace(each, any_body=_BODIES.get(each.name, b"")) for each in _ROWS)
