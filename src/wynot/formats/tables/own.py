"""Languages that have no grammar to be had, and are parsed by wynot itself."""

from wynot.formats import brackets, csv, diffs, dot, llvm, sexp
from wynot.formats.language import Language
from wynot.formats.tables.row_parts import NUMBER, STRING, kinds, replacements

BRACKETS = Language(
    name="brackets",
    suffixes=(".txt", ".log", ".cfg", ".conf", ".ini"),
    parser=brackets.parse,
    comments=frozenset(),
    names=kinds("word"),
    strings=kinds("string"),
    numbers=kinds("number"),
    replacements=replacements(("number", NUMBER), ("string", STRING)),
    newline_sensitive=True,
    accepts_any_text=True,
)
"""Any text; what is taken if nothing better is known."""

OWN = (
    Language(
        name="smt-lib",
        suffixes=(".smt2", ".smt", ".sy"),
        parser=sexp.smt,
        lisp_like=True,
        comments=kinds("comment"),
        names=kinds("symbol quoted"),
        strings=kinds("string"),
        numbers=kinds("number"),
        replacements=replacements(
            ("list", (b"0", b"true", b"false", b"()", b"Int", b"Bool")),
            ("number", NUMBER),
            ("string", STRING),
        ),
    ),
    Language(
        name="lisp",
        suffixes=(
            *(".lisp", ".lsp", ".cl", ".el", ".scm", ".ss", ".sld", ".rkt", ".clj", ".cljs"),
            *(".cljc", ".edn", ".fnl", ".sexp", ".kicad_pcb", ".kicad_sch"),
        ),
        file_names=("dune", "dune-project", ".emacs"),
        interpreters=("sbcl", "clisp", "guile", "racket", "emacs", "csi", "chez"),
        parser=sexp.lisp,
        lisp_like=True,
        comments=kinds("comment"),
        names=kinds("symbol"),
        strings=kinds("string character"),
        numbers=kinds("number"),
        replacements=replacements(
            ("list quoted", (b"0", b"()")), ("number", NUMBER), ("string", STRING)
        ),
    ),
    Language(
        name="wat",
        suffixes=(".wat", ".wast"),
        parser=sexp.wat,
        lisp_like=True,
        comments=kinds("comment"),
        names=kinds("name"),
        strings=kinds("string"),
        numbers=kinds("number"),
        replacements=replacements(("list", (b"i32.const 0", b"(i32.const 0)")), ("number", NUMBER)),
    ),
    Language(
        name="dot",
        suffixes=(".dot", ".gv"),
        parser=dot.parse,
        comments=kinds("comment"),
        names=kinds("identifier"),
        strings=kinds("string markup"),
        numbers=kinds("number"),
        replacements=replacements(
            ("body", (b"{}",)),
            ("attributes", (b"[]",)),
            ("number", NUMBER),
            ("string", (b"a", b'""')),
            ("markup", (b"a", b'""', b"<>")),
        ),
    ),
    Language(
        name="llvm",
        suffixes=(".ll",),
        parser=llvm.parse,
        comments=kinds("comment"),
        names=kinds("local global"),
        strings=kinds("string"),
        numbers=kinds("number"),
        replacements=replacements(("number", NUMBER), ("local", (b"0", b"undef", b"poison"))),
        newline_sensitive=True,
    ),
    # The scanner of tree-sitter-perl never ends on a here-document that is not closed.
    Language(
        name="perl",
        suffixes=(".pl", ".pm", ".t", ".psgi"),
        interpreters=("perl",),
        parser=brackets.parse,
        comments=frozenset(),
        names=kinds("word"),
        strings=kinds("string"),
        numbers=kinds("number"),
        replacements=replacements(("number", NUMBER), ("string", (b"''",))),
        newline_sensitive=True,
    ),
    Language(
        name="csv",
        suffixes=(".csv", ".tsv", ".tab", ".psv"),
        parser=csv.parse,
        comments=frozenset(),
        names=frozenset(),
        strings=kinds("field"),
        numbers=frozenset(),
        replacements=replacements(("field", (b"", b"0", b"a"))),
        newline_sensitive=True,
        accepts_any_text=True,
    ),
    Language(
        name="diff",
        suffixes=(".diff", ".patch", ".rej"),
        parser=diffs.parse,
        comments=kinds("text"),
        names=frozenset(),
        strings=frozenset(),
        numbers=frozenset(),
        newline_sensitive=True,
        accepts_any_text=True,
    ),
    BRACKETS,
)
