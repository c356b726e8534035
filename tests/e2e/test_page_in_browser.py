"""The page of a real reduction, in a real browser."""

import json
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from chromium import Tab, chromium, chromium_path
from e2e.programs import shell, text, told
from large_runs import large_journal
from wynot.report.page import page
from wynot.report.story import story_of

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not chromium_path(), reason="there is no Chromium here"),
]

AXE = Path(__file__).parents[2] / ".bench/axe/node_modules/axe-core/axe.min.js"
needs_axe = pytest.mark.skipif(not AXE.exists(), reason="there is no axe-core here: make axe")
PROGRAM = """\
import statistics
import os, sys

def helper(n):
    return [x * x for x in range(n)]

def main():
    values = helper(10)
    print(os.getcwd(), sys.argv)
    print(statistics.mean(values))
    print(statistics.stdev([1]))

main()
"""
RUNS = "globalThis.ran = (globalThis.ran || 0) + 1"
HOSTILE = (
    f"<script>{RUNS}</script>\n</pre></script><img src=x onerror='{RUNS}'>\n"
    f"<!-- <svg onload='{RUNS}'> ]]> {{}}\n<style>body {{ display: none }}</style>\n"
    f"<a href=\"javascript:{RUNS}\">x</a><iframe srcdoc='<script>parent.ran = 1</script>'>\n"
    "\u202eright to left\u2066 \x01 one \x1b[31mred\x1b[0m \x07 &amp; \u2028 \ufeff\n"
).encode() + b"\xff\xfe\xc0 no text\n"


@pytest.fixture(scope="module")
def browser() -> Iterator[Tab]:
    with chromium() as tab:
        yield tab


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    text(folder / "in.py", PROGRAM)
    shell(folder, "grep -q 'import statistics$' in.py && grep -q '[^s]statistics[.]stdev(' in.py")
    options = ("--explain", "--explain-tests", "60", "--report", "page.html", "-j", "2")
    assert told(folder, "reduce", *options, "test.sh", "in.py").code == 0
    return folder / "page.html"


@pytest.fixture
def tab(browser: Tab, finished: Path) -> Iterator[Tab]:
    """The page, as it is when it is opened; in the end nothing was complained about."""
    opened(browser, finished)
    yield browser
    assert browser.complaints == []


def opened(browser: Tab, page: Path) -> Tab:
    browser.complaints.clear()
    browser.resize(1280, 900)
    browser.media()
    browser.open(page)
    return browser


def step(tab: Tab) -> int:
    """Return which step is shown; every place that tells it says the same."""
    shown = tab.evaluate("document.querySelector('#step p').textContent")
    number = int(re.findall(r"Step ([\d,]+) of", shown)[0].replace(",", ""))
    assert tab.evaluate("+document.getElementById('number').value") == number
    assert tab.evaluate("+document.getElementById('slider').value") == number
    assert tab.evaluate("+document.querySelector('[aria-current]').dataset.step") == number
    marked = tab.evaluate("[...document.querySelectorAll('.now')].map((e) => +e.dataset.step)")
    assert set(marked) <= {number}
    return number


def color(tab: Tab, selector: str, what: str = "background-color") -> str:
    found = f"getComputedStyle(document.querySelector('{selector}')).getPropertyValue('{what}')"
    return str(tab.evaluate(found))


def test_the_charts_are_drawn_and_their_buttons_work(tab: Tab) -> None:
    curve = "document.querySelector('#chart .curve').getAttribute('d')"
    drawn = {tab.evaluate(curve)}
    for button in ("data-over=seconds", "data-log='0'", "data-over=tests"):
        tab.click(f"[{button}]")
        assert tab.evaluate(f'document.querySelector("[{button}]").ariaPressed') == "true"
        drawn.add(tab.evaluate(curve))
    assert len(drawn) == 4
    assert tab.evaluate("document.querySelector('#chart .curve').getTotalLength()") > 500
    assert tab.evaluate("document.querySelectorAll('.timeline path').length") >= 2
    tab.click("#chart")
    assert step(tab) >= 1


def test_steps_are_chosen_with_the_mouse_and_with_keys(tab: Tab) -> None:
    assert step(tab) == 1
    tab.press("j")
    assert step(tab) == 2
    tab.press("k")
    assert step(tab) == 1
    tab.click("#later")
    assert step(tab) == 2
    tab.evaluate("document.getElementById('slider').focus()")
    tab.press("ArrowRight")
    assert step(tab) == 3
    tab.click("#list [data-step='2']")
    assert step(tab) == 2
    told = tab.evaluate("document.getElementById('step').textContent")
    assert "wynot history in.py --restore 2" in told
    assert tab.evaluate("document.querySelectorAll('.diff .d').length") > 0


def test_the_map_leads_to_steps_and_back(tab: Tab) -> None:
    # Of a line end there is nothing to be seen, and to be pressed.
    parts = "[...document.querySelectorAll('.map s')].filter((e) => e.textContent.trim())"
    last = tab.evaluate(f"Math.max(...{parts}.map((e) => +e.dataset.step))")
    tab.click(f".map [data-step='{last}']")
    assert step(tab) == last > 1
    tab.click("#in-map")
    tab.wait("document.activeElement.classList.contains('map')")
    assert color(tab, ".map .now", "outline-style") == "solid"
    tab.press("k")  # also from inside the map
    assert step(tab) == last - 1
    whole = tab.evaluate("document.querySelector('.map').textContent")
    assert whole == PROGRAM
    survivors = tab.evaluate("[...document.querySelectorAll('.map b')].map(e=>e.textContent)")
    assert "statistics.stdev(" in "".join(survivors)


def test_it_says_why_it_fails(tab: Tab) -> None:
    tab.click("nav a[href='#explanation']")
    assert tab.evaluate("location.hash") == "#explanation"
    section = "document.getElementById('explanation').parentElement"
    told = tab.evaluate(f"{section}.textContent")
    assert "Needed, and what happens without it" in told
    assert "statistics" in tab.evaluate(f"{section}.querySelector('td').textContent")


def test_the_map_is_coloured_by_pass_too(tab: Tab) -> None:
    colours = "[...document.querySelectorAll('.map s')].map(e=>getComputedStyle(e).backgroundColor)"
    by_when = tab.evaluate(colours)
    assert len(set(by_when)) > 2
    assert color(tab, ".legend.pass", "display") == "none"
    tab.click("[data-by=pass]")
    assert color(tab, ".legend.pass", "display") == "flex"
    by_pass = tab.evaluate(colours)
    passes = tab.evaluate("document.querySelectorAll('.legend.pass li').length")
    assert by_pass != by_when
    assert len(set(by_pass)) <= passes


def test_the_theme_is_that_of_the_system_until_one_is_chosen(tab: Tab) -> None:
    choose = (
        "(() => {{ const t = document.getElementById('theme'); t.value = '{}';"
        " t.dispatchEvent(new Event('change')) }})()"
    )
    light = color(tab, "body")
    tab.media(prefers_color_scheme="dark")
    dark = color(tab, "body")
    assert dark != light
    tab.evaluate(choose.format("light"))
    assert color(tab, "body") == light
    tab.media(prefers_color_scheme="light")
    tab.evaluate(choose.format("dark"))
    assert color(tab, "body") == dark
    tab.evaluate(choose.format(""))
    assert color(tab, "body") == light


def test_it_fits_a_phone_and_a_sheet_of_paper(tab: Tab) -> None:
    tab.resize(360, 640)
    tab.wait("innerWidth === 360")
    assert tab.evaluate("document.documentElement.scrollWidth") <= 360
    light = color(tab, "body")
    tab.evaluate("document.documentElement.dataset.theme = 'dark'")
    tab.media("print", prefers_color_scheme="dark")
    assert color(tab, "body") == light
    assert color(tab, "nav", "display") == "none"
    assert color(tab, ".map", "max-height") == "none"
    assert tab.printed().startswith(b"%PDF")
    assert not tab.evaluate("document.querySelector('details').open")  # as it was


def test_everything_can_be_reached_with_the_keyboard(tab: Tab) -> None:
    reached = set()
    for _ in range(80):
        tab.press("Tab")
        reached.add(
            tab.evaluate("(e => e.id || e.className || e.textContent)(document.activeElement)")
        )
    assert {"skip", "theme", "result", "map", "slider", "number", "in-map"} <= reached
    assert color(tab, "#theme", "visibility") == "visible"


@needs_axe
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(tab: Tab, scheme: str) -> None:
    tab.media(prefers_color_scheme=scheme)
    assert serious(tab) == []


def serious(tab: Tab) -> list[str]:
    """Return what axe-core finds serious or worse."""
    tab.evaluate(AXE.read_text("utf-8") + "; 0")
    found = tab.evaluate("axe.run().then((found) => JSON.stringify(found.violations))")
    return [
        f"{each['id']}: {node['html'][:200]}: {node['failureSummary'][:300]}"
        for each in json.loads(found)
        if each["impact"] in {"serious", "critical"}
        for node in each["nodes"]
    ]


@pytest.fixture(scope="module")
def others(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The pages of two inputs, of changes, and of a batch."""
    folder = tmp_path_factory.mktemp("others")
    for name, count in (("good", 3), ("bad", 9)):
        text(folder / name / "in.txt", "".join(f"<b>{n}\n" for n in range(count)))
    text(folder / "crashes/one", f"boom <script>{RUNS}</script>")
    inputs = ("good/in.txt", "bad/in.txt")
    for command in (
        ("isolate", "--report", "isolate.html", "-c", "grep -q 7 in.txt", *inputs),
        ("changes", "--report", "changes.html", "good", "bad", "--", "sh", "-c", "! grep 7 in.txt"),
        ("batch", "--exit", "0", "-o", "results", "crashes", "--", "grep", "boom", "{}"),
    ):
        ran = told(folder, *command)
        assert ran.code == 0, ran
    return [folder / name for name in ("isolate.html", "changes.html", "results/index.html")]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_of_other_commands_are_as_good(browser: Tab, others: list[Path], scheme: str) -> None:
    for path in others:
        tab = opened(browser, path)
        tab.media(prefers_color_scheme=scheme)
        assert tab.evaluate("document.querySelector('h1').textContent")
        assert tab.evaluate("globalThis.ran") is None
        tab.resize(360, 640)
        tab.wait("innerWidth === 360")
        assert tab.evaluate("document.documentElement.scrollWidth") <= 360, path
        assert tab.complaints == []


@needs_axe
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_pages_of_other_commands(
    browser: Tab, others: list[Path], scheme: str
) -> None:
    for path in others:
        tab = opened(browser, path)
        tab.media(prefers_color_scheme=scheme)
        tab.resize(360, 640)
        tab.wait("innerWidth === 360")
        assert serious(tab) == []


def test_ten_thousand_steps_and_a_megabyte_stay_usable(browser: Tab, tmp_path: Path) -> None:
    with closing(large_journal(tmp_path / "large.journal")) as journal:
        whole = page(story_of(journal), "large.txt", "0")
    (tmp_path / "page.html").write_text(whole, encoding="utf-8")
    assert (tmp_path / "page.html").stat().st_size <= 5_000_000
    tab = opened(browser, tmp_path / "page.html")
    assert step(tab) == 1
    tab.evaluate("document.getElementById('number').focus()")
    tab.evaluate("document.getElementById('number').select()")
    for digit in "9999":
        tab.press(digit)
    tab.press("Enter")
    assert step(tab) == 9999
    tab.click("#later")
    assert step(tab) == 10_000
    # What is not seen is not laid out, nor are all steps listed at once.
    assert tab.evaluate("document.querySelectorAll('.map.long > div').length") > 100
    assert tab.evaluate("document.querySelectorAll('#list li').length") <= 200
    assert tab.evaluate("document.querySelector('.map').textContent.length") >= 900_000
    assert tab.complaints == []


def test_nothing_of_the_input_runs(browser: Tab, tmp_path: Path) -> None:
    """Names, contents and long lines are text, in every part of the page."""
    name = "<img src=x onerror=ran=1>.txt"
    content = HOSTILE + b"needle" + b"<b>" * 350_000 + b"\n" + HOSTILE
    (tmp_path / name).write_bytes(content)
    shell(tmp_path, "grep -q needle *.txt && grep -aq 'one' *.txt")
    assert told(tmp_path, "reduce", "--max-tests", "40", "test.sh", name).code in {0, 3}
    assert told(tmp_path, "report", name, "-o", "page.html").code == 0
    assert (tmp_path / "page.html").stat().st_size < 5_000_000
    tab = opened(browser, tmp_path / "page.html")
    for _ in range(tab.evaluate("document.querySelectorAll('#list li').length")):
        tab.press("j")
    assert tab.evaluate("globalThis.ran") is None
    kinds = (
        "document.querySelectorAll('img, iframe, object, link, a[href^=j], main svg svg').length"
    )
    assert tab.evaluate(kinds) == 0
    assert tab.evaluate("document.querySelectorAll('script').length") == 3
    whole = tab.evaluate("document.querySelector('.map').textContent")
    assert f"<script>{RUNS}</script>" in whole
    assert "\\u202eright to left\\u2066 \\x01 one \\x1b[31mred\\x1b[0m \\x07 &amp;" in whole
    assert "\\xff\\xfe\\xc0 no text" in whole
    assert not re.search(
        "[\x01\x07\x1b\u202e\u2066\u2028\ufeff]", tab.evaluate("document.body.textContent")
    )
    assert name in tab.evaluate("document.querySelector('h1').textContent")
    assert tab.complaints == []


def test_the_policy_stops_what_would_get_past_the_escaping(browser: Tab, finished: Path) -> None:
    tab = opened(browser, finished)
    tab.evaluate(f"document.body.insertAdjacentHTML('beforeend', `<img src=x onerror='{RUNS}'>`)")
    tab.evaluate(
        "(() => { const s = document.createElement('script');"
        f" s.textContent = '{RUNS}'; document.body.append(s) }})()"
    )
    fetched = "fetch('https://example.org/').then(() => 'yes', () => 'no')"
    assert tab.evaluate(fetched) == "no"
    assert tab.evaluate("globalThis.ran") is None
    refused = [each for each in tab.complaints if "Content Security Policy" in each]
    assert len(refused) >= 3
