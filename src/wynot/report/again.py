"""The command that a reduction was started with, from the options that its journal has."""

from collections.abc import Iterator, Mapping

from wynot.commands.reduce_options import ReduceOptions


def command_of(options: Mapping[str, object]) -> list[str]:
    """Return the words of the command; of a damaged journal, as far as they can be made out."""
    words = ["wynot", "reduce", *_flags(options)]
    if (test := options.get("test")) and isinstance(test, str):
        words.append(test)
    words += _strings(options.get("files"))
    if command := _strings(options.get("command")):
        words += ["--", *command]
    return words


def _flags(options: Mapping[str, object]) -> Iterator[str]:
    for each in ReduceOptions.options():
        value = options.get(each.name)
        usual = list(each.default) if isinstance(each.default, tuple) else each.default
        if not each.flags or value is None or value == usual:
            continue
        if each.is_flag:
            yield (
                each.flags[-1] if not (each.off and value is False) else each.off.partition(" ")[0]
            )
        else:
            for one in value if isinstance(value, list) and each.is_many else [value]:
                yield each.flags[-1]
                yield ",".join(map(str, one)) if isinstance(one, list) else str(one)


def _strings(value: object) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
