"""A full disk in the middle of everything: what was acknowledged stays, and what the server holds in memory is what stands in its file.

    python3 full.py SPARRING [--by disk|limit] [--megabytes 24]

The database lies on a small disk of its own (tmpfs, where this user may mount one), or the process may write no longer file than so (RLIMIT_FSIZE).
Clients call until nothing fits any more, and go on; meanwhile faults are armed and taken back, clocks set and advanced, sandboxes made, reset and
deleted, tenants configured and keys rotated. Then

 - a second server is opened on a copy of the file, and both are asked for everything that the admin API tells: the answers must be the same;
 - there is room again: every sandbox must serve, and the journal's numbers go on without a gap;
 - after kill -9 and a restart on that file, everything acknowledged must be there, and nothing that was answered as failed.

The exit status is 1 where it was not so.
"""

import argparse
import contextlib
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from load import Inspection, Load, Told
from server import Server

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("sparring")
parser.add_argument("--by", choices=["disk", "limit"], help="default: a disk where one can be mounted")
parser.add_argument("--megabytes", type=int, default=32)
parser.add_argument("--seconds", type=float, default=6, help="how long the load goes on where nothing fits")
arguments = parser.parse_args()

FROZEN = {"mode": "frozen", "now": "2027-01-15T08:00:00Z"}
BALLAST = 12 << 20
JOURNAL = ("--journal-limit", "10000000")


@contextlib.contextmanager
def small_disk():
    """A folder on a disk of its own, 12 MB of it taken by a ballast; nil where this user may mount none."""
    folder = tempfile.mkdtemp(prefix="attack-full-")
    size = f"size={arguments.megabytes}m"
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", size, "tmpfs", folder], capture_output=True, text=True, check=False)
    try:
        if mounted.returncode:
            yield None
        else:
            (Path(folder) / "ballast").write_bytes(bytes(BALLAST))
            yield folder
    finally:
        if not mounted.returncode:
            subprocess.run(["umount", "--lazy", folder], check=True)
        os.rmdir(folder)


def limited():
    """Runs in the child: a longer file is an error of the write, and no signal."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (arguments.megabytes << 20, resource.RLIM_INFINITY))


# What goes on at the admin API


class Changes:
    """Changes of sandboxes one after the other; each that was answered as failed must have changed nothing."""

    def __init__(self, server):
        self.server, self.number, self.done, self.failed = server, 0, 0, 0
        self.alive = set()  # that must be there
        for name in ("faults", "clock", "reset", "keys"):
            self.make(name)
        server.admin("PUT", "sandboxes/default/clock", FROZEN)

    def make(self, name):
        status, answer = self.server.call("POST", "/__admin/sandboxes", {"name": name, "clock": FROZEN, "faults": ["* delay by=1s times=3"]})
        if status == 201:
            self.alive.add(name)
        elif status != 500:
            raise RuntimeError(f"{name}: {status} {answer}")
        return status

    def try_one(self):
        """The next change of the round."""
        self.number += 1
        number = self.number
        base = "/__admin/sandboxes"
        calls = [
            ("POST", f"{base}/faults/faults", {"fault": f"*.Login.* token-expired subject=user-{number}"}),
            ("DELETE", f"{base}/faults/faults/{1 + number // 8}", None),
            ("PUT", f"{base}/clock/clock", {"mode": "frozen", "now": f"2027-02-{1 + number % 27:02}T00:00:00Z"}),
            ("POST", f"{base}/clock/clock/advance", {"by": "1m"}),
            ("POST", f"{base}/reset/reset", None),
            ("PATCH", f"{base}/clock/tenants/liveperson", {"connectors": [{"id": number, "name": f"connector {number}"}]}),
            ("POST", f"{base}/keys/tenants/identity/keys/rotate", None),
            ("POST", f"{base}/default/faults", {"fault": f"liveperson.lookUpService status code=503 times=2 subject=user-{number}"}),
        ]
        method, target, body = calls[number % len(calls)]
        status, answer = self.server.call(method, target, body)
        self.count(status, f"{method} {target}: {status} {answer}")
        if number % 5 == 0:
            self.count(self.make(f"made-{number}"), "a sandbox")
        if number % 7 == 0 and (victim := next((name for name in sorted(self.alive) if name.startswith("made-")), None)):
            status, answer = self.server.call("DELETE", f"{base}/{victim}")
            self.count(status, f"DELETE {victim}: {status} {answer}")
            if status < 300:
                self.alive.discard(victim)

    def count(self, status, what):
        if status in (500, 503, 507):
            self.failed += 1
        elif status < 300 or status == 404:
            self.done += 1
        else:
            raise RuntimeError(what)


def everything(server):
    """All that the admin API tells of what is kept in memory or in the file, with the server's address taken out."""
    told = {}

    def read(path):
        status, answer = server.call("GET", f"/__admin/{path}")
        told[path] = status, str(answer).replace(f"127.0.0.1:{server.port}", "HERE")
        return answer

    for sandbox in sorted(one["id"] for one in read("sandboxes")["sandboxes"]):
        for part in ("", "/clock", "/faults", "/tenants/identity", "/tenants/liveperson", "/consumers", "/devices", "/conversations"):
            read(f"sandboxes/{sandbox}{part}")
        told[f"sandboxes/{sandbox}/journal"] = 200, str([entry["number"] for entry in server.entries(sandbox)])
    return told


def differences(memory, file):
    for path in sorted(memory.keys() | file.keys()):
        ours, theirs = memory.get(path), file.get(path)
        if ours != theirs:
            place = next((i for i, (a, b) in enumerate(zip(str(ours), str(theirs))) if a != b), 0)
            around = slice(max(0, place - 60), place + 120)
            yield f"GET {path}: memory says …{str(ours)[around]}…, the file …{str(theirs)[around]}…"


@contextlib.contextmanager
def elsewhere(server):
    """A folder with a copy of its database."""
    with tempfile.TemporaryDirectory(prefix="attack-copy-") as folder:
        for suffix in ("", "-wal"):
            with contextlib.suppress(FileNotFoundError):
                shutil.copy(f"{server.database}{suffix}", folder)
        yield folder


def copied(server):
    """What a server says that begins on a copy of this one's file."""
    with elsewhere(server) as folder, Server(arguments.sparring, *JOURNAL, folder=folder, database=True) as other:
        return everything(other)


def sound(server):
    """What SQLite finds wrong with a copy."""
    with elsewhere(server) as folder, contextlib.closing(sqlite3.connect(Path(folder) / server.database.name)) as copy:
        found = copy.execute("PRAGMA integrity_check").fetchone()[0]
    if found != "ok":
        yield f"integrity_check says {found}"


def alive(server, changes, told):
    """Every sandbox that is said to be there serves, and numbers its entries one after the other."""
    for sandbox in sorted(changes.alive):
        status, answer = server.call("POST", f"/__admin/sandboxes/{sandbox}/journal/marks", {"mark": "there is room again"})
        if status != 204:
            told.wrong.append(f"sandbox {sandbox}, with room again: {status} {answer}")
            continue
        numbers = [entry["number"] for entry in server.entries(sandbox)]
        if numbers != list(range(1, len(numbers) + 1)):
            gap = next(number for number, wanted in zip(numbers, range(1, len(numbers) + 1)) if number != wanted)
            told.wrong.append(f"sandbox {sandbox}: its journal skips to {gap}")


def play(folder, by):
    told = Told()
    options = {"preexec": limited} if by == "limit" else {}
    with Server(arguments.sparring, *JOURNAL, folder=folder, database=True, **options) as server:
        server.admin("PATCH", "sandboxes/default/tenants/identity", {"codeLifetime": "24h", "refreshTokenLifetime": "24h"})
        changes = Changes(server)
        changes.alive.add("default")
        load = Load(server, told, 0, tolerates=(500, 503, 507))
        full_since, deadline = None, time.monotonic() + 120
        while not full_since or time.monotonic() < full_since + arguments.seconds:
            changes.try_one()
            if not full_since and told.refused:
                full_since, before = time.monotonic(), (told.acknowledged, changes.done, changes.failed)
            if time.monotonic() > deadline:
                raise RuntimeError(f"it never became full: {told.acknowledged} acknowledged")
        load.join()
        print(f"  full after {before[0]:,} acknowledgements and {before[1]} changes; then {told.acknowledged - before[0]:,} more were taken, "
              f"{told.refused:,} calls and {changes.failed} changes answered as failed")
        if not changes.failed:
            raise RuntimeError("no change of a sandbox failed: nothing was tried")
        told.wrong += differences(everything(server), copied(server))

        # Room
        if by == "limit":
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        else:
            (Path(folder) / "ballast").unlink()
        alive(server, changes, told)
        again = Load(server, told, 1)
        goal, deadline = told.acknowledged + 300, time.monotonic() + 30
        while told.acknowledged < goal and time.monotonic() < deadline:
            time.sleep(0.01)
        again.join()
        if told.acknowledged < goal:
            told.wrong.append("with room again it did not go on")
        server.kill()
        told.wrong += sound(server)
        # On a disk with room: asking changes things too.
        with elsewhere(server) as files, Server(arguments.sparring, *JOURNAL, folder=files, database=True) as restarted:
            inspection = Inspection(restarted, told, sample=200, was_full=True)
            _, seen = inspection.numbers_and_marks()
            if inspection.unrecorded < told.refused:
                told.wrong.append(f"{told.refused} calls were refused, and the journal says that {inspection.unrecorded} are missing")
            inspection.marks(told.marks, seen)
            inspection.messages(told.dialogs)
            inspection.codes()
            inspection.refresh_tokens()
    print("  looked at again after a restart: " + ", ".join(f"{count:,} {what}" for what, count in inspection.checked.items()))
    return told.wrong


def main():
    with contextlib.ExitStack() as stack:
        folder = None
        if arguments.by != "limit":
            folder = stack.enter_context(small_disk())
            if not folder and arguments.by == "disk":
                sys.exit("no disk can be mounted here")
        by = "disk" if folder else "limit"
        folder = folder or stack.enter_context(tempfile.TemporaryDirectory(prefix="attack-full-"))
        print(f"a {'disk' if by == 'disk' else 'file'} of {arguments.megabytes} MB at most", flush=True)
        wrong = play(folder, by)
    for what in wrong[:30]:
        print(f"WRONG {what}")
    if wrong:
        print(f"FAILED: {len(wrong)} things were wrong")
        return 1
    print("nothing lost, and memory is what the file is")
    return 0


if __name__ == "__main__":
    sys.exit(main())
