"""What all pages have in common: one file that needs nothing from elsewhere.

All foreign text is escaped. The policy of a page lets run nothing but the scripts whose digests it
names, and no request be made: if a text should ever get past the escaping, it is only text.
"""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib.resources import files as resources

from wynot.core.foreign_text import for_html, for_script

GENERATOR = '<meta name="generator" content="wynot report">'
"""What a page of ours has near its beginning."""
THEME = """<label class="theme">theme <select id="theme"><option value="">as the system</option>
<option value="light">light</option><option value="dark">dark</option></select></label>"""


def framed(
    title: str,
    body: str,
    parts: Mapping[str, str],
    *,
    scripts: Sequence[str] = (),
    data: object = None,
) -> str:
    """Return a page: its title as plain text, what is in it, and how its parts are called by id.

    The scripts are our own, by name; they find the data in the element ``data``.
    """
    codes = [_asset(name) for name in ("theme.js", *scripts)]
    digests = [b64encode(sha256(code.encode()).digest()).decode() for code in codes]
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests)
    policy = (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src {allowed}; "
        "base-uri 'none'; form-action 'none'"
    )
    links = "\n".join(f'<a href="#{key}">{for_html(words)}</a>' for key, words in parts.items())
    told = (
        ""
        if data is None
        else f'<script type="application/json" id="data">{for_script(data)}</script>\n'
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f"{GENERATOR}\n"
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{for_html(title)}</title>\n<style>\n{_asset('page.css')}</style></head>\n"
        f'<body>\n<a class="skip" href="#main">to the content</a>\n'
        f"<header><h1>{for_html(title)}</h1>\n{THEME}</header>\n"
        f'<nav aria-label="parts of this page">{links}</nav>\n<main id="main">\n{body}\n</main>\n'
        + told
        + "".join(f"<script>{code}</script>\n" for code in codes)
        + "</body></html>\n"
    )


def titled(key: str, words: str, *body: str) -> str:
    """Return a part of a page, with its heading."""
    inside = "\n".join(filter(None, body))
    return f'<section><h2 id="{key}">{for_html(words)}</h2>\n{inside}</section>'


def scrolled(what: str, label: str) -> str:
    """Return what may be wider than the page, so that it can be moved, with keys too."""
    return f'<div class="scroll" tabindex="0" role="group" aria-label="{label}">{what}</div>'


def _asset(name: str) -> str:
    return resources("wynot.report").joinpath(name).read_text("utf-8")
