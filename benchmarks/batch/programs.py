"""Three old releases with several bugs each, and what their inputs look like."""

import subprocess
import sys
from dataclasses import dataclass

from benchmarks.histories.releases import HOME, release

PLACE = HOME / "batch"

TOML = '''\
title = "TOML Example"
[owner]
name = "Tom"
dob = 1979-05-27T07:32:00Z
[database]
server = "192.168.1.1"
ports = [ 8001, 8001, 8002 ]
connection_max = 5000
enabled = true
[servers.alpha]
ip = "10.0.0.1"
[clients]
data = [ ["gamma", "delta"], [1, 2] ]
hosts = [
  "alpha",
  "omega"
]
a = """
multi
line"""
c = { x = 1, y = "two", z = [1,2] }
[[fruit]]
name = "apple"
[[fruit.variety]]
name = "red"
f = 1e5
g = -3.14
"quoted.key" = "\\u00e9"
'''
ICALENDAR = """\
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//x//y
BEGIN:VEVENT
UID:1@x
DTSTAMP:20200101T000000Z
DTSTART;TZID=Europe/Berlin:20200102T100000
DURATION:PT1H30M
RRULE:FREQ=WEEKLY;BYDAY=MO,TU;UNTIL=20210101T000000Z
SUMMARY:Lunch\\, with x
GEO:37.38;-122.08
ATTENDEE;CN="A B":mailto:a@b
TRIGGER:-PT15M
EXDATE:20200103,20200104
FREEBUSY:20200101T000000Z/PT1H
ATTACH;ENCODING=BASE64;VALUE=BINARY:aGVsbG8=
END:VEVENT
END:VCALENDAR
"""
SVG = """\
<svg width="64" height="64" viewBox="0 0 64 64" xmlns="http://www.w3.org/2000/svg">
<defs><linearGradient id="a" x1="0%" y1="0" x2="100%" y2="1" gradientTransform="rotate(30 1 2)">
<stop offset="0" stop-color="#f00"/><stop offset="50%" stop-color="rgb(1,2,3)"/></linearGradient>
<radialGradient id="b" cx="5" cy="5" r="9" fx="1" fy="2" xlink:href="#a"/></defs>
<g transform="translate(1,2) scale(2)" style="fill:url(#a);stroke:blue;stroke-width:2px">
<path d="M10 10 L20,20 h5 v-5 C1 2 3 4 5 6 s1 2 3 4 Q1 2 3 4 t5 6 A5 5 0 1 1 9 9 z m1 1 l2 2z"/>
<rect x="1" y="2" width="30" height="20" rx="3" ry="4"/><circle cx="9" cy="9" r="5"/>
<ellipse cx="1" cy="2" rx="3" ry="4"/><line x1="0" y1="1" x2="3" y2="4"/>
<polyline points="1,2 3,4 5,6"/><polygon points="1 2 3 4 5 6" fill="url(#b)"/></g>
</svg>
"""
SVG_WORDS = (
    "9" * 70, "1e99", "-1e30", "nan", "inf", "#", "url(#", "url(#a", "rgb(", "rgb(%", '"', "<",
    "/>", "A1 1 0 0 0 1 1 ", "matrix(1 2", "rotate(", "0," * 20, "%", "e", " ", "x" * 80,
    "stop-color:", "<stop/>", "<!--", "<?", "&", "'", "=", "1 1 1 1 1 1 ", "px", 'style="', 'id="',
    "-", ".",
)  # fmt: skip

TOML_DRIVER = """\
import sys

sys.path.insert(0, {place!r})
import toml

try:
    toml.loads(open(sys.argv[1], newline="").read())
except toml.TomlDecodeError as error:
    sys.exit(f"error: {{error}}")
"""
ICALENDAR_DRIVER = """\
import sys

sys.path[:0] = [{place!r}, {place!r} + "/needed"]
import icalendar

try:
    icalendar.Calendar.from_ical(open(sys.argv[1], newline="").read()).to_ical()
except ValueError as error:
    sys.exit(f"error: {{error}}")
"""
SVG_DRIVER = """\
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define NANOSVG_IMPLEMENTATION
#include "nanosvg.h"
#define NANOSVGRAST_IMPLEMENTATION
#include "nanosvgrast.h"

const char *__asan_default_options(void) { return "detect_leaks=0"; }
const char *__ubsan_default_options(void) { return "print_stacktrace=1"; }

int main(int argc, char **argv) {
    NSVGimage *image = argc == 2 ? nsvgParseFromFile(argv[1], "px", 96) : NULL;
    if (image == NULL) return fprintf(stderr, "error: cannot be parsed\\n"), 1;
    NSVGrasterizer *rasterizer = nsvgCreateRasterizer();
    unsigned char *pixels = malloc(16 * 16 * 4);
    nsvgRasterize(rasterizer, image, 0, 0, 0.25f, pixels, 16, 16, 16 * 4);
    free(pixels);
    nsvgDeleteRasterizer(rasterizer);
    nsvgDelete(image);
    return 0;
}
"""


@dataclass(frozen=True)
class Program:
    """An old release, a driver for it, and one good input."""

    package: str
    version: str
    wanted: tuple[str, ...]
    """What of the release is needed: paths begin like this."""
    strip: str
    """How the paths begin, which is left out."""
    driver: str
    seed: str
    ending: str
    words: tuple[str, ...] = ()
    """What is put into inputs, besides single characters."""
    needed: tuple[str, ...] = ()
    tries: int = 12000
    """How many mutants of the good input are run."""

    def installed(self, name: str) -> list[str]:
        """Return the command that runs it on {}, installed if it is not there yet."""
        place = PLACE / name
        driver = place / ("driver.c" if self.ending == ".svg" else "driver.py")
        if not driver.exists():
            for path, content in release(self.package, self.version, self.wanted).items():
                file = place / path.removeprefix(self.strip)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content)
            if self.needed:
                pip = [sys.executable, "-m", "pip", "install", "-q", "--target"]
                subprocess.run([*pip, str(place / "needed"), *self.needed], check=True)
            text = self.driver.format(place=str(place)) if driver.suffix == ".py" else self.driver
            driver.write_text(text)
        if driver.suffix == ".py":
            return [sys.executable, "-S", str(driver), "{}"]
        program = place / "driver"
        if not program.exists():
            line = "gcc -g -O1 -fno-omit-frame-pointer -fsanitize=address,undefined"
            # It shifts colours into the sign bit everywhere, and nothing else would be seen.
            line += " -fno-sanitize=shift -fno-sanitize-recover=undefined"
            safe = [*line.split(), f"-I{place}"]
            subprocess.run([*safe, str(driver), "-lm", "-o", str(program)], check=True)
        return [str(program), "{}"]


PROGRAMS = {
    "toml": Program("toml", "0.9.4", ("toml.py",), "", TOML_DRIVER, TOML, ".toml"),
    "icalendar": Program(
        *("icalendar", "4.0.2", ("src/icalendar/",), "src/", ICALENDAR_DRIVER, ICALENDAR, ".ics"),
        needed=("pytz==2023.3", "python-dateutil==2.8.2", "six==1.16.0"),
    ),
    "nanosvg": Program(
        *("pynanosvg", "0.3.1", ("nanosvg/src/",), "nanosvg/src/", SVG_DRIVER, SVG, ".svg"),
        words=SVG_WORDS,
        tries=900,
    ),
}
