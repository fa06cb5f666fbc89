"""kill -9 in the middle of load, again and again on one database: nothing that a client saw acknowledged may be lost.

    python3 kill.py SPARRING [--rounds 50]

Clients mark, mint and redeem codes, renew refresh tokens and publish messages on sockets, all at once; after a number of acknowledgements drawn
from --seed the server dies of SIGKILL. The next life is asked for these: marks and messages all, codes and refresh tokens by sample; the
journal's numbers must follow each other without a gap over all lives, and SQLite must find its file sound. The exit status is 1 where it was not so.
"""

import argparse
import contextlib
import random
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
from pathlib import Path

from load import Inspection, Load, Told
from server import Server

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("sparring")
parser.add_argument("--rounds", type=int, default=50)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--most", type=int, default=600, help="acknowledgements after which a server dies at the latest")
arguments = parser.parse_args()

LIMIT = 20  # seconds of load at most


def integrity(database):
    """What SQLite says of a copy: the file itself is the next server's."""
    with tempfile.TemporaryDirectory(prefix="attack-copy-") as folder:
        for suffix in ("", "-wal"):
            with contextlib.suppress(FileNotFoundError):
                shutil.copy(f"{database}{suffix}", folder)
        with contextlib.closing(sqlite3.connect(Path(folder) / database.name)) as copy:
            return copy.execute("PRAGMA integrity_check").fetchone()[0], copy.execute("PRAGMA foreign_key_check").fetchall()


def start(folder):
    begun = time.monotonic()
    server = Server(arguments.sparring, "--journal-limit", "10000000", folder=folder, database=True)
    return server, time.monotonic() - begun


def main():
    draw, told = random.Random(arguments.seed), Told()
    starts, logs, next_number, totals = [], [], 1, {}
    with tempfile.TemporaryDirectory(prefix="attack-kill-") as folder:
        new_marks, new_dialogs = set(), set()
        for life in range(arguments.rounds + 1):
            server, took = start(folder)
            with server:
                starts.append(took)
                if life == 0:
                    server.admin("PATCH", "sandboxes/default/tenants/identity", {"codeLifetime": "24h", "refreshTokenLifetime": "24h"})
                inspection = Inspection(server, told)
                next_number, seen = inspection.numbers_and_marks(next_number)
                inspection.marks(new_marks, seen)
                inspection.messages(new_dialogs)
                inspection.codes()
                inspection.refresh_tokens()
                for what, count in inspection.checked.items():
                    totals[what] = totals.get(what, 0) + count
                if life == arguments.rounds or told.wrong:
                    if not told.wrong:
                        whole = Inspection(server, told)
                        whole.marks(told.marks, whole.numbers_and_marks()[1])
                        whole.messages(told.dialogs)
                    break
                marks, dialogs, before = set(told.marks), set(told.dialogs), told.acknowledged
                load, until = Load(server, told, life), before + draw.randint(1, arguments.most)
                deadline = time.monotonic() + LIMIT
                while told.acknowledged < until and time.monotonic() < deadline and not told.wrong:
                    time.sleep(0.0005)
                server.kill()
                load.join()
                new_marks, new_dialogs = told.marks - marks, set(told.dialogs) - dialogs
                logs.append(Path(f"{server.database}-wal").stat().st_size / (1 << 20))
                found, foreign = integrity(server.database)
                if found != "ok" or foreign:
                    told.wrong.append(f"life {life}: integrity_check says {found}, foreign_key_check {foreign[:3]}")
                if server.process.returncode != -signal.SIGKILL:
                    told.wrong.append(f"life {life} ended by itself: {server.process.returncode}: {server.said()}")
    for what in told.wrong[:20]:
        print(f"WRONG {what}")
    looked_at = ", ".join(f"{count:,} {what}" for what, count in totals.items())
    print(f"  {told.acknowledged:,} acknowledgements in {life} lives; looked at again: {looked_at}")
    print(
        f"  {next_number - 1:,} journal entries; start-up {starts[0]:.2f} s at first, {max(starts):.2f} s at most; "
        f"log at most {max(logs, default=0):.0f} MiB")
    if told.wrong or life < arguments.rounds:
        print(f"FAILED: {len(told.wrong)} things were wrong after {life} of {arguments.rounds} kills")
        return 1
    print(f"nothing lost in {arguments.rounds} kills")
    return 0


if __name__ == "__main__":
    sys.exit(main())
