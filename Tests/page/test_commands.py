"""Whatever the page does, the command line that it shows for it does too: to the same end, on an equal sandbox of another server."""

import difflib
import json
import os
import re
import subprocess
from dataclasses import dataclass, field
from datetime import datetime
from typing import Callable

import pytest

from server import until
from traffic import lively, settle
from window import Window

NASTY = "It's \"quoted\" $HOME `date` \\ !x; *\tñ 🙂"


@dataclass
class Row:
    """`args` are made of the sandbox's name; `before` is done to both sandboxes first."""

    args: Callable = lambda name: {}
    before: list = field(default_factory=list)
    codes: tuple = (0,)
    is_running: bool = False
    """Whether the clock runs, so that it is not the same to the millisecond."""
    says: Callable = lambda result, text: True
    """Whether the command printed what the page was told."""


def args(**given):
    return lambda name: given


def is_minted(minted, text):
    return text.strip() == minted["credential"]


REFUSAL = 3
RUNS = ("PUT", "clock", {"mode": "rate", "rate": 5})
DEVICE = "740f4707bebcf74f"
ROWS = {
    "clock.freeze": [Row(before=[RUNS], is_running=True), Row(args(at="2027-02-01T10:00:00Z"))],
    "clock.resume": [
        Row(is_running=True), Row(args(rate=60), is_running=True), Row(args(rate=0.5), is_running=True),
    ],  # fmt: skip
    "clock.advance": [Row(args(duration="30s")), Row(args(duration="10m", keepSockets=True)), Row(args(duration="1ms"))],
    "fault.add": [
        Row(args(text="identity.token status code=503 times=2")),
        Row(args(text="*.Login.* delay by=2s subject=\"it's ada\" probability=0.5")),
    ],
    "fault.clear": [Row()],
    "fault.remove": [Row(args(number=2))],
    "scenario.play": [Row(args(scenario="pusher-down-for-31s")), Row(args(scenario="pusher-down-for-31s", seed=11))],
    "sandbox.create": [
        Row(lambda name: {"name": f"{name}-made", "seed": 5}, is_running=True),
        Row(lambda name: {"name": f"{name}-made", "scenario": "pusher-down-for-31s"}, is_running=True),
    ],
    "sandbox.reset": [Row(lambda name: {"name": name})],
    "sandbox.delete": [Row(lambda name: {"name": name})],
    "sandbox.fork": [Row(lambda name: {"number": REFUSAL, "name": f"{name}-made"})],
    "journal.resend": [
        Row(args(number=REFUSAL)),
        Row(args(number=REFUSAL, headers={"X-Note": NASTY.replace("\t", " ").encode("ascii", "ignore").decode()}, lane="eve", body="grant_type=x&code=it's")),
        Row(args(number=REFUSAL, method="GET", target="/nowhere?a=$HOME&b='c'")),
    ],
    "journal.clear": [Row()],
    "journal.mark": [
        Row(args(mark="badge", lane="ada")),
        Row(args(mark=NASTY)),
    ],
    "act": [
        Row(args(vendor="liveperson", operation="say", **{"with": {"consumer": "ada", "text": NASTY}})),
        Row(args(vendor="liveperson", operation="say", **{"with": {"consumer": "ada", "text": "-42"}})),
        Row(args(vendor="liveperson", operation="close", **{"with": {"consumer": "ada", "closedCause": "true", "survey": False}})),
    ],
    "device.push": [Row(args(consumer="ada", text=NASTY)), Row(args(consumer="ada", text="--x", vendor="liveperson"))],
    "device.renew": [Row(args(device=DEVICE))],
    "socket.close": [Row(args(number=1)), Row(args(number=1, code=1011, reason="it's over"))],
    "socket.freeze": [Row(args(number=1))],
    "socket.abort": [Row(args(number=1))],
    "tenant.set": [Row(args(vendor="identity", set={"errorDialect": "liveperson"}))],
    "keys.rotate": [Row(args(vendor="identity"))],
    "credential.mint": [
        Row(args(form="jwt", subject="ada"), says=is_minted),
        Row(
            args(form="jwt", subject=NASTY, defect="claim-missing", missingClaim="exp", claims={"given_name": "5", "n": 5}, lifetime="10m"),
            says=is_minted,
        ),
        Row(args(form="code", subject="ada", redirectURI="https://liveperson.net"), says=is_minted),
    ],
    "verify": [Row(codes=(0, 1, 2)), Row(args(rule=["redeems-a-code-once"]), codes=(0, 1, 2))],
}

RUN = """async ([id, args]) => {
  const { run } = await import('/__sparring/files/actions.js');
  return run(id, args);
}"""


@pytest.fixture(scope="module")
def servers(start):
    """One for the page and one for the command line. Both name themselves the same, so that their tokens are the same."""
    return [start("--no-tls", "--advertise", "http://sparring.test") for _ in range(2)]


@pytest.fixture(scope="module")
def pages(browser, servers):
    """One page for all rows."""
    window = Window(browser, 1400, 900)
    yield window
    assert not window.close()


def prepare(server, name, row):
    """A sandbox with a bit of everything, and who talks in it."""
    sandbox = server.sandbox(name)
    ada = lively(sandbox)
    assert ada.refusal == REFUSAL
    for method, path, body in row.before:
        sandbox.call(method, path, body)
    settle(sandbox)
    return sandbox, ada


def shell(binary, line):
    """Performs a command line as it stands."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SPARRING_")}
    script = f'sparring() {{ "$BINARY" "$@"; }}\n{line}'
    return subprocess.run(["bash", "-c", script], env={**environment, "BINARY": os.path.abspath(binary)}, capture_output=True, text=True, timeout=120)


def plain(value, server):
    """Without what differs between equal sandboxes of two servers: times, numbers of connections, ports, and random keys of sockets."""
    if isinstance(value, dict):
        left_out = ("arrival", "connection", "sandboxTime", "Sec-WebSocket-Key", "Sec-WebSocket-Accept")
        return {name: plain(member, server) for name, member in value.items() if name not in left_out}
    if isinstance(value, list):
        return [plain(member, server) for member in value]
    if isinstance(value, str):
        return re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "TIME", value.replace(f":{server.port}", ":PORT"))
    return value


def state(sandbox):
    """All that there is of a sandbox and of those made from it."""
    server, all_of_it = sandbox.server, {}
    for name in [one["id"] for one in server.call("GET", "sandboxes")["sandboxes"]]:
        if name not in (sandbox.name, f"{sandbox.name}-made"):
            continue
        path = f"sandboxes/{name}"
        told = {what: server.call("GET", f"{path}/{what}")[what] for what in ("faults", "conversations", "devices", "sockets", "consumers")}
        for device in told["devices"]:
            device["inbox"] = server.call("GET", f"{path}/devices/{device['token']}/notifications")["notifications"]
        for conversation in told["conversations"]:
            conversation["said"] = server.call("GET", f"{path}/{conversation['vendor']}/conversations/{conversation['id']}")
        told |= {"itself": server.call("GET", path), "clock": server.call("GET", f"{path}/clock")}
        told["journal"] = server.call("GET", f"{path}/journal?limit=1000")["entries"]
        all_of_it[name] = plain(told, server)
    return all_of_it


def now(sandbox):
    """Each sandbox's time, in seconds."""
    server = sandbox.server
    names = [one["id"] for one in server.call("GET", "sandboxes")["sandboxes"] if one["id"].startswith(sandbox.name)]
    return {name: datetime.fromisoformat(server.call("GET", f"sandboxes/{name}/clock")["now"]).timestamp() for name in names}


def without_tenants(told):
    """Ids of tenants are new in each sandbox that is made from another."""
    for name, one in told.items():
        if name.endswith("-made"):
            del one["itself"]["tenants"]
    return told


def difference(left, right):
    texts = [json.dumps(side, indent=1, sort_keys=True, ensure_ascii=False).splitlines() for side in (left, right)]
    return "\n".join(list(difflib.unified_diff(*texts, "by the page", "by the command line", lineterm="", n=4))[:80])


def played(action, number):
    marks = [pytest.mark.short] if (action, number) == ("fault.add", 1) else []
    return pytest.param(action, number, id=f"{action}-{number}", marks=marks)


@pytest.mark.parametrize(("action", "number"), [played(action, number) for action, rows in ROWS.items() for number in range(len(rows))])
def test_the_command_does_the_same(binary, servers, pages, action, number):
    row = ROWS[action][number]
    name = f"{action.replace('.', '-').lower()}-{number}"
    (mine, ada), (other, also_ada) = (prepare(server, name, row) for server in servers)
    unequal = difference(state(mine), state(other))
    assert not unequal, f"from the first:\n{unequal}"
    pages.open(mine)
    result = pages.evaluate(RUN, [action, row.args(name)])
    shown = pages.console_line.locator("code").first.text_content()
    line = shown.replace(servers[0].url, servers[1].url)
    assert line.startswith("sparring ") and servers[1].url in line, shown

    done = shell(binary, line)
    assert done.returncode in row.codes, f"{line}\n{done.stdout}{done.stderr}"
    assert row.says(result, done.stdout), f"{line}\n{done.stdout}{result}"
    both = []

    def is_same():
        both[:] = [without_tenants(state(sandbox)) for sandbox in (mine, other)]
        return not difference(*both)

    try:
        until(is_same, 5)
    except AssertionError:
        raise AssertionError(f"{line}\n{difference(*both)}") from None
    times, other_times = now(mine), now(other)
    assert times.keys() == other_times.keys()
    assert all(abs(times[one] - other_times[one]) <= (600 if row.is_running else 0) for one in times), (times, other_times)
    for one in (ada, also_ada):
        one.wire.close_socket()


@pytest.mark.short
def test_every_action_has_a_row(server, page):
    page.open(server.sandbox())
    known = page.evaluate("import('/__sparring/files/actions.js').then(({ actions }) => Object.keys(actions))")
    assert len(known) > 20
    assert sorted(set(known) - set(ROWS)) == [], "these actions are compared with no command"
    assert sorted(set(ROWS) - set(known)) == [], "these rows are of no action"
