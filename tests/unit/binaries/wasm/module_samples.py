"""Modules of WebAssembly to try things on, as texts; and a validator that is not ours."""

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from wynot.formats.containers.container import Member, Packed
from wynot_binaries import WASM_TEXT

SAMPLES = {
    "nothing": "",
    "plain": """
        (import "env" "log" (func $log (param i32)))
        (memory $m 1) (global $g (mut i32) (i32.const 7))
        (export "main" (func $main)) (export "memory" (memory $m))
        (func $main (param $0 i32) (result i32) (local $1 i64) (local f64)
          (call $log (i32.load offset=4 align=1 (local.get $0)))
          (local.set $1 (i64.extend_i32_s (local.get $0)))
          (global.set $g (i32.wrap_i64 (i64.mul (local.get $1) (i64.const -3))))
          (if (result i32) (local.get $0) (then (i32.const 1)) (else (global.get $g))))
        (data (offset (i32.const 16)) "text \\00\\ff" "more")""",
    "control": """
        (func $f (param $0 i32) (result i32)
          (block $out (result i32)
            (loop $again
              (br_if $out (i32.const 5) (i32.eqz (local.get $0)))
              (local.set $0 (i32.sub (local.get $0) (i32.const 1)))
              (br_table $again $again (local.get $0)))
            (unreachable)))
        (func (if (i32.const 1) (then) (else (nop))) (drop (call $f (i32.const 3))) (return))
        (start $s) (func $s (block $l (br $l) (i32.store)) )""",
    "several values": """
        (func $two (result i32 i64) (i32.const 1) (i64.const 2))
        (func (result i64) (local $a i32) (local $b i64)
          (local.set $a (local.set $b (call $two)))
          (block (param i32) (result i64) (with (local.get $a)) (i64.extend_i32_s (take))))
        (func (loop $l (param i32) (with (i32.const 9)) (br_if $l (take) (i32.const 0))))""",
    "tables": """
        (table $t 4 9) (table $x 2 externref) (global (mut externref))
        (global $f0 funcref (ref.func $f))
        (elem (offset (i32.const 1)) func $f $f $g) (elem $p func $g)
        (elem $q externref (ref.null extern)) (func $f (result i32) (i32.const 1))
        (func $g (result i32)
          (table.init $p $t) (elem.drop $p) (table.copy $t $t) (table.set $x (i32.const 1))
          (drop (ref.is_null (table.get $x (i32.const 0)))) (drop (ref.func $h))
          (drop (table.grow $x (ref.null extern) (i32.const 1))) (table.fill $x) (drop (table.size))
          (call_indirect (result i32) (i32.const 2)))
        (func $h (return_call $v)) (func $v)""",
    "memory": """
        (memory $m 1 3) (data $d "passive") (data (offset (i32.const 3)) "active")
        (func (memory.init $d $m) (data.drop $d) (memory.copy $m $m) (memory.fill)
          (drop (memory.grow (i32.const 1))) (drop (memory.size)) (f32.store (f32.const 0.1)))
        (export "m" (memory $m))""",
    "vectors": """
        (memory 1)
        (func (param $0 v128) (result v128)
          (v128.store align=4 (i32.const 8) (i8x16.shuffle 1 2 3 (local.get $0) (v128.const 1 0 7)))
          (drop (i16x8.extract_lane_u 3 (local.get $0)))
          (v128.load32_lane offset=4 2 (i32.const 1) (local.get $0)))""",
    "exceptions": """
        (tag $e (param i32 i64)) (tag $n)
        (func (result i32)
          (try $l (result i32) (do (throw $e (i32.const 1) (i64.const 2)))
            (catch $e (drop (drop (i64.eqz (take)))) (i32.const 7))
            (catch $n (rethrow $l))
            (catch_all (i32.const 3))))
        (func (try $o (do (try (do (call $c)) (delegate $o))) (catch_all))) (func $c)""",
    "numbers": """
        (func (result i32 i64 f32 f64)
          (i32.const -2147483648) (i64.const 9223372036854775807)
          (f32.const nan:0x200001) (f64.const -1.0000000000000002e-300))
        (func (drop (f32.const -inf)) (drop (f64.const -0)) (drop (f32.const 16777217)))""",
    "names": """(func $a) (func $b (call $a)) (name $a "first") (name $b "the s\\c3\\a9cond")""",
}


def module_of(*texts: str) -> bytes:
    """Return the module that some texts are."""
    members = [Member("", b"", text.encode()) for text in texts]
    return WASM_TEXT.pack(Packed(tuple(members)))


def texts_in(content: bytes) -> dict[str, str]:
    """Return the texts of a module by their names, each on one line."""
    packed = WASM_TEXT.read(content)
    return {each.name: " ".join(each.content.decode("latin-1").split()) for each in packed.members}


HAS_VALIDATOR = shutil.which("node") is not None
_VALIDATOR = """
const fs = require("fs");
const files = fs.readFileSync(0, "utf8").split("\\n").filter(Boolean);
const problem = file => {
  try { new WebAssembly.Module(fs.readFileSync(file)); return ""; } catch (e) { return String(e); }
};
console.log(JSON.stringify(files.map(problem)));
"""


def problems_of(contents: Sequence[bytes], folder: Path) -> list[str]:
    """Return what Node's engine has against some modules; empty, if they are valid."""
    paths = [folder / f"{number}.wasm" for number in range(len(contents))]
    for path, content in zip(paths, contents, strict=True):
        path.write_bytes(content)
    command = ["node", "--experimental-wasm-return_call", "-e", _VALIDATOR]
    asked = "\n".join(map(str, paths))
    done = subprocess.run(  # noqa: S603 - our own program
        command, input=asked, capture_output=True, text=True, check=True
    )
    found: list[str] = json.loads(done.stdout)
    return [problem for problem in found if problem]
