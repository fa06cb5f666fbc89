"""Plays the good clients that were written by other hands, and holds the verdicts to them: what a good client does fails no rule, and leaves nothing
untold that a scenario expects.

    hands.py --binary .build/debug/sparring            # one variant of each scenario and client
    hands.py --binary .build/debug/sparring --all      # every variant
    hands.py … --client ios --scenario pusher-down-for-31s --variant jitter
"""

import argparse
import concurrent.futures
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
import zlib
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
CLIENTS = ("ios", "android")
RATE = 10  # of the sandboxes' clocks: ten seconds of a story take one
SETTLE = "12s"  # of the machine's time, for silences that have to be watched to their end
POLICIES = {"three": {"retries": 3}}  # what a variant does otherwise than the document suggests, and says so


class Play(NamedTuple):
    client: str
    scenario: str
    variant: str

    def __str__(self):
        return f"{self.client} {self.scenario} {self.variant}"


def all_plays():
    """What the clients say that they can play."""
    for client in CLIENTS:
        listed = subprocess.run([sys.executable, HERE / client, "--list"], capture_output=True, text=True, check=True).stdout
        yield from (Play(client, *line.split()) for line in listed.splitlines())


def one_each(plays):
    """Of each client and scenario one variant: always the same, and not always the plain one."""
    by_scenario = {}
    for play in plays:
        by_scenario.setdefault((play.client, play.scenario), []).append(play)
    return [variants[zlib.crc32(f"{key}".encode()) % len(variants)] for key, variants in by_scenario.items()]


class Server:
    """Sparring, on ports of its own, for as long as the plays last."""

    def __init__(self, binary, folder):
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
        with urllib.request.urlopen(request) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


def environment(server, made):
    """As `sparring run` tells a client where its sandbox is."""

    def words(name):
        return re.sub(r"[^A-Z0-9]", "_", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).upper())

    variables = dict(os.environ, SPARRING_URL=server.url, SPARRING_SANDBOX=made["id"], SPARRING_CA_FILE=server.authority)
    variables["SPARRING_TIME_SCALE"] = str(1 / RATE)
    variables["SPARRING_TLS_URL"] = f"https://localhost:{server.tls_defects[made['tls']]}" if made.get("tls") else server.tls_url
    for tenant, fields in made["tenants"].items():
        for name, value in fields.items():
            if isinstance(value, list) and all(isinstance(each, str) for each in value):
                value = " ".join(value)
            if isinstance(value, (str, int, float)):
                variables[f"SPARRING_{words(tenant)}_{words(name)}"] = str(value)
    return variables


def judge(server, play, number, journals):
    """Plays and judges; returns what is to be said against the verdicts, or the client."""
    made = server.call("POST", "sandboxes", {"name": f"play-{number}", "scenario": play.scenario, "clock": {"mode": "rate", "rate": RATE}})
    command = [sys.executable, HERE / play.client, play.scenario, "--variant", play.variant]
    try:
        ended = subprocess.run(command, env=environment(server, made), capture_output=True, text=True, timeout=240)
        complaints = [f"ended with {ended.returncode}: {ended.stderr.strip()[-400:]}"] if ended.returncode else []
    except subprocess.TimeoutExpired:
        complaints = ["did not end"]
    form = {"timeScale": 1 / RATE, "settle": SETTLE, "policies": POLICIES.get(play.variant, {})}
    report = server.call("POST", f"sandboxes/{made['id']}/verdicts", form)
    for verdict in report["verdicts"]:
        result = verdict["result"]
        # A client that tells no marks cannot be seen to do what only a mark tells.
        is_unmarked = play.variant == "no-marks" and "mark" in verdict["summary"] + verdict["says"]
        is_missed = verdict["expected"] and result in ("not-exercised", "undecided") and not is_unmarked
        if result in ("fail", "cannot-judge") or is_missed:
            complaints.append(f"{result} {verdict['rule']}: {verdict['summary']}")
    broken = [finding["words"] for finding in report["contract"]["findings"] if finding["weight"] == "fail"]
    complaints += [f"contract: {words}" for words in broken]
    if complaints and journals:
        entries = server.call("GET", f"sandboxes/{made['id']}/journal?limit=1000")
        Path(journals).mkdir(parents=True, exist_ok=True)
        (Path(journals) / f"{play}.json".replace(" ", "-")).write_text(json.dumps({"report": report, "journal": entries}))
    server.call("DELETE", f"sandboxes/{made['id']}")
    return complaints


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True, help="sparring")
    parser.add_argument("--all", action="store_true", help="every variant")
    parser.add_argument("--jobs", type=int, default=3, help="plays at a time")
    parser.add_argument("--journals", help="a folder for the verdicts and journals of what is judged wrongly")
    for name in ("client", "scenario", "variant"):
        parser.add_argument(f"--{name}", help=f"only of this {name}")
    options = parser.parse_args()
    wanted = {name: getattr(options, name) for name in ("client", "scenario", "variant") if getattr(options, name)}
    plays = [play for play in all_plays() if all(getattr(play, name) == value for name, value in wanted.items())]
    if not options.all and "variant" not in wanted:
        plays = one_each(plays)
    if not plays:
        sys.exit("there is nothing to play")
    failed = 0
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(options.binary, folder)
        with contextlib.ExitStack() as stack:
            stack.callback(server.stop)
            pool = stack.enter_context(concurrent.futures.ThreadPoolExecutor(options.jobs))
            running = {pool.submit(judge, server, play, number, options.journals): play for number, play in enumerate(plays, 1)}
            for done in concurrent.futures.as_completed(running):
                if complaints := done.result():
                    failed += 1
                    print(f"{running[done]}\n    " + "\n    ".join(complaints), flush=True)
    print(f"{len(plays)} plays of good clients, {failed} judged wrongly, {time.monotonic() - started:.0f} s")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
