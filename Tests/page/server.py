"""Sparring's real binary, on ports of its own."""

import json
import os
import signal
import subprocess
import time
import uuid
from pathlib import Path

import requests

ROOT = Path(__file__).resolve().parents[2]
FROZEN = {"mode": "frozen", "now": "2027-01-15T08:00:00Z"}


def until(condition, seconds=30, what="what was waited for"):
    """The first true result of a condition, which is asked again and again."""
    deadline = time.monotonic() + seconds
    while not (result := condition()):
        assert time.monotonic() < deadline, f"{what} did not come in {seconds} s"
        time.sleep(0.02)
    return result


class Server:
    def __init__(self, binary, folder, *options):
        self.folder, self.ready = Path(folder), Path(folder) / "ready.json"
        self.command = [str(binary), "serve", "--quiet", "--grace", "0", "--ready-file", str(self.ready), "--database", str(self.folder / "sparring.db")]
        self.command += ["--ca-folder", str(self.folder / "ca"), "--contracts", str(ROOT / "contracts")]
        self.command += ["--scenarios", str(ROOT / "fixtures/scenarios"), *options]
        self.options = options
        self.port = self.tls_port = 0
        self.http = requests.Session()
        self.http.trust_env = False
        self.start()

    def start(self):
        """On the same database and ports as before, if it ran before."""
        self.ready.unlink(missing_ok=True)
        ports = ["--port", str(self.port)] + ([] if "--no-tls" in self.options else ["--tls-port", str(self.tls_port)])
        log = open(self.folder / "server.log", "ab")
        environment = {name: value for name, value in os.environ.items() if not name.startswith("SPARRING_")}
        self.process = subprocess.Popen(self.command + ports, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment)
        told = until(self.said, 60, "the server")
        self.port, self.tls_port = told["port"], told.get("tlsPort", 0)
        self.url = f"http://127.0.0.1:{self.port}"

    def said(self):
        assert self.process.poll() is None, (self.folder / "server.log").read_text()
        return self.ready.exists() and json.loads(self.ready.read_text() or "null")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(30)
        self.http.close()

    def call(self, method, path, body=None):
        """Calls the admin API, and returns what it answers."""
        answer = self.http.request(method, f"{self.url}/__admin/{path}", json=body, timeout=60)
        assert answer.ok, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json() if answer.content else None

    def sandbox(self, name=None, **more):
        """A sandbox of its own, on a clock that stands still."""
        name = name or f"page-{uuid.uuid4().hex[:8]}"
        return Sandbox(self, self.call("POST", "sandboxes", {"name": name, "seed": 7, "clock": FROZEN, **more}))


class Sandbox:
    def __init__(self, server, made):
        self.server, self.name, self.tenants = server, made["id"], made["tenants"]

    @property
    def page(self):
        return f"{self.server.url}/__sparring/{self.name}"

    def call(self, method, path="", body=None):
        return self.server.call(method, f"sandboxes/{self.name}" + (path and f"/{path}"), body)

    def entries(self):
        """All entries of the journal."""
        entries, since = [], 1
        while (page := self.call("GET", f"journal?since={since}&limit=1000"))["entries"]:
            entries += page["entries"]
            since = page["next"]
        return entries

    def last(self):
        """The number of the newest entry."""
        return self.call("GET", "journal?tail=1")["next"] - 1
