"""The command that a run was started with, from its options."""

from collections.abc import Iterator, Mapping

from wynot.commands.reduce_options import ReduceOptions
from wynot.core.option import OptionRecord


def command_of(
    options: Mapping[str, object],
    command: str = "reduce",
    record: type[OptionRecord] = ReduceOptions,
) -> list[str]:
    """Return the words of the command; of a damaged journal, as far as they can be made out."""
    words = ["wynot", command, *_flags(options, record)]
    if (test := options.get("test")) and isinstance(test, str):
        words.append(test)
    for each in record.options():
        if not each.flags:
            words += _strings(options.get(each.name))
    if given := _strings(options.get("command")):
        words += ["--", *given]
    return words


def _flags(options: Mapping[str, object], record: type[OptionRecord]) -> Iterator[str]:
    for each in record.options():
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
    if isinstance(value, str):
        return [value] if value else []
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
