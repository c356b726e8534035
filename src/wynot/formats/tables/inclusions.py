"""The statements of languages that bring in another file.

Patterns are written for reduced texts, too: all blanks that can be missing may be. Nothing in them
is looked for without a limit, since texts are hostile.
"""

import re

from wynot.formats.inclusion import Inclusion, Paste, inclusion

_QUOTED = rb"[\"'](?P<name>[^\"'\n]+)[\"']"
_CALLED = rb"[ \t(]*" + _QUOTED + rb"[ \t]*\)?"
_RETURNED = re.compile(rb"(?s)\A(?P<body>.*)\breturn\b(?P<value>.+?);?\s*\Z")
_PHP = re.compile(rb"(?s)\A\s*(?:<\?(?:php\b)?)?(?P<content>.*?)(?:\?>\s*)?\Z")
_PRAGMAS = re.compile(rb"^[ \t]*(?:pragma\b[^;]{,99};|// SPDX.*)", re.MULTILINE)
_PROTO_HEAD = re.compile(rb"^[ \t]*(?:syntax|package|edition)\b[^;]{,99};", re.MULTILINE)
_PART_OF = re.compile(rb"^[ \t]*(?:part of|library)\b[^;]{,99};", re.MULTILINE)
_MODULE_HEAD = re.compile(rb"^[ \t]*module\b[^;]{,99};", re.MULTILINE)

# A table is read by its rows.
# fmt: off
INCLUSIONS: tuple[Inclusion, ...] = (
    inclusion("c cpp objective-c cuda glsl hlsl ispc fortran",
        rb"^[ \t]*#[ \t]*(?:include|import)[ \t]*[\"<](?P<name>[^\">\n]+)[\">][^\n]*", once=False),
    inclusion("verilog", rb"`include[ \t]*\"(?P<name>[^\"\n]+)\"", once=False),
    inclusion("asm", rb"^[ \t]*[.%#]include[ \t]*" + _QUOTED, once=False),
    inclusion("fortran", rb"(?i)^[ \t]*include[ \t]*" + _QUOTED, once=False),
    inclusion("pascal", rb"(?i)\{\$I(?:NCLUDE)?[ \t]+'?"
        rb"(?P<name>[^'{}\s](?:[^'{}\n]*[^'{}\s])?)'?[ \t]*+\}",
        ".inc .pas", once=False),
    inclusion("tablegen linkerscript", rb"(?i)\binclude[ \t]*\"?(?P<name>[\w./-]+)\"?"),
    inclusion("rust", rb"\bmod\s+(?P<name>\w+)\s*;", ".rs /mod.rs",
        Paste(b"mod {name}{\n{content}\n}")),
    inclusion("rust", rb"\binclude!\s*\(\s*\"(?P<name>[^\"\n]+)\"\s*\)\s*;?"),
    inclusion("zig", rb"@import\s*\(\s*\"(?P<name>[^\"\n]+\.zig)\"\s*\)", "",
        Paste(b"struct{\n{content}\n}")),
    inclusion("latex", rb"\\(?:(?:input|include|subfile)\s*\{|input[ \t]+)(?P<name>[\w./ -]+)\}?",
        ".tex", once=False),
    inclusion("latex",
        rb"\\(?:usepackage|RequirePackage)\s*(?:\[[^\]\n]{,99}\])?\{(?P<name>[\w./-]+)\}", ".sty",
        Paste(), Paste(b"\\makeatletter\n{content}\n\\makeatother")),
    inclusion("typst", rb"#(?:include|import)\s*" + _QUOTED + rb"(?:\s*:[^\n]*)?"),
    inclusion("css scss",
        rb"@(?:import|use|forward)\s*(?:\([^()\n]{,99}\)\s*)?(?:url\(\s*)?"
        rb"[\"']?(?P<name>[^\"'();\s]+)[\"']?\s*\)?[^;{}\n]{,99};?",
        ".scss .css .less", suffixes=".less .sass .styl"),
    inclusion("php",
        rb"\b(?:include|require)(?:_once)?\b[\s(]*(?:(?:__DIR__|dirname\s*\(\s*__FILE__\s*\))"
        rb"\s*\.\s*)?[\"']/?(?P<name>[^\"'\n]+)[\"'][\s)]*;", "",
        Paste(of=_PHP), Paste(b"?>{content}<?php ")),
    inclusion("ruby", rb"\b(?:require_relative|require|load)\b" + _CALLED, ".rb"),
    inclusion("perl", rb"\b(?:require|do)\b" + _CALLED + rb"[ \t]*;?"),
    inclusion("perl", rb"\b(?:use|require)\s+(?P<name>[A-Z]\w*(?:::\w+)*)\b[^;\n]{,99};", ".pm",
        Paste(b"BEGIN{\n{content}\n}"), Paste(b"BEGIN{\n{content}\n{name}->import}"),
        separator="::"),
    inclusion("lua luau", rb"\blocal\s+(?P<to>\w+)\s*=\s*require\b" + _CALLED, ".lua /init.lua",
        Paste(b"{body}\nlocal {to}={value}", _RETURNED),
        Paste(b"local {to}=(function()\n{content}\nend)()"), separator="."),
    inclusion("lua luau", rb"\brequire\b" + _CALLED, ".lua /init.lua",
        Paste(), Paste(b"(function()\n{content}\nend)()"), separator="."),
    inclusion("lua luau", rb"\bdofile\b" + _CALLED, "",
        Paste(), Paste(b"(function()\n{content}\nend)()"), once=False),
    inclusion("bash fish",
        rb"(?:(?<=[;&|{])|^)[ \t]*(?:source|\.)[ \t]+[\"']?(?:\$[^/\n;&|]{,99}/)?(?P<name>[\w./-]+)"
        rb"[\"']?[ \t]*(?=[\n;&|}]|\Z)", once=False),
    inclusion("powershell",
        rb"^[ \t]*(?:\.|Import-Module)[ \t]+[\"']?(?:\$\w+[\\/])?(?P<name>[\w./-]+)[\"']?"),
    inclusion("tcl", rb"\bsource[ \t]+(?:\[.{,99}[ \t])?(?P<name>[\w./-]+)\]*", once=False),
    inclusion("vim", rb"^[ \t]*(?:so|source|runtime)!?[ \t]+(?P<name>[\w./-]+)", once=False),
    inclusion("r", rb"\bsource" + _CALLED, once=False),
    inclusion("julia", rb"\binclude" + _CALLED, once=False),
    inclusion("elixir", rb"\bCode\.(?:require|eval)_file" + _CALLED),
    inclusion("erlang", rb"^-include(?:_lib)?" + _CALLED + rb"\.", once=False),
    inclusion("ocaml", rb"#use\s*\"(?P<name>[^\"\n]+)\"\s*;;", once=False),
    inclusion("ocaml", rb"\bopen\s+(?P<name>[A-Z]\w*)", ".ml",
        Paste(b"module {name}=struct\n{content}\nend open {name}"), Paste()),
    inclusion("nix", rb"\bimport\s+(?P<name>\.{1,2}/[\w./+-]+)", "/default.nix",
        Paste(b"({content})"), once=False),
    inclusion("", rb"\bimport\s*" + _QUOTED, "", Paste(b"({content})"),
        suffixes=".jsonnet .libsonnet", once=False),
    inclusion("lisp", rb"\((?:load|include)\s+\"(?P<name>[^\"\n]+)\"\s*\)", ".scm .lisp .el"),
    inclusion("nim", rb"^[ \t]*(?:include|import)[ \t]+\"?(?P<name>[\w./]+)\"?[ \t]*$", ".nim"),
    inclusion("d", rb"\bimport\s+(?P<name>[\w.]+)\s*(?::[^;]{,99})?;", ".d",
        Paste(drop=_MODULE_HEAD), separator="."),
    inclusion("dart", rb"\b(?:import|part|export)\s*" + _QUOTED + rb"[^;\n]{,99};", "",
        Paste(drop=_PART_OF)),
    inclusion("solidity",
        rb"\bimport\s*(?:\{[^}]{,99}\}\s*from\s*|\*[^\"';]{,99}from\s*)?" + _QUOTED +
        rb"[^;\n]{,99};", "", Paste(drop=_PRAGMAS)),
    inclusion("proto", rb"\bimport\s*+(?:(?:public|weak)\b\s*+)?" + _QUOTED + rb"\s*;", "",
        Paste(drop=_PROTO_HEAD)),
    inclusion("thrift", rb"\b(?:cpp_)?include\s*" + _QUOTED),
    inclusion("graphql", rb"^[ \t]*#[ \t]*import[ \t]*" + _QUOTED),
    inclusion("starlark", rb"\bload\s*\(\s*[\"'](?://)?:?(?P<name>[^\"'\n]+)[\"'][^)]{,99}\)",
        separator=":"),
    inclusion("gn", rb"\bimport\s*\(\s*\"(?://)?(?P<name>[^\"\n]+)\"\s*\)"),
    inclusion("make", rb"^-?include[ \t]+(?P<name>[\w./-]+)[ \t]*$", once=False),
    inclusion("ninja", rb"^(?:include|subninja)[ \t]+(?P<name>[\w./-]+)[ \t]*$", once=False),
    inclusion("cmake", rb"(?i)\binclude\s*\(\s*\"?(?:\$\{\w+\}/)?(?P<name>[\w./-]+)\"?[^)]{,99}\)",
        ".cmake", once=False),
    inclusion("cmake meson", rb"(?i)\b(?:add_subdirectory|subdir)\s*\(\s*[\"']?(?P<name>[\w./-]+)"
        rb"[\"']?[^)]{,99}\)", "/CMakeLists.txt /meson.build", once=False),
    inclusion("sql", rb"(?i)^[ \t]*(?:\\ir?|\.read|source|@@?)[ \t]+[\"']?(?P<name>[\w./-]+)[\"']?"
        rb"[ \t]*;?[ \t]*$", once=False),
    inclusion("html vue svelte",
        rb"(?i)<script\b[^>]{,99}\bsrc\s*=\s*[\"']?(?P<name>[^\"'\s>]+)[^>]{,99}>\s*</script>", "",
        Paste(b"<script>{content}</script>"), Paste(b"<script type=module>{content}</script>")),
    inclusion("html", rb"(?i)<link\b[^>]{,99}\bhref\s*=\s*[\"']?(?P<name>[^\"'\s>]+)[^>]{,99}>", "",
        Paste(b"<style>{content}</style>")),
    inclusion("html xml markdown brackets python",
        rb"\{%-?\s*include\s*[\"'](?P<name>[^\"'\n]+)[\"'][^%\n]{,99}%\}",
        suffixes=".j2 .jinja .jinja2 .twig .liquid .njk .tpl", once=False),
    inclusion("html", rb"\{\{>\s*(?P<name>[\w./-]+)\s*\}\}", ".hbs .mustache .html",
        suffixes=".hbs .mustache", once=False),
    inclusion("html", rb"<%-\s*include\s*\(\s*" + _QUOTED + rb"[^)]{,99}\)\s*%>", ".ejs",
        suffixes=".ejs", once=False),
    inclusion("", rb"^include::(?P<name>[\w./-]+)\[[^\]\n]{,99}\]", suffixes=".adoc .asciidoc .asc",
        once=False),
    inclusion("", rb"^[ \t]*\.\.[ \t]+include::[ \t]*(?P<name>[\w./-]+)", suffixes=".rst",
        once=False),
    inclusion("", rb"\bload[ \t]*" + _QUOTED, suffixes=".gp .plt .gnuplot", once=False),
)
