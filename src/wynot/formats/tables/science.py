"""Languages of numbers and of proofs: arrays, and functions without side effects."""

from wynot.formats.tables.row_parts import NUMBER, STRING, replacements, row

_OCAML = (
    (
        """
            application_expression array_expression array_get_expression assert_expression
            cons_expression field_get_expression for_expression fun_expression
            function_expression if_expression infix_expression let_expression list_expression
            match_expression object_expression parenthesized_expression prefix_expression
            record_expression sequence_expression set_expression string_get_expression
            try_expression tuple_expression while_expression character
        """,
        (b"0", b"()"),
    ),
    ("alias_pattern constructor_pattern cons_pattern list_pattern or_pattern", (b"_",)),
    ("parenthesized_pattern record_pattern tuple_pattern", (b"_",)),
    ("constructed_type function_type parenthesized_type tuple_type", (b"_", b"int")),
    ("structure", (b"struct end",)),
    ("signature", (b"sig end",)),
    ("number", NUMBER),
    ("string quoted_string", STRING),
)
_OCAML_NAMES = (
    "value_name value_pattern type_constructor constructor_name field_name module_name "
    "label_name module_type_name type_variable method_name class_name instance_variable_name"
)

SCIENCE = (
    row(
        "haskell",
        ".hs .hs-boot",
        interpreters="runghc runhaskell stack",
        comments="comment haddock",
        names="variable constructor name field_name module_id",
        strings="string char",
        numbers="integer float",
        replacements=replacements(
            (
                """
                    apply arithmetic_sequence case conditional do infix lambda lambda_case
                    let_in list list_comprehension parens tuple negation left_section
                    right_section
                """,
                (b"0", b"()", b"undefined"),
            ),
            ("integer float", NUMBER),
            ("string", STRING),
            ("char", (b"0", b"'a'")),
        ),
        newline_sensitive=True,
    ),
    row(
        "ocaml",
        ".ml",
        interpreters="ocaml",
        function="language_ocaml",
        names=_OCAML_NAMES,
        strings="string quoted_string character",
        numbers="number signed_number",
        replacements=replacements(*_OCAML),
    ),
    row(
        "ocaml-interface",
        ".mli",
        grammar="tree_sitter_ocaml",
        function="language_ocaml_interface",
        names=_OCAML_NAMES,
        strings="string quoted_string character",
        numbers="number signed_number",
        replacements=replacements(*_OCAML),
    ),
    row(
        "elixir",
        ".ex .exs",
        interpreters="elixir",
        strings="string charlist sigil atom",
        numbers="integer float",
        replacements=replacements(
            ("access_call anonymous_function binary_operator bitstring call", (b"0", b"nil")),
            ("list map struct tuple unary_operator block", (b"0", b"nil")),
            ("do_block", (b"do end",)),
            ("integer float", NUMBER),
            ("string charlist sigil", STRING),
        ),
        newline_sensitive=True,
    ),
    row(
        "julia",
        ".jl",
        interpreters="julia",
        comments="line_comment block_comment",
        strings="string_literal character_literal prefixed_string_literal command_literal "
        "prefixed_command_literal",
        numbers="integer_literal float_literal",
        replacements=replacements(
            (
                """
                    binary_expression broadcast_call_expression call_expression
                    comprehension_expression curly_expression field_expression index_expression
                    macrocall_expression matrix_expression parenthesized_expression
                    range_expression ternary_expression tuple_expression unary_expression
                    vector_expression arrow_function_expression adjoint_expression
                    compound_statement for_statement if_statement let_statement while_statement
                    try_statement
                """,
                (b"0", b"()"),
            ),
            ("argument_list", (b"()",)),
            ("integer_literal float_literal", NUMBER),
            ("string_literal prefixed_string_literal", STRING),
        ),
        newline_sensitive=True,
    ),
    row(
        "matlab",
        ".matlab .m",
        interpreters="octave",
        replacements=replacements(
            (
                """
                    binary_operator boolean_operator cell comparison_operator field_expression
                    function_call lambda matrix not_operator parenthesis postfix_operator range
                    unary_operator
                """,
                (b"0",),
            ),
            ("number", NUMBER),
            ("string", STRING),
        ),
        newline_sensitive=True,
    ),
    row(
        "fortran",
        ".f90 .f95 .f03 .f08 .f .for .f77",
        names="identifier name type_name method_name type_member",
        strings="string_literal",
        numbers="number_literal",
        replacements=replacements(
            (
                """
                    call_expression concatenation_expression derived_type_member_expression
                    logical_expression math_expression parenthesized_expression
                    relational_expression unary_expression array_literal
                """,
                (b"0",),
            ),
            ("argument_list", (b"()",)),
            ("parenthesized_expression", (b"0", b"(0)")),
            ("number_literal", NUMBER),
            ("string_literal", STRING),
        ),
        newline_sensitive=True,
    ),
    row(
        "nix",
        ".nix",
        strings="string_expression indented_string_expression",
        numbers="integer_expression float_expression",
        replacements=replacements(
            (
                """
                    apply_expression assert_expression attrset_expression binary_expression
                    function_expression has_attr_expression if_expression let_expression
                    list_expression parenthesized_expression path_expression
                    rec_attrset_expression select_expression unary_expression with_expression
                """,
                (b"0", b"{}"),
            ),
            ("integer_expression float_expression", NUMBER),
            ("string_expression indented_string_expression", STRING),
        ),
    ),
)
