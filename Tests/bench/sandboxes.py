"""What making and deleting a sandbox costs, in processor time of the server, and what memory an idle server has.

    python3 sandboxes.py SPARRING [--count 300]
"""

import argparse
import json
import os
import subprocess
import tempfile
import time
import urllib.request

parser = argparse.ArgumentParser()
parser.add_argument("sparring")
parser.add_argument("--count", type=int, default=300)
arguments = parser.parse_args()


class Server:
    def __init__(self, folder):
        ready = os.path.join(folder, "ready.json")
        self.process = subprocess.Popen(
            [arguments.sparring, "serve", "--port", "0", "--no-tls", "--quiet", "--ready-file", ready], stdout=subprocess.DEVNULL)
        while not os.path.exists(ready) or not open(ready).read().strip():
            if self.process.poll() is not None:
                raise SystemExit(f"the server ended with {self.process.returncode}")
            time.sleep(0.01)
        self.url = "http://127.0.0.1:%d/__admin/sandboxes" % json.load(open(ready))["port"]

    def call(self, method, path="", body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            answer.read()

    def processor(self):
        """Milliseconds so far, of all threads."""
        total = 0
        for thread in os.listdir(f"/proc/{self.process.pid}/task"):
            with open(f"/proc/{self.process.pid}/task/{thread}/schedstat") as file:
                total += int(file.read().split()[0])
        return total / 1e6

    def memory(self):
        """MiB: resident, and of those the ones that no other process shares."""
        with open(f"/proc/{self.process.pid}/smaps_rollup") as file:
            sizes = {line.split(":")[0]: int(line.split()[1]) / 1024 for line in file if line.rstrip().endswith("kB")}
        return sizes["Rss"], sizes["Private_Dirty"] + sizes["Private_Clean"], sizes["Private_Dirty"]


with tempfile.TemporaryDirectory() as folder:
    server = Server(folder)
    resident, private, dirty = server.memory()
    print(f"idle: {resident:.0f} MiB resident, {private:.1f} MiB of them private, {dirty:.1f} MiB of those written to")
    names = [f"made-{number}" for number in range(arguments.count)]
    for name in ["warm-up-1", "warm-up-2"]:
        server.call("POST", body={"name": name})
        server.call("DELETE", f"/{name}")
    for what, step in [
        ("making", lambda name: server.call("POST", body={"name": name})),
        ("deleting", lambda name: server.call("DELETE", f"/{name}")),
    ]:
        before = server.processor()
        for name in names:
            step(name)
        print(f"{what} a sandbox: {(server.processor() - before) / len(names):.2f} ms of processor time (mean of {len(names)})")
    server.process.terminate()
    server.process.wait()
