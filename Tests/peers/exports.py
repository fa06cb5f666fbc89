"""What is exported of a journal, judged by what others ask of it: an HTTP Archive by the members that HAR 1.2 requires, a Pact by LivePerson's own
OpenAPI and AsyncAPI documents, as the Pact comparators do it.

    exports.py --binary .build-test/debug/sparring
"""

import argparse
import collections
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CLIENTS = ["sign_in.py", "messaging.py", "pusher.py", "agent.py", "monitoring.py", "files.py"]
DOCUMENTS = {"liveperson": ["liveperson.openapi.yaml", "liveperson.asyncapi.yaml"], "identity": ["identity.openapi.yaml"]}

# HAR 1.2: what must be there, and of what type.
ENTRY = {"startedDateTime": str, "time": (int, float), "request": dict, "response": dict, "cache": dict, "timings": dict}
REQUEST = {"method": str, "url": str, "httpVersion": str, "cookies": list, "headers": list, "queryString": list, "headersSize": int, "bodySize": int}
RESPONSE = {
    "status": int, "statusText": str, "httpVersion": str, "cookies": list, "headers": list, "content": dict, "redirectURL": str, "headersSize": int,
    "bodySize": int}
CONTENT = {"size": int, "mimeType": str}
MESSAGE = {"type": str, "time": (int, float), "opcode": int, "data": str}


class Wrong(Exception):
    pass


def expect(what, wanted, found):
    if wanted != found:
        raise Wrong(f"{what}: {found!r} where {wanted!r} was expected")


def has(what, value, members):
    for name, kind in members.items():
        if not isinstance(value.get(name), kind):
            raise Wrong(f"{what} has no {name}, or another type: {value.get(name)!r}")


def har(archive, entries):
    """An archive and the journal that it is made of."""
    log = archive["log"]
    has("log", log, {"version": str, "creator": dict, "entries": list})
    kinds = collections.Counter(entry["kind"] for entry in entries)
    expect("calls", kinds["exchange"] + kinds["outbound"], len(log["entries"]))
    messages = []
    for number, entry in enumerate(log["entries"]):
        what = f"entry {number}"
        has(what, entry, ENTRY)
        has(what, entry["request"], REQUEST)
        has(what, entry["response"], RESPONSE)
        has(what, entry["response"]["content"], CONTENT)
        has(what, entry["timings"], {"send": (int, float), "wait": (int, float), "receive": (int, float)})
        if not entry["request"]["url"].startswith(("http://", "https://")):
            raise Wrong(f"{what}: {entry['request']['url']}")
        expect(f"{what}: what a socket is", "_webSocketMessages" in entry, entry.get("_resourceType") == "websocket")
        for message in entry.get("_webSocketMessages", []):
            has(what, message, MESSAGE)
            messages.append(message["type"])
        times = [message["time"] for message in entry.get("_webSocketMessages", []) if message["type"] == "send"]
        expect(f"{what}: the order of what was sent", sorted(times), times)
    answers = sum(entry["kind"] == "message" and bool(entry.get("answer", {}).get("body")) for entry in entries)
    expect("messages sent and received", [kinds["message"], kinds["notification"] + answers], [messages.count("send"), messages.count("receive")])
    return len(log["entries"]), len(messages)


class Document:
    """An OpenAPI or AsyncAPI document with its schemas."""

    def __init__(self, binary, name):
        exported = subprocess.run([binary, "contract", "export", name], capture_output=True, text=True, timeout=60, check=True)
        self.root = json.loads(exported.stdout)

    def resolved(self, node):
        while "$ref" in node:
            place = self.root
            for token in node["$ref"].removeprefix("#/").split("/"):
                place = place[token.replace("~1", "/").replace("~0", "~")]
            node = place
        return node

    def errors(self, schema, value):
        from jsonschema import Draft202012Validator

        whole = {"$ref": "#/here"} | {key: self.root[key] for key in ("components", "channels") if key in self.root} | {"here": schema}
        return [f"{'/'.join(map(str, error.path))}: {error.message[:200]}" for error in Draft202012Validator(whole).iter_errors(value)]


class OpenAPI(Document):
    def operation(self, name):
        for path in self.root["paths"].values():
            for operation in path.values():
                if isinstance(operation, dict) and operation.get("operationId") == name:
                    return operation
        raise Wrong(f"there is no operation {name}")

    def judge(self, interaction):
        name = interaction["description"].split()[0]
        operation, response = self.operation(name), interaction["response"]
        declared = operation["responses"].get(str(response["status"]))
        if declared is None:
            raise Wrong(f"{interaction['description']}: {response['status']} is not declared")
        content = self.resolved(declared).get("content", {})
        body = response.get("body")
        if body is None and not any("json" in media for media in content):
            return  # the journal keeps only the beginning of a picture
        expect(f"{interaction['description']}: whether there is a body", bool(content), body is not None)
        if not content:
            return
        media = content.get(body["contentType"].split(";")[0])
        if media is None:
            raise Wrong(f"{interaction['description']}: {body['contentType']} is not among {list(content)}")
        if body["contentType"].startswith("application/json") and "schema" in media:
            expect(interaction["description"], [], self.errors(media["schema"], body["content"]))


class AsyncAPI(Document):
    def one(self, what, messages, contents):
        schemas = [self.resolved(message)["payload"] for message in messages]
        found = [self.errors(schema, contents["content"]) for schema in schemas]
        if not any(errors == [] for errors in found):
            raise Wrong(f"{what}: no message fits: {found}")

    def judge(self, interaction):
        operation = self.root["operations"][interaction["comments"]["references"]["AsyncAPI"]["operationId"]]
        what = interaction["description"]
        if interaction["type"] == "Asynchronous/Messages":
            return self.one(what, operation["messages"], interaction["contents"])
        self.one(what, operation["messages"], interaction["request"]["contents"])
        for response in interaction["response"]:
            self.one(what, operation["reply"]["messages"], response["contents"])


def pact(document, made, vendor):
    expect("the parties", ["app", vendor], [made["consumer"]["name"], made["provider"]["name"]])
    expect("the version", "4.0", made["metadata"]["pactSpecification"]["version"])
    descriptions = [interaction["description"] for interaction in made["interactions"]]
    expect("descriptions told twice", [], [text for text, times in collections.Counter(descriptions).items() if times > 1])
    for interaction in made["interactions"]:
        document["http" if interaction["type"] == "Synchronous/HTTP" else "messages"].judge(interaction)
    return collections.Counter(interaction["type"] for interaction in made["interactions"])


def play(binary, folder):
    """The good clients of LivePerson, one after the other; their journal is what is left."""
    database, ready = folder / "run.db", folder / "ready.json"
    server = subprocess.Popen([binary, "serve", "--port", "0", "--no-tls", "--quiet", "--ready-file", ready, "--database", database, "--ca-folder", folder])
    try:
        while not ready.exists():
            if server.poll() is not None:
                raise Wrong(f"the server ended with {server.returncode}")
            time.sleep(0.05)
        url = f"http://127.0.0.1:{json.loads(ready.read_text())['port']}"
        for script in CLIENTS:
            done = subprocess.run(
                [sys.executable, Path(__file__).parent / script, url], capture_output=True, text=True, timeout=300,
                env=os.environ | {"SPARRING_PEERS_KEEP": "1"})
            if done.returncode:
                raise Wrong(f"{script} ended with {done.returncode}: {done.stdout[-500:]} {done.stderr[-1000:]}")
    finally:
        server.terminate()
        server.wait(timeout=60)
    return str(database)


def export(binary, *words):
    return subprocess.run([binary, "contract", "export", *words], capture_output=True, text=True, timeout=120)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--binary", required=True)
    options.add_argument("--keep", help="a folder for what is exported")
    given = options.parse_args()
    binary = given.binary
    documents = {}
    for vendor, names in DOCUMENTS.items():
        documents[vendor] = {"http": OpenAPI(binary, names[0])} | ({"messages": AsyncAPI(binary, names[1])} if len(names) > 1 else {})
    calls = messages = 0
    interactions = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(given.keep or folder)
        folder.mkdir(exist_ok=True)
        database = play(binary, folder)
        sandboxes = [row[0] for row in sqlite3.connect(f"file:{database}?mode=ro", uri=True).execute("SELECT id FROM sandbox")]
        for sandbox in sandboxes:
            source = ["--database", database, "--sandbox", sandbox, "--with-credentials"]
            lines = subprocess.run([binary, "journal", "--json-lines", *source], capture_output=True, text=True, timeout=120, check=True).stdout
            entries = [json.loads(line) for line in lines.splitlines()]
            archive = export(binary, "har", *source)
            expect(f"har of {sandbox}", (0, ""), (archive.returncode, archive.stderr))
            (folder / f"{sandbox}.har").write_text(archive.stdout)
            found = har(json.loads(archive.stdout), entries)
            calls, messages = calls + found[0], messages + found[1]
            for vendor, document in documents.items():
                made = export(binary, "pact", vendor, "--consumer", "app", *source)
                called = any(entry.get("operation", "").startswith(vendor + ".") and entry["kind"] == "exchange" and "causedBy" not in entry
                             and entry.get("answer", {}).get("name") for entry in entries)
                expect(f"whether {sandbox} has a pact with {vendor}: {made.stderr}", 0 if called else 1, made.returncode)
                if called:
                    (folder / f"{sandbox}-{vendor}.json").write_text(made.stdout)
                    interactions += pact(document, json.loads(made.stdout), vendor)
        signed = re.compile(r"eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+")
        signatures = 0
        for sandbox in sandboxes:
            source = ["--database", database, "--sandbox", sandbox]
            whole, shared = (export(binary, "har", *source, *words).stdout for words in (["--with-credentials"], []))
            signatures += len(signed.findall(whole))
            expect(f"signatures in what is shared of {sandbox}", [], signed.findall(shared))
            left = subprocess.run([binary, "scan", "-"], input=shared, capture_output=True, text=True, timeout=120, check=False)
            expect(f"what a scan of {sandbox} finds: {left.stdout[:500]}", 0, left.returncode)
        if not signatures:
            raise Wrong("no signature was sent")
    for kind in ("Synchronous/HTTP", "Synchronous/Messages", "Asynchronous/Messages"):
        if not interactions[kind]:
            raise Wrong(f"no interaction is {kind}")
    for words, status in (["pact", "livepersn", "--consumer", "a"], 64), (["nothing.yaml"], 64), (["har", "--database", "nowhere.db"], 66):
        expect(f"export {' '.join(words)}", status, export(binary, *words).returncode)
    print(f"exports: {calls} calls and {messages} messages in archives, {dict(interactions)} in pacts")


if __name__ == "__main__":
    try:
        main()
    except Wrong as wrong:
        sys.exit(f"WRONG exports: {wrong}")
