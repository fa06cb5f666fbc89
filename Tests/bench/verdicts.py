"""How long it takes to judge a long journal: all rules over a million entries, and what memory that needs.

    python3 verdicts.py SPARRING [--entries 1000000]

The journal is filled over the wire by wrk; the verdict is `sparring verify --database`, from its start to its end.
"""

import argparse
import json
import os
import re
import resource
import subprocess
import tempfile
import time
import urllib.request

parser = argparse.ArgumentParser()
parser.add_argument("sparring")
parser.add_argument("--entries", type=int, default=1_000_000)
arguments = parser.parse_args()


def read(path):
    with urllib.request.urlopen(url + path, timeout=60) as answer:
        return json.load(answer)


with tempfile.TemporaryDirectory() as folder:
    database, ready = os.path.join(folder, "sparring.db"), os.path.join(folder, "ready.json")
    process = subprocess.Popen(
        [arguments.sparring, "serve", "--port", "0", "--no-tls", "--quiet", "--ready-file", ready, "--database", database,
         "--journal-limit", str(arguments.entries * 2), "--journal-size", "8192"])
    while not os.path.exists(ready):
        time.sleep(0.01)
    url = "http://127.0.0.1:%d" % json.load(open(ready))["port"]
    account = read("/__admin/sandboxes/default")["tenants"]["liveperson"]["accountId"]
    lookup = f"{url}/api/account/{account}/service/idp/baseURI.json?version=1.0"
    entries = 0
    while entries < arguments.entries:
        out = subprocess.run(["wrk", "-t1", "-c64", "-d10s", lookup], capture_output=True, text=True, check=True).stdout
        entries += int(re.search(r"(\d+) requests in", out).group(1))
    process.terminate()
    process.wait()
    begun = time.perf_counter()
    done = subprocess.run(
        [arguments.sparring, "verify", "--database", database, "--json"], capture_output=True, text=True, check=False)
    took = time.perf_counter() - begun
    report = json.loads(done.stdout)
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"{report['entries']:,} entries judged by {len(report['verdicts'])} rules in {took:.2f} s, exit {done.returncode}")
    print(f"  at most {memory:.0f} MiB resident (of the server and the verdict, whichever was more); file {os.path.getsize(database) >> 20} MiB")
