"""Languages of numbers and of proofs: arrays, and functions without side effects."""

from wynot.formats.language import Language
from wynot.formats.tables.row_parts import NUMBER, STRING, kinds, replacements

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
_OCAML_NAMES = kinds(
    "value_name value_pattern type_constructor constructor_name field_name module_name "
    "label_name module_type_name type_variable method_name class_name instance_variable_name"
)

SCIENCE = (
    Language(
        name="haskell",
        suffixes=(".hs", ".hs-boot"),
        interpreters=("runghc", "runhaskell", "stack"),
        grammar="tree_sitter_haskell",
        package="tree-sitter-haskell",
        comments=kinds("comment haddock"),
        names=kinds("variable constructor name field_name module_id"),
        strings=kinds("string char"),
        numbers=kinds("integer float"),
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
    Language(
        name="ocaml",
        suffixes=(".ml",),
        interpreters=("ocaml",),
        grammar="tree_sitter_ocaml",
        function="language_ocaml",
        package="tree-sitter-ocaml",
        comments=kinds("comment"),
        names=_OCAML_NAMES,
        strings=kinds("string quoted_string character"),
        numbers=kinds("number signed_number"),
        replacements=replacements(*_OCAML),
    ),
    Language(
        name="ocaml-interface",
        suffixes=(".mli",),
        grammar="tree_sitter_ocaml",
        function="language_ocaml_interface",
        package="tree-sitter-ocaml",
        comments=kinds("comment"),
        names=_OCAML_NAMES,
        strings=kinds("string quoted_string character"),
        numbers=kinds("number signed_number"),
        replacements=replacements(*_OCAML),
    ),
    Language(
        name="elixir",
        suffixes=(".ex", ".exs"),
        interpreters=("elixir",),
        grammar="tree_sitter_elixir",
        package="tree-sitter-elixir",
        comments=kinds("comment"),
        names=kinds("identifier"),
        strings=kinds("string charlist sigil atom"),
        numbers=kinds("integer float"),
        replacements=replacements(
            ("access_call anonymous_function binary_operator bitstring call", (b"0", b"nil")),
            ("list map struct tuple unary_operator block", (b"0", b"nil")),
            ("do_block", (b"do end",)),
            ("integer float", NUMBER),
            ("string charlist sigil", STRING),
        ),
        newline_sensitive=True,
    ),
    Language(
        name="julia",
        suffixes=(".jl",),
        interpreters=("julia",),
        grammar="tree_sitter_julia",
        package="tree-sitter-julia",
        comments=kinds("line_comment block_comment"),
        names=kinds("identifier"),
        strings=kinds(
            "string_literal character_literal prefixed_string_literal command_literal "
            "prefixed_command_literal"
        ),
        numbers=kinds("integer_literal float_literal"),
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
    Language(
        name="matlab",
        suffixes=(".matlab", ".m"),
        interpreters=("octave",),
        grammar="tree_sitter_matlab",
        package="tree-sitter-matlab",
        comments=kinds("comment"),
        names=kinds("identifier"),
        strings=kinds("string"),
        numbers=kinds("number"),
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
    Language(
        name="fortran",
        suffixes=(".f90", ".f95", ".f03", ".f08", ".f", ".for", ".f77"),
        grammar="tree_sitter_fortran",
        package="tree-sitter-fortran",
        comments=kinds("comment"),
        names=kinds("identifier name type_name method_name type_member"),
        strings=kinds("string_literal"),
        numbers=kinds("number_literal"),
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
    Language(
        name="nix",
        suffixes=(".nix",),
        grammar="tree_sitter_nix",
        package="tree-sitter-nix",
        comments=kinds("comment"),
        names=kinds("identifier"),
        strings=kinds("string_expression indented_string_expression"),
        numbers=kinds("integer_expression float_expression"),
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
