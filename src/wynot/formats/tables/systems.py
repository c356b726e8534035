"""Hardware, compilers' own languages, and Ada."""

from wynot.formats.tables.row_parts import NUMBER, STRING, built_in, replacements, row

_VHDL_NUMBERS = "decimal_integer decimal_float based_integer based_float"

SYSTEMS = (
    row(
        "verilog",
        ".v .sv .svh .vh",
        names="simple_identifier escaped_identifier",
        strings="string_literal double_quoted_string",
        numbers="integral_number unsigned_number real_number",
        replacements=replacements(
            ("expression constant_expression", (b"0", b"1")),
            ("seq_block", (b"begin end",)),
            ("generate_block", (b"begin end",)),
            ("statement_or_null", (b";",)),
            ("integral_number", NUMBER),
            ("string_literal double_quoted_string", STRING),
        ),
    ),
    row(
        "vhdl",
        ".vhd .vhdl",
        comments="line_comment block_comment",
        names="identifier library_function",
        strings="string_literal bit_string_literal character_literal",
        numbers=_VHDL_NUMBERS,
        plain_type=b"bit",
        library_types=built_in(
            (b"std_logic std_ulogic", b"bit"),
            (b"std_logic_vector std_ulogic_vector signed unsigned", b"bit_vector"),
        ),
        replacements=replacements(
            (
                """
                    logical_expression relational_expression shift_expression simple_expression
                    parenthesis_expression
                """,
                (b"0",),
            ),
            (_VHDL_NUMBERS, NUMBER),
            ("string_literal", STRING),
        ),
    ),
    row(
        "ada",
        ".adb .ads .ada",
        strings="string_literal character_literal",
        numbers="numeric_literal",
        plain_type=b"Integer",
        replacements=replacements(
            (
                """
                    assignment_statement case_statement if_statement loop_statement
                    procedure_call_statement block_statement
                """,
                (b"null;",),
            ),
            ("expression function_call", (b"0",)),
            ("numeric_literal", NUMBER),
            ("string_literal", STRING),
        ),
    ),
    row(
        "mlir",
        ".mlir",
        names="value_use op_result symbol_ref_id caret_id bare_id",
        strings="string_literal",
        numbers="integer_literal float_literal",
        replacements=replacements(
            ("region", (b"{}",)),
            ("attribute dictionary_attribute", (b"{}",)),
            ("integer_literal float_literal", NUMBER),
            ("string_literal", STRING),
            ("trailing_location", (b"loc(unknown)",)),
        ),
    ),
)
