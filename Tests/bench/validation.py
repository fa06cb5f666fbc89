"""What it costs to hold calls to the contract: Sparring as it is, beside Sparring whose contract an overlay has freed of all schemas of bodies.

    python3 validation.py SPARRING [--seconds 3] [--rounds 7]

The two take turns in one run; what counts are the ratios of medians. Needs wrk.
"""

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import tempfile
import time
import urllib.request

from cart import CART

parser = argparse.ArgumentParser()
parser.add_argument("sparring")
parser.add_argument("--seconds", type=int, default=3)
parser.add_argument("--rounds", type=int, default=7)
arguments = parser.parse_args()
if not shutil.which("wrk"):
    parser.error("wrk is not installed")

OVERLAY = """
overlay: 1.1.0
info: { title: No schemas, version: '1' }
extends: liveperson.openapi.yaml
actions:
  - { target: '$.paths[*][*].requestBody.content[*].schema', remove: true }
  - { target: '$.components.requestBodies[*].content[*].schema', remove: true }
  - { target: '$.paths[*][*].responses[*].content[*].schema', remove: true }
  - { target: '$.components.responses[*].content[*].schema', remove: true }
"""


def call(url, body=None):
    request = urllib.request.Request(url, data=None if body is None else json.dumps(body).encode(), headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


class Server:
    def __init__(self, folder, name, *options):
        self.folder = os.path.join(folder, name)
        os.mkdir(self.folder)
        ready = os.path.join(self.folder, "ready.json")
        self.process = subprocess.Popen(
            [arguments.sparring, "serve", "--port", "0", "--no-tls", "--quiet", "--ready-file", ready, "--ca-folder", folder, *options])
        while not os.path.exists(ready):
            if self.process.poll() is not None:
                raise SystemExit(f"the server ended with {self.process.returncode}")
            time.sleep(0.01)
        self.url = "http://127.0.0.1:%d" % json.load(open(ready))["port"]
        account = call(self.url + "/__admin/sandboxes/default")["tenants"]["liveperson"]["accountId"]
        token = call(self.url + "/__admin/sandboxes/default/credentials", {"form": "jwt", "subject": "ada", "lifetime": "10h"})["credential"]
        path = f"{self.url}/api/account/{account}"
        bearer = call(f"{path}/app/default/authenticate?v=2.0", {"id_token": token})["jwt"]
        engagement = f"{path}/app/1/engagement?v=1.0"
        visit = {"consumerId": "ada", "engagementAttributes": [CART]}
        self.rows = {
            "sign-in by JWT": self.script("POST", f"{path}/app/default/authenticate?v=2.0", {"id_token": token}),
            "push registration": self.script(
                "PUT", f"{self.url}/mock/pusher/account/{account}/registrations/app", {"deviceToken": "a", "pushType": "APNS", "lang": "en-US"},
                f"Bearer {bearer}"),
            "cart of 20 products": self.script("POST", engagement, visit),
        }

    def script(self, method, url, body, authorization=None):
        file = os.path.join(self.folder, f"{len(os.listdir(self.folder))}.lua")
        with open(file, "w") as lua:
            lua.write(f'wrk.method = "{method}"\nwrk.headers["Content-Type"] = "application/json"\nwrk.body = {json.dumps(json.dumps(body))}\n')
            if authorization:
                lua.write(f'wrk.headers["Authorization"] = "{authorization}"\n')
        return url, file

    def measure(self, row):
        url, script = self.rows[row]
        out = subprocess.run(
            ["wrk", "-t1", "-c16", f"-d{arguments.seconds}s", "-s", script, url], capture_output=True, text=True, check=True).stdout
        refused = re.search(r"Non-2xx or 3xx responses: (\d+)", out)
        return float(re.search(r"Requests/sec:\s+([\d.]+)", out).group(1)), int(refused.group(1)) if refused else 0


with tempfile.TemporaryDirectory() as folder:
    overlay = os.path.join(folder, "none.overlay.yaml")
    with open(overlay, "w") as file:
        file.write(OVERLAY)
    held, free = Server(folder, "held"), Server(folder, "free", "--overlay", overlay)
    for row in held.rows:
        figures = {held: [], free: []}
        refused = 0
        for _ in range(arguments.rounds):
            for server in figures:
                rate, bad = server.measure(row)
                figures[server].append(rate)
                refused += bad
        with_schemas, without = (statistics.median(figures[server]) for server in (held, free))
        print(
            f"{row:20} {with_schemas:>8,.0f} requests/s with schemas, {without:>8,.0f} without: validation costs {1 - with_schemas / without:5.1%}"
            + (f"  {refused} refused!" if refused else ""))
    for server in (held, free):
        server.process.terminate()
        server.process.wait()
