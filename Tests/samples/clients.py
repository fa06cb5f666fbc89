"""Plays the clients that are installed to be copied, each in the scenarios that its page says it passes.

    clients.py --binary .build/installed/bin/sparring [--all]

Their input is what a user types, with waits between: `Hello, 3 s` is one line, and three seconds until the next or the sign-out.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 120  # seconds for one play
# Ten times as fast: the client's waits by SCALE, the sandbox's times by --rate, and the rules by --time-scale.
FAST = ("--rate", "10", "--time-scale", "0.1")
ECHO = ("--tenant", 'liveperson={"agents":[{"userId":55,"loginName":"agent","script":"echo"}]}')

# Scenario, seconds for which the user stays after the last line, options. Those of the first group are always played.
ALWAYS = [
    ("pusher-down-for-31s", 1, ()),
    ("token-expires-mid-conversation", 14, ECHO),
    ("socket-dropped-during-a-message", 3, ()),
    ("answer-lost-after-a-message", 3, ()),
    ("half-open-socket", 9, ()),
    ("message-never-distributed", 3, ECHO),
    ("unregister-fails-twice-at-sign-out", 1, ()),
]
OTHERS = [
    ("pusher-down-for-good", 1, ()),
    ("the-pusher-is-down-by-the-clock", 4, ()),
    ("session-revoked-by-the-brand", 9, ()),
    ("silent-socket-dropped-after-a-minute", 9, ()),
    ("socket-closed-1001-during-a-message", 3, ()),
    ("socket-closed-1011-during-a-message", 3, ()),
    ("socket-refused-for-31s", 5, ()),
    ("message-refused-as-too-many", 3, ()),
    ("messages-out-of-order", 3, ECHO),
    ("unread-count-fails-three-times", 3, ()),
    ("unregister-answer-lost", 1, ()),
    ("conversation-list-fails-twice", 3, ()),
    ("registration-refused-as-expired", 2, ()),
    ("domain-lookup-fails-once", 1, ()),
    ("domain-lookup-fails-for-ever", 1, ("--settle", "2m")),
    ("wrong-issuer", 1, ("--settle", "2m")),
]


def play(binary, folder, scenario, stays, options):
    """What the run prints if it does not end well."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SPARRING")}
    environment |= {"SCALE": "0.1", "HOME": folder, "XDG_DATA_HOME": f"{folder}/{scenario}", "PYTHONDONTWRITEBYTECODE": "1"}
    typed = f"(echo Hello; sleep 3; echo Again; sleep {stays}) | '{sys.executable}' '{examples(binary)}/liveperson.py'"
    command = [binary, "run", "--scenario", scenario, *FAST, *options, "--", "sh", "-c", typed]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=LIMIT)
    printed = done.stdout + done.stderr
    if done.returncode or "Traceback" in printed:
        return f"ended with {done.returncode}:\n    " + "\n    ".join(printed.splitlines())
    # A client that never heard the agent had nothing to catch up with.
    return "the agent was not heard" if ECHO[0] in options and not re.search("^Agent: Again$", printed, re.M) else ""


def examples(binary):
    """As they are installed beside the binary, or those of the repository beside one that is not."""
    installed = binary.parents[1] / "share/doc/sparring/examples"
    return installed if installed.is_dir() else ROOT / "Sources/Packaging/examples"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--binary", required=True, type=lambda path: Path(path).resolve())
    options.add_argument("--all", action="store_true")
    options.add_argument("--jobs", type=int, default=3)
    given = options.parse_args()
    started, wrong = time.monotonic(), 0
    plays = ALWAYS + (OTHERS if given.all else [])
    with tempfile.TemporaryDirectory() as folder:
        with ThreadPoolExecutor(given.jobs) as pool:
            found = list(pool.map(lambda each: play(given.binary, folder, *each), plays))
        for each, complaint in zip(plays, found):
            # A busy machine may make a client too early or too late by a tenth of a second, so the play is repeated alone.
            again = complaint and play(given.binary, folder, *each)
            if again:
                wrong += 1
                print(f"WRONG liveperson.py in {each[0]} {again}")
    print(f"{len(plays)} plays of the clients to copy in {time.monotonic() - started:.0f} s, of which {wrong} were wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
