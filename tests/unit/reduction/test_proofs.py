"""What it costs to look for a proof that no single part can go."""

import hashlib

import pytest

from reduce_inline import reduce_inline
from wynot.core import files as files_module
from wynot.core.files import Files
from wynot.reduction import run


def test_a_long_chain_is_not_written_once_for_each_of_its_links(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    content = b"(" * 3000 + b")" * 3000
    hashed: list[int] = []

    def counted(content: bytes) -> "hashlib._Hash":
        hashed.append(len(content))
        return hashlib.sha256(content)

    monkeypatch.setattr(run, "MAX_PROOF_BYTES", 1 << 20, raising=False)
    monkeypatch.setattr(files_module, "sha256", counted)
    found = reduce_inline(Files({"a.lisp": content}), lambda files: files.size == len(content))
    assert found.content == content
    assert sum(hashed) < 1000 * len(content)
