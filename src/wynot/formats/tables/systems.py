"""Hardware, compilers' own languages, and Ada."""

from wynot.formats.language import Language
from wynot.formats.tables.row_parts import NUMBER, STRING, kinds, replacements

_VHDL_NUMBERS = "decimal_integer decimal_float based_integer based_float"

SYSTEMS = (
    Language(
        name="verilog",
        suffixes=(".v", ".sv", ".svh", ".vh"),
        grammar="tree_sitter_verilog",
        package="tree-sitter-verilog",
        comments=kinds("comment"),
        names=kinds("simple_identifier escaped_identifier"),
        strings=kinds("string_literal double_quoted_string"),
        numbers=kinds("integral_number unsigned_number real_number"),
        replacements=replacements(
            ("expression constant_expression", (b"0", b"1")),
            ("seq_block", (b"begin end",)),
            ("generate_block", (b"begin end",)),
            ("statement_or_null", (b";",)),
            ("integral_number", NUMBER),
            ("string_literal double_quoted_string", STRING),
        ),
    ),
    Language(
        name="vhdl",
        suffixes=(".vhd", ".vhdl"),
        grammar="tree_sitter_vhdl",
        package="tree-sitter-vhdl",
        comments=kinds("line_comment block_comment"),
        names=kinds("identifier"),
        strings=kinds("string_literal bit_string_literal character_literal"),
        numbers=kinds(_VHDL_NUMBERS),
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
    Language(
        name="ada",
        suffixes=(".adb", ".ads", ".ada"),
        grammar="tree_sitter_ada",
        package="tree-sitter-ada",
        comments=kinds("comment"),
        names=kinds("identifier"),
        strings=kinds("string_literal character_literal"),
        numbers=kinds("numeric_literal"),
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
    Language(
        name="mlir",
        suffixes=(".mlir",),
        grammar="tree_sitter_mlir",
        package="tree-sitter-mlir",
        comments=kinds("comment"),
        names=kinds("value_use op_result symbol_ref_id caret_id bare_id"),
        strings=kinds("string_literal"),
        numbers=kinds("integer_literal float_literal"),
        replacements=replacements(
            ("region", (b"{}",)),
            ("attribute dictionary_attribute", (b"{}",)),
            ("integer_literal float_literal", NUMBER),
            ("string_literal", STRING),
            ("trailing_location", (b"loc(unknown)",)),
        ),
    ),
)
