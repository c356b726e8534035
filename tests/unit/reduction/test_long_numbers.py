"""Numbers of more digits than Python converts: fuzzers write them, in inputs and in outputs."""

import pytest

from reduce_inline import reduce_inline
from wynot.core.files import Files
from wynot.failures.failing_place import sanitizer_place

LONG = "1" * 5000
INPUTS = {
    "a.diff": f"@@ -1,{LONG} +1,{LONG} @@\n-a\n+b\n",
    "a.c": f"int main() {{ int v[2] = {{1, 2}}; return v[{LONG}]; }}",
    "a.py": f"x = {LONG}\nprint(x[{LONG}])\n",
    "a.json": f"[{LONG}, {{{LONG!r}: 1e{LONG}}}]",
    "a.pdf": f"%PDF-1.4\n<< /Length {LONG} >>\nstream\n\nstartxref\n{LONG}\n",
    "a.csv": f"{LONG},{LONG}\n{LONG},1\n",
    "a.http": f"POST / HTTP/1.1\r\nContent-Length: {LONG}\r\n\r\nabc",
    "a.pgm": f"P2 {LONG} {LONG} 255\n1 2 3\n",
    "a.bencode": f"d{LONG}:a{LONG}i{LONG}ee",
}


@pytest.mark.parametrize("name", INPUTS)
def test_a_reduction_of_long_numbers_comes_to_its_end(name: str) -> None:
    content = INPUTS[name].encode()
    found = reduce_inline(Files({name: content}), lambda files: LONG[:9] in str(files.contents))
    assert LONG[:9].encode() in found.content
    assert len(found.content) < 20


def test_a_stack_with_long_numbers_is_none() -> None:
    report = f"    #{LONG} 0x1 in f /a/b.c:{LONG}\n"
    assert sanitizer_place("AddressSanitizer: SEGV", report) == ("", "")
