"""The machine's clock jumps by an hour, forth and back, while things wait: nothing hangs, nothing comes early, and no verdict changes.

    python3 clocks.py SPARRING [CASE …]

Needs libfaketime (Debian: faketime). The exit status is 1 where something was not so.
"""

import contextlib
import glob
import http.client
import ssl
import sys
import tempfile
import threading
import time
import urllib.parse
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "attack"))
from cases import Cases, Wrong, attempt, expect  # noqa: E402
from server import Server, basic, sign_in  # noqa: E402

HOUR = 3600
JUMPS = {"forth": [HOUR], "back": [-HOUR], "forth and back": [HOUR, 0], "back and forth": [-HOUR, 0]}
LATE = 1.5  # seconds that a busy machine may add
case = Cases()


def expect_seconds(what, took, wanted):
    if not wanted - 0.002 <= took <= wanted + LATE:
        raise Wrong(f"{what} took {took:.3f} s instead of {wanted:.3f} s")


class Clock:
    """The machine's clock as a server sees it; its monotonic clock is the true one."""

    def __init__(self, folder):
        self.file = Path(folder) / "clock"
        self.set(0)
        # The first process that libfaketime is loaded into gets a longer environment, in which Swift does not find its arguments: a shell's is none of its.
        self.binary = Path(folder) / "sparring"
        self.binary.write_text(f'#!/bin/sh\nexec "{SPARRING}" "$@"\n')
        self.binary.chmod(0o755)

    def set(self, seconds):
        new = self.file.with_suffix(".new")
        new.write_text(f"{seconds:+}s\n")
        new.replace(self.file)

    def environment(self):
        library = next(iter(glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")), None)
        if not library:
            sys.exit("libfaketime is not installed")
        return {
            "LD_PRELOAD": library, "FAKETIME_TIMESTAMP_FILE": str(self.file), "FAKETIME_NO_CACHE": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}

    def jumping(self, jumps, pause=0.15):
        """Goes through the jumps beside whatever is done."""
        def jump():
            for seconds in jumps:
                time.sleep(pause)
                self.set(seconds)
        thread = threading.Thread(target=jump)
        thread.start()
        return thread


def timed(body):
    begun = time.monotonic()
    return body(), time.monotonic() - begun


@contextlib.contextmanager
def beside(clock, jumps):
    thread = clock.jumping(jumps)
    yield
    thread.join()


@case
def the_clock_does_jump(server, clock, jumps):
    """Else nothing here would show anything."""
    before = next(iter(server.entries(since=mark(server, "before"))))["arrival"]["wall"]
    for seconds in jumps:
        clock.set(seconds)
    after = next(iter(server.entries(since=mark(server, "after"))))["arrival"]["wall"]
    distance = seconds_of(after) - seconds_of(before)
    if abs(distance - jumps[-1]) > LATE:
        raise Wrong(f"the entries are {distance:.1f} s apart instead of {jumps[-1]} s")


def seconds_of(text):
    whole, _, fraction = text.rstrip("Z").partition(".")
    return time.mktime(time.strptime(whole, "%Y-%m-%dT%H:%M:%S")) + float("0." + fraction)


def mark(server, name):
    """Its entry's number."""
    server.admin("POST", "sandboxes/default/journal/marks", {"mark": name})
    return [entry["number"] for entry in server.entries() if entry["kind"] == "mark"][-1]


@case
def a_wait_for_the_journal(server, clock, jumps):
    with beside(clock, jumps):
        answer, took = timed(lambda: server.admin("GET", "sandboxes/default/journal/wait?operation=liveperson.lookUpService&count=1&timeout=1s"))
    expect("timed out", answer["timedOut"], True)
    expect_seconds("the wait", took, 1)


@case
def a_delay(server, clock, jumps):
    account = server.account()
    server.arm("liveperson.lookUpService delay by=1s times=1")
    with beside(clock, jumps):
        (status, _), took = timed(lambda: server.call("GET", f"/api/account/{account}/service/idp/baseURI.json?version=1.0"))
    expect("status", status, 200)
    expect_seconds("the delayed answer", took, 1)


def redeem(server, code):
    identity = server.tenants()["identity"]
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": identity["redirectURI"]}
    fields = {"Content-Type": "application/x-www-form-urlencoded", "Authorization": basic(identity["clientId"], identity["clientSecret"])}
    return server.call("POST", f"/identity/{identity['tenantId']}/token", urllib.parse.urlencode(form).encode(), fields)[0]


def code(server):
    body = {"form": "code", "subject": "ada", "redirectURI": server.tenants()["identity"]["redirectURI"]}
    return server.admin("POST", "sandboxes/default/credentials", body)["credential"]


@case
def the_life_of_a_code(server, clock, jumps):
    """It ends neither early nor late."""
    server.admin("PATCH", "sandboxes/default/tenants/identity", {"codeLifetime": "1s"})
    first, second = code(server), code(server)
    begun = time.monotonic()
    for seconds in jumps:
        clock.set(seconds)
    status = redeem(server, first)
    if time.monotonic() - begun < 0.9:
        expect("at once", status, 200)
    time.sleep(max(0, begun + 1.1 - time.monotonic()))
    expect("after its life", redeem(server, second), 400)


@case
def a_signed_token(server, clock, jumps):
    """What is minted after a jump is taken; the sandbox's time goes on as if there had been none."""
    for seconds in jumps:
        sign_in(server, "ada", server.account())
        clock.set(seconds)
    sign_in(server, "ada", server.account())


@case
def connections_that_are_kept(server, clock, jumps):
    """Neither the time for a head nor that for an idle connection is over for a jump; with TLS as without."""
    context = ssl._create_unverified_context()
    connections = [http.client.HTTPConnection("127.0.0.1", server.port), http.client.HTTPSConnection("127.0.0.1", server.tls_port, context=context)]
    for seconds in [0, *jumps]:
        clock.set(seconds)
        for connection in connections:
            connection.request("GET", "/__admin/version")
            expect("status", connection.getresponse().read() != b"", True)
            socket = connection.sock
            expect("the connection is kept", socket is not None, True)
    fresh = http.client.HTTPSConnection("127.0.0.1", server.tls_port, context=context)
    fresh.request("GET", "/__admin/version")
    expect("a new handshake", fresh.getresponse().status, 200)


@case
def due_work(server, clock, jumps):
    """It is done when its time has come by the monotonic clock."""
    step = {"at": "1s", "do": "armFault", "with": {"fault": "*.Login.* delay by=1s"}}
    scenario = {"scenario": "timed", "title": "T", "about": "A.", "source": "S", "timeline": [step]}
    name = f"timed-{time.monotonic_ns()}"
    begun = time.monotonic()
    server.admin("POST", "sandboxes", {"name": name, "scenario": scenario})
    with beside(clock, jumps):
        server.admin("GET", f"sandboxes/{name}/journal/wait?operation=admin.armFault&count=1&timeout=5s")
    took = time.monotonic() - begun
    expect("done", [entry["kind"] for entry in server.entries(name) if entry.get("operation") == "admin.armFault"][:1], ["due"])
    expect_seconds("the step", took, 1)


def retries(server, clock, jumps, waits):
    """What becomes of a rule about a client that registers its device again and again, a fifth of these seconds after each refusal."""
    sandbox = server.admin("POST", "sandboxes", {"scenario": "pusher-down-for-31s"})
    name, account = sandbox["id"], sandbox["tenants"]["liveperson"]["accountId"]
    token = sign_in(server, "ada", account, name)
    body = {"deviceToken": "ab" * 32, "pushType": "APNS", "lang": "en-US"}
    jumps, statuses = iter(jumps * 3), []
    for wait in (0, *waits):
        time.sleep(wait / 5)
        clock.set(next(jumps, 0))
        statuses.append(server.call(
            "PUT", f"/mock/pusher/account/{account}/registrations/app", body, {"Authorization": f"Bearer {token}"})[0])
    expect("statuses", statuses, [503] * 5 + [201])
    report = server.admin("POST", f"sandboxes/{name}/verdicts", {"timeScale": 0.2, "jitterFloor": "90ms"})
    return next((one["result"], one["summary"]) for one in report["verdicts"] if one["rule"] == "backs-off-1-2-4-8-16s")


@case
def a_verdict_on_retries(server, clock, jumps):
    """A good client is good, and an impatient one is not, whatever the wall clock does."""
    for waits, wanted in (((1, 2, 4, 8, 16), "pass"), ((0, 0, 0, 0, 0), "fail")):
        found = retries(server, clock, jumps, waits)
        if found[0] != wanted:
            raise Wrong(f"waits of {waits}: {found} instead of {wanted}")


@case
def stopping(server, clock, jumps):
    server.arm("*.*.* delay by=1h")
    account = server.account()
    def hang():
        with contextlib.suppress(OSError, http.client.HTTPException):
            server.call("GET", f"/api/account/{account}/service/idp/baseURI.json?version=1.0")
    threading.Thread(target=hang, daemon=True).start()
    time.sleep(0.3)
    with beside(clock, jumps):
        server.signal(15)
        status, took = timed(lambda: server.wait(10))
    expect("exit status", status, 0)
    expect_seconds("the stop", took, 1)


@case
def a_restart(server, clock, jumps):
    """The sandbox's time does not go back with the machine's."""
    server.signal(15)
    expect("exit status", server.wait(10), 0)
    moments = []
    for seconds in [0, *jumps]:
        clock.set(seconds)
        with Server(str(clock.binary), folder=server.folder, database=True, environment=clock.environment()) as life:
            mark(life, f"at {seconds}")
            moments.append([entry for entry in life.entries() if entry["kind"] == "mark"][-1]["sandboxTime"])
            life.signal(15)
            expect("exit status", life.wait(10), 0)
    expect("the marks' times", moments, sorted(moments))


def play(name, jumps):
    with tempfile.TemporaryDirectory(prefix="clocks-") as folder:
        clock, files = Clock(folder), Path(folder) / "files"
        files.mkdir()
        with Server(str(clock.binary), "--grace", "1", folder=files, tls=True, database=True, environment=clock.environment()) as server:
            case[name](server, clock, jumps)


def main():
    global SPARRING
    SPARRING, names = case.arguments(__doc__)
    wrong = 0
    for name in names:
        found = {words: attempt(lambda: play(name, jumps)) for words, jumps in JUMPS.items()}
        lines = [f"WRONG {name}, {words}: {what}" for words, what in found.items() if what]
        print("\n".join(lines) or f"  ok     {name}", flush=True)
        wrong += len(lines)
    print(
        f"{wrong} of {len(names) * len(JUMPS)} were not as they should be" if wrong
        else "nothing hung, nothing came early, and no verdict changed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
