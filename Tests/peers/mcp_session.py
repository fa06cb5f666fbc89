"""Drives `sparring mcp` with the protocol's own Python client, as an assistant would: from nothing to a verdict in one session, in both eras of the
protocol (a handshake, and none).

    mcp_session.py --binary .build-test/debug/sparring
"""

import argparse
import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

import anyio
from mcp import MCPError, StdioServerParameters
from mcp.client.client import Client
from mcp.client.stdio import stdio_client

ROOT = Path(__file__).resolve().parents[2]
# The README's client, which waits 0.1, 0.2, 0.3 s …, and as it says to mend it.
BAD = re.search(r"```python\n(import json.*?)```", (ROOT / "README.md").read_text(), re.S).group(1)
GOOD = re.sub(r"time\.sleep\(.*", "time.sleep(0.1 * 2 ** attempt)", BAD)

# What a model may get wrong: the call, and words that its answer must have.
MISTAKES = [
    ("create_sandbox", {"scenario": "pusher-down-for-31"}, "did you mean pusher-down-for-31s"),
    ("create_sandbox", {"scenaro": "pusher-down-for-31s"}, "did you mean 'scenario'?"),
    ("create_sandbox", {"clock": "rate"}, "clock: 'rate' is not one of 'real', 'frozen'"),
    ("create_sandbox", {"clock": "real", "rate": 20}, "cannot be used together"),
    ("create_sandbox", {"seed": "one"}, "seed: expected integer, found string"),
    ("create_sandbox", {"faults": ["liveperson.Login.* token-expird"]}, "nearest: token-expired"),
    ("create_sandbox", {"tenants": {"livperson": {}}}, "liveperson"),
    ("read_scenario", {}, "scenario is missing: The scenario's name."),
    ("read_scenario", {"scenario": "nope"}, "there is no scenario 'nope'"),
    ("arm_fault", {"fault": "liveperson.Logn.* token-expired"}, "did you mean liveperson.Login.*"),
    ("plan_chaos", {"lanes": "alice"}, "lanes: expected array, found string"),
    ("plan_chaos", {"lanes": ["alice"], "faults": ["nope"]}, "nope"),
    ("list_effects", {"place": "nope.*"}, "nope"),
    ("advance_clock", {"by": "10"}, "by: '10' is not a duration with a unit"),
    ("set_clock", {"mode": "rate"}, "rate"),
    ("read_journal", {"since": 1, "tail": 2}, "cannot be used together"),
    ("read_journal", {"sandbox": "nope"}, "there is no sandbox 'nope'"),
    ("get_verdict", {"rules": ["backs-of-1-2-4-8-16s"]}, "backs-off-1-2-4-8-16s"),
    ("get_verdict", {"settle": "soon"}, "settle: 'soon' is not a duration"),
    ("mint_credential", {"form": "jwt"}, "subject is missing"),
    ("act", {"operation": "liveperson.say", "with": {"consumer": "nobody", "text": "Hi"}}, "nobody"),
    ("remove_faults", {"number": 99}, "99"),
    ("delete_sandbox", {"sandbox": "nope"}, "there is no sandbox 'nope'"),
]


class Wrong(Exception):
    pass


def check(condition, words, *seen):
    if not condition:
        raise Wrong(f"{words}: {seen}")


class Session:
    def __init__(self, client):
        self.client = client

    async def __call__(self, tool, wrong=False, **arguments):
        result = await self.client.call_tool(tool, arguments)
        check(bool(result.is_error) == wrong, f"{tool} {arguments}", result.content[0].text)
        return result.content[0].text, result.structured_content


def run(source, environment):
    """Runs a client with what create_sandbox returned."""
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(source)
        file.flush()
        subprocess.run([sys.executable, file.name], env={**os.environ, **environment}, timeout=60, check=False, stderr=subprocess.DEVNULL)


def sign_in(environment, credential):
    """The name of the answer's error, or None."""
    account = environment["SPARRING_LIVEPERSON_ACCOUNT_ID"]
    request = urllib.request.Request(
        f"{environment['SPARRING_URL']}/api/account/{account}/app/default/authenticate?v=2.0",
        json.dumps({"id_token": credential}).encode(), {"Content-Type": "application/json"})
    try:
        urllib.request.urlopen(request)
    except urllib.error.HTTPError as error:
        return error.code


async def from_nothing_to_a_verdict(call):
    text, listed = await call("list_scenarios", words="pusher 31s")
    check("pusher-down-for-31s" in text, "list_scenarios", text)
    name = listed["scenarios"][0]["scenario"]
    text, scenario = await call("read_scenario", scenario=name)
    check(scenario["expect"][0]["rule"] == "backs-off-1-2-4-8-16s", "read_scenario", scenario)
    for source, result in (BAD, "fail"), (GOOD, "pass"):
        text, made = await call("create_sandbox", scenario=name)
        check(made["environment"]["SPARRING_SANDBOX"] == made["sandbox"], "create_sandbox", made)
        run(source, made["environment"])
        text, verdict = await call("get_verdict", clientHasEnded=True, timeScale=0.1)
        rules = {rule["rule"]: rule for rule in verdict["verdicts"]}
        check(rules["backs-off-1-2-4-8-16s"]["result"] == result, f"a client that is to {result}", text)
        check(verdict["result"] == result, "the verdict", verdict["result"], text)
        check(("due after 400 ms" in text) == (result == "fail"), "the verdict's text", text)


async def faults_time_and_evidence(call):
    _, made = await call("create_sandbox", name="bench", seed=7, clock="frozen", faults=["liveperson.Login.* token-expired times=1"])
    environment = made["environment"]
    text, sandbox = await call("read_sandbox")
    check(sandbox["faults"][0]["text"].startswith("liveperson.Login.* token-expired"), "read_sandbox", sandbox)
    _, minted = await call("mint_credential", form="jwt", subject="alice")
    check(sign_in(environment, minted["credential"]) is not None, "the fault")
    check(sign_in(environment, minted["credential"]) is None, "after the fault")
    text, page = await call("read_journal", operation="liveperson.authenticateV2")
    check([entry["answer"]["name"] for entry in page["entries"]][0] == "token-expired", "the journal", text)
    check(minted["credential"] not in text, "credentials are hidden", text)
    text, _ = await call("read_journal", operation="liveperson.authenticateV2", verbose=True)
    check("alice" in text and minted["credential"] not in text, "the verbose journal", text)
    await call("advance_clock", by="2h")
    check(sign_in(environment, minted["credential"]) is not None, "a token that expired two hours ago")
    text, page = await call("read_journal", since=page["next"])
    check("expired" in text, "the journal goes on", text)
    await call("set_clock", mode="rate", rate=20)
    await call("arm_fault", fault="*.Pusher.* status code=503")
    await call("remove_faults")
    _, sandbox = await call("read_sandbox")
    check(sandbox["faults"] == [] and sandbox["clock"]["rate"] == 20, "what was changed", sandbox)
    plans = [await call("plan_chaos", lanes=["alice", "bob"], seed=42, calls=10, faults=["*.Pusher.* status code=503 probability=0.3"]) for _ in range(2)]
    check(plans[0] == plans[1] and "x" in plans[0][0], "plan_chaos", plans)
    text, _ = await call("list_effects", place="liveperson.Login.*")
    check("token-expired" in text, "list_effects", text)
    text, _ = await call("act")
    check("liveperson" in text and "say" in text, "act", text)
    urllib.request.urlopen(f"{environment['SPARRING_URL']}/__admin/health")
    try:
        urllib.request.urlopen(f"{environment['SPARRING_URL']}/api/account/nope/service/pusher/baseURI.json?version=1.0")
    except urllib.error.HTTPError:
        pass
    text, _ = await call("read_journal", unplaced=True)
    check("nope" in text, "unplaced calls", text)
    await call("delete_sandbox", sandbox="bench")


async def a_cancelled_call(call):
    await call("create_sandbox", scenario="pusher-down-for-good", name="slow")
    await call("arm_fault", fault="liveperson.Login.* token-expired")
    with anyio.move_on_after(0.3):
        await call("get_verdict", settle="5m")
    began = time.monotonic()
    await call("read_sandbox", sandbox="slow")
    check(time.monotonic() - began < 30, "after a cancelled call")


async def session(binary, mode, revision):
    parameters = StdioServerParameters(command=binary, args=["mcp"], env=dict(os.environ))
    async with Client(stdio_client(parameters), mode=mode) as client:
        check(client.protocol_version == revision, "the revision", client.protocol_version)
        check("create_sandbox" in (client.instructions or ""), "instructions", client.instructions)
        call = Session(client)
        for tool in (await client.list_tools()).tools:
            check(tool.description and tool.input_schema["additionalProperties"] is False, tool.name, tool.input_schema)
        text, _ = await call("read_journal", wrong=True)
        check("create_sandbox" in text, "before there is a sandbox", text)
        await from_nothing_to_a_verdict(call)
        await faults_time_and_evidence(call)
        for tool, arguments, words in MISTAKES:
            text, _ = await call(tool, wrong=True, **arguments)
            check(words in text, f"{tool} {arguments}", text)
        try:
            await client.call_tool("advance", {})
            check(False, "an unknown tool")
        except MCPError as error:
            check("did you mean 'advance_clock'?" in str(error), "an unknown tool", error)
        await a_cancelled_call(call)


# Lines that no client library would send, and what must be in the answer; None: no answer comes.
LINES = [
    ("nonsense", '"code":-32700'),
    ("[]", '"code":-32600'),
    ('{"jsonrpc":"2.0","id":null,"method":"ping"}', '"code":-32600'),
    ('{"jsonrpc":"1.0","id":1,"method":"ping"}', '"id":1,"error":{"code":-32600'),
    ('{"jsonrpc":"2.0","id":2,"method":"resources/list"}', '"id":2,"error":{"code":-32601'),
    ('{"jsonrpc":"2.0","id":3,"method":"tools/call","params":[]}', '"id":3,"error":{"code":-32602'),
    ('{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"act","arguments":[]}}', '"id":4,"error":{"code":-32602'),
    ('{"jsonrpc":"2.0","id":5,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2027-01-01"}}}',
     '"code":-32022,"message":"protocol version \\"2027-01-01\\" is not supported","data":{"requested":"2027-01-01","supported":["2026-07-28"]}'),
    ('{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"1999-01-01"}}', '"protocolVersion":"2025-11-25"'),
    ('{"jsonrpc":"2.0","id":"b","method":"initialize","params":{"protocolVersion":"2024-11-05"}}', '"protocolVersion":"2024-11-05"'),
    ('{"jsonrpc":"2.0","method":"nonsense"}', None),
    ('{"jsonrpc":"2.0","id":9,"result":{}}', None),
    ("  ", None),
    ('{"jsonrpc":"2.0","id":"last","method":"ping"}', '"id":"last","result":{}'),
]


def by_hand(binary):
    """The end of the input ends it with 0, once all is answered; the last line needs no line feed."""
    ended = subprocess.run([binary, "mcp"], input="\n".join(line for line, _ in LINES), capture_output=True, text=True, timeout=60)
    answers = ended.stdout.splitlines()
    check(ended.returncode == 0, "the end of the input", ended)
    check(len(answers) == sum(answer is not None for _, answer in LINES), "answers", answers)
    for line, words in LINES:
        if words:
            check(any(words in answer for answer in answers), line, answers)
    for answer in answers:
        json.loads(answer)


async def at_a_running_server(binary):
    """Leaves nothing there, and begins at its sandbox `default`."""
    with tempfile.TemporaryDirectory() as folder:
        ready = Path(folder) / "ready.json"
        server = subprocess.Popen([binary, "serve", "--quiet", "--port", "0", "--no-tls", "--ready-file", ready])
        try:
            while not ready.exists():
                check(server.poll() is None, "serve")
                await asyncio.sleep(0.05)
            url = f"http://127.0.0.1:{json.loads(ready.read_text())['port']}"
            parameters = StdioServerParameters(command=binary, args=["mcp", "--url", url], env=dict(os.environ))
            async with Client(stdio_client(parameters)) as client:
                call = Session(client)
                _, sandbox = await call("read_sandbox")
                check(sandbox["sandbox"]["id"] == "default", "the server's sandbox", sandbox)
                await call("create_sandbox", name="mine")
            left = json.load(urllib.request.urlopen(f"{url}/__admin/sandboxes"))["sandboxes"]
            check([sandbox["id"] for sandbox in left] == ["default"], "what is left", left)
        finally:
            server.terminate()
            server.wait(30)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", default=".build-test/debug/sparring")
    binary = str(Path(parser.parse_args().binary).resolve())
    began = time.monotonic()
    try:
        by_hand(binary)
        for mode, revision in ("legacy", "2025-11-25"), ("auto", "2026-07-28"):
            asyncio.run(session(binary, mode, revision))
        asyncio.run(at_a_running_server(binary))
    except Exception as error:
        # The client library wraps what went wrong in groups of one.
        while isinstance(error, ExceptionGroup):
            error = error.exceptions[0]
        sys.exit(f"WRONG in an assistant's session: {error!r}")
    print(f"an assistant's session: all right, {time.monotonic() - began:.0f} s")


main()
