#!/usr/bin/env python3
"""Finds code that stands in two vendors' folders with other names and numbers, prints each run of it, and fails.

    likeness.py                  # every vendor against every other
    likeness.py --over 7         # shorter runs too
    likeness.py FOLDER FOLDER…   # these folders against each other
    likeness.py FOLDER           # the files of one folder against each other

Lines are compared by their shape: names that are no keywords, numbers and texts count as like. Blank lines, comments, imports and lone
brackets do not count.
"""
import argparse
import functools
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Runs of more lines than this have to become one.
BAR = 12
KEYWORDS = set(
    "any as async await borrowing break case catch consuming continue default defer do else enum extension fallthrough false fileprivate "
    "for func guard if import in init inout internal is isolated lazy let mutating nil nonisolated package private protocol public repeat "
    "rethrows return self Self some static struct subscript super switch throw throws true try typealias var where while".split())
TOKEN = re.compile(r'//.*|"""|#?"(?:\\.|[^"\\])*"#?|\d[\w.]*|`?[A-Za-z_]\w*`?|\S')
NOTHING = re.compile(r"[\s{}()\[\],]*")


@functools.cache
def shape(line):
    """A line with placeholders; empty where the line does not count."""
    words = []
    for token in TOKEN.findall(line):
        if token.startswith("//") or token == '"""':
            continue
        if token[0].isdigit() or token[0] in '#"' and len(token) > 1:
            token = "1"
        elif (token[0].isalpha() or token[0] in "_`") and token not in KEYWORDS:
            token = "a"
        words.append(token)
    text = " ".join(words)
    return "" if NOTHING.fullmatch(text) or words[0] == "import" else text


def counted(path):
    """The numbers and the shapes of the lines that count.

    A line of the shape of one of the two before it belongs to a list: stored properties, cases of an enum, a switch from words to words.
    Two vendors that both have such lists share no code, so that of a list the first lines count only.
    """
    numbers, shapes = [], []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        text = shape(line)
        if text and text not in shapes[-2:]:
            numbers.append(number)
            shapes.append(text)
    return numbers, shapes


def runs(files, bar):
    """The longest runs of more than `bar` like lines, as (length, file, its first line, other file, its first line).

    `files` are (group, path, numbers, shapes); those of one group are not compared.
    """
    places = {}
    for file in files:
        group, _, _, shapes = file
        for start in range(len(shapes) - bar):
            here = places.setdefault(tuple(shapes[start:start + bar + 1]), [])
            for other, there in here:
                if other[0] == group or start and there and other[3][there - 1] == shapes[start - 1]:
                    continue  # the middle of a run
                length = bar + 1
                while shapes[start + length:start + length + 1] == other[3][there + length:there + length + 1] != []:
                    length += 1
                yield length, other, there, file, start
            here.append((file, start))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--over", type=int, default=BAR, metavar="LINES", help=f"runs of more lines than this (default: {BAR})")
    parser.add_argument("folders", nargs="*", type=Path)
    arguments = parser.parse_args()
    # A vendor's folder among others has the file with the switch, which is called as the folder.
    folders = arguments.folders or sorted(
        [folder for folder in ROOT.glob("Sources/Vendors/*/") if (folder / f"{folder.name}.swift").exists()]
        + list(ROOT.glob("Sources/Vendors/*/")))
    paths = [(folder, path) for folder in folders for path in sorted(folder.rglob("*.swift"))]
    files = [(path if len(folders) == 1 else folder, path, *counted(path)) for folder, path in paths]
    found = sorted(runs(files, arguments.over), key=lambda run: -run[0])
    for length, *ends in found:
        where = [f"{file[1]}:{file[2][start]}-{file[2][start + length - 1]}" for file, start in zip(ends[::2], ends[1::2])]
        print(f"{length} like lines: {' and '.join(where)}".replace(f"{ROOT}/", ""))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
