"""Write YAML that PyYAML can read, twice: the second time it must come out the same."""

import io
import sys

import ruamel.yaml
import yaml


def trip(text):
    """Read it and write it."""
    loader = ruamel.yaml.YAML()
    loader.preserve_quotes = True
    out = io.StringIO()
    loader.dump_all(list(loader.load_all(text)), out)
    return out.getvalue()


with open(sys.argv[1], encoding="utf8") as stream:
    text = stream.read()
list(yaml.compose_all(text))
once = trip(text)
if trip(once) != once:
    raise ValueError("the second trip differs")
