"""Blocks as lines of a terminal."""

import re
from collections.abc import Iterable, Iterator, Sequence

from wynot.core.foreign_text import for_terminal, legible
from wynot.document.blocks import (
    Block,
    CodeBlock,
    Difference,
    Facts,
    Fold,
    Hyperlink,
    Inline,
    Items,
    Paragraph,
    StyledText,
    Text,
    TextTable,
    pieces,
    plain,
)
from wynot.document.side_by_side import StyledLine, side_by_side
from wynot.document.text_width import LINE_COLUMNS, cells, cut, filled, wrap

NAME_COLUMNS = 10
"""Columns of the names of facts."""
MAX_CODE_COLUMNS = 32
"""Columns of code inside a sentence."""
MAX_GROUPED = 12
"""Cells that are listed of a group."""
MAX_FOLDS = 6
"""Into how many lines a long line of code is folded, at most."""
_INDENT = " " * 4
_CODE_INDENT = " " * 2
_PARAGRAPH_STYLES = {"heading": "bold", "note": "dim"}


def terminal_lines(
    blocks: Iterable[Block], width: int = LINE_COLUMNS, *, coloured: bool = True
) -> list[StyledLine]:
    """Return the lines; without colours, what differs is marked by signs."""
    return [line for block in blocks for line in _lines(block, width, coloured=coloured)]


def plain_lines(blocks: Iterable[Block], width: int = LINE_COLUMNS) -> list[str]:
    """Return the lines without any style."""
    lines = terminal_lines(blocks, width, coloured=False)
    return ["".join(text for _, text in line) for line in lines]


def _lines(block: Block, width: int, *, coloured: bool) -> Iterator[StyledLine]:
    match block:
        case Paragraph(text, kind):
            style = _PARAGRAPH_STYLES.get(kind, "")
            yield from _styled(wrap(_text(text), width=width), style)
        case Items(items):
            for item in items:
                yield from _styled(wrap(_text(item), indent=_INDENT, width=width))
        case Facts(rows):
            for name, text in rows:
                yield from _fact(name, text, width)
        case CodeBlock():
            yield from _code_block(block, width)
        case Difference(name, passing, failing):
            yield from side_by_side(passing, failing, name, width, coloured=coloured)
        case TextTable():
            yield from _grouped(block, width) if block.group else _labelled(block, width)
        case Fold():
            pass  # it is only for those who ask for it


def _styled(lines: Iterable[str], style: str = "") -> Iterator[StyledLine]:
    return ([StyledText(style, line)] for line in lines)


def _text(text: Text) -> str:
    return "".join(map(_inline, pieces(text)))


def _inline(piece: Inline) -> str:
    match piece:
        case StyledText("code", text):
            return f"`{_cut_line(text, MAX_CODE_COLUMNS)}`"
        case StyledText(_, text) | Hyperlink(text, _) | str(text):
            return for_terminal(text)


def _cut_line(text: str, room: int) -> str:
    return cut(for_terminal(text.replace("\n", "\\n")), room)


def _fact(name: str, text: Text, width: int) -> Iterator[StyledLine]:
    """Yield a fact beside its name; a path is not wrapped, so that it can be copied."""
    label = f"{name:<{NAME_COLUMNS}}"
    if [each for each in pieces(text) if isinstance(each, StyledText) and each.style == "path"]:
        yield [StyledText("", f"{label}{_text(text)}")]
    else:
        indent = " " * NAME_COLUMNS
        yield from _styled(wrap(_text(text), first=label, indent=indent, width=width))


def _code_block(block: CodeBlock, width: int) -> Iterator[StyledLine]:
    if block.name:
        yield [StyledText("dim", f"{for_terminal(block.name)}:")]
    shown = 0
    for line in _split(block.text):
        styled = [each for each in line if isinstance(each, StyledText) and each.style]
        style = styled[0].style if styled else ""
        parts = ["".join(map(legible, map(plain, line)))]
        indent = _CODE_INDENT if parts[0] else ""
        if block.most_lines is not None:
            indent = _INDENT
            labels = [each.text for each in styled]
            parts = [*_folded(parts[0], labels, width - len(indent))]
        for part in parts:
            shown += 1
            if block.most_lines is not None and shown > block.most_lines:
                yield [StyledText("", f"{indent}…")]
                return
            text = f"{indent}{for_terminal(part)}"
            yield [StyledText("green" if style == "mark" else style, text)]


def _split(text: Text) -> Iterator[list[Inline]]:
    """Return the pieces of each line."""
    line: list[Inline] = []
    for piece in pieces(text):
        first, *others = plain(piece).split("\n")
        line.append(_with_text(piece, first))
        for other in others:
            yield line
            line = [_with_text(piece, other)]
    if "".join(map(plain, line)):
        yield line


def _with_text(piece: Inline, text: str) -> Inline:
    return text if isinstance(piece, str) else piece._replace(text=text)


def _folded(line: str, labels: Sequence[str], room: int) -> Iterator[str]:
    """Yield a line in lines that are short enough; a label stays whole."""
    wanted = re.compile("|".join(map(re.escape, labels)) or "(?!)")
    indent = ""
    for _ in range(MAX_FOLDS):
        if cells(line) <= room - len(indent):
            yield indent + line
            return
        at = len(cut(line, room - len(indent) + 1)) - 1
        cut_label = next((each for each in wanted.finditer(line) if each.end() > at), None)
        if cut_label is not None and 0 < cut_label.start() < at:
            at = cut_label.start()
        yield indent + line[:at]
        line, indent = line[at:], "  "
    yield indent + cut(line, room - len(indent))


def _labelled(table: TextTable, width: int) -> Iterator[StyledLine]:
    """Yield the second cells beside the first."""
    rows = [(_cell(first), _cell(second)) for first, second, *_ in table.rows]
    room = max((cells(label) for label, _ in rows), default=0) + 2
    for label, text in rows:
        first = label + " " * (room - cells(label))
        yield from _styled(wrap(text, first=first, indent=" " * room, width=width))


def _cell(cell: object) -> str:
    return _text(cell) if isinstance(cell, str | Sequence) else ""


def _grouped(table: TextTable, width: int) -> Iterator[StyledLine]:
    """Yield the first cells below what they have in common."""
    yield [StyledText("bold", f"{table.title}:")]
    groups: dict[str, tuple[str, list[str]]] = {}
    for row, key in zip(table.rows, table.group, strict=True):
        groups.setdefault(key, (_cell(row[-1]), []))[1].append(_cell(row[0]))
    for head, members in groups.values():
        yield [StyledText("dim", f"  {cut(head, width - 2)}")]
        texts = [*dict.fromkeys(members)]
        more = [f"and {len(texts) - MAX_GROUPED} more"] if len(texts) > MAX_GROUPED else []
        listed = filled(texts[:MAX_GROUPED] + more, first=_INDENT, indent=_INDENT, width=width)
        yield from _styled(listed)
