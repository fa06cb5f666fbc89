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
    """`words` are made of the sandbox's name; `before` is done to both sandboxes first."""

    words: Callable
    before: list = field(default_factory=list)
    codes: tuple = (0,)
    is_running: bool = False
    """Whether the clock runs, so that it is not the same to the millisecond."""
    says: Callable = lambda result, text: True
    """Whether the command printed what the page got."""


def row(*words, **more):
    return Row(lambda name: [word.replace("NAME", name) for word in words], **more)


def is_minted(minted, text):
    return text.strip() == minted["credential"]


def is_text(result, text):
    return plain_text(result) == plain_text(text)


def plain_text(text):
    return re.sub(r":\d{4,5}\b", ":PORT", text)


def quoted(text):
    return json.dumps(text, ensure_ascii=False)


REFUSAL = "3"
RUNS = ("PUT", "clock", {"mode": "rate", "rate": 5})
DEVICE = "740f4707bebcf74f"
HEADER = NASTY.replace("\t", " ").encode("ascii", "ignore").decode()
ALL_CLAIMS = ["--claim", 'given_name="5"', "--claim", "n=5"]
ROWS = [
    row("clock", "freeze", before=[RUNS], is_running=True),
    row("clock", "freeze", "--at", "2027-02-01T10:00:00Z"),
    row("clock", "resume", is_running=True),
    row("clock", "resume", "--offset=-5m", is_running=True),
    row("clock", "resume", "--rate", "60", is_running=True),
    row("clock", "resume", "--rate=0.5", is_running=True),
    row("clock", "advance", "30s"),
    row("clock", "advance", "10m", "--keep-sockets"),
    row("clock", "advance", "1ms"),
    row("fault", "add", "identity.token status code=503 times=2"),
    row("fault", "add", "identity.token", "status", "code=503"),
    row("fault", "add", '*.Login.* delay by=2s subject="it\'s ada" probability=0.5'),
    row("fault", "remove", "--all"),
    row("fault", "remove", "2"),
    row("stub", "add", "POST /scales/{scale}", "status=201", 'body={"id": "{$sandbox.id}", "by": "{$request.path.scale}"}', "header:location=/x"),
    row("stub", "add", "GET /x", f"body={NASTY}", "--vendor", "khoros"),
    row("stub", "list", before=[("POST", "stubs", {"call": "GET /x"})]),
    row("stub", "remove", "identity.getX", before=[("POST", "stubs", {"call": "GET /x"})]),
    row("scenario", "play", "pusher-down-for-31s"),
    row("scenario", "play", "--seed=11", "--", "pusher-down-for-31s"),
    row("scenario", "stop", before=[("POST", "scenario", {"scenario": "pusher-down-for-31s"})]),
    row("sandbox", "create", "--name", "NAME-made", "--seed", "5", "--fault", "identity.token code-reused", "--fault", "* STALL", is_running=True),
    row("sandbox", "create", "--name=NAME-made", "--scenario=pusher-down-for-31s", is_running=True),
    row("sandbox", "reset", "NAME"),
    row("sandbox", "delete", "NAME"),
    row("sandbox", "fork", REFUSAL, "--name", "NAME-made"),
    row("journal", "resend", REFUSAL),
    row("journal", "resend", REFUSAL, f"--header=X-Note: {HEADER}", "--header=X-None: ", "--as=eve", "--body=grant_type=x&code=it's"),
    row("journal", "resend", REFUSAL, "--method=GET", "--target=/nowhere?a=$HOME&b='c'"),
    row("journal", "clear"),
    row("journal", "mark", "badge", "--as=ada", "--set=value=0", f"--set=note={quoted(NASTY)}"),
    row("journal", "mark", NASTY),
    row("act", "liveperson", "say", "consumer=ada", f"text={quoted(NASTY)}"),
    row("act", "liveperson", "say", "consumer=ada", 'text="-42"'),
    row("act", "liveperson", "close", "consumer=ada", 'closedCause="true"', "survey=false"),
    row("device", "push", "--", "ada", NASTY),
    row("device", "push", "--vendor=liveperson", "--", "ada", "--x"),
    row("device", "renew-token", "--", DEVICE),
    row("device", "renew-token", DEVICE, "cafe0123cafe0123"),
    row("device", "notify", DEVICE, '{"aps":{"alert":"20 % off"}}', "--text", NASTY),
    row("consumer", "sign-out", "ada", "--reason", "revoked"),
    row("socket", "close", "1"),
    row("socket", "close", "1", "--code=1011", "--reason=it's over"),
    row("socket", "freeze", "1"),
    row("socket", "abort", "1"),
    row("tenant", "change", "identity", '--set={"errorDialect": "liveperson"}'),
    row("keys", "rotate", "identity"),
    row("credential", "mint", "--form=jwt", "--subject=ada", says=is_minted),
    row("credential", "mint", "--form=jwt", f"--subject={NASTY}", "--defect=claim-missing", "--missing-claim=exp", *ALL_CLAIMS, "--lifetime=10m", says=is_minted),
    row("credential", "mint", "--form=code", "--subject=ada", "--redirect-uri=https://liveperson.net", says=is_minted),
    row("verify", codes=(0, 1, 2)),
    row("verify", "--rule", "redeems-a-code-once", codes=(0, 1, 2)),
    row("agent", "join", "ada", "--role", "MANAGER", "--agent", "55"),
    row("agent", "say", "--quick-reply=Yes", "--quick-reply=It's no", "--", "ada", NASTY),
    row("agent", "card", "ada", '{"type":"vertical","elements":[{"type":"text","text":"Your parcel"}]}'),
    row("agent", "transfer", "ada", "17"),
    row("agent", "close", "ada", "--cause", NASTY),
    *[row("agent", act, "ada", "--vendor=liveperson") for act in ("leave", "typing", "pause", "active", "inactive", "gone")],
    row("journal", "show", REFUSAL, "--as", "curl", says=is_text),
    row("journal", "show", "13", "--as", "step", says=is_text),
]  # fmt: skip

LOOKS = [
    "clock show", "clock wait 0s --timeout 1s", "fault list", "sandbox list", "sandbox show",
    "sandbox show default", "tenant show identity", "journal show 3", "journal world 3", "act", "consumer list", "socket list", "device list",
    f"device notifications {DEVICE} --since 1 --limit 5", "conversation list --consumer ada",
]  # fmt: skip
"""Commands that change nothing: with `--json`, they print what the page gets."""

RUN = """async (words) => {
  const { run } = await import('/__sparring/files/actions.js');
  return run(words);
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
    assert str(ada.refusal) == REFUSAL
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


def named(number):
    words = ROWS[number].words("NAME")
    marks = [pytest.mark.short] if number == 11 else []
    return pytest.param(number, id=f"{number}-{'-'.join(words[:2])}", marks=marks)


@pytest.mark.parametrize("number", [named(number) for number in range(len(ROWS))])
def test_the_command_does_the_same(binary, servers, pages, number):
    row, name = ROWS[number], f"row-{number}"
    (mine, ada), (other, also_ada) = (prepare(server, name, row) for server in servers)
    unequal = difference(state(mine), state(other))
    assert not unequal, f"from the first:\n{unequal}"
    pages.open(mine)
    result = pages.evaluate(RUN, row.words(name))
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


@pytest.mark.parametrize("line", LOOKS)
def test_a_look_shows_the_same(binary, servers, pages, line):
    sandbox, ada = prepare(servers[0], f"look-{LOOKS.index(line)}", row())
    pages.open(sandbox)
    result = pages.evaluate(RUN, line)
    shown = pages.console_line.locator("code").first.text_content()
    done = shell(binary, f"{shown} --json")
    assert done.returncode == 0, f"{shown}\n{done.stdout}{done.stderr}"
    # What is the same number to JavaScript is written the same.
    told = plain(json.loads(done.stdout, parse_float=lambda digits: int(float(digits)) if float(digits).is_integer() else float(digits)), servers[0])
    assert not difference(told, plain(result, servers[0])), shown
    ada.wire.close_socket()


def usages(server):
    return [usage for one in server.call("GET", "operations")["operations"] for usage in one.get("commands", [])]


def start_of(usage):
    return re.split(r" \[| --| [A-Z]", usage)[0].split()


@pytest.mark.short
def test_every_command_has_a_row(server):
    known = {" ".join(start_of(usage)) for usage in usages(server)}
    shown = {" ".join(row.words("NAME")[: len(name.split())]) for row in ROWS for name in known}
    shown |= {" ".join(line.split()[: len(name.split())]) for line in LOOKS for name in known}
    shown.add("stub answer")  # refused on each server here: no contract of ours has a stub
    assert len(known) > 40
    assert sorted(known - shown) == [], "these commands are compared with nothing"


@pytest.mark.short
def test_the_cli_has_every_command(binary, server):
    """Words, options and arguments are those of the CLI's own help."""
    help_of_all = json.loads(subprocess.run([binary, "--experimental-dump-help"], capture_output=True, text=True, check=True).stdout)["command"]
    for usage in usages(server):
        command = help_of_all
        for word in start_of(usage):
            command = next((one for one in command["subcommands"] if one["commandName"] == word), None)
            assert command, f"the CLI has no '{usage}'"
        options = {f"--{name['name']}" for one in command["arguments"] for name in one.get("names", [])}
        taken = [one for one in command["arguments"] if one["kind"] == "positional"]
        missing = set(re.findall(r"--[a-z-]+", usage)) - options
        assert not missing, f"the CLI has no {missing} in '{usage}'"
        given = re.sub(r"\[?--[a-z-]+( [A-Z=:]+)?\]?…?", "", " ".join(usage.split()[len(start_of(usage)) :])).split()
        assert len(given) <= len(taken), f"the CLI takes fewer words in '{usage}'"
        needed = [one for one in taken if not one["isOptional"]]
        assert usage.endswith("--all") or len(given) >= len(needed), f"the CLI takes more words in '{usage}'"
