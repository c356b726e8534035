"""Modules of WebAssembly: crashes of tools on real ones, and traps of programs that are made here.

The real ones are files of npm packages, in the folder ``js/wasm`` of ``WYNOT_BENCH_HOME`` (by
default ``~/.cache/wynot-bench``; ``benchmarks/cases/install.sh`` puts them there), and need Debian
12's binaryen and wabt. The others need Node. What is not there is left out.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from shutil import which

from benchmarks.probes.probe import Probe

from wynot.formats.containers.container import Member, Packed
from wynot_binaries import WASM_TEXT

HOME = Path(os.environ.get("WYNOT_BENCH_HOME", "~/.cache/wynot-bench")).expanduser() / "js/wasm"
CASE = "case.wasm"
ABORTS = "#!/bin/bash\n{} >out 2>&1\n[ $? = 134 ]\n"
LOWERING = f"wasm-opt -all --flatten --i64-to-i32-lowering {CASE} -o o.wasm"
_REAL = (
    ("an optimiser, source-map", "source-map/lib/mappings.wasm", LOWERING),
    ("an optimiser, lz4-wasm", "lz4-wasm/lz4_wasm_bg.wasm", LOWERING),
    ("an optimiser, argon2", "argon2-browser/dist/argon2.wasm", LOWERING),
    ("a splitter, argon2", "argon2-browser/dist/argon2.wasm",
        f"wasm-split {CASE} --keep-funcs=1 -o1 o1.wasm -o2 o2.wasm"),
    ("a splitter, lz4-wasm", "lz4-wasm/lz4_wasm_bg.wasm",
        f"wasm-split {CASE} --keep-funcs=1 -o1 o1.wasm -o2 o2.wasm"),
    ("a translator, argon2 with vectors", "argon2-browser/dist/argon2-simd.wasm",
        f"wasm2c {CASE} -o o.c"),
)  # fmt: skip
TRAPS = """#!/usr/bin/env node
const fs = require("fs");
try {{
  const made = new WebAssembly.Module(fs.readFileSync("case.wasm"));
  const {{exports}} = new WebAssembly.Instance(made, {{env: {{log: () => {{}}}}}});
  const given = exports.main(3);
  process.exit({given} ? 0 : 1);
}} catch (e) {{
  process.exit(e instanceof WebAssembly.CompileError || !{thrown}.test(String(e)) ? 1 : 0);
}}
"""
_NEVER = "/(?!)/"
_MADE = (
    ("divides by zero", "(i32.div_s (i32.const 1) (call $f9 (i32.const 3)))", "",
        "false", "/divide by zero/"),
    ("reads out of bounds", "(i32.load (i32.const -1))", "", "false", "/out of bounds/"),
    ("calls what is of another type", "(call_indirect (param i64) (result i32) (i32.const 2))",
        "", "false", "/signature mismatch/"),
    ("calls itself for ever", "(call $main (local.get $0))", "", "false", "/call stack/"),
    ("truncates what is no number", "(i32.trunc_f64_s (f64.div))", "", "false",
        "/unrepresentable/"),
    ("gives a number", "(call $odd (i32.const 5))",
        "(func $odd (param $0 i32) (result i32) (i32.add (local.get $0) (i32.const 4242)))",
        "given === 4247", _NEVER),
    ("gives a byte of its data", "(i32.load8_u (i32.const 77))",
        '(data (offset (i32.const 70)) "abcdefg\\c7hijklmnop")', "given === 0xc7", _NEVER),
    ("gives a lane of a vector",
        "(i16x8.extract_lane_u 3 (i32x4.splat (i32.mul (i32.const 65537) (i32.const 3))))",
        "", "given === 3", _NEVER),
)  # fmt: skip


def probes() -> Iterator[Probe]:
    """Yield what can be tried here."""
    for name, path, command in _REAL:
        if which(command.split()[0]) and (HOME / "node_modules" / path).exists():
            content = (HOME / "node_modules" / path).read_bytes()
            yield Probe(f"wasm: {name}", {CASE: content}, ABORTS.format(command), 1024, 400)
    for number, (name, main, more, given, thrown) in enumerate(_MADE):
        if which("node"):
            content = made_of(main, more, Random(number))
            test = TRAPS.format(given=given, thrown=thrown)
            yield Probe(f"wasm: {name}", {CASE: content}, test, 100, 400)


def made_of(main: str, more: str, random: Random) -> bytes:
    """Return a module of sixty functions, tables and data, of which ``main`` matters."""
    functions = "".join(
        f"(func $f{each} (param $0 i32) (result i32) (local $1 i32) (local $2 i64)"
        f"{''.join(statement(random) for _ in range(12))}"
        f"(if (local.get $1) (then (return (i32.const 0)))) (i32.const 0))"
        for each in range(60)
    )
    data = "".join(
        f'(data (offset (i32.const {each * 64 + 1024})) "{random.randbytes(24).hex()}")'
        for each in range(40)
    )
    text = f"""
        (import "env" "log" (func $log (param i32))) (memory $m 2) (table 60)
        (elem (offset (i32.const 0)) func {" ".join(f"$f{each}" for each in range(60))})
        (export "main" (func $main)) (export "memory" (memory $m)) {functions} {data} {more}
        (func $main (param $0 i32) (result i32) (local $1 i32) (local $2 i64)
          {statement(random)} (local.set $1 (call $f7 (i32.const 1))) (call $log (local.get $1))
          (local.set $1 {main}) {statement(random)} (local.get $1))"""
    return WASM_TEXT.pack(Packed((Member("", b"", text.encode()),)))


def statement(random: Random) -> str:
    """Return something that is computed, and does no harm."""
    value = f"(i32.xor {expression(random, 3)} {expression(random, 2)})"
    return random.choice(
        (
            f"(i32.store offset={random.randrange(4096)} (i32.const 8) {value})",
            f"(local.set $2 (i64.extend_i32_u {value}))",
            f"(block $l (br_if $l {value}) (call $log {value}))",
            f"(if {value} (then (local.set $2 (i64.const {random.randrange(1 << 40)}))))",
        )
    )


def expression(random: Random, depth: int) -> str:
    """Return a computation of whole numbers."""
    if depth == 0:
        return random.choice(("(local.get $0)", f"(i32.const {random.randrange(-99, 1 << 20)})"))
    operation = random.choice(("add", "sub", "mul", "and", "or", "shl", "rotl", "lt_s"))
    return f"(i32.{operation} {expression(random, depth - 1)} {expression(random, depth - 1)})"
