"""A headless Chromium, driven over its debugging pipe: what a page does in a real browser.

It needs nothing but the browser. Whatever the page says is in ``complaints``: errors of its
scripts, what its policy refused, dialogs, and requests for anything but the page itself.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = (
    *("--headless=new", "--remote-debugging-pipe", "--no-first-run", "--disable-gpu"),
    *("--disable-dev-shm-usage", "--disable-background-networking", "--disable-extensions"),
    *("--hide-scrollbars", "--force-device-scale-factor=1", "--window-size=1280,900"),
)
# It reads commands from descriptor 3 and writes to descriptor 4, which no argument can change.
PLUMBING = """\
import fcntl, os, sys
reads, writes = map(int, sys.argv[1:3])
spares = [fcntl.fcntl(each, fcntl.F_DUPFD, 10) for each in (reads, writes)]
for spare, wanted in zip(spares, (3, 4)):
    os.dup2(spare, wanted)
    os.close(spare)
os.execvp(sys.argv[3], sys.argv[3:])
"""
END_SECONDS = 60
READ_BYTES = 1 << 20


def chromium_path() -> str:
    """Return where a Chromium is; empty if there is none."""
    return next(filter(None, map(shutil.which, NAMES)), "")


class CommandFailed(Exception):
    """The browser could not do what it was asked to."""


class ScriptFailed(Exception):
    """An expression has raised an error."""


class Tab:
    """The one page that is open."""

    def __init__(self, sends: int, receives: int) -> None:
        self._sends, self._receives = sends, receives
        self._buffer = b""
        self._number = 0
        self._session = ""
        self._address = ""
        self.complaints: list[str] = []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        attached = self.ask("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")

    def ask(self, method: str, **params: object) -> dict[str, Any]:
        """Have the browser do something, and return what it answers."""
        self._number += 1
        number = self._number
        self._send(number, method, params)
        while True:
            said = self._next()
            if said.get("id") == number:
                if "error" in said:
                    raise CommandFailed(method, said["error"])
                result: dict[str, Any] = said["result"]
                return result
            self._note(said)

    def open(self, path: Path) -> None:
        """Go to a page, and wait until it is there and painted."""
        self._address = path.resolve().as_uri()
        self.ask("Page.navigate", url=self._address)
        self.wait(f"document.readyState === 'complete' && location.href === '{self._address}'")
        self.wait("performance.getEntriesByName('first-contentful-paint').length")

    def evaluate(self, expression: str) -> Any:
        """Return the value of an expression, of a promise what it comes to."""
        answer = self.ask(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in answer:
            raise ScriptFailed(expression, answer["exceptionDetails"])
        return answer["result"].get("value")

    def wait(self, condition: str) -> None:
        """Return as soon as an expression is true."""
        looks = f"""new Promise((done) => {{
            const look = () => ({condition}) ? done(true) : setTimeout(look, 5);
            look();
        }})"""
        while True:
            # While one page goes and another comes, there is nobody to ask.
            with suppress(CommandFailed):
                self.evaluate(looks)
                return

    def click(self, selector: str) -> None:
        """Press the mouse in the middle of an element."""
        where = self.evaluate(
            f"""(() => {{
                const found = document.querySelector({json.dumps(selector)});
                found.scrollIntoView({{ block: "center", behavior: "instant" }});
                // A text over several lines has several boxes, and that of a line end is empty.
                const boxes = [...found.getClientRects()].sort((a, b) => b.width - a.width);
                const box = boxes[0];
                return [box.left + box.width / 2, box.top + box.height / 2];
            }})()"""
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.ask(
                "Input.dispatchMouseEvent",
                type=kind,
                x=where[0],
                y=where[1],
                button="left",
                clickCount=1,
            )

    def press(self, key: str) -> None:
        """Press a key: a character, or a name as in ``ArrowRight``."""
        codes = {"Enter": 13, "ArrowLeft": 37, "ArrowRight": 39, "ArrowDown": 40, "Tab": 9}
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
        told = {"key": key, "windowsVirtualKeyCode": codes.get(key, ord(key[0].upper()))}
        self.ask("Input.dispatchKeyEvent", type="keyDown", text=text, **told)
        self.ask("Input.dispatchKeyEvent", type="keyUp", **told)

    def media(self, kind: str = "", **features: str) -> None:
        """Look at the page as ``print``, or with features such as ``prefers_color_scheme``."""
        # Nothing glides: what is pressed is where it was found.
        told = [{"name": "prefers-reduced-motion", "value": "reduce"}]
        told += [{"name": k.replace("_", "-"), "value": v} for k, v in features.items()]
        self.ask("Emulation.setEmulatedMedia", media=kind, features=told)

    def resize(self, width: int, height: int) -> None:
        """Have a window of another size."""
        self.ask(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def screenshot(self, **options: object) -> bytes:
        """Return what is seen, as PNG."""
        return b64decode(self.ask("Page.captureScreenshot", format="png", **options)["data"])

    def printed(self) -> bytes:
        """Return the page as it is printed, as PDF."""
        return b64decode(self.ask("Page.printToPDF")["data"])

    def _send(self, number: int, method: str, params: dict[str, object]) -> None:
        told: dict[str, object] = {"id": number, "method": method, "params": params}
        if self._session:
            told["sessionId"] = self._session
        left = json.dumps(told).encode() + b"\0"
        while left:
            left = left[os.write(self._sends, left) :]

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            read = os.read(self._receives, READ_BYTES)
            if not read:
                raise EOFError("the browser has ended")
            self._buffer += read
        said, _, self._buffer = self._buffer.partition(b"\0")
        told: dict[str, Any] = json.loads(said)
        return told

    def _note(self, said: dict[str, Any]) -> None:
        params = said.get("params", {})
        match said.get("method"):
            case "Runtime.exceptionThrown":
                self.complaints.append(json.dumps(params["exceptionDetails"]))
            case "Runtime.consoleAPICalled":
                self.complaints.append(json.dumps(params["args"]))
            case "Log.entryAdded":
                self.complaints.append(params["entry"]["text"])
            case "Page.javascriptDialogOpening":
                self.complaints.append(f"dialog: {params['message']}")
                self._number += 1
                self._send(self._number, "Page.handleJavaScriptDialog", {"accept": False})
            case "Network.requestWillBeSent" if params["request"]["url"] != self._address:
                self.complaints.append(f"request: {params['request']['url']}")


@contextmanager
def chromium() -> Iterator[Tab]:
    """Start a browser with nothing but an empty page, and end it."""
    down, up = os.pipe(), os.pipe()
    flags = [*FLAGS, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    with tempfile.TemporaryDirectory(prefix="chromium-", ignore_cleanup_errors=True) as profile:
        command = [chromium_path(), *flags, f"--user-data-dir={profile}", "about:blank"]
        started = subprocess.Popen(  # noqa: S603
            [sys.executable, "-c", PLUMBING, str(down[0]), str(up[1]), *command],
            pass_fds=(down[0], up[1]),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": profile},
        )
        os.close(down[0])
        os.close(up[1])
        try:
            yield Tab(down[1], up[0])
        finally:
            # Without a pipe it ends by itself.
            os.close(down[1])
            os.close(up[0])
            try:
                started.wait(END_SECONDS)
            except subprocess.TimeoutExpired:
                started.kill()
                started.wait()
