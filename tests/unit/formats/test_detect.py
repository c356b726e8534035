"""Which language a file is taken for."""

import pytest

from wynot.formats.detect import language_of


def name_of(path: str, content: bytes = b"") -> str | None:
    found = language_of(path, content)
    return found.name if found else None


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a.c", "c"),
        ("folder.py/A.CPP", "cpp"),
        ("folder\\a.rs", "rust"),
        ("a.test.ts", "typescript"),
        ("a.hs-boot", "haskell"),
        ("Makefile", "make"),
        ("folder/Dockerfile", "dockerfile"),
        ("Dockerfile.test", "dockerfile"),
        (".vimrc", "vim"),
        ("a.unknown", "brackets"),
        ("a.tar.gz", "brackets"),
        ("noname", "brackets"),
        ("a.", "brackets"),
        (".hidden", "brackets"),
        ("", "brackets"),
        ("a.r", "r"),
        ("x.smt2", "smt-lib"),
    ],
)
def test_by_name(path: str, name: str) -> None:
    assert name_of(path) == name


@pytest.mark.parametrize(
    ("path", "content", "name"),
    [
        ("a.h", b"int f(void);\n", "c"),
        ("a.h", b"namespace a { }\n", "cpp"),
        ("a.h", b"std::string f();\n", "cpp"),
        ("a.h", b"@interface A\n@end\n", "objective-c"),
        ("a.m", b"#import <Foundation/Foundation.h>\n", "objective-c"),
        ("a.m", b"x = [1, 2]';\n", "matlab"),
        ("a.v", b"module m; endmodule\n", "verilog"),
        ("a.v", b"Theorem t : True.\nProof. trivial. Qed.\n", "brackets"),
        ("a.txt", b'{"a": 1}', "json"),
        ("a.txt", b"some words\n", "brackets"),
    ],
)
def test_where_a_suffix_has_several_the_text_decides(path: str, content: bytes, name: str) -> None:
    assert name_of(path, content) == name


@pytest.mark.parametrize(
    ("line", "name"),
    [
        (b"#!/bin/sh", "bash"),
        (b"#! /usr/bin/env python3.11", "python"),
        (b"#!/usr/bin/env -S node --flag", "javascript"),
        (b"#!/usr/bin/env A=1 ruby", "ruby"),
        (b"#!/usr/local/bin/lua5.4", "lua"),
        (b"#!/opt/unheard-of", "brackets"),
        (b"#!", "brackets"),
        (b"#!/usr/bin/env", "brackets"),
    ],
)
def test_by_the_program_that_the_first_line_names(line: bytes, name: str) -> None:
    assert name_of("script", line + b"\necho\n") == name


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b' {"a": [1]}', "json"),
        (b'[{"a": 1}]', "json"),
        (b"[1, 2]", "json"),
        (b"[]", "json"),
        (b'\xef\xbb\xbf["a"]', "json"),
        (b"<!DOCTYPE html>\n<p>", "html"),
        (b"<!-- c --><HTML>", "html"),
        (b"<?xml version='1.0'?><a/>", "xml"),
        (b"<a b='1'><c/></a>", "xml"),
        (b"<?php echo 1;", "php"),
        (b"diff --git a/x b/x\n", "diff"),
        (b"text\n--- a\n+++ b\n@@ -1 +1 @@\n", "diff"),
        (b"; c\n(set-logic QF_BV)\n", "smt-lib"),
        (b"(module (func))", "wat"),
        (b";; c\n(define (f x) (+ x 1))\n(f 2)\n", "lisp"),
        (b'target triple = "x"\n', "llvm"),
        (b"define i32 @f() {\n}\n", "llvm"),
        (b"digraph g { a -> b }", "dot"),
        (b"---\na: 1\n", "yaml"),
    ],
)
def test_by_what_is_in_the_text(content: bytes, name: str) -> None:
    assert name_of("case", content) == name


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[2024-01-31 10:00] started\n",
        b"[12] a note\n",
        b"[section]\nkey = value\n",
        b"(in brackets) some prose\n",
        b"a < b and c > d\n",
        b"{ block }\n",
        b"graph of things: a\n",
        b"\x1b[31mred\x1b[0m\n",
        "größer 日本\n".encode(),
        "größer\n".encode("latin-1"),
    ],
)
def test_what_is_not_certain_is_not_guessed(content: bytes) -> None:
    assert name_of("case", content) == "brackets"


@pytest.mark.parametrize("content", [b"\0", b"PK\x03\x04\x14\0\0", b"\x01\x02\x03\x04abc"])
def test_what_is_no_text_has_no_language_unless_its_name_tells(content: bytes) -> None:
    assert name_of("case", content) is None
    assert name_of("case.txt", content) is None
    assert name_of("case.c", content) == "c"
