#!/usr/bin/env python3
"""Follows each citation of a vendor's reference, such as "CXone reference 3.7" or "KBM-12", to its heading or row in contracts/reference/.

Prints what leads nowhere, one line each. A citation without a vendor's name is refused: nobody could open it.
"""
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REFERENCES = ROOT / "contracts/reference"
VENDORS = {"LivePerson": "liveperson", "CXone": "cxone", "Khoros": "khoros", "ASAPP": "asapp", "Talkdesk": "talkdesk"}
ROWS = {"KBM": "khoros", "ASP": "asapp", "TDK": "talkdesk"}  # the prefixes of rows that are cited by themselves

GAP = r"(?:\s|\n\s*(?:///?|\#|\*)\s*)+"  # words of a comment may stand on two lines
PLACE = r"(?:[A-Z]{1,3}-?)?\d+(?:\.\d+)*[a-z]?(?![\w%])"
CITATION = re.compile(
    rf"(?:\b(?P<vendor>{'|'.join(VENDORS)})(?:'s)?{GAP})?\b[Rr]eferences?{GAP}(?P<places>{PLACE}(?:(?:,|{GAP}and|,?{GAP}to|{GAP}or){GAP}{PLACE})*)"
)
ROW = re.compile(rf"\b(?:{'|'.join(ROWS)})-\d+\b")


def places(page):
    """The numbers of a page's headings, and the ids in the first cells of its tables."""
    text = page.read_text(errors="replace")
    return set(re.findall(r"^#+ (\d+(?:\.\d+)*)\.? ", text, re.M)) | set(re.findall(r"^\| *\**([A-Z]{1,3}-?\d+)\** *\|", text, re.M))


def main():
    known = {name: places(REFERENCES / f"{name}.md") for name in VENDORS.values()}
    missing = []
    for path in subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True).split("\n"):
        if not path.endswith((".swift", ".yaml", ".py", ".md", ".json")) or path == "Tests/citations.py" or not (ROOT / path).is_file():
            continue
        text = (ROOT / path).read_text(errors="replace")

        def complain(match, message):
            missing.append(f"{path}:{text.count(chr(10), 0, match.start()) + 1}: {message}")

        for match in CITATION.finditer(text):
            if not match["vendor"]:
                complain(match, f"'{match[0]}' does not say whose reference")
                continue
            page = VENDORS[match["vendor"]]
            for place in re.findall(PLACE, match["places"]):
                if place.rstrip("abcdefgh") not in known[page]:
                    complain(match, f"contracts/reference/{page}.md has no {place}")
        for match in ROW.finditer(text):
            page = ROWS[match[0].split("-")[0]]
            if match[0] not in known[page]:
                complain(match, f"contracts/reference/{page}.md has no {match[0]}")
    print("\n".join(missing), end="\n" if missing else "")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
