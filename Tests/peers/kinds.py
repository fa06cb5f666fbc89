"""What has been played of each rule: in which circumstances a good client kept it, a bad one broke it, and something excused it.

    hands.py … --kinds kinds.json    # notes what it plays
    kinds.py                         # says which rules have no play at all, and fails
    kinds.py --record                # rewrites the table kinds.md first

kinds.json has, for each rule and circumstance, one play for each result. A cell without one is not a mistake: not everything can occur everywhere. It is where
to look first.
"""

import argparse
import json
import sys
from pathlib import Path

import yaml

HERE = Path(__file__).resolve().parent
FILE, PAGE = HERE / "kinds.json", HERE / "kinds.md"
RESULTS = {"pass": "k", "fail": "b", "advice": "b", "inconclusive": "b", "excused": "e"}
LEAVING = {"window-closed", "backgrounded", "chat-closed"}
CIRCUMSTANCES = {
    "marks": "the app reports marks",
    "no-marks": "it reports none",
    "fault": "a fault struck",
    "sign-out": "the user signed out",
    "leaving": "the user left the window, the chat or the app",
    "restart": "the app started again",
    "gave-up": "the app reported that it gave up",
    "devices": "the user has a second device",
    "users": "there is a second user",
    "connections": "calls came on several connections at once",
    "by-the-clock": "judged on the sandbox's clock",
    "by-the-machine": "judged on the machine's clock",
}


def circumstances(entries, basis):
    """What a journal shows of a play."""
    marks = [entry["details"] for entry in entries if entry["kind"] == "mark" and entry["details"]["mark"] != "process-ended"]
    names = [mark["mark"] for mark in marks]
    calls = [entry for entry in entries if entry["kind"] == "exchange" and "causedBy" not in entry]
    shown = {"by-the-machine" if basis == "wall" else "by-the-clock", "marks" if marks else "no-marks"}
    for circumstance, is_so in {
        "fault": any("faults" in entry for entry in entries),
        "sign-out": "signed-out" in names,
        "leaving": bool(LEAVING & set(names)),
        "restart": names.count("started") > 1,
        "gave-up": "gave-up" in names,
        "devices": len({mark["device"] for mark in marks if "device" in mark}) > 1,
        # A lane that is an operation's name is nobody's.
        "users": len({entry["lane"] for entry in calls if "." not in entry.get("lane", ".")}) > 1,
        "connections": len({call["request"].get("connection") for call in calls if "request" in call}) > 1,
    }.items():
        if is_so:
            shown.add(circumstance)
    return shown


class Kinds:
    """Collects plays in a file."""

    def __init__(self, file=FILE):
        self.file = Path(file)
        self.cells = json.loads(self.file.read_text()) if self.file.exists() else {}

    def note(self, play, report, entries, basis):
        shown = circumstances(entries, basis)
        for verdict in report["verdicts"]:
            result = RESULTS.get(verdict["result"])
            if not result:
                continue
            rule = self.cells.setdefault(f"{verdict['vendor']}.{verdict['rule']}", {})
            for circumstance in shown:
                cell = rule.setdefault(circumstance, {})
                # The first in the alphabet, so that the file does not change with the order of the plays.
                cell[result] = min(cell.get(result, str(play)), str(play))

    def write(self):
        ordered = {
            rule: {name: dict(sorted(self.cells[rule][name].items())) for name in CIRCUMSTANCES if name in self.cells[rule]} for rule in sorted(self.cells)
        }
        self.file.write_text(json.dumps(ordered, indent=1) + "\n")


def rules():
    """All that are shipped."""
    for file in sorted((HERE.parents[1] / "contracts").glob("*.behaviour.yaml")):
        yield from (f"{file.name.split('.')[0]}.{rule['rule']}" for rule in yaml.safe_load(file.read_text())["rules"])


def table(cells, shipped):
    lines = [
        "# What has been played of each rule",
        "",
        "Written by `kinds.py --record` from `kinds.json`, which names a play for each letter: **k** a client kept the rule, **b** one broke it, **e** it was excused.",
        "The plays are those of the clients that others wrote; the tests in Swift play more. An empty cell has no play yet, or cannot occur.",
        "",
        *(f"* {name}: {words}" for name, words in CIRCUMSTANCES.items()),
        "",
        "| rule | " + " | ".join(CIRCUMSTANCES) + " |",
        "| --- |" + " --- |" * len(CIRCUMSTANCES),
    ]
    for rule in shipped:
        played = cells.get(rule, {})
        letters = ("".join(letter for letter in "kbe" if letter in played.get(name, {})) for name in CIRCUMSTANCES)
        lines.append(f"| {rule} | " + " | ".join(letters) + " |")
    for letter, words in {"k": "keeps", "b": "breaks", "e": "is excused from"}.items():
        without = [rule for rule in shipped if not any(letter in cell for cell in cells.get(rule, {}).values())]
        lines += ["", f"## Rules that no play {words}: {len(without)}", "", ", ".join(without) + "." if without else "None."]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true", help="rewrite the table")
    options = parser.parse_args()
    cells, shipped = json.loads(FILE.read_text()), list(rules())
    wrong = [f"{rule} is no rule any more: take it out of {FILE.name}" for rule in sorted(set(cells) - set(shipped))]
    if options.record:
        PAGE.write_text(table(cells, shipped))
    elif not PAGE.exists() or PAGE.read_text() != table(cells, shipped):
        wrong.append(f"{PAGE.name} is not that of {FILE.name} and the rules; kinds.py --record writes it")
    if wrong:
        sys.exit("WRONG kinds: " + "\n".join(wrong))
    filled = sum(len(cell) for rule in cells.values() for cell in rule.values())
    print(f"kinds: {len(cells)} of {len(shipped)} rules are played, {filled} letters in the table")


if __name__ == "__main__":
    main()
