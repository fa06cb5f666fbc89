"""A client that breaks LivePerson's contract in fifteen ways, over HTTP and on a socket, under `sparring run`: each way must stand in every form of the
report with one fingerprint, the same in two runs, and a baseline of them must switch the gate off.

    contract_breaks.py --binary .build-test/debug/sparring
"""

import argparse
import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import uuid
import xml.etree.ElementTree as xml
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
REPORT = "liveperson.reportAttributes"
TEXT = {"type": "ContentEvent", "contentType": "text/plain"}  # without its message

# What the client does, and the row that it leaves: weight, code, operation, place.
BREAKS = {
    "leaves a query parameter out": ("fail", "missing", REPORT, "query:v"),
    "sends a query parameter that the contract does not have": ("warn", "undeclared", "liveperson.lookUpService", "query:verison"),
    "sends an ID token that is a number": ("warn", "type", "liveperson.authenticateV2", "body:/id_token"),
    "sends JSON as plain text": ("warn", "media-type", "liveperson.authenticateV2", "header:Content-Type"),
    "names a push service that there is not": ("warn", "value", "liveperson.registerPush", "body:/pushType"),
    "misspells a member": ("warn", "undeclared", "liveperson.registerPush", "body:/langg"),
    "registers an empty device token": ("warn", "length", "liveperson.registerPush", "body:/deviceToken"),
    "sends a body that is cut off": ("fail", "syntax", REPORT, "body:"),
    "sends parts where JSON is expected": ("warn", "media-type", "liveperson.registerPush", "header:Content-Type"),
    "sends what is not JSON": ("warn", "syntax", "liveperson.registerPush", "body:"),
    "calls what is not there with an id": ("not-emulated", "unplaced", "", "GET /api/account/*/nothing/*"),
    "calls what is not there": ("not-emulated", "unplaced", "", "GET /api/account/*/nothing"),
    "sends a message that the socket does not have": ("not-emulated", "misunderstood", "liveperson.openConsumerSocket", 'message:"cm.Nonsense"'),
    "sends a frame that is cut off": ("fail", "syntax", "liveperson.openConsumerSocket", "message:"),
    "leaves a member of a message out": ("fail", "missing", "liveperson.publishText", "body:/body/event/message"),
}


def client():
    import requests
    from websockets.exceptions import ConnectionClosed
    from websockets.sync.client import connect

    base, account = os.environ["SPARRING_URL"], os.environ["SPARRING_LIVEPERSON_ACCOUNT_ID"]
    path = f"{base}/api/account/{account}"
    headers = {"X-Sparring-Lane": "ada"}

    def call(method, target, **options):
        return requests.request(method, target, headers=headers | options.pop("headers", {}), timeout=30, **options)

    call("PUT", f"{path}/app/1/report", json={"consumerId": "ada", "engagementAttributes": []})
    for _ in range(3):
        call("GET", f"{path}/service/idp/baseURI.json?version=1.0&verison=1.0")
    call("POST", f"{path}/app/default/authenticate?v=2.0", json={"id_token": 5})
    call("POST", f"{path}/app/default/authenticate?v=2.0", data='{"code":"x"}', headers={"Content-Type": "text/plain"})
    register = f"{base}/mock/pusher/account/{account}/registrations/app"
    signed = {"Authorization": "Bearer x"}
    call("PUT", register, json={"deviceToken": "a", "pushType": "PIGEON"}, headers=signed)
    call("PUT", register, json={"deviceToken": "a", "pushType": "APNS", "langg": "en"}, headers=signed)
    call("PUT", register, json={"deviceToken": "", "pushType": "APNS"}, headers=signed)
    call("PUT", f"{path}/app/1/report?v=1.0", data='{"engagementAttributes": [', headers={"Content-Type": "application/json"})
    # These differ from run to run: the boundary and the id.
    call("PUT", register, files={"deviceToken": ("a", b"x")}, headers=signed)
    call("GET", f"{path}/nothing/{uuid.uuid4()}")
    call("GET", f"{path}/nothing")
    minted = requests.post(
        f"{base}/__admin/sandboxes/{os.environ['SPARRING_SANDBOX']}/credentials", json={"form": "jwt", "subject": "ada"}, timeout=30).json()
    token = call("POST", f"{path}/app/default/authenticate?v=2.0", json={"id_token": minted["credential"]}).json()["jwt"]
    url = f"{base.replace('http', 'ws', 1)}/ws_api/account/{account}/messaging/consumer?v=3"
    with connect(url, additional_headers={"Authorization": f"jwt {token}"}, proxy=None) as socket:
        for message in ({"type": "cm.Nonsense"}, {"type": "ms.PublishEvent", "body": {"dialogId": "d", "event": TEXT}}):
            socket.send(json.dumps({"kind": "req", "id": "1", **message}))
            socket.recv(timeout=30)
        socket.send('{"kind": "req", "id": "2"')
        with contextlib.suppress(ConnectionClosed):
            socket.recv(timeout=30)


class Wrong(Exception):
    pass


def expect(what, wanted, found):
    if wanted != found:
        raise Wrong(f"{what}: {found!r} where {wanted!r} was expected")


class Run:
    """One run with all reports."""

    def __init__(self, binary, folder, *options):
        self.folder = Path(folder)
        self.folder.mkdir(exist_ok=True)
        names = {"--junit": "junit.xml", "--html": "page.html", "--sarif": "run.sarif", "--json": "run.json", "--write-known": "known.json"}
        files = [word for option, name in names.items() for word in (option, str(self.folder / name))]
        self.result = subprocess.run(
            # LivePerson's rules are not what is asked here.
            [binary, "run", "--behaviour", "asapp", "--allow-unexercised", "--annotations", *options, *files, "--", sys.executable, __file__, "--client"],
            capture_output=True, text=True, timeout=240, stdin=subprocess.DEVNULL)

    def read(self, name):
        return (self.folder / name).read_text()

    @property
    def contract(self):
        return json.loads(self.read("run.json"))["plays"][0]["sandboxes"][0]["contract"]

    def rows(self):
        return {(row["weight"], row["code"], row.get("operation", ""), row.get("place")): row for row in self.contract["findings"]}


def fingerprints(run):
    """Of each break; every form of the report must have it."""
    rows, forms = run.rows(), {
        "text": run.result.stdout, "JUnit": "".join(xml.fromstring(run.read("junit.xml")).itertext()), "HTML": run.read("page.html"),
    }
    sarif = json.loads(run.read("run.sarif"))["runs"][0]
    results = {result["partialFingerprints"]["sparring/v1"]: result for result in sarif["results"]}
    expect("SARIF's results that have not one place", [], [result for result in sarif["results"] if len(result["locations"]) != 1])
    found = {}
    for what, row in BREAKS.items():
        if row not in rows:
            raise Wrong(f"{what}: no row {row} among {sorted(map(str, rows))}")
        fingerprint = found[what] = rows[row]["fingerprint"]
        for form, text in forms.items():
            if fingerprint not in text:
                raise Wrong(f"{what}: {form} does not have {fingerprint}")
        result = results.get(fingerprint)
        if result is None:
            raise Wrong(f"{what}: SARIF does not have {fingerprint}")
        expect(f"{what}: SARIF's descriptor", result["ruleId"], sarif["tool"]["driver"]["rules"][result["ruleIndex"]]["id"])
        expect(f"{what}: SARIF's level", {"fail": "error", "warn": "warning", "not-emulated": "note"}[row[0]], result["level"])
        place = rows[row].get("contract")
        if row[0] == "not-emulated":
            continue
        physical = result["locations"][0]["physicalLocation"]
        expect(f"{what}: SARIF's file", place["document"], physical["artifactLocation"]["uri"])
        expect(f"{what}: SARIF's line", place["line"], physical["region"]["startLine"])
        if not 1 <= place["line"] <= len((ROOT / "contracts" / place["document"]).read_text().splitlines()):
            raise Wrong(f"{what}: {place} is not in the file")
    expect("rows that nobody asked for", set(), set(rows) - set(BREAKS.values()))
    return found


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--binary")
    options.add_argument("--client", action="store_true")
    given = options.parse_args()
    if given.client:
        return client()
    with tempfile.TemporaryDirectory() as folder:
        first, second = (Run(given.binary, f"{folder}/{number}") for number in "12")
        for run in (first, second):
            expect("exit status", 1, run.result.returncode)
        expect("fingerprints of a second run", fingerprints(first), fingerprints(second))
        row = first.rows()[BREAKS["sends a query parameter that the contract does not have"]]
        expect("a row's count and callers", (3, ["ada"]), (row["count"], row["lanes"]))
        if not re.search(r"^::error title=The client broke the contract 4 times", first.result.stdout, re.M):
            raise Wrong(f"no annotation: {first.result.stdout[-3000:]}")

        known = Run(given.binary, f"{folder}/3", "--known", f"{folder}/1/known.json")
        expect("exit status with a baseline", 0, known.result.returncode)
        expect("rows with a baseline", {"known"}, {row["weight"] for row in known.contract["findings"]})
        levels = {result["level"] for result in json.loads(known.read("run.sarif"))["runs"][0]["results"] if not result.get("suppressions")}
        expect("SARIF's results that are not suppressed", set(), levels)

        baseline = json.loads(first.read("known.json"))
        mended = [finding for finding in baseline["findings"] if finding["code"] != "syntax"]
        gone = {"fingerprint": "0123456789abcdef", "words": "mended long ago"}
        (Path(folder) / "old.json").write_text(json.dumps({"findings": mended + [gone]}))
        old = Run(given.binary, f"{folder}/4", "--known", f"{folder}/old.json")
        expect("exit status where one is new", 1, old.result.returncode)
        expect("the new ones", ["syntax", "syntax"], [row["code"] for row in old.contract["findings"] if row["weight"] == "fail"])
        expect("what did not happen again", [gone["fingerprint"]], [finding["fingerprint"] for finding in old.contract["resolved"]])

        expect("exit status of a gate that warns", 0, Run(given.binary, f"{folder}/5", "--contract", "warn").result.returncode)
        for part, status in (("5%", 0), ("100%", 1)):
            run = Run(given.binary, f"{folder}/7", "--contract", "warn", "--minimum", f"operations={part}")
            expect(f"exit status with a minimum of {part}", status, run.result.returncode)
            coverage = json.loads(run.read("run.json"))["coverage"]
            states = {row["operation"]: row["state"] for row in coverage["operations"]}
            expect("states", ("partial", "missing"), (states["liveperson.registerPush"], states["liveperson.signUp"]))
            expect("extra calls", True, {"call": "GET /api/account/*/nothing", "count": 1} in coverage["extra"])
            share = f"{coverage['shares']['operations']['met']} of {coverage['shares']['operations']['all']}"
            if f"operations  {share}" not in run.result.stdout or (status and f"coverage of operations is {share}, below" not in run.result.stdout):
                raise Wrong(f"the text does not have the coverage: {run.result.stdout[-2000:]}")
        (Path(folder) / "broken.json").write_text('{"findings": [{"fingerprint": "no"}]}')
        for name, status, words in (("none.json", 66, "none.json: cannot be read"), ("broken.json", 65, "broken.json: findings[0].fingerprint: expected")):
            run = Run(given.binary, f"{folder}/6", "--known", f"{folder}/{name}")
            expect(f"exit status with {name}", status, run.result.returncode)
            if words not in run.result.stderr:
                raise Wrong(f"{name}: {run.result.stderr!r}")
    print(f"contract: {len(BREAKS)} ways to break it, each in all forms of the report, in 10 runs")


if __name__ == "__main__":
    try:
        main()
    except Wrong as wrong:
        sys.exit(f"WRONG {wrong}")
