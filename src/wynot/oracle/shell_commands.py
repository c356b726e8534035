"""The simple commands of a shell script, as far as its text shows them.

Quotes, here-documents, command substitutions and redirections are read as a shell reads them.
Nothing is expanded: ``awk '{s+=$1}' "$1"`` has three words, in the second of which another
character stands for the dollar sign, as it is only a letter there.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

LITERAL_DOLLAR = "\0"
"""A dollar sign in single quotes, or after a backslash: it expands nothing."""
HERE_DOCUMENT = "<<"
MAX_NESTING = 50

_RESERVED = frozenset({"!", "{", "}", "if", "then", "else", "elif", "fi", "do", "done", "time"})
_LOOPING = frozenset({"while", "until"})
_OPERATOR = re.compile(r"&&|\|\||;;|\|&|[;&|()\n]")
_REDIRECTION = re.compile(r"(\d*|&)(>>|>\||>&|<<-|<<<|<<|<>|<&|>|<)")
_VARIABLE = re.compile(r"\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=.*", re.DOTALL)


class ShellCommand(NamedTuple):
    """A program with its arguments, or only assignments."""

    assignments: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    """Files that its output is written to."""
    inputs: tuple[str, ...] = ()
    """Files that are its input; a here-document is ``<<``."""
    is_piped: bool = False
    """Whether its input is the output of the command before it."""


def written_files(text: str) -> list[str]:
    """Return the files, by absolute paths, that a script redirects output to, or has ``tee`` write.

    Variables are followed that the script sets to plain text, and those of the environment but for
    the folder for temporary files, which is private to each test.
    """
    variables = {name: value for name, value in os.environ.items() if name != "TMPDIR"}
    found: list[str] = []
    for command in commands_in(text):
        targets = [*command.outputs]
        if command.words[:1] == ("tee",):
            targets += [word for word in command.words[1:] if not word.startswith("-")]
        for target in targets:
            path = _expanded(target, variables)
            if path.startswith("/") and "$" not in path and path not in found:
                found.append(path)
        for assignment in command.assignments:
            name, _, value = assignment.partition("=")
            variables[name] = _expanded(value, variables)
    return found


def _expanded(word: str, variables: Mapping[str, str]) -> str:
    """Return a word with the variables in it that are known, and the user's folder."""
    known = _VARIABLE.sub(lambda each: variables.get(each[1] or each[2], each[0]), word)
    is_home = known == "~" or known.startswith("~/")
    return variables.get("HOME", "~") + known[1:] if is_home else known


def commands_in(text: str) -> list[ShellCommand]:
    """Return the commands of a script, those inside of others before them."""
    reader = _Reader(text.replace("\\\n", ""))
    reader.read()
    return reader.commands


@dataclass(slots=True)
class _Reader:
    text: str
    at: int = 0
    depth: int = 0
    commands: list[ShellCommand] = field(default_factory=list)
    _words: list[str] = field(default_factory=list)
    _redirections: list[tuple[str, str]] = field(default_factory=list)
    _is_piped: bool = False
    _documents: list[tuple[str, bool]] = field(default_factory=list)
    """The last lines of here-documents that begin after this line; and if tabs precede them."""

    def read(self) -> None:
        """Read to the end."""
        while self.at < len(self.text):
            if self._skips():
                continue
            if found := _REDIRECTION.match(self.text, self.at):
                self._redirect(found)
            elif found := _OPERATOR.match(self.text, self.at):
                self._end_command(found[0])
                self.at = found.end()
                if found[0] == "\n":
                    self._skip_documents()
            else:
                self._words.append(self._word())
        self._end_command("\n")

    def _skips(self) -> bool:
        """Go on after blanks, or after a comment."""
        letter = self.text[self.at]
        if letter == "#" and (self.at == 0 or self.text[self.at - 1] in " \t\n;&|("):
            end = self.text.find("\n", self.at)
            self.at = len(self.text) if end < 0 else end
            return True
        if letter in " \t\r":
            self.at += 1
            return True
        return False

    def _redirect(self, found: re.Match[str]) -> None:
        self.at = found.end()
        while self.text[self.at : self.at + 1] in {" ", "\t"}:
            self.at += 1
        target, operator = self._word(), found[2]
        if operator in {"<<", "<<-"}:
            self._documents.append((target, operator == "<<-"))
        if operator in {"<<", "<<-", "<<<"}:
            self._redirections.append(("<", HERE_DOCUMENT))
        elif operator in {">", ">>", ">|", "<", "<>"} or (operator == ">&" and target[:1] != "-"):
            is_number = operator == ">&" and target.isdigit()
            if target and not is_number:
                self._redirections.append((operator[0], target))

    def _skip_documents(self) -> None:
        for last, has_tabs in self._documents:
            while self.at < len(self.text):
                line, _, _ = self.text[self.at :].partition("\n")
                self.at += len(line) + 1
                if (line.lstrip("\t") if has_tabs else line) == last:
                    break
        self._documents.clear()

    def _word(self) -> str:
        """Read a word; what it substitutes is read, too."""
        pieces: list[str] = []
        while self.at < len(self.text):
            letter = self.text[self.at]
            if letter in " \t\r\n;&|()<>":
                break
            if letter == "'":
                end = self._find("'", self.at + 1)
                pieces.append(self.text[self.at + 1 : end].replace("$", LITERAL_DOLLAR))
                self.at = end + 1
            elif letter == '"':
                self.at += 1
                pieces.append(self._quoted())
            else:
                pieces.append(self._piece())
        return "".join(pieces)

    def _quoted(self) -> str:
        """Read to the end of double quotes."""
        pieces: list[str] = []
        while self.at < len(self.text) and self.text[self.at] != '"':
            pieces.append(self._piece())
        self.at += 1
        return "".join(pieces)

    def _piece(self) -> str:
        """Read a letter, or an expansion."""
        letter, rest = self.text[self.at], self.text[self.at + 1 : self.at + 2]
        if letter == "\\":
            self.at += 2
            return LITERAL_DOLLAR if rest == "$" else rest
        if letter == "`":
            end = self._find("`", self.at + 1)
            self._substitute(self.text[self.at + 1 : end])
            self.at = end + 1
            return ""
        if letter == "$" and rest == "(":
            start = self.at + 2
            self.at = self._closing(start)
            self._substitute(self.text[start : self.at])
            self.at += 1
            return ""
        self.at += 1
        return letter

    def _substitute(self, inner: str) -> None:
        if self.depth < MAX_NESTING:
            reader = _Reader(inner, depth=self.depth + 1)
            reader.read()
            self.commands += reader.commands

    def _find(self, letter: str, start: int) -> int:
        end = self.text.find(letter, start)
        return len(self.text) if end < 0 else end

    def _closing(self, start: int) -> int:
        """Return where the parenthesis is that closes one."""
        at, open_count = start, 1
        while at < len(self.text):
            letter = self.text[at]
            if letter == "\\":
                at += 1
            elif letter == "'":
                at = self._find("'", at + 1)
            elif letter in "()":
                open_count += 1 if letter == "(" else -1
                if not open_count:
                    return at
            at += 1
        return len(self.text)

    def _end_command(self, operator: str) -> None:
        words = self._words
        while words and (words[0] in _RESERVED or words[0] in _LOOPING):
            del words[0]
        count = 0
        while count < len(words) and _ASSIGNMENT.fullmatch(words[count]):
            count += 1
        if words or self._redirections:
            outputs = tuple(each for kind, each in self._redirections if kind == ">")
            inputs = tuple(each for kind, each in self._redirections if kind == "<")
            found = (tuple(words[:count]), tuple(words[count:]), outputs, inputs)
            self.commands.append(ShellCommand(*found, is_piped=self._is_piped))
            self._is_piped = operator in {"|", "|&"}
        elif operator not in {"(", "\n"}:
            self._is_piped = False
        self._words, self._redirections = [], []
