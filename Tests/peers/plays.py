"""A server, and plays against it of the clients that others wrote."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import NamedTuple

from nest import Nest

HERE = Path(__file__).parent
CLIENTS = ("ios", "android", "bot", "cxone", "khoros", "talkdesk", "asapp")
# Of each vendor a second client, whose author had the vendor's document, the protocol reference and the contracts only.
CLIENTS += tuple(f"second/{vendor}" for vendor in ("liveperson", "cxone", "khoros", "asapp", "talkdesk"))
RATE = 10  # of the sandboxes' clocks: ten seconds of a story take one
# For silences that have to be watched to their end, by each of the clocks that a play may be judged by.
SETTLE = {"wall": "12s", "sandbox": "2m"}
# What a variant does otherwise than the document suggests, and says so.
POLICIES = {"three": {"retries": 3}, "app-timeout-5s": {"authorization-timeout": "5s"}}


class Play(NamedTuple):
    client: str
    scenario: str
    variant: str
    habit: str = None
    # What is varied of that which it is sent.
    vary: str = None

    def __str__(self):
        return " ".join(filter(None, self))


def all_plays():
    """What the clients say that they can play."""
    for client in CLIENTS:
        listed = subprocess.run([sys.executable, HERE / client, "--list"], capture_output=True, text=True, check=True).stdout
        yield from (Play(client, *line.split()) for line in listed.splitlines())


class Server:
    """Sparring, on ports of its own, for as long as the plays last, and the nest that the clients come from."""

    def __init__(self, binary, folder):
        self.nest = Nest()
        ready = Path(folder) / "ready.json"
        command = [binary, "serve", "--port", "0", "--tls-port", "0", "--tls-defects", "--ready-file", str(ready)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while not ready.exists() or not ready.read_text().strip():
            if self.process.poll() is not None or time.monotonic() > deadline:
                sys.exit("the server did not start")
            time.sleep(0.05)
        told = json.loads(ready.read_text())
        self.url, self.tls_url = f"http://127.0.0.1:{told['port']}", f"https://localhost:{told['tlsPort']}"
        self.tls_defects = self.call("GET", "health").get("tlsDefects", {})
        self.authority = str(Path(folder) / "ca.pem")
        with urllib.request.urlopen(f"{self.url}/__admin/ca") as answer:
            Path(self.authority).write_bytes(answer.read())

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}/__admin/{path}", data, {"content-type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request) as answer:
                text = answer.read()
        except OSError as error:
            if self.process.poll() is None:
                raise
            raise RuntimeError(f"the server has ended with {self.process.returncode}") from error
        return json.loads(text) if text else None

    def stop(self):
        self.nest.stop()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


def environment(server, made, rate):
    """As `sparring run` tells a client where its sandbox is."""

    def words(name):
        return re.sub(r"[^A-Z0-9]", "_", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).upper())

    variables = dict(os.environ, SPARRING_URL=server.url, SPARRING_SANDBOX=made["id"], SPARRING_CA_FILE=server.authority)
    variables["SPARRING_TIME_SCALE"] = str(1 / rate)
    variables["SPARRING_TLS_URL"] = f"https://localhost:{server.tls_defects[made['tls']]}" if made.get("tls") else server.tls_url
    for tenant, fields in made["tenants"].items():
        for name, value in fields.items():
            if isinstance(value, list) and all(isinstance(each, str) for each in value):
                value = " ".join(value)
            if isinstance(value, (str, int, float)):
                variables[f"SPARRING_{words(tenant)}_{words(name)}"] = str(value)
    return variables


def perform(server, play, number, judge, basis, journals=None, rate=RATE, kinds=None):
    """Plays, and returns what `judge(play, report, ended)` has to say: `report` is the verdicts', `ended` why the client did not end well. `basis` is the
    clock that it is judged by: of the sandbox, which is set forward through what would have to be waited for, or of the machine. `kinds` notes what was played."""
    # The rate goes beside what the scenario has of the clock, not in its place.
    clock = server.call("GET", f"scenarios/{play.scenario}")["sandbox"].get("clock", {}) | {"mode": "rate", "rate": rate}
    form = {"name": f"play-{number}", "scenario": play.scenario, "clock": clock}
    made = server.call("POST", "sandboxes", form | ({"vary": play.vary} if play.vary else {}))
    arguments = [play.scenario, "--variant", play.variant, *(["--habit", play.habit] if play.habit else [])]
    ended = None
    try:
        status, errors = server.nest.run(HERE / play.client, arguments, environment(server, made, rate), timeout=240)
        if status:
            ended = f"ended with {status}: {errors.strip()[-400:]}"
    except TimeoutError:
        ended = "did not end"
    form = {"timeBasis": basis, "settle": SETTLE[basis], "policies": POLICIES.get(play.variant, {})}
    if basis == "wall":
        form["timeScale"] = 1 / rate
    report = server.call("POST", f"sandboxes/{made['id']}/verdicts", form)
    complaints = judge(play, report, ended)
    entries = server.call("GET", f"sandboxes/{made['id']}/journal?limit=1000") if kinds or complaints and journals else None
    if kinds and not complaints:
        kinds.note(play, report, entries["entries"], basis)
    if complaints and journals:
        Path(journals).mkdir(parents=True, exist_ok=True)
        (Path(journals) / f"{play}.json".replace(" ", "-").replace("/", "-")).write_text(json.dumps({"report": report, "journal": entries}))
    server.call("DELETE", f"sandboxes/{made['id']}")
    return complaints
