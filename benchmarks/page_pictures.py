"""The pictures of pages in the documentation: a real reduction, looked at in Chromium.

    make pictures

The case is a program that a person could have written, with one call that fails.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from chromium import Tab, chromium, chromium_path

PROGRAM = '''\
"""Interest on a few accounts."""
import statistics
import sys


class Account:
    def __init__(self, name, balance=0):
        self.name = name
        self.balance = balance

    def deposit(self, amount):
        if amount < 0:
            raise ValueError("negative")
        self.balance += amount
        return self.balance


def squares(count):
    return [number * number for number in range(count)]


def main(names):
    accounts = [Account(name) for name in names]
    for account in accounts:
        for amount in squares(10):
            account.deposit(amount)
    balances = [account.balance for account in accounts]
    print("mean", statistics.mean(balances))
    print("deviation", statistics.stdev(balances))


main(sys.argv[1:] or ["checking"])
'''
WIDE = 1000
PICTURES = (
    ("page-light.png", "light", WIDE, 980, "header"),
    ("page-dark.png", "dark", WIDE, 1240, "#map"),
)
MAX_BYTES = 200_000


def main() -> None:
    if not chromium_path():
        sys.exit("there is no Chromium here")
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="wynot-pictures-") as folder, chromium() as tab:
        Path(folder, "interest.py").write_text(PROGRAM)
        wynot = [sys.executable, "-m", "wynot"]
        run = [*wynot, "reduce", "--explain", "--report", "page.html", "-j", "2"]
        run += ["interest.py", "--", "python3", "{}"]
        subprocess.run(run, cwd=folder, check=True)
        for name, scheme, width, height, first in PICTURES:
            tab.resize(width, height)
            tab.media(prefers_color_scheme=scheme)
            tab.open(Path(folder, "page.html"))
            picture = taken(tab, first)
            if len(picture) > MAX_BYTES:
                sys.exit(f"{name} has {len(picture):,} bytes, more than {MAX_BYTES:,}")
            (target / name).write_bytes(picture)
            print(f"{target / name}: {len(picture):,} bytes")


def taken(tab: Tab, first: str) -> bytes:
    """Return what is seen if an element is at the top, with a step in the middle chosen."""
    tab.evaluate(
        f"""(() => {{
            const number = document.getElementById("number");
            number.value = Math.ceil(number.max / 2);
            number.dispatchEvent(new Event("change"));
            document.querySelector("{first}").scrollIntoView({{ behavior: "instant" }});
        }})()"""
    )
    return tab.screenshot()


if __name__ == "__main__":
    main()
