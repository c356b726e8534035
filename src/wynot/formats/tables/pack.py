"""Languages whose grammars come in one package, tree-sitter-language-pack: an extra.

Only kinds are known of them, no short texts: the verdicts tell the rest. Left out are those of
cobol and fsharp, whose scanners never end on some texts, and of jsonnet, which parses the same text
now so, now otherwise.
"""

from functools import partial

from wynot.formats.tables.row_parts import row

PACKAGE = "tree-sitter-language-pack==0.13.0"

_row = partial(row, grammar="tree_sitter_language_pack.bindings.{}", package=PACKAGE)
_BOTH = "line_comment block_comment"

PACK = (
    _row("actionscript", ".as", comments=_BOTH),
    _row("agda", ".agda", names="atom", strings="", numbers="integer", newline_sensitive=True),
    _row("apex", ".cls .trigger", comments=_BOTH, strings="string_literal", numbers="int decimal"),
    _row(
        "asm", ".s .asm", comments=_BOTH, names="ident", numbers="int float", newline_sensitive=True
    ),
    _row("astro", ".astro", names="attribute_name", strings="quoted_attribute_value", numbers=""),
    _row("bibtex", ".bib", strings="quote_word brace_word"),
    _row("bicep", ".bicep", newline_sensitive=True),
    _row("capnp", ".capnp", names="field_identifier type_identifier enum_identifier"),
    _row(
        "cmake",
        ".cmake",
        file_names="CMakeLists.txt",
        comments="line_comment bracket_comment",
        names="variable",
        strings="quoted_argument",
        numbers="",
    ),
    _row("d", ".d .di", strings="string_literal char_literal", numbers="int_literal float_literal"),
    _row(
        "elm",
        ".elm",
        comments=_BOTH,
        names="lower_case_identifier upper_case_identifier",
        strings="string_constant_expr char_constant_expr",
        numbers="number_literal",
        newline_sensitive=True,
    ),
    _row("erlang", ".erl .hrl", interpreters="escript", names="var atom", numbers="integer float"),
    _row("firrtl", ".fir", newline_sensitive=True),
    _row(
        "fish",
        ".fish",
        interpreters="fish",
        names="variable_name",
        strings="double_quote_string single_quote_string",
        numbers="integer float",
        newline_sensitive=True,
    ),
    _row(
        "gdscript", ".gd", names="identifier name", numbers="integer float", newline_sensitive=True
    ),
    _row(
        "gleam",
        ".gleam",
        comments="comment module_comment statement_comment",
        names="identifier type_identifier constructor_name",
        numbers="integer float",
    ),
    _row("gn", ".gn .gni", numbers="integer hex"),
    _row(
        "graphql",
        ".graphql .gql .graphqls",
        names="name",
        strings="string_value",
        numbers="int_value float_value",
    ),
    _row("hack", ".hack .hhi", interpreters="hhvm", numbers="integer float"),
    _row("hare", ".ha", strings="string raw_string"),
    _row("haxe", ".hx", numbers="integer float"),
    _row(
        "ispc",
        ".ispc",
        names="identifier type_identifier field_identifier",
        strings="string_literal char_literal",
        numbers="number_literal",
    ),
    _row("kdl", ".kdl", comments="single_line_comment multi_line_comment"),
    _row(
        "latex",
        ".tex .sty .ltx",
        comments="line_comment block_comment comment_environment",
        names="",
        strings="",
        numbers="",
    ),
    _row("linkerscript", ".ld .lds", names="symbol", strings="quoted_symbol"),
    _row("luau", ".luau", interpreters="luau"),
    _row("meson", "", file_names="meson.build meson_options.txt", newline_sensitive=True),
    _row(
        "nim",
        ".nim .nims",
        comments="comment block_comment",
        strings="interpreted_string_literal raw_string_literal long_string_literal char_literal",
        numbers="integer_literal float_literal",
        newline_sensitive=True,
    ),
    _row("ninja", ".ninja", strings="", numbers="", newline_sensitive=True),
    _row("pascal", ".pas .pp .dpr", strings="literalString literalChar", numbers="literalNumber"),
    _row("pony", ".pony", comments=_BOTH, numbers="number float"),
    _row("prisma", ".prisma", numbers="integer", newline_sensitive=True),
    _row("proto", ".proto", numbers="int_lit float_lit"),
    _row("puppet", "", names="identifier variable", numbers="number float"),
    _row(
        "purescript",
        ".purs",
        names="variable type_variable",
        strings="string triple_quote_string char",
        numbers="integer number",
        newline_sensitive=True,
    ),
    _row("qmljs", ".qml", names="identifier property_identifier", strings="string template_string"),
    _row("r", ".r", interpreters="Rscript", numbers="integer float", newline_sensitive=True),
    _row("rego", ".rego", names="var", newline_sensitive=True),
    _row("ron", ".ron", comments=_BOTH, numbers="integer float"),
    _row(
        "scss",
        ".scss",
        comments="comment js_comment",
        names="class_name id_name variable",
        strings="string_value",
        numbers="integer_value float_value",
    ),
    _row(
        "smali",
        ".smali",
        names="identifier variable",
        numbers="number float",
        newline_sensitive=True,
    ),
    _row("smithy", ".smithy", numbers="number float"),
    _row("sparql", ".rq .sparql", names="var", numbers="integer decimal"),
    _row("tablegen", ".td", comments="comment multiline_comment", strings="string_string"),
    _row(
        "tcl",
        ".tcl",
        interpreters="tclsh wish expect",
        names="simple_word",
        strings="quoted_word",
        newline_sensitive=True,
    ),
    _row("thrift", ".thrift"),
    _row("typst", ".typ", names="ident", newline_sensitive=True),
    _row(
        "vim",
        ".vim",
        file_names=".vimrc",
        strings="string_literal",
        numbers="integer_literal float_literal",
        newline_sensitive=True,
    ),
    _row("vue", ".vue", names="attribute_name", strings="quoted_attribute_value", numbers=""),
    _row("wgsl", ".wgsl", comments=_BOTH, strings="", numbers="int_literal float_literal"),
)
