"""Blocks as Markdown, as code hosts read it."""

from collections.abc import Iterable, Iterator

from wynot.core.foreign_text import for_code_span, for_fence, for_markdown
from wynot.document.blocks import (
    Block,
    CodeBlock,
    Facts,
    Inline,
    Items,
    Paragraph,
    StyledText,
    Text,
    pieces,
    plain,
)
from wynot.document.terminal import plain_lines


def markdown(blocks: Iterable[Block]) -> str:
    """Return the text; each block is followed by an empty line."""
    return "".join(f"{line}\n" for block in blocks for line in (*_lines(block), ""))


def _lines(block: Block) -> Iterator[str]:
    match block:
        case Paragraph(text, kind):
            yield f"# {_text(text)}" if kind == "heading" else _text(text)
        case Items(items):
            yield from (f"- {_text(each)}" for each in items)
        case Facts(rows):
            yield from (f"- {name}: {_text(text)}" for name, text in rows)
        case CodeBlock(text, name, language):
            if name:
                yield from (f"{for_code_span(name)}:", "")
            yield from for_fence("".join(map(plain, pieces(text))).removesuffix("\n"), language)
        case _:  # which Markdown has nothing for
            yield from for_fence("\n".join(plain_lines([block])), "text")


def _text(text: Text) -> str:
    return "".join(map(_inline, pieces(text)))


def _inline(piece: Inline) -> str:
    if isinstance(piece, StyledText) and piece.style in {"code", "path"}:
        return for_code_span(piece.text)
    return for_markdown(plain(piece))
