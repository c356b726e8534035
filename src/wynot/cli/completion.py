"""``wynot completion``: what makes a shell complete wynot's options, made from their records."""

import sys

from wynot.cli.exit_codes import DONE
from wynot.cli.parser import told
from wynot.commands.table import COMMANDS, CompletionOptions
from wynot.core.option import CommandOption

BASH = """\
_wynot() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
    local words=""
    case "${{COMP_WORDS[1]}} $before" in
{values}
    esac
    if [ -z "$words" ] && [ "$COMP_CWORD" -eq 1 ]; then
        words="{commands}"
    elif [ -z "$words" ] && [[ $word == -* ]]; then
        case "${{COMP_WORDS[1]}}" in
{options}
        esac
    fi
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -o bashdefault -F _wynot wynot
"""


def run(options: CompletionOptions) -> int:
    """Print the completion for a shell."""
    text = fish() if options.which == "fish" else bash()
    if options.which == "zsh":
        text = f"autoload -U +X bashcompinit && bashcompinit\n{text}"
    sys.stdout.write(text)
    return DONE


def bash() -> str:
    """Return a function for bash, which zsh understands too."""
    values = [
        f'        "{name} {flag}") words="{" ".join(option.choices)}" ;;'
        for name, command in COMMANDS.items()
        for option in command.record.options()
        if option.choices
        for flag in option.flags or [name]
    ]
    options = [
        f'            {name}) words="{" ".join(["-h", "--help", *command.flags])}" ;;'
        for name, command in COMMANDS.items()
    ]
    return BASH.format(
        values="\n".join(values), commands=" ".join(COMMANDS), options="\n".join(options)
    )


def fish() -> str:
    """Return the lines for fish."""
    lines = [f"complete -c wynot -n __fish_use_subcommand -a {name}" for name in COMMANDS]
    for name, command in COMMANDS.items():
        for option in command.record.options():
            if option.flags:
                lines.append(_fish_line(name, option, option.flags, told(option)))
            if option.off:
                flag, _, help_ = option.off.partition(" ")
                lines.append(_fish_line(name, option, (flag,), help_))
    return "\n".join(lines) + "\n"


def _fish_line(command: str, option: CommandOption, flags: tuple[str, ...], help_: str) -> str:
    line = f"complete -c wynot -n '__fish_seen_subcommand_from {command}'"
    for flag in flags:
        line += f" -l {flag[2:]}" if flag.startswith("--") else f" -s {flag[1:]}"
    if option.values:
        line += " -r"
    if option.choices:
        line += f" -f -a '{' '.join(option.choices)}'"
    quoted = help_.replace("'", "\\'")
    return f"{line} -d '{quoted}'"
