"""Runs the samples of README and of all pages of the documentation, and compares what they print with what stands there.

    run.py --binary .build-test/debug/sparring [--record] [README.md The-journal.md …]

A console block has commands with what they print; each page has a server and a shell of its own. A block of commands without output is run too. YAML
is read by the command that takes it, other languages by their parsers. Whatever cannot run says so above it (page.py); shape.py says what may differ.
With --record, what is printed takes the place of what stands there and does not fit, unless that leaves lines out (…).
"""

import argparse
import collections
import os
import re
import sys
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import files
from page import Wrong, blocks, commands
from shape import check_itself, fits
from stage import HERE, LEFT_OUT, ROOT, Stage

README = ROOT / "README.md"
PAGES = [README, *sorted(ROOT.glob("Sources/*/Documentation.docc/*.md"))]
# README's client, as the page says to mend it, and without its retries.
FIRST = re.search(r"```python\n(import json.*?)```", README.read_text(), re.S)[1]
CLIENTS = {
    "first.py": FIRST, "client.py": re.sub(r"time\.sleep\(.*", "time.sleep(0.1 * 2 ** attempt)", FIRST),
    "short.py": FIRST.replace("range(6)", "range(1)")}
# Commands whose status is a verdict: 1 and 2 are no mistake in a sample.
VERDICTS = re.compile(r"^sparring (run|verify|import|replay|probe|record|scan)\b")
# Commands that change nothing, and what they print may come a moment later; and runs, whose clients the machine may keep waiting.
AGAIN = re.compile(r"^sparring (run|journal|verify|conversation|device notifications)\b(?! mark)")
# The pages that take longest are begun first.
LONG = ("Contract-verification.md", "README.md", "Varying-answers.md", "Running-your-tests.md", "Learning-from-a-vendor.md", "LivePersonMessaging.md")


class Result:
    def __init__(self, page):
        self.page, self.wrong, self.ran, self.left = page, [], collections.Counter(), []
        self.printed = []  # commands that printed something else, and what

    def record(self):
        lines = self.page.read_text().split("\n")
        for command, printed in sorted(self.printed, key=lambda pair: -pair[0].line):
            begin = command.line + command.words.count("\n")
            if "…" not in command.printed:
                lines[begin:begin + len(command.printed)] = printed
        self.page.write_text("\n".join(lines))


def difference(command, printed):
    shown = "\n".join(f"    {line}" for line in command.printed)
    real = "\n".join(f"    {line}" for line in printed)
    return f"$ {command.words}\n  stands there:\n{shown}\n  printed:\n{real}"


def scene(stage, name):
    file = HERE / "scenes" / f"{name}.sh"
    if not file.exists():
        raise Wrong(f"there is no scene {name}")
    status, printed = stage.run(f". {file}")
    if status:
        raise Wrong(f"the scene {name} ended with {status}: {printed}")


def play(stage, command, is_bare, result):
    """Runs a command. `is_bare` if nothing stands below any command of the block, so that it may print what it likes."""
    if command.words.startswith("# "):  # something that somebody does between two commands, for which the scene has a function
        name = re.sub(r"\W+", "_", command.words[2:]).strip("_")
        status, printed = stage.run(name)
        if status:
            raise Wrong(f"$ {command.words}\n  the scene has no {name}(), or it failed: {printed}")
        return
    for name in LEFT_OUT:
        if re.search(rf"(^|[|&;] *){name} ", command.words):
            result.left.append((command.line, f"a command of {name}"))
            return
    may_fail = any(line.startswith(("sparring: ", "curl: ")) for line in command.printed)
    for again in range(4 if AGAIN.match(command.words) else 1):
        time.sleep(again * 0.2)
        status, printed = stage.run(stage.here(command.words))
        is_fit = is_bare or fits(command.printed, printed, stage.things)
        if is_fit:
            break
    if not may_fail and status > (2 if VERDICTS.match(command.words) else 0):
        raise Wrong(f"$ {command.words}\n  ended with {status}: " + "\n    ".join(printed))
    if not is_fit:
        result.printed.append((command, printed))
        raise Wrong(difference(command, printed))


def check(stage, block, result):
    """Runs a block, and notes what is wrong with it."""
    try:
        if "fresh server" in block.asks:
            stage.end()
        if block.kind in ("console", "commands") or "prints" in block.asks:
            stage.begin(block.asks.get("fresh server", ""))
            if "after" in block.asks:
                scene(stage, block.asks["after"])
        if "as" in block.asks:
            stage.begin(block.asks.get("fresh server", ""))
            (stage.folder / block.asks["as"]).write_text(stage.here(block.text))
        if "prints" in block.asks:
            status, printed = stage.run(stage.here(block.asks["prints"]))
            if not fits(block.text.splitlines(), printed, stage.things):
                raise Wrong(f"$ {block.asks['prints']} (status {status})\n    " + "\n    ".join(printed))
        elif block.kind in ("console", "commands"):
            found = commands(block)
            for command in found:
                try:
                    play(stage, command, not any(command.printed for command in found), result)
                except Wrong as wrong:
                    result.wrong.append(f"{result.page.name}:{command.line}: {wrong}")
        else:
            files.check(stage, block)
            if "played by" in block.asks:
                scene(stage, block.asks["played by"])
    except Wrong as wrong:
        result.wrong.append(f"{result.page.name}:{block.line}: {wrong}")


def run(page, binary):
    result = Result(page)
    try:
        with Stage(binary, CLIENTS) as stage:
            for block in blocks(page.read_text()):
                if "not run" in block.asks:
                    result.left.append((block.line, block.asks["not run"]))
                    continue
                check(stage, block, result)
                result.ran[block.kind] += block.kind != "text"
    except Wrong as wrong:
        result.wrong.append(f"{page.name}: {wrong}")
    except Exception:
        result.wrong.append(f"{page.name}: {traceback.format_exc()}")
    return result


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--binary", required=True)
    options.add_argument("--jobs", type=int, default=4)
    options.add_argument("--record", action="store_true")
    options.add_argument("pages", nargs="*", help="the pages' names; all by default")
    given = options.parse_args()
    chosen = [page for page in PAGES if not given.pages or page.name in given.pages]
    chosen.sort(key=lambda page: LONG.index(page.name) if page.name in LONG else len(LONG))
    if not chosen:
        sys.exit(f"there is no page of these names: {given.pages}")
    check_itself()
    os.environ.setdefault("SPARRING_PYTHON", sys.executable)
    started = time.monotonic()
    with ThreadPoolExecutor(given.jobs) as pool:
        results = list(pool.map(lambda page: run(page, given.binary), chosen))
    ran = sum((result.ran for result in results), collections.Counter())
    left = collections.Counter(reason for result in results for _, reason in result.left)
    for result in results:
        if given.record:
            result.record()
        for wrong in result.wrong:
            print(f"WRONG {wrong}")
    print(f"samples of {len(chosen)} pages in {time.monotonic() - started:.0f} s: {ran.total()} blocks ran ("
          + ", ".join(f"{count} {kind}" for kind, count in ran.most_common()) + f"), {left.total()} did not:")
    for reason, count in left.most_common():
        print(f"  {count:3}  {reason}")
    sys.exit(1 if any(result.wrong for result in results) else 0)


if __name__ == "__main__":
    main()
