"""The fenced blocks of a page of the documentation, and what the comment above a block asks of the runner:

    <!-- sample: not run, needs a Mac -->            nothing in it is run, for this reason
    <!-- sample: after alice-waits -->               scenes/alice-waits.sh sets the scene
    <!-- sample: fresh server; after ada-talks -->   the same, with a server of its own from here on (options of `serve` may follow)
    <!-- sample: prints sparring serve -->           the block is what a command prints
    <!-- sample: as client.py -->                    what follows finds the block in this file
    <!-- sample: as lookup.mjs; played by a-lookup -->   a scene, scenes/a-lookup.sh, runs that file
    <!-- sample: part of tenants.liveperson -->      where a piece of YAML belongs; also: sandbox, overlay

`<!-- samples not run, … -->` is for all blocks of a page.
"""

import re
from dataclasses import dataclass, field

FENCE = re.compile(r"^(?P<indent> *)```(?P<language>[\w-]*)\n(?P<text>.*?)^(?P=indent)```$", re.S | re.M)
ABOVE = re.compile(r"<!-- sample: (?P<asks>[^>]*?) -->\s*\Z")
PAGE = re.compile(r"<!-- samples not run, (?P<reason>[^>]*?) -->")
ASKS = ("not run, ", "after ", "fresh server", "prints ", "as ", "played by ", "part of ")
# What a block without a language begins with that is commands alone, without what they print.
WORDS = ("sparring", "curl", "eval", "podman", "make", "mkdir")


@dataclass
class Block:
    line: int
    kind: str  # console, commands, output, or the language
    text: str
    asks: dict = field(default_factory=dict)


@dataclass
class Command:
    line: int
    words: str
    printed: list  # what stands below it


class Wrong(Exception):
    """What is wrong with a sample."""


def blocks(text):
    """The blocks of a page, in order."""
    reason = PAGE.search(text)
    for match in FENCE.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        body = re.sub(rf"^{match['indent']}", "", match["text"], flags=re.M)
        above = ABOVE.search(text[: match.start()])
        asks = {"not run": reason["reason"]} if reason else {}
        if above:
            whole = above["asks"].startswith(("not run", "prints"))
            asks |= dict(ask(words, line) for words in ([above["asks"]] if whole else above["asks"].split("; ")))
        yield Block(line, kind(match["language"], body), body, asks)


def ask(words, line):
    for known in ASKS:
        if words.startswith(known):
            return known.strip(" ,"), words[len(known):]
    raise Wrong(f"line {line}: the comment above asks for '{words}', which is none of: {', '.join(ASKS)}")


def kind(language, body):
    if language:
        return language
    if body.startswith("$ "):
        return "console"
    return "commands" if body.split(maxsplit=1)[0] in WORDS else "output"


def commands(block):
    """The commands of a console block with what stands below each, or of a block of commands alone."""
    found, is_whole = [], True
    for number, line in enumerate(block.text.splitlines(), block.line + 1):
        if not is_whole:
            found[-1].words += "\n" + line
        elif block.kind == "commands" or line.startswith("$ "):
            found.append(Command(number, line.removeprefix("$ "), []))
        else:
            found[-1].printed.append(line)
            continue
        is_whole = not found[-1].words.endswith("\\")
    for command in found:
        while command.printed and not command.printed[-1]:
            command.printed.pop()
    return found
