"""What becomes of clients, journal and verdict where the disk takes no more, or does not confirm what it took.

    python3 failing.py SPARRING [CASE …]

Each case is a server (or `sparring run`) whose writes or syncs fail on demand. The exit status is 1 where something was not as *Limits* says.
"""

import contextlib
import errno
import http.client
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "attack"))
from cases import Cases, attempt, expect  # noqa: E402
from disk import FOR_EVER, Disk  # noqa: E402
from server import Server  # noqa: E402

case = Cases()
EX_SOFTWARE, EX_IOERR = 70, 74


def serve(disk, *options):
    return Server(SPARRING, *options, folder=disk.files, database=True, environment=disk.environment(logs=False))


def mark(server, name):
    """The status with which a mark is answered."""
    return server.call("POST", "/__admin/sandboxes/default/journal/marks", {"mark": name})[0]


def marks(server):
    return [entry["details"]["mark"] for entry in server.entries() if entry["kind"] == "mark"]


def numbers(server):
    found = [entry["number"] for entry in server.entries()]
    expect("numbers of the journal", found, list(range(1, len(found) + 1)))


def verdict(server):
    return server.admin("POST", "sandboxes/default/verdicts", {})


def own_failures(report):
    return report["ownFailures"]["unrecorded"], report["ownFailures"]["internalErrors"]


def look_up(server):
    """The status of a call of a client's."""
    return server.call("GET", f"/api/account/{server.account()}/service/idp/baseURI.json?version=1.0")[0]


def saved(disk):
    """What `verify` says of the file: exit status and report."""
    done = subprocess.run(
        [SPARRING, "verify", "--json", "--database", str(disk.files / "sparring.db")], capture_output=True, text=True, check=False, timeout=60)
    return done.returncode, json.loads(done.stdout) if done.stdout.startswith("{") else done.stderr


@case
def one_write_fails(disk):
    """The call is answered with 500, which the journal has; a client that met it cannot be judged."""
    with serve(disk) as server:
        expect("before", [look_up(server), mark(server, "before")], [200, 204])
        disk.writes.fail(errno.ENOSPC, suffix="-wal")
        expect("the call", look_up(server), 500)
        expect("the next", look_up(server), 200)
        expect("health", server.call("GET", "/__admin/health")[0], 200)
        entry = next(entry for entry in server.entries() if entry.get("causeCode") == "failed")
        expect("its status in the journal", entry["answer"]["status"], 500)
        numbers(server)
        report = verdict(server)
        expect("result and own failures", (report["result"], *own_failures(report)), ("inconclusive", 0, 1))
    status, report = saved(disk)
    expect("verify", (status, report["result"]), (EX_SOFTWARE, "inconclusive"))


@case
def full_for_a_while(disk):
    """What cannot be written is counted, and the journal says so as soon as it can be written; health says so until then."""
    with serve(disk) as server:
        expect("before", look_up(server), 200)
        disk.writes.fail(errno.ENOSPC, FOR_EVER)
        expect("calls", [look_up(server) for _ in range(5)], [500] * 5)
        expect("a mark", mark(server, "lost"), 500)
        status, problem = server.call("GET", "/__admin/health")
        expect("health", (status, problem["type"], problem["unrecorded"]), (503, "urn:sparring:problem:store-failing", 6))
        report = verdict(server)
        expect("result and own failures", (report["result"], *own_failures(report)), ("inconclusive", 6, 0))
        metrics = server.call("GET", "/__admin/metrics")[1].splitlines()
        for line in ("sparring_unrecorded_total 6", "sparring_store_failing 1"):
            expect(line, line in metrics, True)
        disk.writes.heal()
        status, health = server.call("GET", "/__admin/health")
        expect("health with room", (status, health["status"], health["unrecorded"]), (200, "ok", 6))
        expect("a call with room", look_up(server), 200)
        entry = next(entry for entry in server.entries() if entry.get("causeCode") == "unrecorded")
        expect("the entry", (entry["kind"], entry["details"]["unrecorded"]["count"]), ("finding", 6))
        numbers(server)
        expect("the file beside", Path(f"{server.database}-unrecorded").exists(), False)
        report = verdict(server)
        expect("result and own failures later", (report["result"], *own_failures(report)), ("inconclusive", 6, 0))
        server.admin("POST", "sandboxes/default/reset")
        expect("after a reset", own_failures(verdict(server)), (0, 0))


@case
def killed_while_full(disk):
    """A file beside the database has the count, if that much can be written: the next life and `verify` know of it."""
    with serve(disk) as server:
        expect("before", look_up(server), 200)
        disk.writes.fail(errno.ENOSPC, FOR_EVER, suffix="-wal")
        expect("calls", [look_up(server) for _ in range(3)], [500] * 3)
        server.kill()
    status, report = saved(disk)
    expect("verify", (status, report["result"], *own_failures(report)), (EX_IOERR, "inconclusive", 3, 0))
    disk.writes.heal()
    with serve(disk) as server:
        report = verdict(server)
        expect("the next life", (report["result"], *own_failures(report)), ("inconclusive", 3, 0))
        expect("the entry", [entry["details"]["unrecorded"]["count"] for entry in server.entries() if entry.get("causeCode") == "unrecorded"], [3])
        numbers(server)
    expect("the file beside", (disk.files / "sparring.db-unrecorded").exists(), False)


@case
def a_sync_of_a_transaction_fails(disk):
    """Nothing more is promised: the batch is answered with 500, the server exits with 74, and what was acknowledged is there."""
    with serve(disk, "--durability", "power") as server:
        told = [name for name in (f"mark-{number}" for number in range(20)) if mark(server, name) == 204]
        expect("acknowledged", len(told), 20)
        disk.syncs.fail(errno.EIO, 1, suffix="-wal")
        expect("the mark whose sync fails", mark(server, "doubtful"), 500)
        expect("exit status", server.wait(20), EX_IOERR)
        expect("it says why", "the disk may have lost what it did not confirm" in server.said(), True)
        expect("ready file", server.ready_file.exists(), False)
    with serve(disk, "--durability", "power") as server:
        found = marks(server)
        expect("marks", [name for name in found if name != "doubtful"], told)
        numbers(server)
        report = verdict(server)
        expect("result and own failures", (report["result"], own_failures(report)[0]), ("inconclusive", 1))


def checkpoint_fails(disk, suffix):
    with serve(disk) as server:
        told = []
        disk.syncs.fail(errno.EIO, 1, suffix=suffix)
        long = "x" * 200_000
        with contextlib.suppress(OSError, http.client.HTTPException):  # it ends in the middle of it
            for number in range(2000):
                body = {"mark": f"mark-{number}", "note": long}
                if server.call("POST", "/__admin/sandboxes/default/journal/marks", body)[0] != 204:
                    break
                told.append(f"mark-{number}")
        expect("exit status", server.wait(20), EX_IOERR)
        expect("syncs that failed", disk.syncs.failed, 1)
    with serve(disk) as server:
        found = [name for name in marks(server) if name in set(told)]
        expect("how many marks are there", len(found), len(told))
        numbers(server)


@case
def a_checkpoint_cannot_sync_the_log(disk):
    """As with a transaction: what is moved from the log could be lost."""
    checkpoint_fails(disk, "-wal")


@case
def a_checkpoint_cannot_sync_the_database(disk):
    """As with a transaction: what is moved from the log could be lost."""
    checkpoint_fails(disk, ".db")


@case
def the_last_checkpoint_cannot_sync(disk):
    """The log stays beside the file, with all that was acknowledged."""
    with serve(disk) as server:
        told = [name for name in (f"mark-{number}" for number in range(20)) if mark(server, name) == 204]
        disk.syncs.fail(errno.EIO, 1)
        server.signal(15)
        expect("exit status", server.wait(20), EX_IOERR)
        expect("the log", Path(f"{server.database}-wal").exists(), True)
    with serve(disk) as server:
        expect("marks", marks(server), told)


CLIENT = """
import json, os, threading, urllib.error, urllib.request
base, account = os.environ["SPARRING_URL"], os.environ["SPARRING_LIVEPERSON_ACCOUNT_ID"]
control = os.environ["CONTROL_COMMAND"]

def call(method, path, body=None, headers={}):
    request = urllib.request.Request(base + path, None if body is None else json.dumps(body).encode(), {"Content-Type": "application/json", **headers}, method=method)
    try:
        with urllib.request.urlopen(request) as answer: return answer.status, json.load(answer)
    except urllib.error.HTTPError as error: return error.code, None

minted = call("POST", f"/__admin/sandboxes/{os.environ['SPARRING_SANDBOX']}/credentials", {"form": "jwt", "subject": "anna"})[1]["credential"]
token = call("POST", f"/api/account/{account}/app/default/authenticate?v=2.0", {"id_token": minted})[1]["jwt"]
def register():
    device = {"deviceToken": "ab" * 32, "pushType": "APNS", "lang": "en-US"}
    return call("PUT", f"/mock/pusher/account/{account}/registrations/com.example", device, {"Authorization": "Bearer " + token})[0]

register()
os.system(control)
threads = [threading.Thread(target=register) for _ in range(20)]
for thread in threads: thread.start()
for thread in threads: thread.join()
os.system(os.environ["HEAL_COMMAND"])
"""


def run(disk, fails, heals):
    """`sparring run` with a client that retries twenty times at once; `fails` and `heals` are done by the client before and after."""
    this = Path(__file__).parent
    def command(what):
        return f"{sys.executable} -c \"import sys; sys.path.insert(0, '{this}'); from disk import *; import errno; d = Control.from_buffer(open_control('{disk.folder}')); {what}\""
    environment = {**os.environ, **disk.environment(logs=False), "CONTROL_COMMAND": command(fails), "HEAL_COMMAND": command(heals)}
    report = disk.folder / "report.json"
    done = subprocess.run(
        [SPARRING, "run", "--scenario", "pusher-down-for-31s", "--database", str(disk.files / "run.db"), "--json-report", str(report), "--",
         sys.executable, "-c", CLIENT], env=environment, capture_output=True, text=True, check=False, timeout=120)
    return done, json.loads(report.read_text()) if report.exists() else None


def result(report, rule):
    return next(one["result"] for one in report["plays"][0]["sandboxes"][0]["verdicts"] if one["rule"] == rule)


@case
def a_run_whose_disk_is_sound(disk):
    """Twenty retries at once break the rule: the cases below show the disk's doing, not the client's."""
    done, report = run(disk, "pass", "pass")
    expect("result and exit status", (result(report, "backs-off-1-2-4-8-16s"), done.returncode), ("fail", 1))


@case
def a_run_whose_disk_is_full_for_a_while(disk):
    """What was not recorded is not judged."""
    done, report = run(disk, "d.writes.fail(errno.ENOSPC, FOR_EVER)", "d.writes.heal()")
    expect("result and exit status", (result(report, "backs-off-1-2-4-8-16s"), done.returncode), ("inconclusive", EX_IOERR))
    expect("said first", done.stdout.startswith("Sparring itself failed, so the client cannot be judged: 2"), True)
    expect("counted", report["plays"][0]["sandboxes"][0]["ownFailures"]["unrecorded"] >= 20, True)


@case
def a_run_whose_disk_stays_full(disk):
    done, report = run(disk, "d.writes.fail(errno.ENOSPC, FOR_EVER)", "pass")
    expect("result and exit status", (report and result(report, "backs-off-1-2-4-8-16s"), done.returncode), ("inconclusive", EX_IOERR))


@case
def a_run_whose_disk_confirms_nothing(disk):
    """The client is judged; that the file that is kept may lack something is an error all the same."""
    done, report = run(disk, "pass", "d.syncs.fail(errno.EIO, FOR_EVER)")
    expect("result and exit status", (report and result(report, "backs-off-1-2-4-8-16s"), done.returncode), ("fail", EX_IOERR))
    expect("it says why", "the disk may have lost what it did not confirm" in done.stderr, True)


def main():
    global SPARRING
    SPARRING, names = case.arguments(__doc__)
    wrong = 0
    for name in names:
        with tempfile.TemporaryDirectory(prefix="power-") as folder:
            found = attempt(lambda: case[name](Disk(folder)))
        wrong += found is not None
        print(f"WRONG {name}: {found}" if found else f"  ok     {name}", flush=True)
    print(f"{wrong} of {len(names)} cases were not as they should be" if wrong else "a disk that fails is reported, and nothing is judged by it")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
