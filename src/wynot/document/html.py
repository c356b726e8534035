"""HTML as a type, the frame that all pages have, and blocks as parts of a page.

Only `for_html`, `tag` and their kin make ``Html``: a text that was not escaped is a ``str``, and no
part of a page for mypy. Moreover the policy of a page lets run nothing but the scripts whose
digests it names, and no request be made: if a text should ever get past the escaping, it is only
text.
"""

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from importlib.resources import files as resources

from wynot.core.files import is_text
from wynot.core.foreign_text import Html, dotted, for_html, for_script, for_uri, legible
from wynot.core.texts.difference import Effort, text_changes
from wynot.document.blocks import (
    Bar,
    Block,
    Cell,
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
)

EMPTY = Html("")
_NO_CONTENT = {"br", "input", "meta"}
"""Elements that have no end."""


def tag(name: str, /, *children: Html, **attributes: str | float | None) -> Html:
    """Return an element; ``data_step=3`` is its attribute ``data-step``, None is none."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{for_html(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    end = "" if name in _NO_CONTENT else f"</{name}>"
    return Html(f"<{name}{written}>{''.join(children)}{end}")


def fragment(parts: Iterable[Html], between: str = "") -> Html:
    """Return parts one after the other."""
    return Html(for_html(between).join(parts))


def own_file(package: str, name: str) -> Html:
    """Return a script, a style or a part of a page that is ours."""
    return Html(resources(package).joinpath(name).read_text("utf-8"))


GENERATOR = tag("meta", name="generator", content="wynot report")
"""What a page of ours has near its beginning."""
_THEMES = {"": "as the system", "light": "light", "dark": "dark"}


def framed(
    title: str,
    body: Html,
    parts: Mapping[str, str],
    *,
    scripts: Sequence[Html] = (),
    data: object = None,
) -> str:
    """Return a page: its title as plain text, what is in it, and how its parts are called by id.

    The scripts find the data in the element ``data``.
    """
    codes = [own_file("wynot.document", "theme.js"), *scripts]
    digests = [b64encode(sha256(each.encode()).digest()).decode() for each in codes]
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests)
    policy = (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src {allowed}; "
        "base-uri 'none'; form-action 'none'"
    )
    themes = (tag("option", for_html(name), value=key) for key, name in _THEMES.items())
    theme = tag("label", for_html("theme "), tag("select", *themes, id="theme"), class_="theme")
    links = (tag("a", for_html(name), href=f"#{key}") for key, name in parts.items())
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        GENERATOR,
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", for_html(title)),
        tag("style", own_file("wynot.document", "page.css")),
    )
    page = tag(
        "body",
        tag("a", for_html("to the content"), class_="skip", href="#main"),
        tag("header", tag("h1", for_html(title)), theme),
        tag("nav", fragment(links, "\n"), aria_label="parts of this page"),
        tag("main", body, id="main"),
        EMPTY
        if data is None
        else tag("script", for_script(data), type="application/json", id="data"),
        *(tag("script", each) for each in codes),
    )
    return f"<!doctype html>\n{tag('html', head, page, lang='en')}\n"


def section(key: str, title: str, *body: Html) -> Html:
    """Return a part of a page, with its heading."""
    return tag("section", tag("h2", for_html(title), id=key), *body)


def scrolled(inside: Html, label: str) -> Html:
    """Return what may be wider than the page, so that it can be moved, with keys too."""
    return tag("div", inside, class_="scroll", tabindex=0, role="group", aria_label=label)


def preformatted(inside: Html, kind: str | None = None) -> Html:
    """Return lines as they are, which can be moved with keys."""
    return tag("pre", inside, class_=kind, tabindex=0)


def tiles(figures: Mapping[str, str]) -> Html:
    """Return figures that stand out, by what they are of."""
    return tag(
        "ul",
        *(
            tag("li", tag("b", for_html(value)), for_html(f" {of}"))
            for of, value in figures.items()
        ),
        class_="tiles",
    )


MAX_CODE_CHARS = 200
"""Characters of code inside a sentence."""
MAX_BLOCK_CHARS = 400_000
"""Characters of a block of lines."""
MAX_ROWS = 300
_CLASSES = {"green": "a", "red": "d", "yellow": "c", "dim": "w", "bold": "c"}


def html(blocks: Iterable[Block]) -> Html:
    """Return blocks as parts of a page."""
    return fragment(map(_block, blocks), "\n")


def _block(block: Block) -> Html:
    match block:
        case Paragraph(text, kind):
            name = "h3" if kind == "heading" else "p"
            made = tag(name, _text(text), class_=kind if kind in {"lead", "note"} else None)
        case Items(items):
            made = tag("ul", *(tag("li", _text(each)) for each in items[:MAX_ROWS]))
        case Facts(rows):
            facts = (tag("li", for_html(f"{name}: "), _text(text)) for name, text in rows)
            made = tag("ul", *facts)
        case CodeBlock():
            made = _code_block(block)
        case Difference():
            made = _difference(block)
        case TextTable():
            made = _table(block)
        case Fold(title, blocks):
            made = tag("details", tag("summary", for_html(title)), html(blocks))
    return made


def _text(text: Text) -> Html:
    return fragment(map(_inline, pieces(text)))


def _inline(piece: Inline) -> Html:
    match piece:
        case Hyperlink(text, target):
            return tag("a", for_html(text), href=target if target[:1] == "#" else for_uri(target))
        case StyledText("code" | "path" as style, text):
            shown = legible(text).replace("\n", "\\n")
            is_cut = style == "code" and len(shown) > MAX_CODE_CHARS
            return tag("code", for_html(f"{shown[:MAX_CODE_CHARS]}…" if is_cut else shown))
        case StyledText("mark", text):
            return tag("mark", for_html(text))
        case StyledText(style, text) if style:
            return tag("span", for_html(text), class_=_CLASSES[style])
        case StyledText(_, text) | str(text):
            return for_html(text)


def note(text: str) -> Html:
    """Return a remark of ours."""
    return tag("p", for_html(text), class_="note")


def _code_block(block: CodeBlock) -> Html:
    parts, room = [], MAX_BLOCK_CHARS
    for piece in pieces(block.text):
        text = piece if isinstance(piece, str) else piece.text
        kept = text[: max(0, room)]
        parts.append(_inline(kept if isinstance(piece, str) else piece._replace(text=kept)))
        room -= len(text)
    return fragment(
        (
            tag("p", tag("code", for_html(block.name))) if block.name else EMPTY,
            preformatted(fragment(parts), block.kind),
            tag("p", for_html(f"… {-room:,} more characters"), class_="note")
            if room < 0
            else EMPTY,
        )
    )


def _table(table: TextTable) -> Html:
    kinds = map(_cell_kind, table.rows[0] if table.rows else [""] * len(table.heads))
    heads = (
        tag("th", for_html(name), scope="col", class_=kind)
        for name, kind in zip(table.heads, kinds, strict=True)
    )
    rows = (
        tag("tr", *(tag("td", _cell(cell), class_=_cell_kind(cell)) for cell in row))
        for row in table.rows[:MAX_ROWS]
    )
    left = len(table.rows) - MAX_ROWS
    title = f"{table.title[:1].upper()}{table.title[1:]}"
    return fragment(
        (
            tag("h3", for_html(title)) if title else EMPTY,
            scrolled(
                tag("table", tag("thead", tag("tr", *heads)), tag("tbody", fragment(rows, "\n"))),
                title or ", ".join(table.heads),
            ),
            note(f"… {left:,} more") if left > 0 else EMPTY,
        )
    )


def _cell_kind(cell: Cell) -> str | None:
    return "n" if isinstance(cell, int | float) else "bar-cell" if isinstance(cell, Bar) else None


def _cell(cell: Cell) -> Html:
    match cell:
        case Bar(share):
            return tag("span", class_="bar", style=f"width:{100 * max(0.0, share):.1f}%")
        case int():
            return for_html(f"{cell:,}")
        case float():
            return for_html(f"{cell:,.1f}")
        case _:
            return _text(cell)


MAX_SIDE_BYTES = 60_000
"""Bytes of each side that are shown, around the first difference."""
MIN_BEFORE_BYTES = 2_000
"""Bytes before it that are shown, if not all are."""


def _difference(pair: Difference) -> Html:
    """Return the two sides of a file beside each other."""
    found = list(text_changes(pair.passing, pair.failing, Effort()))
    sides = (
        ("passes", pair.passing, [(each.start, each.stop) for each in found]),
        ("fails", pair.failing, [(each.begin, each.end) for each in found]),
    )
    columns = (
        tag(
            "div",
            tag("h4", for_html(verdict)),
            tag("pre", _side(content, spans), tabindex=0, aria_label=f"the side that {verdict}"),
        )
        for verdict, content, spans in sides
    )
    name = tag("h3", tag("code", for_html(pair.name)))
    return fragment((name, tag("div", *columns, class_="pair")))


def _side(content: bytes, spans: Sequence[tuple[int, int]]) -> Html:
    """Return a side, as much of it as is near the first difference, with what differs marked."""
    first = spans[0][0] if spans else 0
    begin = 0 if len(content) <= MAX_SIDE_BYTES else max(0, first - MIN_BEFORE_BYTES)
    end = min(len(content), begin + MAX_SIDE_BYTES)
    return fragment(_marked(content, spans, begin, end))


def _marked(
    content: bytes, spans: Sequence[tuple[int, int]], begin: int, end: int
) -> Iterator[Html]:
    write = legible if is_text(content) else dotted
    if begin:
        yield tag("span", for_html(f"… {begin:,} bytes before\n"), class_="w")
    at = begin
    for start, stop in (*spans, (end, end)):
        yield for_html(write(content[at : max(at, min(start, end))]))
        at = max(at, min(start, end))
        if at < min(stop, end):
            yield tag("mark", for_html(write(content[at : min(stop, end)])))
            at = min(stop, end)
    if end < len(content):
        yield tag("span", for_html(f"\n… {len(content) - end:,} more bytes"), class_="w")
