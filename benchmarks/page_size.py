"""The page of a very long reduction in a real browser: how large it is, and how quick.

    make bench-page

The journal is made, not run: a text of a megabyte, of which a thousandth goes with each of 10,000
steps, and 30,000 tests on four workers. First paint is what Chromium itself says, from the start
of the navigation; choosing a step is a click on the next one, until the page has been drawn again.
Each is the median of five. The load is printed, since it counts.
"""

import sys
import tempfile
from contextlib import closing
from os import getloadavg
from pathlib import Path
from statistics import median
from time import process_time

from chromium import Tab, chromium, chromium_path
from large_runs import large_journal
from wynot.report.page import page
from wynot.report.story import story_of

TIMES = 5
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
LOADED = "performance.getEntriesByType('navigation')[0].loadEventEnd"
# Two frames: the first draws what has changed, the second begins when that is done.
TOOK = """new Promise((done) => {{
    const began = performance.now();
    {doing};
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - began)));
}})"""
ACTIONS = {
    "next step": "document.getElementById('later').click()",
    "last step": "choose = document.getElementById('number'), choose.value = 10000,"
    " choose.dispatchEvent(new Event('change'))",
    "end of the map": "m = document.querySelector('.map'), m.scrollTop = m.scrollHeight",
    "colours by pass": "document.querySelector('[data-by=pass]').click()",
    "colours by time": "document.querySelector('[data-by=when]').click()",
    "another theme": "t = document.getElementById('theme'), t.value = 'dark',"
    " t.dispatchEvent(new Event('change'))",
}


def main() -> None:
    if not chromium_path():
        sys.exit("there is no Chromium here")
    with tempfile.TemporaryDirectory(prefix="wynot-page-") as folder:
        target = Path(folder, "page.html")
        with closing(large_journal(Path(folder, "large.journal"))) as journal:
            began = process_time()
            target.write_text(page(story_of(journal), "large.txt", "0"), encoding="utf-8")
            took = process_time() - began
        print(f"load {getloadavg()[0]:.1f}")
        print(f"{'page':<16} {target.stat().st_size / 1e6:>8.2f} MB")
        print(f"{'making it':<16} {took:>8.1f} s of processor time")
        with chromium() as tab:
            measure(tab, target)


def measure(tab: Tab, target: Path) -> None:
    """Print what takes how long."""
    painted, loaded = [], []
    for _ in range(TIMES):
        tab.open(target)
        painted.append(tab.evaluate(PAINTED))
        loaded.append(tab.evaluate(LOADED))
    print(f"{'first paint':<16} {median(painted):>8.0f} ms")
    print(f"{'all loaded':<16} {median(loaded):>8.0f} ms")
    for name, doing in ACTIONS.items():
        took = [tab.evaluate(TOOK.format(doing=doing)) for _ in range(TIMES)]
        print(f"{name:<16} {median(took):>8.0f} ms")
    if tab.complaints:
        sys.exit(f"the browser complains: {tab.complaints}")


if __name__ == "__main__":
    main()
