"""Data, documents and questions about data."""

from wynot.formats.tables.row_parts import NUMBER, STRING, replacements, row

_SQL_EXPRESSIONS = """
    array between_expression binary_expression case cast exists interval invocation
    parenthesized_expression subquery subscript unary_expression window_function
"""

DATA = (
    row(
        "json",
        ".json .jsonl .ndjson .json5 .jsonc .geojson .ipynb .webmanifest .har .sarif",
        file_names=".babelrc .eslintrc composer.lock Pipfile.lock",
        names="",
        replacements=replacements(
            ("array", (b"0", b"[]", b"null")),
            ("object", (b"0", b"{}", b"null")),
            ("true false null", (b"0",)),
            ("number", NUMBER),
            ("string", (b"0", *STRING)),
        ),
    ),
    row(
        "yaml",
        ".yaml .yml",
        file_names=".clang-format .clang-tidy",
        names="anchor_name alias_name",
        strings="double_quote_scalar single_quote_scalar string_scalar block_scalar",
        numbers="integer_scalar float_scalar",
        replacements=replacements(
            ("flow_mapping flow_node flow_sequence plain_scalar", (b"0",)),
            ("flow_mapping", (b"0", b"{}")),
            ("flow_sequence", (b"0", b"[]")),
            ("integer_scalar float_scalar", NUMBER),
            ("double_quote_scalar single_quote_scalar block_scalar", (b"a", b'""')),
        ),
        newline_sensitive=True,
    ),
    row(
        "toml",
        ".toml",
        file_names="Cargo.lock poetry.lock Pipfile uv.lock",
        names="bare_key",
        strings="string quoted_key",
        numbers="integer float",
        replacements=replacements(
            ("inline_table", (b"0", b"{}")),
            ("array", (b"0", b"[]")),
            ("boolean local_date local_date_time local_time offset_date_time", (b"0",)),
            ("integer float", NUMBER),
            ("string", (b"0", *STRING)),
        ),
        newline_sensitive=True,
    ),
    row(
        "xml",
        (
            ".xml .svg .xsd .xsl .xslt .rss .atom .plist .wsdl .csproj .vcxproj .xaml .kml "
            ".gpx .graphml .ui"
        ),
        function="language_xml",
        comments="Comment",
        names="Name",
        strings="AttValue EntityValue SystemLiteral PubidLiteral",
        numbers="",
        replacements=replacements(("AttValue EntityValue", STRING)),
        tags=True,
    ),
    row(
        "dtd",
        ".dtd .ent",
        grammar="tree_sitter_xml",
        function="language_dtd",
        comments="Comment",
        names="Name",
        strings="AttValue EntityValue SystemLiteral PubidLiteral",
        numbers="",
        replacements=replacements(("contentspec", (b"ANY",)), ("AttValue EntityValue", STRING)),
    ),
    row(
        "sql",
        ".sql .ddl .psql .pgsql",
        keywords="keyword_",
        comments="comment marginalia",
        strings="",
        numbers="",
        replacements=replacements(
            ("object_reference", (b"(SELECT 1)",)),
            (_SQL_EXPRESSIONS, (b"1", b"NULL")),
            ("subquery", (b"(SELECT 1)",)),
            ("literal", (b"1", b"''", b"NULL")),
            ("select_expression", (b"1", b"*")),
        ),
    ),
    row(
        "markdown",
        ".md .markdown .mkd .mdx",
        comments="",
        names="",
        strings="",
        numbers="",
        replacements=replacements(("inline", (b"a",)), ("pipe_table_cell", (b"a",))),
        newline_sensitive=True,
        accepts_any_text=True,
    ),
    row(
        "hcl",
        ".hcl .tf .tfvars .nomad",
        strings="string_lit quoted_template heredoc_template",
        numbers="numeric_lit",
        replacements=replacements(
            ("expression", (b"0", b"null")),
            ("numeric_lit", NUMBER),
            ("string_lit quoted_template", STRING),
        ),
        newline_sensitive=True,
    ),
    row(
        "make",
        ".mk .mak .make",
        file_names="Makefile makefile GNUmakefile Kbuild",
        interpreters="make",
        names="",
        numbers="",
        replacements=replacements(("recipe_line", (b":",)), ("shell_text", (b":",))),
        newline_sensitive=True,
    ),
    row(
        "dockerfile",
        ".dockerfile .containerfile",
        file_names="Dockerfile Containerfile",
        names="variable image_alias",
        strings="double_quoted_string single_quoted_string json_string",
        numbers="",
        replacements=replacements(
            ("shell_command", (b":",)),
            ("double_quoted_string json_string", STRING),
            ("single_quoted_string", (b"''",)),
        ),
        newline_sensitive=True,
    ),
    row(
        "regex",
        ".regex .regexp",
        comments="",
        names="group_name",
        strings="",
        numbers="decimal_digits",
        replacements=replacements(
            (
                """
                    anonymous_capturing_group character_class named_capturing_group
                    non_capturing_group lookaround_assertion
                """,
                (b"a", b"()"),
            ),
            ("decimal_digits", NUMBER),
        ),
    ),
)
