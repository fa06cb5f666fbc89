"""Whether something large holds everybody up: 64 callers, while the disk is waited for, or a sandbox of 50,000 entries is deleted, forked or reset.

    python3 turns.py SPARRING [--seconds 4] [--rounds 3]

All is done on one thread, in turns, so whatever takes long in one turn is seen as the longest answer of the callers. Needs wrk.
"""

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import tempfile
import threading
import time
import urllib.request

parser = argparse.ArgumentParser()
parser.add_argument("sparring")
parser.add_argument("--seconds", type=int, default=4)
parser.add_argument("--rounds", type=int, default=3)
parser.add_argument("--entries", type=int, default=50_000)
arguments = parser.parse_args()
if not shutil.which("wrk"):
    parser.error("wrk is not installed")

MILLISECONDS = {"us": 0.001, "ms": 1, "s": 1000}


def call(url, body=None, method=None):
    request = urllib.request.Request(
        url, method=method, data=None if body is None else json.dumps(body).encode(), headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=120) as answer:
        text = answer.read()
        return json.loads(text) if text else None


def wrk(url, seconds):
    """Requests per second; p50, p99 and the longest answer in milliseconds."""
    out = subprocess.run(["wrk", "-t1", "-c64", f"-d{seconds}s", "--latency", url], capture_output=True, text=True, check=True).stdout
    longest = re.search(r"Latency\s+\S+\s+\S+\s+([\d.]+)(us|ms|s)", out)
    shares = [re.search(rf"{share}%\s+([\d.]+)(us|ms|s)", out) for share in (50, 99)]
    times = [float(found.group(1)) * MILLISECONDS[found.group(2)] for found in (*shares, longest)]
    return [float(re.search(r"Requests/sec:\s+([\d.]+)", out).group(1)), *times]


class Server:
    def __init__(self, folder, durability):
        own = tempfile.mkdtemp(dir=folder)
        ready = os.path.join(own, "ready.json")
        self.process = subprocess.Popen([
            arguments.sparring, "serve", "--port", "0", "--no-tls", "--quiet", "--ready-file", ready, "--ca-folder", folder, "--database",
            os.path.join(own, "sparring.db"), "--durability", durability])
        while not os.path.exists(ready):
            if self.process.poll() is not None:
                raise SystemExit(f"the server ended with {self.process.returncode}")
            time.sleep(0.01)
        self.url = "http://127.0.0.1:%d" % json.load(open(ready))["port"]
        self.lookup = self.lookup_of(call(self.url + "/__admin/sandboxes/default"))

    def lookup_of(self, sandbox):
        return f"{self.url}/api/account/{sandbox['tenants']['liveperson']['accountId']}/service/idp/baseURI.json?version=1.0"

    def full(self):
        """Makes a sandbox with so many entries, and returns its name and the number of one of the newest."""
        sandbox = call(self.url + "/__admin/sandboxes", {})
        lookup, served = self.lookup_of(sandbox), 0
        while served < arguments.entries:
            served += int(wrk(lookup, 1)[0])
        return sandbox["id"], served - 1000

    def during(self, work):
        """What the callers see while, from the second second on, something is done once."""
        worker = threading.Thread(target=lambda: (time.sleep(1), work()))
        worker.start()
        figures = wrk(self.lookup, arguments.seconds)
        worker.join()
        return figures

    def stop(self):
        self.process.terminate()
        self.process.wait()


def show(name, runs):
    rate, p50, p99, longest = (statistics.median(run[index] for run in runs) for index in range(4))
    print(f"  {name:42} {rate:>8,.0f} requests/s  p50 {p50:6.2f} ms  p99 {p99:6.2f} ms  longest {longest:6.1f} ms")


with tempfile.TemporaryDirectory() as folder:
    for durability in ("process", "power"):
        server = Server(folder, durability)
        wrk(server.lookup, 2)
        print(f"--durability {durability}: 64 callers, medians of {arguments.rounds} runs of {arguments.seconds} s")
        show("by themselves", [wrk(server.lookup, arguments.seconds) for _ in range(arguments.rounds)])
        if durability == "process":
            admin = server.url + "/__admin/sandboxes/"
            jobs = {
                "deleted": lambda name, _: call(admin + name, method="DELETE"),
                "reset": lambda name, _: call(f"{admin}{name}/reset", {}),
                "forked": lambda name, number: call(f"{admin}{name}/journal/{number}/fork", {}),
            }
            for word, job in jobs.items():
                runs = []
                for _ in range(arguments.rounds):
                    name, number = server.full()
                    runs.append(server.during(lambda: job(name, number)))
                show(f"a sandbox of {arguments.entries:,} entries is {word}", runs)
        server.stop()
