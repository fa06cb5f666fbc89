#!/usr/bin/env python3
"""Holds the pages Adding a vendor and Architecture to the code, follows the links of all pages as they are installed, and prints what is not true, a line each.

    pages.py             # says what is wrong, and fails
    pages.py --record    # writes the snippets and the table of modules again first

A snippet of Adding a vendor is a declaration, or a part of a YAML file, that is compiled or read by the tests. The comment above it says which:

    <!-- Tests/Parrot/Parrot+Talk.swift: func say -->
"""
import functools
import json
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ADDING = ROOT / "Sources/SparringVendors/Documentation.docc/AddingAVendor.md"
ARCHITECTURE = ROOT / "Sources/SparringEngine/Documentation.docc/Architecture.md"
PROTOCOLS = {"Vendor": "Sources/SparringEngine/Vendor/Vendor.swift", "Desk": "Sources/SparringVendorKit/Agents/Desk.swift"}

# What the table of modules calls a target of Sources/Vendors, and all of them.
VENDOR, VENDORS = "<Name>Vendor", "the vendors"

SNIPPET = re.compile(r"^(?:<!-- (?P<file>[^ :]+)(?:: (?P<starts>.+?))? -->\n+)?```(?P<kind>swift|yaml)\n(?P<text>.*?)^```$", re.S | re.M)
MODIFIERS = r"(?:(?:public|package|private|static) )*"


def snippet(match):
    """What the snippet's comment asks for: a whole file, or in it the lines that begin as said, each with what is indented below it."""
    lines = (ROOT / match["file"]).read_text().splitlines()
    if not match["starts"]:
        return "\n".join(lines) + "\n"
    between = "\n" if match["kind"] == "swift" else ""
    return between.join(part(lines, start, match["file"]) for start in match["starts"].split(" + "))


def part(lines, start, file):
    pattern = re.compile(rf" *{MODIFIERS}{re.escape(start)}(?!\w)")
    found = sorted((len(line) - len(line.lstrip()), number) for number, line in enumerate(lines) if pattern.match(line))
    if not found or len(found) > 1 and found[0][0] == found[1][0]:
        raise ValueError(f"{file} has {len(found)} lines that begin with '{start}'")
    indent, first = found[0]  # the outermost
    end = first + 1
    if end < len(lines) and lines[end].strip() == "{":  # below a long line
        end += 1
    while end < len(lines) and (not lines[end].strip() or lines[end].startswith(" " * (indent + 1))):
        end += 1
    block = lines[first:end]
    while not block[-1].strip():
        block.pop()
    if len(block) > 1 and end < len(lines) and lines[end].strip()[0] in "})]":
        block.append(lines[end])
    return textwrap.dedent("\n".join(block)) + "\n"


def against_the_snippets(is_recorded):
    wrong = []
    page = ADDING.read_text()

    def written(match):
        place = f"{ADDING.name}:{page.count(chr(10), 0, match.start()) + 1}"
        if not match["file"]:
            wrong.append(f"{place}: the snippet does not say which file it is from")
            return match[0]
        try:
            text = snippet(match)
        except (OSError, ValueError) as error:
            wrong.append(f"{place}: {error}")
            return match[0]
        if text != match["text"] and not is_recorded:
            wrong.append(f"{place}: the snippet is not as in {match['file']}; Tests/pages.py --record writes it")
        return match[0].replace(f"```{match['kind']}\n{match['text']}```", f"```{match['kind']}\n{text}```")

    made = SNIPPET.sub(written, page)
    if is_recorded and made != page:
        ADDING.write_text(made)
    return wrong


def rows(page, header):
    """The cells of the table below a header."""
    table = page.read_text().partition(f"{header}\n")[2].partition("\n\n")[0]
    return [[cell.strip() for cell in line.strip().strip("|").split(" | ")] for line in table.splitlines()[1:]]


def requirements(protocol):
    """The members of a protocol, and those that have a default."""
    text = re.sub(r"//.*", "", (ROOT / PROTOCOLS[protocol]).read_text())
    body = re.search(rf"^(?:public )?protocol {protocol}\b.*?\{{\n(.*?)^\}}", text, re.S | re.M)[1]
    defaults = "".join(re.findall(rf"^(?:public )?extension {protocol}\b.*?\{{\n(.*?)^\}}", text, re.S | re.M))
    typed = set(re.findall(r"associatedtype (\w+)[^\n]*? = ", body))
    return members(body), members(defaults) | typed


def members(text):
    return set(re.findall(r"\b(?:associatedtype|var) (\w+)", text)) | functions(text)


def functions(text):
    """The functions that are declared in a text, as in `handler(of:)`."""
    names = set()
    for name, parameters in re.findall(r"\bfunc (\w+)(?:<[^>]*>)?\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)", text):
        while "(" in parameters:
            parameters = re.sub(r"\([^()]*\)", "", parameters)
        labels = re.findall(r"(?:^|,)\s*(\w+)(?:\s+\w+)?:", parameters)
        names.add(f"{name}({''.join(f'{label}:' for label in labels)})")
    return names


def against_the_protocols():
    wrong = []
    for protocol in PROTOCOLS:
        needed, defaulted = requirements(protocol)
        table = {row[0].strip("`"): row[-1] for row in rows(ADDING, f"| Member of `{protocol}` | For | Default |")}
        wrong += [f"{ADDING.name}: the table of {protocol}'s members lacks {name}" for name in sorted(needed - table.keys())]
        wrong += [f"{ADDING.name}: {protocol} has no {name}" for name in sorted(table.keys() - needed)]
        for name in sorted(needed & table.keys()):
            if (name in defaulted) != (table[name] != "–"):
                wrong.append(f"{ADDING.name}: {name} {'has a' if name in defaulted else 'has no'} default")
    return wrong


def against_the_types():
    """Whether each module has the types that the page says are its own."""
    wrong = []
    for module, types in rows(ADDING, "| Module | Types |"):
        folder = ROOT / "Sources" / module.strip("`")
        if not folder.is_dir():
            continue  # another package's
        text = "".join(file.read_text() for file in folder.rglob("*.swift"))
        for name in re.findall(r"`(\w+)`", types):
            if not re.search(rf"^public (?:final )?(?:struct|class|enum|protocol|typealias) {name}\b", text, re.M):
                wrong.append(f"{ADDING.name}: {module} has no public type {name}")
    return wrong


@functools.cache
def targets():
    return json.loads(subprocess.check_output(["swift", "package", "dump-package"], cwd=ROOT))["targets"]


def modules():
    """The modules below Sources in the order of Package.swift, each with what it may import of this package. Vendors, which are alike, are one."""
    kinds = {target["name"]: target["type"] for target in targets()}
    vendors = {target["name"] for target in targets() if (target.get("path") or "").startswith("Sources/Vendors/")}
    shown = {}
    for target in targets():
        own = target["name"] in vendors or (ROOT / "Sources" / target["name"]).is_dir()
        if target["type"] not in ("regular", "executable") or not own:
            continue
        named = [next(iter(dependency.values()))[0] for dependency in target["dependencies"]]
        if vendors <= set(named):
            named = dict.fromkeys(VENDORS if name in vendors else name for name in named)
        named = [name for name in named if name in kinds or name == VENDORS]
        if target["name"] in vendors and vendors & set(named):
            raise ValueError(f"{target['name']} imports a vendor")
        imports = ", ".join(f"`{name}`" if kinds.get(name) == "system" else name.removeprefix("Sparring") for name in named) or "–"
        if shown.setdefault(VENDOR if target["name"] in vendors else target["name"], imports) != imports:
            raise ValueError(f"{target['name']} may import other modules than the other vendors")
    rows = list(shown.items())
    vendor = rows.pop(next(index for index, (name, _) in enumerate(rows) if name == VENDOR))
    rows.insert(next(index for index, (_, imports) in enumerate(rows) if VENDORS in imports.split(", ")), vendor)  # below what imports them
    return rows


def against_the_package(is_recorded):
    header = "| Module | Does | May import |"
    does = {row[0].strip("`"): row[1] for row in rows(ARCHITECTURE, header)}
    made = [f"| `{name}` | {does.get(name, '')} | {imports} |" for name, imports in modules()]
    wrong = [f"{ARCHITECTURE.name}: the table of modules does not say what {row.split('`')[1]} does" for row in made if "|  |" in row]
    before, found, rest = ARCHITECTURE.read_text().partition(f"{header}\n| --- | --- | --- |\n")
    written, _, after = rest.partition("\n\n")
    if not found or written != "\n".join(made):
        if is_recorded and found:
            ARCHITECTURE.write_text(before + found + "\n".join(made) + "\n\n" + after)
        else:
            wrong.append(f"{ARCHITECTURE.name}: the table of modules is not that of Package.swift; Tests/pages.py --record writes it")
    return wrong


# Names in the pages' sentences that are other libraries' and protocols'.
OTHERS = set(
    """
    Bool Database DatabaseMigrator Date Decodable Double Duration ETag GRDB HTTPField HTTPFields HTTPTypes Int Int64 OAuth Row String UInt8 UUID Upgrade
    """.split()
)


def against_the_names():
    """Whether the files, types and functions that the pages name are there."""
    files = subprocess.check_output(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, text=True).split("\n")
    code = "\n".join((ROOT / file).read_text() for file in files if file.endswith(".swift") and (ROOT / file).is_file())
    declared = functions(code)
    types = set(re.findall(r"\b(?:struct|class|enum|protocol|actor|typealias|associatedtype) ([A-Z]\w*)", code)) | OTHERS
    types |= {target["name"] for target in targets()}
    known = set(re.findall(r"\b(?:func|var|let) `?(\w+)", code)) | set(re.findall(r"\w+", " ".join(re.findall(r"\bcase ([\w, ]+)", code))))

    def missing(words):
        paths = re.findall(r"[\w+./-]+\.(?:swift|py|yaml|md)\b", words)
        if paths or "/" in words or "<" in words:
            there = files + [name.removeprefix("Sources/Sparring") for name in files]
            return [path for path in paths if "<" not in words and not any(f"/{name}".endswith(f"/{path}") for name in there)]
        if re.match(r"\w+\(\w+ \w+: ", words):
            return [] if f"func {words}" in code else [words]
        if re.fullmatch(r"[\w.]*\w\([\w:]+:\)", words):
            return [] if words.split(".")[-1] in declared else [words]
        words = re.sub(r'"[^"]*"', "", words)
        names = [name for name in re.findall(r"(?<![\w-])[A-Z]\w*[a-z]\w*", words) if name not in types | known]
        return names + [name for name in re.findall(r"(?:\.|^)([a-z]\w*)\(", words) if name not in known]

    for page in (ADDING, ARCHITECTURE):
        # Code of several lines is no sentence.
        text = re.sub(r"^```.*?^```$", lambda block: "\n" * block[0].count("\n"), page.read_text(), flags=re.S | re.M)
        for match in re.finditer(r"`([^`\n…]+)`", text):
            for name in missing(match[1]):
                yield f"{page.name}:{text.count(chr(10), 0, match.start()) + 1}: there is no {name}"


def installed_links():
    """The documentation as it is installed: each link leads to a file."""
    with tempfile.TemporaryDirectory() as prefix:
        share = Path(prefix) / "share"
        for folder in ("contracts", "fixtures"):
            shutil.copytree(ROOT / folder, share / "sparring" / folder)
        subprocess.run([ROOT / "Sources/Packaging/documents", prefix], check=True)
        pages = [*(share / "doc/sparring").glob("*.md"), *share.glob("sparring/*/README.md")]
        if len(pages) < 40:
            yield f"Sources/Packaging/documents: only {len(pages)} pages"
        for page in pages:
            for target in re.findall(r"\]\(<?([^)>#\s]+)", page.read_text()):
                if not re.match("[a-z]+:", target) and not (page.parent / target).exists():
                    yield f"{page.name}, as it is installed: there is no {target}"


def main():
    is_recorded = sys.argv[1:] == ["--record"]
    if sys.argv[1:] and not is_recorded:
        sys.exit(__doc__)
    wrong = against_the_snippets(is_recorded) + against_the_package(is_recorded)
    wrong += against_the_protocols() + against_the_types() + [*against_the_names(), *installed_links()]
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
