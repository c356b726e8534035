"""Languages that have no grammar to be had, and are parsed by wynot itself."""

from dataclasses import replace
from functools import partial

from wynot.formats.language import Language
from wynot.formats.parsers import brackets, diffs, dot, llvm, records, sexp
from wynot.formats.tables.row_parts import NUMBER, STRING, replacements, row

_counted = partial(replace, flaws=brackets.flaws, loose=brackets.loose)
"""Has brackets without a partner counted without a tree."""
_ANY_TEXT = row(
    "brackets",
    ".txt .log .cfg .conf .ini",
    parser=brackets.parse,
    comments="",
    names="word",
    replacements=replacements(("number", NUMBER), ("string", STRING)),
    newline_sensitive=True,
    accepts_any_text=True,
)
BRACKETS: Language = _counted(_ANY_TEXT)
"""Any text; what is taken if nothing better is known."""

OWN = (
    row(
        "smt-lib",
        ".smt2 .smt .sy",
        parser=sexp.smt,
        flaws=sexp.smt_flaws,
        lisp_like=True,
        names="symbol quoted",
        replacements=replacements(
            ("list", (b"0", b"true", b"false", b"()", b"Int", b"Bool")),
            ("number", NUMBER),
            ("string", STRING),
        ),
    ),
    row(
        "lisp",
        (
            ".lisp .lsp .cl .el .scm .ss .sld .rkt .clj .cljs .cljc .edn .fnl .sexp "
            ".kicad_pcb .kicad_sch"
        ),
        file_names="dune dune-project .emacs",
        interpreters="sbcl clisp guile racket emacs csi chez",
        parser=sexp.lisp,
        flaws=sexp.lisp_flaws,
        lisp_like=True,
        names="symbol",
        strings="string character",
        replacements=replacements(
            ("list quoted", (b"0", b"()")), ("number", NUMBER), ("string", STRING)
        ),
    ),
    row(
        "wat",
        ".wat .wast",
        parser=sexp.wat,
        flaws=sexp.wat_flaws,
        lisp_like=True,
        names="name",
        replacements=replacements(("list", (b"i32.const 0", b"(i32.const 0)")), ("number", NUMBER)),
    ),
    row(
        "dot",
        ".dot .gv",
        parser=dot.parse,
        strings="string markup",
        replacements=replacements(
            ("body", (b"{}",)),
            ("attributes", (b"[]",)),
            ("number", NUMBER),
            ("string", (b"a", b'""')),
            ("markup", (b"a", b'""', b"<>")),
        ),
    ),
    row(
        "llvm",
        ".ll",
        parser=llvm.parse,
        names="local global",
        replacements=replacements(("number", NUMBER), ("local", (b"0", b"undef", b"poison"))),
        newline_sensitive=True,
    ),
    # The scanner of tree-sitter-perl never ends on a here-document that is not closed.
    _counted(
        row(
            "perl",
            ".pl .pm .t .psgi",
            interpreters="perl",
            parser=brackets.parse,
            comments="",
            names="word",
            replacements=replacements(("number", NUMBER), ("string", (b"''",))),
            newline_sensitive=True,
        )
    ),
    row(
        "csv",
        ".csv .tsv .tab .psv",
        parser=records.parse,
        comments="",
        names="",
        strings="field",
        numbers="",
        replacements=replacements(("field", (b"", b"0", b"a"))),
        newline_sensitive=True,
        accepts_any_text=True,
    ),
    row(
        "diff",
        ".diff .patch .rej",
        parser=diffs.parse,
        comments="text",
        names="",
        strings="",
        numbers="",
        newline_sensitive=True,
        accepts_any_text=True,
    ),
    BRACKETS,
)
