"""Three nodes behind HAProxy: workers make sandboxes through the balancer, and each plays a good client in its own. Meanwhile a node is killed and started again,
and another one drains. Every verdict must be right, no id may be handed out by two nodes, no call may come to a node that it is not for, and a sandbox can always be made
but for the time in which HAProxy notices that a node is gone.

    drill.py --binary SPARRING                                  # in some minutes
    drill.py --binary SPARRING --sandboxes 30 --workers 6       # in half a minute

Needs haproxy, and a resolver that knows *.localhost (libnss-myhostname).
"""

import argparse
import concurrent.futures
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

PEERS = Path(__file__).parent.parent / "peers"
sys.path.insert(0, str(PEERS))

from hands import against_the_good  # noqa: E402
from nest import Nest  # noqa: E402
from plays import RATE, SETTLE, all_plays, environment  # noqa: E402

DOMAIN = "sparring.localhost"
NAMES = ("a", "b", "c")
# Of each vendor one that is quickly played, in the first of its variants.
SCENARIOS = [
    ("ios", "brand-requires-pkce"), ("android", "duplicate-push"), ("cxone", "two-threads"), ("khoros", "second-device-joins"),
    ("asapp", "message-while-in-chat"), ("talkdesk", "token-expires-mid-interaction")]
# HAProxy looks at each node every two seconds.
HEALTH_INTERVAL = 2.0
PATIENCE = 60


def free_port():
    with socket.socket(socket.AF_INET6) as free:
        free.bind(("::", 0))
        return free.getsockname()[1]


def call(url, method, path, body=None, timeout=60):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{url}/__admin/{path}", data, {"content-type": "application/json"}, method=method)
    with urllib.request.urlopen(request, timeout=timeout) as answer:
        text = answer.read()
    return json.loads(text) if text else None


class Node:
    """One server, at an address of its own."""

    def __init__(self, farm, name, number):
        self.farm, self.name, self.address = farm, name, f"127.0.0.{11 + number}"
        self.own_url = f"http://{self.address}:{farm.node_port}"
        self.process = None
        self.start()

    def start(self):
        ready = self.farm.folder / f"{self.name}.json"
        ready.unlink(missing_ok=True)
        host = f"{self.name}.{DOMAIN}"
        command = [
            self.farm.binary, "serve", "--bind", self.address, "--port", self.farm.node_port, "--tls-port", self.farm.node_tls_port, "--node", self.name,
            "--advertise", f"http://{host}:{self.farm.port}", "--advertise", f"https://{host}:{self.farm.tls_port}", "--ttl", "10m",
            "--database", self.farm.folder / f"{self.name}.db", "--ca-folder", self.farm.folder / "ca", "--ready-file", ready, "--quiet"]
        self.process = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        deadline = time.monotonic() + PATIENCE
        while not ready.exists() or not ready.read_text().strip():
            if self.process.poll() is not None or time.monotonic() > deadline:
                sys.exit(f"node {self.name} did not start")
            time.sleep(0.05)


class Owner:
    """The node that has a sandbox, as its clients reach it: through the balancer."""

    def __init__(self, farm, made):
        self.name, self.url, self.tls_url = made["node"], made["baseURL"], made["tlsBaseURL"]
        self.authority, self.tls_defects = farm.authority, {}

    def call(self, method, path, body=None):
        """Waits for a node that is being started again."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                return call(self.url, method, path, body, timeout=300)
            except urllib.error.HTTPError as error:
                # HAProxy's own, not the node's.
                if error.headers.get("Content-Type") == "application/problem+json" or time.monotonic() > deadline:
                    raise RuntimeError(f"{method} {path}: {error.code} {error.read()[:300]}") from error
            except OSError:
                if time.monotonic() > deadline:
                    raise
            time.sleep(0.2)


class Farm:
    def __init__(self, binary, folder):
        self.binary, self.folder = binary, Path(folder)
        self.port, self.tls_port, self.node_port, self.node_tls_port = (free_port() for _ in range(4))
        self.map, self.socket = self.folder / "accounts.map", self.folder / "haproxy.sock"
        self.map.touch()
        self.url = f"http://{DOMAIN}:{self.port}"
        self.nodes = [Node(self, name, number) for number, name in enumerate(NAMES)]
        self.authority = str(self.folder / "ca.pem")
        with urllib.request.urlopen(f"{self.nodes[0].own_url}/__admin/ca") as answer:
            Path(self.authority).write_bytes(answer.read())
        named = [word for node in self.nodes for word in ("--node", f"{node.name}={node.address}")]
        made = subprocess.run(
            [str(word) for word in (
                binary, "balancer", "haproxy", *named, "--host", DOMAIN, "--port", self.port, "--tls-port", self.tls_port, "--node-port", self.node_port,
                "--node-tls-port", self.node_tls_port, "--map", self.map, "--socket", self.socket)],
            capture_output=True, text=True, check=True)
        configuration = self.folder / "haproxy.cfg"
        configuration.write_text(made.stdout)
        subprocess.run(["haproxy", "-c", "-q", "-f", configuration], check=True)
        self.balancer = subprocess.Popen(["haproxy", "-q", "-f", configuration])
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                call(self.url, "GET", "health")
                break
            except OSError:
                if time.monotonic() > deadline:
                    sys.exit("HAProxy did not start")
                time.sleep(0.1)

    def stop(self):
        self.balancer.terminate()
        for node in self.nodes:
            node.process.terminate()
        for process in (self.balancer, *(node.process for node in self.nodes)):
            process.wait()


class Drill:
    def __init__(self, farm, count):
        self.farm, self.count, self.nest = farm, count, Nest()
        self.lock = threading.Lock()
        known = list(all_plays())
        self.plays = [next(play for play in known if (play.client, play.scenario) == wanted) for wanted in SCENARIOS]
        self.ids, self.twice, self.wrong, self.disturbed = {}, [], [], 0
        self.refused = []  # when the making of a sandbox failed, and whether it did until then
        self.made_at = {name: 0 for name in NAMES}
        self.done = 0
        self.killed, self.draining, self.outage = None, None, None

    def make(self, form):
        """Through the balancer; what is refused is tried again, and how long that took is kept."""
        began = None
        while True:
            try:
                made = call(self.farm.url, "POST", "sandboxes", form)
                break
            except OSError as error:
                began = began or time.monotonic()
                if time.monotonic() - began > PATIENCE:
                    raise
                print(f"a sandbox cannot be made now: {error}", flush=True)
                time.sleep(0.1)
        with self.lock:
            if began:
                self.refused.append(time.monotonic() - began)
            self.made_at[made["node"]] += 1
        return made

    def note(self, made, owner):
        """What was handed out in a sandbox."""
        ids = {("sandbox", made["id"])}
        for vendor, names in made["calledBy"].items():
            ids |= {(vendor, name) for name in names}
        found = owner.call("GET", f"sandboxes/{made['id']}/conversations")["conversations"]
        ids |= {("conversation", each["id"]) for each in found}
        with self.lock:
            for each in ids:
                # A node itself draws the same again for a seed, once the sandbox that had it is gone.
                if self.ids.get(each, made["node"]) != made["node"]:
                    self.twice.append((each, self.ids[each], made["node"]))
                self.ids[each] = made["node"]

    def play(self, number):
        play = self.plays[number % len(self.plays)]
        clock = call(self.farm.url, "GET", f"scenarios/{play.scenario}")["sandbox"].get("clock", {}) | {"mode": "rate", "rate": RATE}
        # All workers have the same seed: only the nodes' names keep their ids apart.
        made = self.make({"scenario": play.scenario, "clock": clock, "seed": number % 20})
        owner = Owner(self.farm, made)
        began = time.monotonic()
        status, errors = self.nest.run(PEERS / play.client, [play.scenario, "--variant", play.variant], environment(owner, made, RATE), timeout=240)
        ended = f"ended with {status}: {errors.strip()[-300:]}" if status else None
        outage = self.outage
        is_disturbed = self.killed == owner.name and outage is not None and began < outage[1] and time.monotonic() > outage[0]
        report = owner.call("POST", f"sandboxes/{made['id']}/verdicts", {"timeBasis": "sandbox", "settle": SETTLE["sandbox"]})
        if is_disturbed:
            # Its node was away meanwhile: the client need not have come to its end, but it has broken nothing.
            complaints = [f"fail {each['rule']}: {each['summary']}" for each in report["verdicts"] if each["result"] == "fail"]
        else:
            complaints = against_the_good(play, report, ended)
        if report["node"] != made["node"]:
            complaints.append(f"the report is of node {report['node']}")
        self.note(made, owner)
        owner.call("DELETE", f"sandboxes/{made['id']}")
        with self.lock:
            self.done += 1
            self.disturbed += is_disturbed
            self.wrong += [f"{play} at {made['node']}: {each}" for each in complaints]
        if self.done % 25 == 0:
            print(f"{self.done} of {self.count} sandboxes", flush=True)

    def disturb(self):
        """In the middle, one node is killed and started again; later another one drains."""
        self.wait_until(self.count // 3)
        killed = self.farm.nodes[1]
        self.killed, began = killed.name, time.monotonic()
        self.outage = (began, began + PATIENCE)
        killed.process.send_signal(signal.SIGKILL)
        killed.process.wait()
        time.sleep(0.5)  # as a supervisor restarts it
        killed.start()
        # What a client had under way may take until now to come to nothing.
        self.outage = (began, time.monotonic() + 5)
        print(f"node {killed.name} was killed, and was back after {time.monotonic() - began:.1f} s", flush=True)
        self.wait_until(self.count * 2 // 3)
        drained = self.farm.nodes[2]
        self.draining = drained
        begun = call(drained.own_url, "POST", "drain", {"deadline": "5m"})
        print(f"node {drained.name} drains, with {begun['sandboxes']} sandboxes left", flush=True)

    def wait_until(self, count):
        while self.done < count:
            time.sleep(0.1)

    def run(self, workers):
        began = time.monotonic()
        disturber = threading.Thread(target=self.disturb, daemon=True)
        disturber.start()
        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            for each in concurrent.futures.as_completed([pool.submit(self.play, number) for number in range(self.count)]):
                error = each.exception()
                if error:
                    self.wrong.append(f"{type(error).__name__}: {error}")
                    self.done += 1
        disturber.join()
        took = time.monotonic() - began
        complaints = list(dict.fromkeys(self.wrong))
        complaints += [f"{what} of {one} was handed out by {other} too" for what, one, other in self.twice]
        longest = max(self.refused, default=0)
        if longest > HEALTH_INTERVAL + 1:
            complaints.append(f"no sandbox could be made for {longest:.1f} s")
        try:
            self.draining.process.wait(PATIENCE)
            if self.draining.process.returncode:
                complaints.append(f"the node that drained ended with {self.draining.process.returncode}")
        except subprocess.TimeoutExpired:
            complaints.append("the node that drains has not stopped")
        for node in self.farm.nodes:
            if node is not self.draining:
                strays = call(node.own_url, "GET", "unplaced")["entries"]
                complaints += [f"node {node.name} got a call that is not for it: {each}" for each in strays if each.get("method")]
                left = [each["id"] for each in call(node.own_url, "GET", "sandboxes")["sandboxes"] if each["id"] != "default"]
                if left:
                    complaints.append(f"node {node.name} still has {left}")
        complaints += self.by_account()
        print(
            f"{self.count} sandboxes by {workers} workers in {took:.0f} s, at each node: {self.made_at}; {self.disturbed} plays while their node was away; "
            f"{len(self.ids)} ids, {len(self.twice)} of two nodes; making one failed {len(self.refused)} times, for {longest:.1f} s at most")
        for complaint in complaints[:30]:
            print(f"WRONG {complaint}")
        return 1 if complaints else 0

    def by_account(self):
        """A client that knows only the balancer's address is led by its account."""
        wrong = []
        for _ in range(4):
            done = subprocess.run(
                [str(word) for word in (
                    self.farm.binary, "sandbox", "create", "--url", self.farm.url, "--json", "--map", self.farm.map, "--map-socket", self.farm.socket)],
                capture_output=True, text=True, check=False)
            if done.returncode:
                return [f"sandbox create --map: {done.stderr}"]
            made = json.loads(done.stdout)
            account, brand = made["tenants"]["liveperson"]["accountId"], made["calledBy"]["cxone"][0]
            for target in (f"/api/account/{account}/service/idp/baseURI.json?version=1.0", f"/chat/1.0/brand/{brand}/channel/none"):
                request = urllib.request.Request(self.farm.url + target)
                try:
                    urllib.request.urlopen(request, timeout=30).read()
                except urllib.error.HTTPError as error:
                    error.read()
            journal = call(made["baseURL"], "GET", f"sandboxes/{made['id']}/journal")["entries"]
            calls = [each["operation"] for each in journal if each.get("request")]
            if len(calls) != 2:
                wrong.append(f"two calls by account to the sandbox at node {made['node']}: {calls}")
        return wrong


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--binary", required=True)
    options.add_argument("--sandboxes", type=int, default=300)
    options.add_argument("--workers", type=int, default=30)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        farm = Farm(os.path.abspath(given.binary), folder)
        drill = Drill(farm, given.sandboxes)
        try:
            status = drill.run(given.workers)
        finally:
            drill.nest.stop()
            farm.stop()
    sys.exit(status)


if __name__ == "__main__":
    main()
