"""The table of all languages; ``docs/reference/languages.md`` tells how a row is added."""

from wynot.formats.language import Language
from wynot.formats.tables.apps import APPS
from wynot.formats.tables.c_family import C_FAMILY
from wynot.formats.tables.curly import CURLY
from wynot.formats.tables.data import DATA
from wynot.formats.tables.own import BRACKETS, OWN
from wynot.formats.tables.pack import PACK
from wynot.formats.tables.science import SCIENCE
from wynot.formats.tables.scripts import SCRIPTS
from wynot.formats.tables.systems import SYSTEMS
from wynot.formats.tables.web import WEB

LANGUAGES: tuple[Language, ...] = (
    *C_FAMILY,
    *CURLY,
    *APPS,
    *SCRIPTS,
    *SCIENCE,
    *SYSTEMS,
    *WEB,
    *DATA,
    *OWN,
    *PACK,
)
"""Where two rows have a suffix in common, the first is taken if nothing in the text decides."""

BY_NAME = {language.name: language for language in LANGUAGES}

__all__ = ["BRACKETS", "BY_NAME", "LANGUAGES"]
