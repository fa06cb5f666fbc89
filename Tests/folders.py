#!/usr/bin/env python3
"""Which first-level folders of a module form a cycle, by the types that their files name.

Files beside the folders count as one folder. In a vendor, the file that is named after it (the type with the switch) and that type's extensions
belong to none of its folders. This reads text, not what the compiler knows: extensions and members are not seen.
"""
import pathlib
import re
import sys
from graphlib import CycleError, TopologicalSorter

SOURCES = pathlib.Path(__file__).parent.parent / "Sources"
DECLARED = re.compile(r"^(?:[a-z@][a-z@(): ]* )?(?:class|struct|enum|protocol|actor|typealias) ([A-Z]\w*)", re.MULTILINE)
TYPE = re.compile(r"\b[A-Z]\w*")
IGNORED = re.compile(r'"""[\s\S]*?"""|//.*|"(?:\\.|[^"\\\n])*"')


def cycle(root, skips=lambda path: False):
    """A cycle of folders below root as text, with the types that close it; None where there is none."""
    texts = {path: IGNORED.sub("", path.read_text()) for path in sorted(root.rglob("*.swift")) if not skips(path)}
    home = {}
    for path, text in texts.items():
        for name in DECLARED.findall(text):
            home.setdefault(name, set()).add(folder(path, root))
    named, why = {}, {}
    for path, text in texts.items():
        here = folder(path, root)
        for word in set(TYPE.findall(text)):
            for there in home.get(word, set()) - {here}:
                named.setdefault(here, set()).add(there)
                why.setdefault((here, there), f"{path.name} names {word}")
    try:
        TopologicalSorter(named).prepare()
    except CycleError as error:
        ring = error.args[1][::-1]
        return "; ".join(f"{a} → {b} ({why[a, b]})" for a, b in zip(ring, ring[1:]))


def folder(path, root):
    parts = path.relative_to(root).parts
    return parts[0] if len(parts) > 1 else "(beside the folders)"


def main():
    found = False
    modules = [path for path in sorted(SOURCES.iterdir()) if path.is_dir() and path.name != "Vendors"]
    vendors = [path for path in sorted((SOURCES / "Vendors").iterdir()) if path.is_dir()]
    for root in modules + vendors:
        switch = re.compile(rf"{root.name}(\+.*)?\.swift")
        ring = cycle(root, (lambda path: switch.fullmatch(path.name)) if root in vendors else lambda path: False)
        if ring:
            found = True
            print(f"{root.relative_to(SOURCES)}: {ring}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
