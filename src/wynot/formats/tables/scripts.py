"""Languages that are run as they are written."""

from wynot.formats.tables.row_parts import NUMBER, STRING, replacements, row

_PYTHON = (
    (
        """
            attribute binary_operator boolean_operator call comparison_operator
            conditional_expression dictionary dictionary_comprehension lambda list
            list_comprehension named_expression not_operator set set_comprehension subscript
            tuple unary_operator concatenated_string ellipsis none true false
        """,
        (b"0",),
    ),
    ("list list_comprehension", (b"0", b"[]")),
    ("dictionary dictionary_comprehension", (b"0", b"{}")),
    ("tuple", (b"0", b"()")),
    ("parenthesized_expression", (b"0", b"()")),
    ("block", (b"pass", b"...")),
    ("expression_statement assert_statement for_statement if_statement", (b"pass",)),
    ("while_statement with_statement delete_statement", (b"pass",)),
    ("argument_list parameters", (b"()",)),
    ("integer float", NUMBER),
    ("string", STRING),
)

SCRIPTS = (
    row(
        "python",
        ".py .pyi .pyw .pyx .sage",
        file_names="SConstruct SConscript wscript",
        interpreters="python python2 python3 pypy pypy3 uv",
        strings="string concatenated_string",
        numbers="integer float",
        replacements=replacements(
            *_PYTHON,
            ("await yield generator_expression", (b"0",)),
            ("class_definition function_definition decorated_definition", (b"pass",)),
            ("try_statement raise_statement match_statement", (b"pass",)),
        ),
        newline_sensitive=True,
    ),
    row(
        "starlark",
        ".bzl .star .bazel",
        file_names="BUILD WORKSPACE BUCK Tiltfile",
        strings="string concatenated_string",
        numbers="integer float",
        replacements=replacements(*_PYTHON),
        newline_sensitive=True,
    ),
    row(
        "ruby",
        ".rb .rake .gemspec .ru",
        file_names="Rakefile Gemfile Vagrantfile Podfile",
        interpreters="ruby jruby",
        names="identifier constant instance_variable class_variable global_variable",
        strings="string simple_symbol regex delimited_symbol subshell",
        numbers="integer float rational complex",
        replacements=replacements(
            (
                """
                    array assignment begin binary call case conditional element_reference hash
                    if lambda operator_assignment parenthesized_statements range regex
                    string_array subshell symbol_array unary unless until while yield
                """,
                (b"0", b"nil"),
            ),
            ("block", (b"{}",)),
            ("do_block", (b"do end",)),
            ("method_parameters argument_list", (b"()",)),
            ("integer float rational complex", NUMBER),
            ("string", STRING),
        ),
        newline_sensitive=True,
    ),
    row(
        "lua",
        ".lua .rockspec",
        interpreters="lua luajit",
        replacements=replacements(
            (
                """
                    binary_expression bracket_index_expression dot_index_expression
                    function_call function_definition parenthesized_expression table_constructor
                    unary_expression vararg_expression
                """,
                (b"0", b"nil"),
            ),
            ("table_constructor", (b"0", b"{}")),
            ("arguments parameters", (b"()",)),
            ("for_statement if_statement while_statement repeat_statement", (b";",)),
            ("number", NUMBER),
            ("string", STRING),
        ),
    ),
    row(
        "bash",
        ".sh .bash .zsh .ksh .bats .ebuild",
        file_names=".bashrc .bash_profile .profile .zshrc PKGBUILD configure",
        interpreters="sh bash dash ksh zsh ash",
        names="variable_name",
        strings="string raw_string ansi_c_string translated_string heredoc_body",
        replacements=replacements(
            ("command pipeline list subshell redirected_statement negated_command", (b":",)),
            ("case_statement for_statement if_statement while_statement test_command", (b":",)),
            ("compound_statement", (b":", b"{ :;}")),
            ("command_substitution arithmetic_expansion expansion concatenation", (b"a",)),
            ("string raw_string ansi_c_string", (b"a", b"''")),
            ("number", NUMBER),
        ),
        newline_sensitive=True,
    ),
    row(
        "powershell",
        ".ps1 .psm1 .psd1",
        interpreters="pwsh",
        names="variable",
        strings="string_literal",
        numbers="integer_literal real_literal",
        replacements=replacements(
            ("script_block_expression hash_literal_expression array_expression", (b"0",)),
            ("parenthesized_expression sub_expression invokation_expression", (b"0",)),
            ("statement_block", (b"{}",)),
            ("integer_literal real_literal", NUMBER),
            ("string_literal", (b"''",)),
        ),
        newline_sensitive=True,
    ),
)
