"""What runs in, or writes pages for, a browser."""

from wynot.formats.language import Language
from wynot.formats.tables.row_parts import NUMBER, STRING, kinds, replacements

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
_SCRIPT_NAMES = kinds(
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

WEB = (
    Language(
        name="javascript",
        suffixes=(".js", ".mjs", ".cjs", ".jsx"),
        interpreters=("node", "nodejs", "bun"),
        grammar="tree_sitter_javascript",
        package="tree-sitter-javascript",
        comments=kinds("comment html_comment"),
        names=_SCRIPT_NAMES,
        strings=kinds("string template_string regex"),
        numbers=kinds("number"),
        replacements=replacements(*_SCRIPT),
    ),
    Language(
        name="typescript",
        suffixes=(".ts", ".mts", ".cts"),
        interpreters=("deno", "ts-node", "tsx"),
        grammar="tree_sitter_typescript",
        function="language_typescript",
        package="tree-sitter-typescript",
        comments=kinds("comment html_comment"),
        names=_SCRIPT_NAMES | {"type_identifier"},
        strings=kinds("string template_string regex"),
        numbers=kinds("number"),
        replacements=replacements(*_TYPED, ("type_assertion", (b"0",))),
    ),
    Language(
        name="tsx",
        suffixes=(".tsx",),
        grammar="tree_sitter_typescript",
        function="language_tsx",
        package="tree-sitter-typescript",
        comments=kinds("comment html_comment"),
        names=_SCRIPT_NAMES | {"type_identifier"},
        strings=kinds("string template_string regex"),
        numbers=kinds("number"),
        replacements=replacements(*_TYPED),
    ),
    Language(
        name="php",
        suffixes=(".php", ".php5", ".phtml"),
        interpreters=("php",),
        grammar="tree_sitter_php",
        function="language_php",
        package="tree-sitter-php",
        comments=kinds("comment"),
        names=kinds("name"),
        strings=kinds("string encapsed_string heredoc nowdoc shell_command_expression"),
        numbers=kinds("integer float"),
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
    Language(
        name="html",
        suffixes=(".html", ".htm", ".xhtml"),
        grammar="tree_sitter_html",
        package="tree-sitter-html",
        comments=kinds("comment"),
        names=kinds("attribute_name"),
        strings=kinds("quoted_attribute_value attribute_value"),
        numbers=frozenset(),
        replacements=replacements(("quoted_attribute_value", STRING)),
    ),
    Language(
        name="svelte",
        suffixes=(".svelte",),
        grammar="tree_sitter_svelte",
        package="tree-sitter-svelte",
        comments=kinds("comment"),
        names=kinds("attribute_name"),
        strings=kinds("quoted_attribute_value attribute_value"),
        numbers=frozenset(),
        replacements=replacements(("quoted_attribute_value", STRING)),
    ),
    Language(
        name="css",
        suffixes=(".css",),
        grammar="tree_sitter_css",
        package="tree-sitter-css",
        comments=kinds("comment js_comment"),
        names=kinds("class_name id_name keyframes_name"),
        strings=kinds("string_value"),
        numbers=kinds("integer_value float_value"),
        replacements=replacements(
            ("block keyframe_block_list", (b"{}",)),
            ("integer_value float_value call_expression color_value", (b"0",)),
            ("string_value", STRING),
            ("selectors", (b"*", b"a")),
        ),
    ),
)
