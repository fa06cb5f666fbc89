"""Whether the page Verdicts has the bad habits of LivePerson's clients as habits.json has them, and whether some bad client breaks each rule.

    habit_table.py             # says what is wrong, and fails
    habit_table.py --record    # rewrites the page's table first
"""

import argparse
import json
import sys
from pathlib import Path

import yaml
from habits import HABITS

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PAGE = ROOT / "Sources/sparring/Documentation.docc/Verdicts.md"
BEGIN, END = "<!-- matrix -->\n", "<!-- /matrix -->\n"
CLIENTS = ("ios", "android")  # LivePerson's, whose habits habits.py puts into words
# Where a mark is of use, and not needed.
EXCUSES = ("unless", "until", "gaveUp", "instead", "reset", "since", "always", "optional")
# Rules that only bad clients in Swift break, each with the file that has the habit.
BROKEN_IN_SWIFT = {
    "brings-another-token-after-a-failed-reconnection": "Tests/SparringVendorsTests/CXone/ChatSignInTests.swift",
    "follows-the-link-for-ios": "Tests/SparringVendorsTests/LivePerson/StructuredContentTests.swift",
    "follows-the-link-for-android": "Tests/SparringVendorsTests/LivePerson/StructuredContentTests.swift",
    "follows-the-link-for-web": "Tests/SparringVendorsTests/LivePerson/StructuredContentTests.swift",
    "polls-again": "Tests/SparringVendorsTests/Khoros/PollingTests.swift",
    "does-not-poll-in-a-storm": "Tests/SparringVendorsTests/Khoros/PollingTests.swift",
}


def objections(row):
    """The rules that a row has against a client, advice and doubts included."""
    return {*row["breaks"], *row.get("advice", []), *row.get("doubts", [])}


def table(rows):
    """A line for each habit, with what it breaks in any scenario, on either platform."""
    lines = ["| A client that … | breaks |", "|---|---|"]
    for habit, words in HABITS.items():
        broken = set().union(*(objections(row) for row in rows if row["habit"] == habit))
        lines.append(f"| {words} | {', '.join(f'`{rule}`' for rule in sorted(broken))} |")
    return "".join(f"{line}\n" for line in lines)


def on_the_page(made, is_recorded):
    """What is wrong with the page's table, which is rewritten where that is wanted."""
    page = PAGE.read_text()
    before, begin, rest = page.partition(BEGIN)
    written, end, after = rest.partition(END)
    if not begin or not end:
        return [f"{PAGE.name} has no place for the table"]
    if written != made and not is_recorded:
        return [f"the table in {PAGE.name} is not that of habits.json; habit_table.py --record writes it"]
    if written != made:
        PAGE.write_text(before + begin + made + end + after)
    return []


def against_the_habits(rows):
    """What is wrong with the habits: their table would have an empty line, or miss one."""
    played = {row["habit"] for row in rows}
    return [f"habits.json plays {habit} nowhere" for habit in HABITS if habit not in played] + [
        f"habits.py has no words for {habit}" for habit in sorted(played - {*HABITS})
    ]


def against_the_rules(rows):
    """Rules that no bad client breaks, so that nothing shows that they can be, and rules that are none."""
    files = sorted((ROOT / "contracts").glob("*.behaviour.yaml"))
    rules = {rule["rule"] for file in files for rule in yaml.safe_load(file.read_text())["rules"]}
    broken = set().union(*map(objections, rows))
    wrong = [f"no habit breaks {rule}" for rule in sorted(rules - broken - {*BROKEN_IN_SWIFT})]
    wrong += [f"{rule} is no rule" for rule in sorted((broken | {*BROKEN_IN_SWIFT}) - rules)]
    for rule, file in BROKEN_IN_SWIFT.items():
        if rule in broken:
            wrong.append(f"{rule} is broken in habits.json too: BROKEN_IN_SWIFT need not name it")
        elif f'"{rule}"' not in (ROOT / file).read_text():
            wrong.append(f"no habit breaks {rule}: {file} does not name it any more")
    return wrong


def has_a_mark(json):
    """Whether a part of a rule is about a mark."""
    if isinstance(json, dict):
        return "mark" in json or any(map(has_a_mark, json.values()))
    return isinstance(json, list) and any(map(has_a_mark, json))


def against_the_marks():
    """Rules that need a mark and do not say so. One that only excuses, ends or postpones need not be mentioned."""
    wrong = []
    for file in sorted((ROOT / "contracts").glob("*.behaviour.yaml")):
        for rule in yaml.safe_load(file.read_text())["rules"]:
            forms = [form for form in rule.values() if isinstance(form, dict)]
            needs = any(has_a_mark({name: value for name, value in form.items() if name not in EXCUSES}) or form.get("marked") or form.get("single") for form in forms)
            if needs and "mark" not in rule["says"]:
                wrong.append(f"{rule['rule']} needs a mark, and does not say so")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true", help="rewrite the page's table")
    options = parser.parse_args()
    rows = json.loads((HERE / "habits.json").read_text())["rows"]
    theirs = [row for row in rows if row["client"] in CLIENTS]
    wrong = against_the_habits(theirs) + against_the_rules(rows) + against_the_marks() + on_the_page(table(theirs), options.record)
    if wrong:
        sys.exit("WRONG habits: " + "\n".join(wrong))
    print(f"habits: {len(HABITS)} of LivePerson's clients are on the page, and each rule is broken by some client")


if __name__ == "__main__":
    main()
